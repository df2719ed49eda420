#include "libcalls/prototypes/format_arguments.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "base/memory.hpp"
#include "libcalls/prototypes/library_types.hpp"

namespace strut {

namespace {

using namespace notation;

constexpr size_t kLargestNumber = 100000;

constexpr Type kPointerToString = pointer_to(kString);
constexpr Type kOctal32 = number(Width::B4, Show::Octal);

/// The length modifier of a conversion.
enum class Size : uint8_t { None, Char, Short, Long, LongDouble };

/// One conversion specification, of printf or scanf.
struct Conversion {
  char letter = 0;  ///< 0: the format ends in the middle
  Size size = Size::None;
  size_t position = 0;      ///< %2$d: 2; 0: the next argument
  bool star_width = false;  ///< printf: an argument says it; scanf: nothing is assigned
  bool star_precision = false;
  std::optional<size_t> width, precision;
  bool allocates = false;  ///< scanf's m
};

/// Only scanf's m is a modifier: printf's is a conversion.
enum class FormatOf : uint8_t { Printf, Scanf };

/// Walks over a format's conversions.
class FormatReader {
 public:
  FormatReader(std::string_view format, FormatOf of) : rest_(format), of_(of) {}

  std::optional<Conversion> next() {
    size_t percent = rest_.find('%');
    if (percent == std::string_view::npos) return std::nullopt;
    rest_.remove_prefix(percent + 1);
    if (take('%')) return next();
    Conversion conversion;
    std::string_view before = rest_;
    std::optional<size_t> first = digits();
    if (first && take('$')) conversion.position = *first;
    else rest_ = before;
    while (!rest_.empty() && std::string_view("-+ #0'I").contains(rest_.front())) rest_.remove_prefix(1);
    conversion.star_width = star();
    conversion.width = digits();
    if (take('.')) {
      conversion.star_precision = star();
      conversion.precision = digits().value_or(0);
    }
    conversion.allocates = of_ == FormatOf::Scanf && take('m');
    conversion.size = size();
    if (rest_.empty()) return std::nullopt;
    conversion.letter = rest_.front();
    rest_.remove_prefix(1);
    return conversion;
  }

  /// The argument of a scanf set, after its `[`.
  void skip_set() {
    take('^');
    take(']');
    size_t end = rest_.find(']');
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool star() {
    if (!take('*')) return false;
    std::string_view before = rest_;
    if (digits() && take('$')) return true;
    rest_ = before;
    return true;
  }
  std::optional<size_t> digits() {
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') return std::nullopt;
    size_t value = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1))
      value = std::min(value * 10 + static_cast<size_t>(rest_.front() - '0'), kLargestNumber);
    return value;
  }
  Size size() {
    if (take('h')) return take('h') ? Size::Char : Size::Short;
    if (take('l')) return take('l'), Size::Long;
    if (take('L')) return Size::LongDouble;
    for (char c : {'q', 'j', 'z', 't', 'Z'})
      if (take(c)) return Size::Long;
    return Size::None;
  }

