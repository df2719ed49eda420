#include "dlang/machine/json_element.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace strut {
namespace {

/// Reads a text from left to right. Every function but at() returns false where the text is not as it has to be.
class Json {
 public:
  explicit Json(std::string_view text) : text_(text) {}

  char at() {
    while (!text_.empty() && std::string_view(" \t\r\n").contains(text_.front())) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char c) {
    if (at() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool string(std::string_view& inside) {
    if (!take('"')) return false;
    size_t end = 0;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return false;
    inside = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }
  /// A string's inside, the text of an object or array with all that is in it, or a word or number.
  bool value(std::string_view& whole) {
    if (at() == '"') return string(whole);
    std::string_view from = text_;
    bool taken = at() == '{' || at() == '[' ? brackets() : word();
    whole = from.substr(0, from.size() - text_.size());
    return taken;
  }
  /// Goes to the value of a member of the object that is next.
  bool member(std::string_view name) {
    if (!take('{')) return false;
    do {
      std::string_view key, other;
      if (!string(key) || !take(':')) return false;
      if (key == name) return true;
      if (!value(other)) return false;
    } while (take(','));
    return false;
  }
  /// Goes to an element of the array that is next.
  bool element(uint64_t index) {
    if (!take('[') || at() == ']') return false;
    for (; index > 0; index--)
      if (std::string_view other; !value(other) || !take(',')) return false;
    return true;
  }

 private:
  bool brackets() {
    size_t depth = 0;
    do {
      char c = at();
      std::string_view inside;
      if (c == '"' ? !string(inside) : c == '\0') return false;
      if (c == '"') continue;
      depth += c == '{' || c == '[' ? 1 : 0;
      depth -= c == '}' || c == ']' ? 1 : 0;
      text_.remove_prefix(1);
    } while (depth > 0);
    return true;
  }
  bool word() {
    size_t length = std::min(text_.find_first_of(",]} \t\r\n"), text_.size());
    text_.remove_prefix(length);
    return length > 0;
  }

  std::string_view text_;
};

/// Takes ".name", "name" or "[12]" off the front of a path and goes there.
bool step(Json& json, std::string_view& path) {
  if (path.starts_with('[')) {
    uint64_t index = 0;
    auto [end, problem] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
    if (problem != std::errc{} || end == path.data() + path.size() || *end != ']') return false;
    path.remove_prefix(static_cast<size_t>(end + 1 - path.data()));
    return json.element(index);
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  size_t length = std::min(path.find_first_of(".["), path.size());
  std::string_view name = path.substr(0, length);
  path.remove_prefix(length);
  return length > 0 && json.member(name);
}

}  // namespace

std::optional<std::string_view> json_element(std::string_view json, std::string_view path) {
  Json reading(json);
  do {
    if (!step(reading, path)) return std::nullopt;
  } while (!path.empty());
  std::string_view value;
  return reading.value(value) ? std::optional(value) : std::nullopt;
}

}  // namespace strut
