#include "dlang/machine/text_functions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "dlang/language/characters.hpp"

namespace strut {
namespace {

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

std::string_view base_of(std::string_view path) {
  if (path.empty()) return ".";
  path = without_trailing_slashes(path);
  if (path == "/") return path;
  return path.substr(path.rfind('/') + 1);
}

std::string_view folder_of(std::string_view path) {
  path = without_trailing_slashes(path);
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  if (path == "/") return path;
  return without_trailing_slashes(path.substr(0, slash + 1));
}

std::string clean_path(std::string_view path) {
  bool rooted = path.starts_with('/');
  std::vector<std::string_view> parts;
  for (size_t from = 0; from <= path.size();) {
    size_t end = std::min(path.find('/', from), path.size());
    std::string_view part = path.substr(from, end - from);
    from = end + 1;
    if (part.empty() || part == ".") continue;
    bool can_leave = !parts.empty() && parts.back() != "..";
    if (part == ".." && (can_leave || rooted)) {
      if (can_leave) parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string clean;
  for (std::string_view part : parts) {
    if (rooted || !clean.empty()) clean += '/';
    clean += part;
  }
  return clean.empty() ? (rooted ? "/" : path.empty() ? "" : ".") : clean;
}

std::string_view part_of(std::string_view text, int64_t from, int64_t length) {
  auto size = static_cast<int64_t>(text.size());
  if (from < 0) {
    from += size;
    // The part before the string's beginning is cut.
    if (from < 0) {
      if (length >= 0) length = std::max<int64_t>(length + from, 0);
      from = 0;
    }
  }
  if (from >= size) return {};
  int64_t left = size - from;
  if (length < 0) length = std::max<int64_t>(left + length, 0);
  return text.substr(static_cast<size_t>(from), static_cast<size_t>(std::min(length, left)));
}

int64_t first_position(std::string_view text, std::string_view what, int64_t from) {
  from = std::max<int64_t>(from, 0);
  if (from > static_cast<int64_t>(text.size())) return -1;
  return static_cast<int64_t>(text.find(what, static_cast<size_t>(from)));
}

int64_t last_position(std::string_view text, std::string_view what, int64_t from) {
  if (from < 0) return -1;
  return static_cast<int64_t>(text.rfind(what, static_cast<size_t>(from)));
}

std::string_view next_token(std::string_view text, std::string_view separators, size_t& at) {
  size_t begin = text.find_first_not_of(separators, std::min(at, text.size()));
  if (begin == std::string_view::npos) {
    at = text.size();
    return {};
  }
  size_t end = std::min(text.find_first_of(separators, begin), text.size());
  at = end + 1;
  return text.substr(begin, end - begin);
}

int64_t number_from(std::string_view text, unsigned base) {
  while (!text.empty() && is_blank(text[0])) text.remove_prefix(1);
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  bool prefixed = base == 16 && text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
                  digit_value(text[2]) < 16;
  if (prefixed) text.remove_prefix(2);
  uint64_t most = negative ? uint64_t{1} << 63 : INT64_MAX, value = 0;
  for (char c : text) {
    unsigned digit = digit_value(c);
    if (digit >= base) break;
    value = value > (most - digit) / base ? most : value * base + digit;
    if (value >= most) value = most;
  }
  return static_cast<int64_t>(negative ? -value : value);
}

std::string digits_of(uint64_t value, int base) {
  char digits[72];
  auto end = base == 10 ? std::to_chars(digits, digits + sizeof digits, static_cast<int64_t>(value)).ptr
                        : std::to_chars(digits, digits + sizeof digits, value, base).ptr;
  std::string text(digits, end);
  if (base == 16) return "0x" + text;
  return base == 8 && value != 0 ? "0" + text : text;
}

namespace {

constexpr size_t kGroups = 8;
using Groups = std::array<unsigned, kGroups>;

struct Run {
  size_t first = kGroups, count = 0;
  bool contains(size_t group) const { return group >= first && group < first + count; }
};

/// One zero alone is not shortened.
Run longest_zeros(const Groups& groups) {
  Run longest;
  for (size_t first = 0; first < kGroups; first++) {
    size_t count = 0;
    while (first + count < kGroups && groups[first + count] == 0) count++;
    if (count > std::max<size_t>(longest.count, 1)) longest = {first, count};
  }
  return longest;
}

}  // namespace

std::string internet_address(std::span<const std::byte> address) {
  std::string text;
  if (address.size() == 4) {
    for (std::byte byte : address) text += (text.empty() ? "" : ".") + std::to_string(std::to_integer<int>(byte));
    return text;
  }
  Groups groups{};
  for (size_t i = 0; i < kGroups; i++)
    groups[i] = std::to_integer<unsigned>(address[2 * i]) << 8 | std::to_integer<unsigned>(address[2 * i + 1]);
  Run zeros = longest_zeros(groups);
  for (size_t i = 0; i < kGroups; i++) {
    if (i == zeros.first) text += i == 0 ? "::" : ":";
    if (zeros.contains(i)) continue;
    char digits[8];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, groups[i], 16).ptr);
    if (i + 1 < kGroups) text += ':';
  }
  return text;
}

std::string link_address(std::span<const std::byte> address) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::byte byte : address) {
    if (!text.empty()) text += ':';
    text += kDigits[std::to_integer<size_t>(byte >> 4)];
    text += kDigits[std::to_integer<size_t>(byte & std::byte{15})];
  }
  return text;
}

}  // namespace strut
