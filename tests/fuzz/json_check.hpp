// Whether a text is one JSON value as RFC 8259 has it: written apart from the writer that it judges.
#pragma once

#include <string_view>

namespace strut::fuzz {

class JsonCheck {
 public:
  static bool valid(std::string_view text) {
    JsonCheck check(text);
    return check.value() && check.rest_.empty();
  }

 private:
  explicit JsonCheck(std::string_view text) : rest_(text) {}

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool value() {
    if (take("{")) return members();
    if (take("[")) return items();
    if (rest_.starts_with('"')) return string();
    return take("true") || take("false") || take("null") || number();
  }
  bool members() {
    if (take("}")) return true;
    do
      if (!string() || !take(":") || !value()) return false;
    while (take(","));
    return take("}");
  }
  bool items() {
    if (take("]")) return true;
    do
      if (!value()) return false;
    while (take(","));
    return take("]");
  }
  bool digits() {
    size_t end = rest_.find_first_not_of("0123456789");
    size_t count = end == std::string_view::npos ? rest_.size() : end;
    rest_.remove_prefix(count);
    return count != 0;
  }
  bool number() {
    take("-");
    if (!take("0") && !digits()) return false;
    return !take(".") || digits();
  }
  bool string() {
    if (!take("\"")) return false;
    while (!rest_.empty() && !rest_.starts_with('"')) {
      auto byte = static_cast<unsigned char>(rest_[0]);
      if (byte < 0x20 || byte == 0x7f ||
          (byte == 0xc2 && rest_.size() > 1 && static_cast<unsigned char>(rest_[1]) < 0xa0))
        return false;
      if (byte == '\\' ? !escape() : !character()) return false;
    }
    return take("\"");
  }
  bool escape() {
    rest_.remove_prefix(1);
    if (take("u")) return hex_digits();
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    if (rest_.empty() || kEscapes.find(rest_[0]) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool hex_digits() {
    if (rest_.size() < 4 || rest_.substr(0, 4).find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
      return false;
    rest_.remove_prefix(4);
    return true;
  }
  /// One character of UTF-8 (RFC 3629).
  bool character() {
    auto byte = [&](size_t i) { return i < rest_.size() ? static_cast<unsigned char>(rest_[i]) : 0u; };
    unsigned first = byte(0), second = byte(1);
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0) return false;
    for (size_t i = 1; i < length; i++)
      if ((byte(i) & 0xc0) != 0x80) return false;
    bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    bool beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    rest_.remove_prefix(length);
    return !overlong && !beyond;
  }

  std::string_view rest_;
};

}  // namespace strut::fuzz
