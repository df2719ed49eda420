#include "libcalls/prototypes/conf_lens.hpp"

#include <algorithm>
#include <array>

#include "libcalls/prototypes/library_types.hpp"
#include "syscalls/arg_plan.hpp"

namespace strut {

namespace {

using namespace notation;

constexpr int kMaxNested = 32;
constexpr uint64_t kMaxParts = 10000;   // members of a structure and of all that it contains
constexpr size_t kMaxBytes = 1u << 20;  // for a structure or an array in place
constexpr int64_t kMaxElements = 1 << 20;

std::unexpected<Error> expected(std::string_view what, ConfScanner& scan) {
  return fail_because("expected " + std::string(what) + " instead of '" + std::string(scan.here()) + "'");
}

struct NamedType {
  std::string_view name;
  Type type;
};
/// `addr`, `file`, and `octal` without a type are older than the manual, and in use.
constexpr NamedType kTypes[] = {
    {"char", kChar},     {"short", kS16},    {"ushort", kU16},   {"int", kInt},
    {"uint", kUInt},     {"long", kLong},    {"ulong", kULong},  {"float", kFloat},
    {"double", kDouble}, {"addr", kHexLong}, {"file", kHexLong}, {"ldouble", kLongDouble},
};

bool is_char(const Type& type) { return type.kind == Kind::Number && type.show == Show::Char; }
bool is_float(const Type& type) {
  return type.kind == Kind::Number && (type.show == Show::Float || type.show == Show::FloatHex);
}

/// Lengths that are not said in place.
bool is_open(const Length& length) { return length.from != LengthFrom::Fixed || length.until_zero; }

/// The number of an argument or an element; nullopt: not one to three digits.
std::optional<int> number_of(std::string_view digits) {
  bool is_number = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || digits.empty() || digits.size() > 3) return std::nullopt;
  return std::stoi(std::string(digits));
}

}  // namespace

Type decayed(const Type& type) {
  if (type.kind != Kind::Array && type.kind != Kind::Bytes && type.kind != Kind::CString) return type;
  Type pointer;
  pointer.kind = Kind::Pointer;
  pointer.length = type.length;
  if (type.kind == Kind::Array) {
    pointer.element = type.element;
  } else {
    static constexpr Type kBits = bytes({}, TextKind::Bits);
    pointer.element = type.kind == Kind::CString ? &kString : type.text == TextKind::Bits ? &kBits : &kBytes;
  }
  return pointer;
}

/// Counts how deep lenses are in each other.
class LensReader::Depth {
 public:
  explicit Depth(LensReader& reader) : reader_(reader) { reader_.depth_++; }
  ~Depth() { reader_.depth_--; }
  Depth(const Depth&) = delete;
  bool too_deep() const { return reader_.depth_ > kMaxNested; }

 private:
  LensReader& reader_;
};

Result<Lens> LensReader::read(ConfScanner& scan) {
  Depth depth(*this);
  if (depth.too_deep()) return fail_because("types are nested too deeply");
  Lens lens = TRY(read_base(scan));
  while (scan.take('*')) {
    lens.type = lens.is_void ? kHexLong : pointer(lens.type);
    lens.is_void = lens.is_format = false;
  }
  return lens;
}

// void * is a number: the target of a pointer to it is one too.
Type LensReader::pointer(const Type& type) {
  if (type.kind == Kind::Array || type.kind == Kind::Bytes || type.kind == Kind::CString) return decayed(type);
  return pointer_to(store_.keep(type));
}

Result<Lens> LensReader::read_base(ConfScanner& scan) {
  std::string_view word = scan.word();
  if (word.empty()) return expected("a type", scan);
  for (const NamedType& named : kTypes)
    if (named.name == word) return Lens{named.type};
  if (auto alias = aliases_.find(std::string(word)); alias != aliases_.end()) return alias->second;
  return read_word(scan, word);
}

