#include "dlang/language/print_format.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "dlang/language/characters.hpp"
#include "dlang/language/type.hpp"

namespace strut {
namespace {

/// The argument of a conversion's letter (DTrace Guide, "Output Formatting").
struct Letter {
  std::string_view letters;
  std::string_view wanted;
  enum class Takes : uint8_t { Integers, SmallIntegers, Floats, Texts, Pointers, Addresses, Stacks } takes;
};
constexpr Letter kLetters[] = {
    {"diouxX", "char, short, int, long, or long long", Letter::Takes::Integers},
    {"cC", "char, short, or int", Letter::Takes::SmallIntegers},
    {"eEfFgG", "float, double, or long double", Letter::Takes::Floats},
    {"YT", "int64_t", Letter::Takes::Integers},
    {"p", "pointer or integer", Letter::Takes::Pointers},
    {"sS", "char [] or string (or use stringof)", Letter::Takes::Texts},
    {"a", "pointer or integer", Letter::Takes::Addresses},
    {"A", "pointer or integer (with -p/-c) or _usymaddr (without -p/-c)", Letter::Takes::Addresses},
    {"k", "stack", Letter::Takes::Stacks},
};

/// A size in front of an integer's letter wants a type of that size, and of that sign but for %x.
struct Size {
  std::string_view size, letters, wanted;
  uint32_t bytes;
};
constexpr Size kSizes[] = {
    {"h", "di", "short", 2},      {"h", "ou", "unsigned short", 2},      {"h", "xX", "short", 2},
    {"l", "di", "long", 8},       {"l", "ou", "unsigned long", 8},       {"l", "xX", "long", 8},
    {"ll", "di", "long long", 8}, {"ll", "ou", "unsigned long long", 8}, {"ll", "xX", "long long", 8},
};

const Size* find_size(const DConversion& conversion) {
  auto row = std::ranges::find_if(kSizes, [&](const Size& size) {
    return size.size == conversion.size && conversion.letter != '\0' && size.letters.contains(conversion.letter);
  });
  return row == std::end(kSizes) ? nullptr : row;
}

bool is_of(const Size& size, const DType& type) {
  bool any_sign = size.letters == "xX", is_signed = size.letters == "di";
  return type.is_integer() && type.bytes == size.bytes && (any_sign || type.is_signed == is_signed);
}

const Letter* find_letter(char letter) {
  for (const Letter& row : kLetters)
    if (letter != '\0' && row.letters.find(letter) != std::string_view::npos) return &row;
  return nullptr;
}

/// Reads one conversion behind its '%'.
class Reading {
 public:
  Reading(std::string_view text, DConversion& into) : text_(text), into_(into) {}

  /// DTrace's message if it is none, `number` in the format; nullopt: it is one.
  std::optional<std::string> read(size_t number) {
    std::string which = "format conversion #" + std::to_string(number);
    flags();
    if (!this->number(into_.width, into_.width_is_item)) return which + " has a width that is too large";
    if (take('.')) {
      into_.precision = 0;
      if (!this->number(into_.precision, into_.precision_is_item)) return which + " has a precision that is too large";
    }
    if (take('@')) into_.is_aggregation = true;
    for (; std::string_view("hlLqjztw").contains(at()) && at() != '\0'; text_.remove_prefix(1)) into_.size += at();
    if (text_.empty()) return which + " name expected before end of format string";
    into_.letter = at();
    text_.remove_prefix(1);
    bool wide = into_.size != "w" || into_.letter == 'c' || into_.letter == 's';
    if (wide && find_letter(into_.letter) != nullptr) return std::nullopt;
    std::string shown = into_.size + (is_printable(into_.letter) ? into_.letter : '?');
    return "undefined format conversion #" + std::to_string(number) + ": %" + shown;
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
    if (auto problem = reading.read(format.conversions.size() + 1)) return std::unexpected(*problem);
    text = reading.rest();
    format.conversions.push_back(std::move(conversion));
    conversion = {};
  }
  format.conversions.push_back(std::move(conversion));
  return format;
}

std::string name_of(const DConversion& conversion) {
  return std::string("%") + (conversion.is_aggregation ? "@" : "") + conversion.size + conversion.letter;
}

std::string_view wanted_by(const DConversion& conversion) {
  if (const Size* size = find_size(conversion)) return size->wanted;
  const Letter* row = find_letter(conversion.letter);
  return row == nullptr ? std::string_view{} : row->wanted;
}

bool accepts(const DConversion& conversion, const DType& type) {
  if (const Size* size = find_size(conversion)) return is_of(*size, type);
  const Letter* row = find_letter(conversion.letter);
  if (row == nullptr) return false;
  bool is_special = type.kind == DType::Kind::Special;
  switch (row->takes) {
    case Letter::Takes::Integers: return type.is_integer();
    case Letter::Takes::SmallIntegers: return type.is_integer() && type.bytes <= 4;
    case Letter::Takes::Floats: return type.kind == DType::Kind::Float;
    case Letter::Takes::Texts: return type.is_text();
    case Letter::Takes::Pointers: return type.is_scalar();
    case Letter::Takes::Addresses: return type.is_scalar() || (is_special && type.special.is_address());
    case Letter::Takes::Stacks: return is_special && type.special.is_stack();
  }
  return false;
}

}  // namespace strut
