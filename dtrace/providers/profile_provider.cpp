// The provider "profile": tick-N once for the system, profile-N on every CPU (DTrace Guide, "profile Provider").
#include <charconv>
#include <initializer_list>

#include "dlang/machine/time_units.hpp"
#include "dtrace/providers/provider.hpp"

namespace strut {
namespace {

constexpr uint64_t kSecond_ns = 1'000'000'000;
constexpr uint64_t kShortest_ns = 200'000;

std::optional<uint64_t> nanoseconds(uint64_t number, std::string_view suffix) {
  if (number == 0) return std::nullopt;
  if (suffix.empty() || suffix == "hz") return kSecond_ns / number;
  auto unit_ns = time_unit_ns(suffix);
  if (!unit_ns || number > UINT64_MAX / *unit_ns / 2) return std::nullopt;
  return number * *unit_ns;
}

class TimerProvider final : public Provider {
 public:
  TimerProvider(std::string_view prefix, DTrigger::Kind kind, std::initializer_list<std::string_view> usual)
      : prefix_(prefix), kind_(kind), usual_(usual) {}

  std::string_view name() const override { return "profile"; }

  std::vector<OfferedProbe> all() const override {
    std::vector<OfferedProbe> probes;
    for (std::string_view rate : usual_) probes.push_back(*probe(std::string(prefix_) + std::string(rate)));
    return probes;
  }

  std::vector<OfferedProbe> asked_for(const ProbeDescription& description) const override {
    bool fits = (description.provider.empty() || glob_matches(description.provider, "profile")) &&
                description.module.empty() && description.function.empty();
    auto asked = fits ? probe(description.name) : std::nullopt;
    return asked ? std::vector{*std::move(asked)} : std::vector<OfferedProbe>{};
  }

 private:
  std::optional<OfferedProbe> probe(const std::string& name) const {
    auto interval_ns = interval_of(name, prefix_);
    if (!interval_ns) return std::nullopt;
    DTrigger trigger;
    trigger.kind = kind_;
    trigger.interval_ns = *interval_ns;
    return OfferedProbe{"profile", "", "", name, trigger};
  }

  std::string_view prefix_;
  DTrigger::Kind kind_;
  std::vector<std::string_view> usual_;
};

}  // namespace

std::optional<uint64_t> interval_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::string_view text = name.substr(prefix.size());
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc{}) return std::nullopt;
  auto ns = nanoseconds(number, text.substr(static_cast<size_t>(end - text.begin())));
  return ns && *ns >= kShortest_ns ? ns : std::nullopt;
}

std::unique_ptr<Provider> make_profile_provider() {
  return std::make_unique<TimerProvider>(
      "profile-", DTrigger::Kind::Profile,
      std::initializer_list<std::string_view>{"97", "199", "499", "997", "1999", "4001", "4999"});
}

std::unique_ptr<Provider> make_tick_provider() {
  return std::make_unique<TimerProvider>(
      "tick-", DTrigger::Kind::Fired, std::initializer_list<std::string_view>{"1", "10", "100", "500", "1000", "5000"});
}

}  // namespace strut
