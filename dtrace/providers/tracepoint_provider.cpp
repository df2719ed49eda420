// The providers "rawtp" and "sdt": a probe for each tracepoint of the kernel, with its own arguments.
#include <algorithm>

#include "dlang/language/btf_types.hpp"
#include "dtrace/providers/provider.hpp"

namespace strut {
namespace {

/// Modules of the kernel have tracepoints of their own; these are the kernel's.
constexpr std::string_view kTracepointModule = "vmlinux";

class TracepointProvider final : public Provider {
 public:
  TracepointProvider(std::string_view name, BtfTypes& kernel) : name_(name), kernel_(kernel) {}

  std::string_view name() const override { return name_; }

  std::vector<OfferedProbe> all() const override { return {}; }

  /// DTrace's module of a tracepoint is its subsystem, which most names begin with: rawtp:sched::sched_switch.
  ProbeDescription meant_by(const ProbeDescription& description) const override {
    ProbeDescription meant = description;
    std::string prefix = description.module + '_';
    bool is_subsystem = !description.module.empty() && !glob_matches(description.module, kTracepointModule);
    if (!is_subsystem || (!description.name.empty() && !description.name.starts_with(prefix))) return meant;
    if (meant.name.empty()) meant.name = prefix + '*';
    meant.module.clear();
    return meant;
  }

  /// Only for a provider that is named: reading the kernel's types takes 10 ms.
  std::vector<OfferedProbe> asked_for(const ProbeDescription& description) const override {
    std::vector<OfferedProbe> probes;
    if (description.provider.empty() || !glob_matches(description.provider, name_)) return probes;
    for (std::string& name : kernel_.tracepoints()) {
      ProbeDescription own{std::string(name_), std::string(kTracepointModule), "", name};
      if (matches(description, own)) probes.push_back(probe(std::move(name)));
    }
    return probes;
  }

  std::optional<std::vector<DArgumentType>> arguments(const OfferedProbe& probe) const override {
    auto spelled = kernel_.arguments_of(probe.name);
    if (!spelled) return std::nullopt;
    std::vector<DArgumentType> types;
    for (std::string& type : *spelled) types.push_back({DArgumentType::Kind::Integer, std::move(type)});
    return types;
  }

 private:
  OfferedProbe probe(std::string name) const {
    auto arguments = kernel_.arguments_of(name);
    DTrigger trigger;
    trigger.kind = DTrigger::Kind::Tracepoint;
    trigger.tracepoint.name = name;
    if (arguments) trigger.tracepoint.arguments = static_cast<uint8_t>(std::min<size_t>(arguments->size(), 255));
    return {std::string(name_), std::string(kTracepointModule), "", std::move(name), std::move(trigger)};
  }

  std::string_view name_;
  BtfTypes& kernel_;
};

}  // namespace

std::unique_ptr<Provider> make_rawtp_provider(BtfTypes& kernel) {
  return std::make_unique<TracepointProvider>("rawtp", kernel);
}

std::unique_ptr<Provider> make_sdt_provider(BtfTypes& kernel) {
  return std::make_unique<TracepointProvider>("sdt", kernel);
}

}  // namespace strut
