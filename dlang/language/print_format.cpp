#include "dlang/language/print_format.hpp"

#include <algorithm>
#include <optional>

#include "dlang/language/characters.hpp"

namespace strut {
namespace {

/// The argument of a conversion's letter (DTrace Guide, "Output Formatting").
struct Letter {
  std::string_view letters;
  std::string_view wanted;
  enum class Takes : uint8_t { Integers, Floats, Texts, Addresses, Stacks } takes;
};
constexpr Letter kLetters[] = {
    {"diouxXcC", "integer type", Letter::Takes::Integers},
    {"eEfFgG", "float, double, or long double", Letter::Takes::Floats},
    {"Y", "integer type", Letter::Takes::Integers},
    {"T", "integer type", Letter::Takes::Integers},
    {"p", "pointer or integer type", Letter::Takes::Integers},
    {"sS", "char [] or string (or use stringof)", Letter::Takes::Texts},
    {"aA", "pointer or integer type", Letter::Takes::Addresses},
    {"k", "stack( ) or ustack( )", Letter::Takes::Stacks},
};

const Letter* find_letter(char letter) {
  for (const Letter& row : kLetters)
    if (letter != '\0' && row.letters.find(letter) != std::string_view::npos) return &row;
  return nullptr;
}

/// Reads one conversion behind its '%'.
class Reading {
 public:
  Reading(std::string_view text, DConversion& into) : text_(text), into_(into) {}

  /// The reason why it is none; nullopt: it is one.
  std::optional<std::string> read() {
    flags();
    if (!number(into_.width, into_.width_is_item)) return "a width is too large";
    if (take('.')) {
      into_.precision = 0;
      if (!number(into_.precision, into_.precision_is_item)) return "a precision is too large";
    }
    if (take('@')) into_.is_aggregation = true;
    while (take('h') || take('l') || take('L') || take('q') || take('j') || take('z') || take('t')) {
    }
    if (take('w') && at() != 'c' && at() != 's') return "%w is followed by neither c nor s";
    if (text_.empty()) return "a conversion has no letter";
    into_.letter = at();
    text_.remove_prefix(1);
    if (find_letter(into_.letter) != nullptr) return std::nullopt;
    return std::string("%") + (is_printable(into_.letter) ? into_.letter : '?') + " is no conversion";
  }
  std::string_view rest() const { return text_; }

 private:
  char at() const { return text_.empty() ? '\0' : text_[0]; }
  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void flags() {
    for (;;) {
      if (take('-')) into_.left = true;
      else if (take('+')) into_.plus = true;
      else if (take(' ')) into_.blank = true;
      else if (take('#')) into_.alternate = true;
      else if (take('0')) into_.zero = true;
      else if (take('\'')) into_.grouped = true;
      else if (take('@')) into_.is_aggregation = true;
      else return;
    }
  }
  bool number(int32_t& value, bool& is_item) {
    if (take('*')) {
      is_item = true;
      return true;
    }
    if (!is_digit(at())) return true;
    for (value = 0; is_digit(at()); text_.remove_prefix(1)) {
      value = value * 10 + (at() - '0');
      if (value > kMaxWidth) return false;
    }
    return true;
  }

  std::string_view text_;
  DConversion& into_;
};

}  // namespace

std::expected<DFormat, std::string> parse_format(std::string_view text) {
  DFormat format;
  DConversion conversion;
  while (!text.empty()) {
    size_t percent = std::min(text.find('%'), text.size());
    conversion.before += text.substr(0, percent);
    text.remove_prefix(percent);
    if (text.empty()) break;
    text.remove_prefix(1);
    if (text.starts_with('%')) {
      conversion.before += '%';
      text.remove_prefix(1);
      continue;
    }
    Reading reading(text, conversion);
    if (auto problem = reading.read()) return std::unexpected(*problem);
    text = reading.rest();
    format.conversions.push_back(std::move(conversion));
    conversion = {};
  }
  format.conversions.push_back(std::move(conversion));
  return format;
}

std::string_view wanted_by(const DConversion& conversion) {
  const Letter* row = find_letter(conversion.letter);
  return row == nullptr ? std::string_view{} : row->wanted;
}

bool accepts(const DConversion& conversion, const DShape& shape) {
  const Letter* row = find_letter(conversion.letter);
  if (row == nullptr) return false;
  switch (row->takes) {
    case Letter::Takes::Integers: return shape.kind == DShape::Kind::Integer;
    case Letter::Takes::Floats: return shape.kind == DShape::Kind::Bytes;
    case Letter::Takes::Texts: return shape.kind == DShape::Kind::Text;
    case Letter::Takes::Addresses: return shape.kind == DShape::Kind::Integer || shape.is_address();
    case Letter::Takes::Stacks: return shape.is_stack();
  }
  return false;
}

}  // namespace strut