Result<Lens> LensReader::read_word(ConfScanner& scan, std::string_view word) {
  if (word == "void") return Lens{kVoid, false, false, true};
  if (word == "format") return Lens{kStringPointer, false, true, false};
  if (word == "struct") return read_structure(scan, store_.declare_structure(""));
  if (word == "array") return read_array(scan);
  if (word == "string") return read_string(scan);
  if (word == "enum") return read_enum(scan);
  if (word == "bitvec") return read_bit_vector(scan);
  if (word == "octal" && !scan.next_is('(')) return Lens{number(Width::B4, Show::Octal)};
  if (word == "hex" || word == "oct" || word == "octal" || word == "bool") return read_number_lens(scan, word);
  if (word == "hide") {
    Lens lens = TRY(in_parentheses(scan));
    lens.hidden = true;
    return lens;
  }
  // string3: older than string[arg3].
  bool numbered = word.starts_with("string") && word.size() <= 8 &&
                  std::ranges::all_of(word.substr(6), [](char c) { return c >= '0' && c <= '9'; });
  if (!numbered) return fail_because("unknown type '" + std::string(word) + "'");
  int index = std::stoi(std::string(word.substr(6)));
  Type type = kStringPointer;
  type.length = index == 0 ? by_result() : by_arg(static_cast<uint8_t>(index - 1));
  type.length.until_zero = true;
  return Lens{type};
}

Result<Lens> LensReader::in_parentheses(ConfScanner& scan) {
  if (!scan.take('(')) return expected("'('", scan);
  Lens lens = TRY(read(scan));
  if (!scan.take(')')) return expected("')'", scan);
  return lens;
}

// -- structures and arrays --------------------------------------------------------------------------

// A type cannot contain itself, except by a pointer.
Result<void> LensReader::check_whole(const Type& type) const {
  if (type.kind == Kind::Array) return check_whole(*type.element);
  if (type.kind == Kind::Struct && !parts_.contains(type.layout))
    return fail_because("a structure that is not defined yet can only be pointed to");
  return {};
}

uint64_t LensReader::parts_of(const Type& type) const {
  if (type.kind == Kind::Array) return parts_of(*type.element);
  auto found = type.kind == Kind::Struct ? parts_.find(type.layout) : parts_.end();
  return found == parts_.end() ? 1 : found->second;
}

Result<Lens> LensReader::read_structure(ConfScanner& scan, StructLayout& layout) {
  if (!scan.take('(')) return expected("'('", scan);
  std::vector<FieldType> fields;
  uint64_t parts = 1;
  if (!scan.take(')')) do {
      Lens member = TRY(read(scan));
      if (member.is_void) return fail_because("a member cannot be void");
      TRY_VOID(check_whole(member.type));
      fields.push_back(field(member.hidden ? nullptr : "", member.type));
      parts += parts_of(member.type);
      if (parts > kMaxParts) return fail_because("a structure has too many members");
    } while (scan.take(','));
  if (!fields.empty() && !scan.take(')')) return expected("',' or ')'", scan);
  StructLayout measured{"", fields};
  if (size_of(measured, Abi::X86_64) > kMaxBytes) return fail_because("a structure is too large");
  store_.define_structure(layout, std::move(fields));
  parts_[&layout] = parts;
  return Lens{structure(layout)};
}

Result<Lens> LensReader::read_array(ConfScanner& scan) {
  if (!scan.take('(')) return expected("'('", scan);
  Lens element = TRY(read(scan));
  if (element.is_void) return fail_because("an array cannot be of void");
  if (!scan.take(',')) return expected("','", scan);
  Type type;
  type.kind = Kind::Array;
  type.length = TRY(read_length(scan));
  if (!scan.take(')')) return expected("')'", scan);
  TRY_VOID(check_whole(element.type));
  type.element = &store_.keep(element.type);
  uint64_t bytes = uint64_t{type.length.fixed} * size_of(element.type, Abi::X86_64);
  if (!is_open(type.length) && bytes > kMaxBytes) return fail_because("an array is too large");
  return Lens{type};
}