  std::string_view rest_;
  const FormatOf of_;
};

Width width_of(Size size) {
  switch (size) {
    case Size::Char: return Width::B1;
    case Size::Short: return Width::B2;
    case Size::None: return Width::B4;
    default: return Width::B8;
  }
}

/// The type of a number; nullopt for other conversions.
std::optional<Type> numeric(const Conversion& conversion) {
  Width width = width_of(conversion.size);
  switch (conversion.letter) {
    case 'd':
    case 'i': return number(width, Show::Signed, true);
    case 'u': return number(width, Show::Unsigned);
    case 'x':
    case 'X': return number(width, Show::Hex);
    case 'o': return number(width, Show::Octal);
    default: return std::nullopt;
  }
}

bool is_float(char letter) { return std::string_view("eEfFgGaA").contains(letter); }

ArgType next_arg(const Type& type, Direction direction = Direction::In) { return arg("", type, direction); }

/// A string of printf's, which ends at its precision where there is one. `last`: the index of the argument before it.
Type printed_string(const Conversion& conversion, size_t last) {
  Type type = kPointerToString;
  if (conversion.star_precision) type.length = by_arg(static_cast<uint8_t>(last));
  else if (conversion.precision) type.length = fixed(static_cast<uint32_t>(*conversion.precision));
  else return type;
  type.length.until_zero = true;
  return type;
}

Type printed(const Conversion& conversion, size_t last) {
  if (std::optional<Type> type = numeric(conversion)) return *type;
  if (is_float(conversion.letter)) return conversion.size == Size::LongDouble ? kLongDouble : kDouble;
  bool wide = conversion.size == Size::Long;
  switch (conversion.letter) {
    case 'c': return wide ? kWideChar : kChar;
    case 'C': return kWideChar;
    case 's': return wide ? kWideString : printed_string(conversion, last);
    case 'S': return kWideString;
    case 'p':
    case 'n': return kHexLong;
    default: return kGuess;
  }
}

/// The type that %n stores: the number of characters read.
constexpr Type kReadSoFar[] = {kS8, kS16, kInt, kS64};

bool is_read_so_far(const Type& type) {
  return std::ranges::any_of(kReadSoFar, [&](const Type& one) { return type.element == &one; });
}

// The target of a pointer argument of scanf: static data, since types refer to their elements.
const Type* scanned_number(const Conversion& conversion) {
  static constexpr Type kSigned[] = {kS8, kS16, kInt, kS64}, kUnsigned[] = {kU8, kU16, kUInt, kU64};
  static constexpr Type kHexes[] = {number(Width::B1, Show::Hex), number(Width::B2, Show::Hex), kHex32, kHex64};
  static constexpr Type kOctals[] = {number(Width::B1, Show::Octal), number(Width::B2, Show::Octal), kOctal32,
                                     number(Width::B8, Show::Octal)};
  auto index = static_cast<size_t>(width_of(conversion.size));
  switch (conversion.letter) {
    case 'n': return &kReadSoFar[index];
    case 'd':
    case 'i': return &kSigned[index];
    case 'u': return &kUnsigned[index];
    case 'x':
    case 'X': return &kHexes[index];
    case 'o': return &kOctals[index];
    case 'p': return &kHexLong;
    default: return nullptr;
  }
}

Type scanned(const Conversion& conversion) {
  if (const Type* type = scanned_number(conversion)) return pointer_to(*type);
  if (is_float(conversion.letter)) {
    if (conversion.size == Size::LongDouble) return pointer_to(kLongDouble);
    return pointer_to(conversion.size == Size::Long ? kDouble : kFloat);
  }
  bool wide = conversion.size == Size::Long || conversion.letter == 'S' || conversion.letter == 'C';
  if (conversion.allocates) return wide ? kAddress : pointer_to(kPointerToString);
  if (wide) return conversion.letter == 'c' || conversion.letter == 'C' ? kAddress : kWideString;
  if (conversion.letter == 'c') return pointer_to(kBytes, fixed(static_cast<uint32_t>(conversion.width.value_or(1))));
  if (conversion.letter == 's' || conversion.letter == '[') return kPointerToString;
  return kAddress;
}

/// Puts a type where a conversion says: behind the last, or at a position.
void place(std::vector<ArgType>& types, size_t declared, const Conversion& conversion, const ArgType& type) {
  size_t index = conversion.position == 0 ? types.size() : declared + conversion.position - 1;
  if (index >= kMaxDecodedArgs) return;
  if (index >= types.size()) types.resize(index + 1, next_arg(kGuess));
  types[index] = type;
}

/// A format, or why there is none.
struct Format {
  std::optional<std::string> text;
  bool is_unseen = false;  ///< there is one, and its text was not captured
};

Format narrow_format(Addr at, Memory& memory) {
  std::string format(kLongestFormat, '\0');
  ReadOutcome outcome = memory.read_string(at, format);
  size_t bytes = std::min(outcome.bytes, format.size());
  if (bytes == 0 || format[bytes - 1] != '\0') return {std::nullopt, outcome.unseen};
  format.resize(bytes - 1);
  return {format};
}

/// Wide conversions (wprintf(3)); only ASCII characters are part of one.
Format wide_format(Addr at, Memory& memory) {
  constexpr uint64_t kPage = 4096;
  std::string format;
  while (format.size() < kLongestFormat) {
    uint32_t characters[64];
    // Not beyond the page: the next one need not be there.
    uint64_t from = raw(at) + format.size() * sizeof *characters;
    size_t wanted = std::clamp<size_t>((kPage - from % kPage) / sizeof *characters, 1, std::size(characters));
    auto bytes = std::as_writable_bytes(std::span(characters).first(wanted));
    ReadOutcome outcome = memory.read(Addr{from}, bytes);
    for (uint32_t character : std::span(characters).first(outcome.bytes / sizeof *characters)) {
      if (character == 0) return {format};
      format += character < 0x80 ? static_cast<char>(character) : '?';
    }
    if (outcome.bytes != bytes.size()) return {std::nullopt, outcome.unseen};
  }
  return {};
}

}  // namespace

void append_printf(std::string_view format, std::vector<ArgType>& types) {
  size_t declared = types.size();
  FormatReader reader(format, FormatOf::Printf);
  while (std::optional<Conversion> conversion = reader.next()) {
    if (conversion->letter == 'm') continue;
    for (bool star : {conversion->star_width, conversion->star_precision})
      if (star && types.size() < kMaxDecodedArgs) types.push_back(next_arg(kInt));
    size_t last = types.empty() ? 0 : types.size() - 1;
    place(types, declared, *conversion, next_arg(printed(*conversion, last)));
  }
}

void append_scanf(std::string_view format, std::vector<ArgType>& types) {
  size_t declared = types.size();
  FormatReader reader(format, FormatOf::Scanf);
  while (std::optional<Conversion> conversion = reader.next()) {
    if (conversion->letter == '[') reader.skip_set();
    if (!conversion->star_width) place(types, declared, *conversion, next_arg(scanned(*conversion), Direction::Out));
  }
}

bool add_format_arguments(FunctionCall& call, Memory& memory) {
  std::span<const ArgType> declared = call.desc->args;
  if (declared.empty() || declared.size() > call.arguments.values.size()) return false;
  Addr at{call.arguments.values[declared.size() - 1]};
  bool is_wide = is_wide_string(declared.back().type);
  Format format = raw(at) == 0 ? Format{} : is_wide ? wide_format(at, memory) : narrow_format(at, memory);
  if (!format.text && !format.is_unseen) return false;
  call.varargs.assign(declared.begin(), declared.end());
  if (format.is_unseen) call.varargs.push_back(next_arg(kUnseenArgument));
  else if (scans(call.desc->varargs)) append_scanf(*format.text, call.varargs);
  else append_printf(*format.text, call.varargs);
  return true;
}

void forget_unassigned(FunctionCall& call) {
  size_t declared = call.desc->args.size();
  auto assigned = static_cast<size_t>(std::max<int64_t>(call.call.result, 0));
  for (size_t i = declared, stored = 0; i < call.varargs.size(); i++) {
    // %n is not among the counted conversions, and is stored if all before it are.
    bool is_stored = is_read_so_far(call.varargs[i].type) ? stored <= assigned : stored < assigned;
    if (!is_read_so_far(call.varargs[i].type)) stored++;
    if (!is_stored) call.varargs[i].type = kAddress;
  }
}

}  // namespace strut
