#include "cli/strace/injection.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/plain_text.hpp"
#include "cli/common/message.hpp"
#include "cli/common/numbers.hpp"
#include "cli/strace/options.hpp"
#include "syscalls/errno_names.hpp"

namespace strut {
namespace {

constexpr uint32_t kMaxFirst = 65535;  // strace(1): first and step are 1..65535, last is 1..65534
constexpr uint32_t kMaxLast = 65534;
constexpr int64_t kMaxErrno = 4095;  // MAX_ERRNO of <linux/err.h>
constexpr int kMaxSignal = 64;       // _NSIG of <asm/signal.h>
constexpr uint8_t kMaxPokedArgs = 7;
constexpr size_t kMaxPokeBytes = 1024;

/// The value of the piece `key=value`; nullopt: the piece has another key.
std::optional<std::string_view> value_of(std::string_view piece, std::string_view key) {
  if (!piece.starts_with(key)) return std::nullopt;
  return piece.substr(key.size());
}

std::optional<int> parse_signal(std::string_view text) {
  auto number = signal_number(text);
  return number && *number >= 1 && *number <= kMaxSignal ? number : std::nullopt;
}

/// As strtoul(3) reads with base 0: 0x…, 0…, with a sign.
std::optional<int64_t> parse_result(std::string_view text) {
  std::string copy(text);
  char* end = nullptr;
  errno = 0;
  uint64_t value = strtoull(copy.c_str(), &end, 0);
  if (end == copy.c_str() || *end != '\0' || errno != 0) return std::nullopt;
  return int64_t(value);
}

/// `first[..last][+[step]]`
std::optional<InjectWhen> parse_when(std::string_view text) {
  size_t digits_from = text.starts_with('+') ? 1 : 0;
  size_t range = text.find("..");
  size_t plus = text.find('+', range == text.npos ? digits_from : std::min(range + 3, text.size()));
  auto first = parse_number(text.substr(0, std::min(range, plus)), kMaxFirst);
  if (!first || *first == 0) return std::nullopt;
  InjectWhen when{uint32_t(*first), uint32_t(*first), 1};
  if (range != text.npos) {
    size_t from = range + 2;
    auto last = parse_number(text.substr(from, plus == text.npos ? plus : plus - from), kMaxLast);
    if (!last || *last < *first) return std::nullopt;
    when.last = uint32_t(*last);
  } else if (plus != text.npos) {
    when.last = UINT32_MAX;
  }
  if (plus == text.npos || plus + 1 == text.size()) return when;
  auto step = parse_number(text.substr(plus + 1), kMaxFirst);
  if (!step || *step == 0) return std::nullopt;
  when.step = uint32_t(*step);
  return when;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// `@argN=HEX` Two hexadecimal digits, and other spellings that strace 7.2 accepts as a byte: `4g` is 04, ` 4` and `+4`
/// are 04, `-4` is fc.
std::optional<char> parse_poke_byte(char first, char second) {
  int high = hex_digit(first), low = hex_digit(second);
  if (high >= 0 && low >= 0) return static_cast<char>(high * 16 + low);
  if (high == 0 && (second == 'x' || second == 'X')) return std::nullopt;
  if (high >= 0) return static_cast<char>(high);
  bool sign = first == '+' || first == '-' || isspace(static_cast<unsigned char>(first));
  if (!sign || low < 0) return std::nullopt;
  return static_cast<char>(first == '-' ? -low : low);
}

std::optional<Poke> parse_poke(std::string_view text) {
  auto rest = value_of(text, "@arg");
  if (!rest || rest->size() < 4 || (*rest)[1] != '=') return std::nullopt;
  int arg = (*rest)[0] - '0';
  std::string_view hex = rest->substr(2);
  if (arg < 1 || arg > kMaxPokedArgs || hex.size() % 2 != 0 || hex.size() > 2 * kMaxPokeBytes) return std::nullopt;
  Poke poke{uint8_t(arg - 1), {}};
  for (size_t i = 0; i < hex.size(); i += 2) {
    auto byte = parse_poke_byte(hex[i], hex[i + 1]);
    if (!byte) return std::nullopt;
    poke.bytes.push_back(*byte);
  }
  return poke;
}

bool take_pokes(std::vector<Poke>& pokes, std::string_view text) {
  if (!pokes.empty()) return false;
  CommaList list(text);
  while (auto piece = list.next()) {
    auto poke = parse_poke(*piece);
    auto same = [&](const Poke& other) { return other.arg == poke->arg; };
    if (!poke || std::any_of(pokes.begin(), pokes.end(), same)) return false;
    pokes.push_back(std::move(*poke));
  }
  return !pokes.empty();
}

/// Moves a parsed value into an empty place; false: it was not parsed, or the place is taken.
template <typename T>
bool fill(std::optional<T>& place, std::optional<T> value) {
  if (place || !value) return false;
  place = value;
  return true;
}

std::optional<uint64_t> parse_delay_us(std::string_view text) {
  auto ns = parse_time_span_ns(text);
  if (!ns) return std::nullopt;
  return *ns / 1000 + (*ns % 1000 != 0);
}

std::optional<uint32_t> parse_pure_call(std::string_view text) {
  const SyscallSlot* slot = find_syscall(Abi::X86_64, text);
  return slot && (slot->desc->classes & kPure) ? std::optional(slot->nr) : std::nullopt;
}

bool take_when(InjectWhen& when, std::string_view text) {
  auto parsed = parse_when(text);
  if (parsed) when = *parsed;
  return parsed.has_value();
}

bool take_piece(Injection& injection, std::string_view piece, InjectionKind kind) {
  if (auto v = value_of(piece, "when=")) return take_when(injection.when, *v);
  if (auto v = value_of(piece, "syscall=")) return fill(injection.syscall, parse_pure_call(*v));
  if (auto v = value_of(piece, "error=")) return !injection.retval && fill(injection.error, errno_number(*v));
  if (kind == InjectionKind::Fault) return false;
  if (auto v = value_of(piece, "retval=")) return !injection.error && fill(injection.retval, parse_result(*v));
  if (auto v = value_of(piece, "signal=")) return fill(injection.signal, parse_signal(*v));
  if (auto v = value_of(piece, "delay_enter=")) return fill(injection.delay_enter_us, parse_delay_us(*v));
  if (auto v = value_of(piece, "delay_exit=")) return fill(injection.delay_exit_us, parse_delay_us(*v));
  if (auto v = value_of(piece, "poke_enter=")) return take_pokes(injection.poke_enter, *v);
  if (auto v = value_of(piece, "poke_exit=")) return take_pokes(injection.poke_exit, *v);
  return false;
}

bool acts(const Injection& injection) {
  return injection.error || injection.retval || injection.signal || injection.delay_enter_us ||
         injection.delay_exit_us || !injection.poke_enter.empty() || !injection.poke_exit.empty();
}

}  // namespace

Result<Injection> parse_injection(std::string_view text, InjectionKind kind) {
  Error invalid;
  invalid.why = std::string(kind == InjectionKind::Fault ? "invalid fault argument '" : "invalid inject argument '") +
                std::string(text) + "'";
  size_t colon = std::min(text.find(':'), text.size());
  std::string_view calls = text.substr(0, colon), pieces = text.substr(colon);
  Injection injection;
  bool valid = true;
  for (auto piece = next_piece(pieces, ":"); !piece.empty() && valid; piece = next_piece(pieces, ":"))
    valid = take_piece(injection, piece, kind);
  if (!valid && !calls.empty()) return fail(std::move(invalid));
  Result<SyscallSet> parsed = parse_syscall_set(calls);
  if (!parsed && parsed.error().code == EINVAL) parsed.error().advice = kTryHelp;
  injection.calls = TRY(std::move(parsed));
  injection.calls.erase_unknown();
  if (kind == InjectionKind::Fault && !injection.error) injection.error = ENOSYS;
  if (!acts(injection)) return fail(std::move(invalid));
  return injection;
}

std::optional<std::string> warn_of_retval(int64_t retval) {
  auto is_error = [](int64_t value) { return value < 0 && value >= -kMaxErrno; };
  std::string value = std::to_string(uint64_t(retval));
  auto inadvertent = [&](int64_t error, const char* where) {
    return "Inadvertent injection of error " + std::to_string(error) + " is possible " + where + "for retval=" + value;
  };
  if (is_error(retval)) return inadvertent(-retval, "");
  if (is_error(int32_t(retval))) return inadvertent(-int64_t(int32_t(retval)), "in compat personality ");
  if (uint64_t(retval) == uint32_t(retval)) return std::nullopt;
  return "Injected return value " + value + " will be clipped to " + std::to_string(uint32_t(retval)) +
         " in compat personality";
}

void add_injection(std::vector<Injection>& injections, Injection added) {
  SyscallSet others = ~added.calls;
  for (Injection& earlier : injections) earlier.calls &= others;
  injections.push_back(std::move(added));
}

}  // namespace strut