// NUM, argNUM, retval, eltNUM, zero, zero(EXPR)
Result<Length> LensReader::read_length(ConfScanner& scan) {
  Depth depth(*this);
  if (depth.too_deep()) return fail_because("expressions are nested too deeply");
  std::string_view word = scan.word();
  if (word.empty()) {
    std::optional<int64_t> count = scan.number();
    if (!count) return expected("a number, argN, eltN, retval or zero", scan);
    if (*count < 0 || *count > kMaxElements)
      return fail_because("a length must be 0 to " + std::to_string(kMaxElements));
    return fixed(static_cast<uint32_t>(*count));
  }
  if (word == "retval") return by_result();
  if (word == "zero") {
    Length length;
    if (scan.take('(')) {
      length = TRY(read_length(scan));
      if (!scan.take(')')) return expected("')'", scan);
    }
    length.until_zero = true;
    return length;
  }
  bool is_numbered = word.starts_with("arg") || word.starts_with("elt");
  std::optional<int> number = is_numbered ? number_of(word.substr(3)) : std::nullopt;
  if (!number || *number > static_cast<int>(kMaxDecodedArgs))
    return fail_because("unknown expression '" + std::string(word) + "'");
  if (word.starts_with("arg")) return *number == 0 ? by_result() : by_arg(static_cast<uint8_t>(*number - 1));
  if (*number == 0) return fail_because("elements are counted from elt1");
  return by_field(static_cast<uint8_t>(*number - 1));
}

// -- lenses -----------------------------------------------------------------------------------------

Result<Lens> LensReader::read_string(ConfScanner& scan) {
  if (scan.take('[')) {
    Type type = kStringPointer;
    type.length = TRY(read_length(scan));
    type.length.until_zero = type.length.from != LengthFrom::None;
    if (!scan.take(']')) return expected("']'", scan);
    return Lens{type};
  }
  if (!scan.next_is('(')) return Lens{kStringPointer};
  Lens lens = TRY(in_parentheses(scan));
  lens.type = TRY(string_of(lens.type));
  return lens;
}

// For char*, array(char, …) or a pointer to that; zero makes it a string that ends there.
Result<Type> LensReader::string_of(const Type& type) {
  bool is_pointer = type.kind == Kind::Pointer, is_array = type.kind == Kind::Array;
  if (is_pointer && (type.element->kind == Kind::CString || type.element->kind == Kind::Bytes)) return type;
  if (type.kind == Kind::CString || type.kind == Kind::Bytes) return type;
  if ((!is_pointer && !is_array) || !is_char(*type.element))
    return fail_because("string needs char* or array(char, …)");
  if (is_pointer) {
    if (type.length.from == LengthFrom::None) return kStringPointer;
    Type string = type;
    string.element = type.length.until_zero ? &kString : &kBytes;
    return string;
  }
  if (type.length.from == LengthFrom::Fixed && type.length.until_zero) return char_array(type.length.fixed);
  Type string = type.length.until_zero ? kString : kBytes;
  string.length = type.length;
  return string;
}

Result<Lens> LensReader::read_bit_vector(ConfScanner& scan) {
  Lens lens = TRY(in_parentheses(scan));
  lens.type = TRY(bits_of(lens.type));
  return lens;
}

