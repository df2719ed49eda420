#include "pid-provider/watch_pattern.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace strut {
namespace {

constexpr std::string_view kWatch = "watch";
constexpr std::array kAccesses = {WatchAccess::ReadWrite, WatchAccess::Read, WatchAccess::Write, WatchAccess::Execute};

std::unexpected<Complaint> complain_of(std::string_view tag, ProbeField field, std::string text,
                                       std::string advice = {}) {
  return std::unexpected(Complaint{tag, field, std::move(text), std::move(advice)});
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

/// As C writes it: decimal, or hexadecimal behind 0x.
std::optional<uint64_t> parse_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parse_hexadecimal(text);
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::expected<void, Complaint> take_watched_process(const ProbeDescription& description, WatchPattern& into) {
  std::string_view which = std::string_view(description.provider).substr(kWatch.size());
  if (which == "*")
    return complain_of("D_PROC_BADPID", ProbeField::Provider,
                       "memory is watched in one process: watch* would be that of all",
                       "watch and a number, or watch$target");
  auto pid = parse_number(which);
  if (!pid || *pid == 0 || *pid > INT32_MAX)
    return complain_of("D_PROC_BADPID", ProbeField::Provider,
                       in_quotes(description.provider) + " does not contain a valid pid", "the number of a process");
  into.pid = Pid{static_cast<int32_t>(*pid)};
  return {};
}

std::expected<void, Complaint> take_memory(const ProbeDescription& description, WatchPattern& into) {
  std::string_view field = description.function;
  if (is_glob(field))
    return complain_of(
        "D_PROC_FUNC", ProbeField::Function,
        in_quotes(field) + " is a pattern: a watchpoint takes one of four registers, so each has a name");
  if (!field.empty() && field[0] >= '0' && field[0] <= '9') {
    auto address = parse_number(field);
    if (!address) return complain_of("D_PROC_FUNC", ProbeField::Function, in_quotes(field) + " is no address");
    if (!description.module.empty())
      return complain_of("D_PROC_LIB", ProbeField::Module,
                         "an address is in no module: leave " + in_quotes(description.module) + " out");
    into.offset = *address;
    return {};
  }
  size_t plus = field.rfind('+');
  into.variable = field.substr(0, plus);
  auto offset = plus == std::string_view::npos ? 0 : parse_number(field.substr(plus + 1));
  if (into.variable.empty() || !offset)
    return complain_of("D_PROC_FUNC", ProbeField::Function, in_quotes(field) + " names no memory",
                       "VARIABLE, VARIABLE+BYTES or 0xADDRESS");
  into.offset = *offset;
  return {};
}

/// "w", "rw4".
std::expected<void, Complaint> take_access(const std::string& name, WatchPattern& into) {
  for (WatchAccess access : kAccesses) {
    std::string_view word = name_of(access);
    if (!name.starts_with(word)) continue;
    std::string_view length = std::string_view(name).substr(word.size());
    auto bytes = length.empty() ? 0 : parse_number(length);
    if (!bytes) break;
    into.access = access;
    if (access == WatchAccess::Execute && !length.empty())
      return complain_of("D_PROC_NAME", ProbeField::Name,
                         in_quotes(name) + ": an instruction is watched by its first byte", "x, without a length");
    if (!length.empty() && !is_watchable_size(*bytes))
      return complain_of("D_PROC_NAME", ProbeField::Name, in_quotes(name) + ": " + why_unwatchable(0, *bytes));
    into.bytes = static_cast<uint8_t>(access == WatchAccess::Execute ? 1 : *bytes);
    return {};
  }
  return complain_of("D_PROC_NAME", ProbeField::Name, in_quotes(name) + " is an invalid probe name",
                     "w, r or rw, and a length: w4; or x");
}

}  // namespace

bool is_watch_provider(std::string_view provider) {
  if (!provider.starts_with(kWatch)) return false;
  std::string_view which = provider.substr(kWatch.size());
  return which == "*" || which == "$target" ||
         (!which.empty() && which.find_first_not_of("0123456789") == std::string_view::npos);
}

bool is_about_memory(const ProbeDescription& description) {
  return description.provider == "watch" || is_watch_provider(description.provider);
}

std::expected<WatchPattern, Complaint> watch_pattern(const ProbeDescription& description) {
  if (!is_watch_provider(description.provider))
    return complain_of("D_PROC_BADPROV", ProbeField::Provider,
                       in_quotes(description.provider) + " is not a valid provider",
                       "watch and a number, or watch$target");
  WatchPattern pattern;
  pattern.module = description.module;
  for (auto& take : {take_watched_process, take_memory})
    if (auto taken = take(description, pattern); !taken) return std::unexpected(taken.error());
  if (auto taken = take_access(description.name, pattern); !taken) return std::unexpected(taken.error());
  bool has_length = !pattern.variable.empty() || pattern.bytes != 0;
  if (!has_length)
    return complain_of("D_PROC_NAME", ProbeField::Name,
                       in_quotes(description.name) + " needs a length: nothing says how much is at an address",
                       "w1, w2, w4 or w8");
  if (pattern.variable.empty())
    if (std::string why = why_unwatchable(pattern.offset, pattern.bytes); !why.empty())
      return complain_of("D_PROC_FUNC", ProbeField::Function, in_quotes(description.function) + ": " + why);
  return pattern;
}

}  // namespace strut
