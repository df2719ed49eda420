// Small questions about ASCII text, free of locales.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strut {

/// The value of a string of decimal digits only; nullopt if there are none, or others, or it exceeds INT32_MAX.
constexpr std::optional<uint32_t> parse_decimal(std::string_view text) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(c - '0');
    if (value > INT32_MAX) return std::nullopt;
  }
  return static_cast<uint32_t>(value);
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool same_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// The items between commas, empty ones left out.
class CommaList {
 public:
  explicit constexpr CommaList(std::string_view text) : rest_(text) {}

  /// The next item; nullopt at the end.
  constexpr std::optional<std::string_view> next() {
    while (!rest_.empty()) {
      size_t comma = rest_.find(',');
      std::string_view item = rest_.substr(0, comma);
      rest_ = comma == std::string_view::npos ? std::string_view{} : rest_.substr(comma + 1);
      if (!item.empty()) return item;
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

}  // namespace strut
