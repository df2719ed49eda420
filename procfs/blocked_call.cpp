#include "procfs/blocked_call.hpp"

#include <charconv>

#include "procfs/proc_file.hpp"

namespace strut {

namespace {

constexpr size_t kLongestLine = 512;

/// Takes the next word: decimal, or hexadecimal behind 0x. False: there is none, or it is no number.
template <typename T>
bool take_word(std::string_view& text, T& number) {
  size_t start = text.find_first_not_of(' ');
  if (start == std::string_view::npos) return false;
  text.remove_prefix(start);
  bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

std::optional<BlockedCall> parse_blocked_call(std::string_view text) {
  BlockedCall call;
  if (!take_word(text, call.nr)) return std::nullopt;
  if (call.nr >= 0)
    for (uint64_t& argument : call.arguments)
      if (!take_word(text, argument)) return std::nullopt;
  if (!take_word(text, call.sp) || !take_word(text, call.ip)) return std::nullopt;
  return call;
}

std::optional<BlockedCall> blocked_call(Tid tid) {
  auto text = read_proc_file(proc_path(raw(tid), "syscall"), kLongestLine);
  return text ? parse_blocked_call(*text) : std::nullopt;
}

}  // namespace strut
