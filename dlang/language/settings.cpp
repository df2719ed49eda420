#include "dlang/language/settings.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/plain_text.hpp"
#include "dlang/machine/time_units.hpp"

namespace strut {
namespace {

struct Flag {
  std::string_view name;
  bool DSettings::* member;
};
constexpr Flag kFlags[] = {
    {"quiet", &DSettings::quiet},
    {"flowindent", &DSettings::flowindent},
    {"destructive", &DSettings::destructive},
    {"defaultargs", &DSettings::defaultargs},
    {"rawbytes", &DSettings::rawbytes},
    {"errtags", &DSettings::errtags},
    {"droptags", &DSettings::droptags},
    {"zdefs", &DSettings::zdefs},
    {"noresolve", &DSettings::noresolve},
    {"nolibs", &DSettings::nolibs},
    {"aggsortkey", &DSettings::aggsortkey},
    {"aggsortrev", &DSettings::aggsortrev},
};

/// A number within bounds: of bytes, or just a number.
struct Amount {
  std::string_view name;
  uint64_t DSettings::* member;
  bool is_size;
  uint64_t least, most;
};
constexpr uint64_t kGibibyte = 1 << 30;
constexpr Amount kAmounts[] = {
    {"strsize", &DSettings::strsize, true, 2, 65536},
    {"bufsize", &DSettings::bufsize, true, 1024, 64 * kGibibyte},
    {"aggsize", &DSettings::aggsize, true, 1024, 64 * kGibibyte},
    {"dynvarsize", &DSettings::dynvarsize, true, 0, 64 * kGibibyte},
    {"specsize", &DSettings::specsize, true, 0, 64 * kGibibyte},
    {"jstackstrsize", &DSettings::jstackstrsize, true, 0, 65536},
    {"nspec", &DSettings::nspec, false, 0, 65536},
    {"stackframes", &DSettings::stackframes, false, 1, 512},
    {"ustackframes", &DSettings::ustackframes, false, 1, 512},
    {"jstackframes", &DSettings::jstackframes, false, 1, 512},
    {"stackindent", &DSettings::stackindent, false, 0, 256},
    {"maxframes", &DSettings::maxframes, false, 1, 512},
    {"aggsortpos", &DSettings::aggsortpos, false, 0, 1024},
    {"aggsortkeypos", &DSettings::aggsortkeypos, false, 0, 1024},
    {"maxhits", &DSettings::maxhits, false, 0, UINT64_MAX},
    {"ignore", &DSettings::ignore, false, 0, UINT64_MAX},
    {"maxprobes", &DSettings::maxprobes, false, 1, UINT32_MAX},
};

struct Time {
  std::string_view name;
  uint64_t DSettings::* member;
};
constexpr Time kTimes[] = {
    {"switchrate", &DSettings::switchrate_ns},
    {"aggrate", &DSettings::aggrate_ns},
    {"cleanrate", &DSettings::cleanrate_ns},
    {"statusrate", &DSettings::statusrate_ns},
};

constexpr uint64_t kSecond = 1'000'000'000;

/// Digits and a unit.
struct Quantity {
  uint64_t number = 0;
  std::string_view suffix;
};

std::optional<Quantity> quantity(std::string_view text) {
  Quantity quantity;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (problem != std::errc{}) return std::nullopt;
  quantity.suffix = text.substr(static_cast<size_t>(end - text.data()));
  return quantity;
}

std::optional<uint64_t> size_of(std::string_view text) {
  auto given = quantity(text);
  if (!given || given->suffix.size() > 1) return std::nullopt;
  if (given->suffix.empty()) return given->number;
  size_t power = std::string_view("kmgt").find(lower(given->suffix[0]));
  if (power == std::string_view::npos || given->number > (UINT64_MAX >> (10 * (power + 1)))) return std::nullopt;
  return given->number << (10 * (power + 1));
}

/// A rate of so many hz is the time between two.
std::optional<uint64_t> time_of(std::string_view text) {
  auto given = quantity(text);
  if (!given || given->number == 0) return std::nullopt;
  if (given->suffix.empty() || same_ignoring_case(given->suffix, "hz"))
    return given->number > kSecond ? 1 : kSecond / given->number;
  std::string unit(given->suffix);
  std::ranges::transform(unit, unit.begin(), lower);
  auto unit_ns = time_unit_ns(unit);
  if (!unit_ns || given->number > UINT64_MAX / *unit_ns) return std::nullopt;
  return given->number * *unit_ns;
}

std::optional<bool> flag_of(std::string_view text) {
  static constexpr std::string_view kOn[] = {"", "1", "true", "yes", "on"};
  static constexpr std::string_view kOff[] = {"0", "false", "no", "off"};
  if (std::ranges::count(kOn, text) != 0) return true;
  return std::ranges::count(kOff, text) != 0 ? std::optional(false) : std::nullopt;
}

/// The place of a word in a list, which is the enumerator's value.
std::optional<uint8_t> word_of(std::string_view text, std::string_view words) {
  uint8_t index = 0;
  for (CommaList list(words); auto word = list.next(); index++)
    if (*word == text) return index;
  return std::nullopt;
}

template <typename T, typename U>
std::optional<std::string> set(T& setting, const std::optional<U>& value, std::string_view wanted) {
  if (!value) return "expected " + std::string(wanted);
  setting = static_cast<T>(*value);
  return std::nullopt;
}

std::optional<std::string> set_amount(DSettings& settings, const Amount& row, std::string_view value) {
  auto given = row.is_size                                          ? size_of(value)
               : quantity(value) && quantity(value)->suffix.empty() ? std::optional(quantity(value)->number)
                                                                    : std::nullopt;
  if (given && (*given < row.least || *given > row.most))
    return "it must be from " + std::to_string(row.least) + " to " + std::to_string(row.most);
  return set(settings.*row.member, given, row.is_size ? "a size: a number, or one with k, m, g or t" : "a number");
}

/// The error; nullopt: the option is set.
std::optional<std::string> try_option(DSettings& settings, std::string_view name, std::string_view value) {
  for (const Flag& row : kFlags)
    if (row.name == name)
      return set(settings.*row.member, flag_of(value), "no value, 1, true, yes, on, 0, false, no or off");
  for (const Amount& row : kAmounts)
    if (row.name == name) return set_amount(settings, row, value);
  for (const Time& row : kTimes)
    if (row.name == name)
      return set(settings.*row.member, time_of(value), "a time: a number with ns, us, ms, s, m, h, d or hz");
  if (name == "bufpolicy") return set(settings.bufpolicy, word_of(value, "switch,ring,fill"), "switch, ring or fill");
  if (name == "evaltime")
    return set(settings.evaltime, word_of(value, "exec,preinit,postinit,main"), "exec, preinit, postinit or main");
  return "there is no such option";
}

}  // namespace

Result<void> apply_option(DSettings& settings, std::string_view name, std::string_view value) {
  auto problem = try_option(settings, name, value);
  if (!problem) return {};
  std::string subject(name);
  if (!value.empty()) subject += '=' + std::string(value);
  return fail({.op = "option", .subject = subject, .why = *problem});
}

}  // namespace strut
