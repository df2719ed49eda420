#include "x86/watched_range.hpp"

#include <charconv>

namespace strut {
namespace {

/// The highest address of a program's is below, with tables of four and of five levels.
constexpr uint64_t kEndOfUserMemory = uint64_t{1} << 56;

std::string in_hexadecimal(uint64_t number) {
  char text[16];
  auto [end, error] = std::to_chars(text, text + sizeof text, number, 16);
  return "0x" + std::string(text, end);
}

}  // namespace

bool is_watchable_size(uint64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

std::string why_unwatchable(uint64_t address, uint64_t bytes) {
  if (!is_watchable_size(bytes)) return "a debug register watches 1, 2, 4 or 8 bytes, and not " + std::to_string(bytes);
  if (address >= kEndOfUserMemory) return in_hexadecimal(address) + " is an address of the kernel";
  if (address % bytes != 0)
    return std::to_string(bytes) + " bytes can be watched only at a multiple of " + std::to_string(bytes) + ", and " +
           in_hexadecimal(address) + " is none";
  return {};
}

std::string_view name_of(WatchAccess access) {
  switch (access) {
    case WatchAccess::Write: return "w";
    case WatchAccess::Read: return "r";
    case WatchAccess::ReadWrite: return "rw";
    case WatchAccess::Execute: break;
  }
  return "x";
}

}  // namespace strut