Result<Type> LensReader::bits_of(const Type& type) {
  if (type.kind == Kind::Number && !is_float(type)) {
    Type bits = type;
    bits.show = Show::Bits;
    bits.is_signed = false;
    return bits;
  }
  if (type.kind == Kind::Pointer) {
    if (type.length.from == LengthFrom::None) return pointer(TRY(bits_of(*type.element)));
    Type whole = type;  // for an array: counted in bytes only where elements are bytes
    if (size_of(*type.element, Abi::X86_64) == 1) whole.element = &store_.keep(bytes({}, TextKind::Bits));
    else if (type.length.from == LengthFrom::Fixed)
      return pointer(
          bytes(fixed(static_cast<uint32_t>(type.length.fixed * size_of(*type.element, Abi::X86_64))), TextKind::Bits));
    else return fail_because("bitvec needs an array of fixed length, or of char");
    return whole;
  }
  if (type.kind != Kind::Struct && type.kind != Kind::Array)
    return fail_because("bitvec needs an integer, a structure or an array");
  TRY_VOID(check_whole(type));
  if (type.kind == Kind::Array && is_open(type.length)) return fail_because("bitvec needs an array of fixed length");
  return bytes(fixed(static_cast<uint32_t>(size_of(type, Abi::X86_64))), TextKind::Bits);
}

Result<Lens> LensReader::read_number_lens(ConfScanner& scan, std::string_view name) {
  Lens lens = TRY(in_parentheses(scan));
  lens.type = TRY(shown(lens.type, name));
  return lens;
}

// Through pointers and arrays to the numbers in them.
Result<Type> LensReader::shown(const Type& type, std::string_view lens) {
  if (type.kind == Kind::Pointer || type.kind == Kind::Array) {
    Type outer = type;
    outer.element = &store_.keep(TRY(shown(*type.element, lens)));
    return outer;
  }
  bool is_number = type.kind == Kind::Number || type.kind == Kind::Named;
  if (!is_number || (is_float(type) && lens != "hex"))
    return fail_because(std::string(lens) + " needs an integer type");
  Type result = number(type.width, lens == "bool" ? Show::Bool : lens.starts_with("oct") ? Show::Octal : Show::Hex);
  if (is_float(type)) result.show = Show::FloatHex;
  return result;
}

Result<Lens> LensReader::read_enum(ConfScanner& scan) {
  Type type = kInt;
  if (scan.take('[')) {
    type = TRY(read(scan)).type;
    if (type.kind != Kind::Number || is_float(type)) return fail_because("enum needs an integer type");
    if (!scan.take(']')) return expected("']'", scan);
  }
  if (!scan.take('(')) return expected("'('", scan);
  std::vector<Constant> entries;
  int64_t value = 0;
  if (!scan.take(')')) {
    do {
      std::string_view name = scan.word();
      if (name.empty()) return expected("a name", scan);
      if (scan.take('=')) {
        std::optional<int64_t> given = scan.number();
        if (!given) return expected("a number", scan);
        value = *given;
      }
      entries.push_back({narrowed(type, static_cast<uint64_t>(value), Abi::X86_64), store_.keep(name)});
      value = static_cast<int64_t>(static_cast<uint64_t>(value) + 1);
    } while (scan.take(','));
    if (!scan.take(')')) return expected("',' or ')'", scan);
  }
  bool is_signed = type.is_signed;
  type = named(store_.keep_enumeration(std::move(entries)), type.width);
  type.is_signed = is_signed;
  return Lens{type};
}

// -- aliases ----------------------------------------------------------------------------------------

// `typedef NAME = struct;` makes a name for a structure that is defined later, by `typedef NAME = struct(…)`.
Result<void> LensReader::read_typedef(ConfScanner& scan) {
  std::string name(scan.word());
  if (name.empty()) return expected("a name", scan);
  if (!scan.take('=')) return expected("'='", scan);
  if (scan.peek_word() != "struct") {
    aliases_[name] = TRY(read(scan));
    return {};
  }
  ConfScanner before = scan;
  scan.word();
  auto declared = declared_.find(name);
  if (scan.next_is('(')) {
    if (declared == declared_.end()) {
      scan = before;
      aliases_[name] = TRY(read(scan));
      return {};
    }
    StructLayout& layout = *declared->second;
    declared_.erase(declared);
    TRY(read_structure(scan, layout));
    return {};
  }
  StructLayout& layout = store_.declare_structure(name);
  layout.recursive = true;
  declared_[name] = &layout;
  aliases_[name] = Lens{structure(layout)};
  return {};
}

}  // namespace strut
