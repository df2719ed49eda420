// Types: words, structures, enumerations, pointers.
#include <algorithm>

#include "dlang/language/constant.hpp"
#include "dlang/language/parser.hpp"

namespace strut {
namespace {

constexpr std::string_view kOnlyIntegers =
    "invalid type declaration: signed and unsigned may only be used with integer type";
constexpr std::string_view kOnlyNumbers =
    "invalid type declaration: long and long long may only be used with integer or floating-point type";

/// How often each word of a basic type was said: `unsigned long long int`.
struct BasicWords {
  int chars = 0, ints = 0, shorts = 0, longs = 0, signeds = 0, unsigneds = 0, floats = 0, doubles = 0;

  bool count(DWord word) {
    switch (word) {
      case DWord::Char: chars++; return true;
      case DWord::Int: ints++; return true;
      case DWord::Short: shorts++; return true;
      case DWord::Long: longs++; return true;
      case DWord::Signed: signeds++; return true;
      case DWord::Unsigned: unsigneds++; return true;
      case DWord::Float: floats++; return true;
      case DWord::Double: doubles++; return true;
      default: return false;
    }
  }
  bool any() const { return chars + ints + shorts + longs + signeds + unsigneds + floats + doubles > 0; }
  /// The tag and DTrace's message; an empty message: the words are a type.
  std::pair<DTag, std::string_view> problem() const {
    if (chars != 0 && shorts + longs != 0)
      return {DTag::DECL_CHARATTR, "invalid type declaration: short and long may not be used with char type"};
    bool twice = chars > 1 || ints > 1 || shorts > 1 || longs > 2 || floats > 1 || doubles > 1;
    if (twice || chars * ints != 0 || shorts * longs != 0 || signeds + unsigneds > 1 || floats + doubles > 1 ||
        (floats + doubles > 0 && chars + ints > 0))
      return {DTag::DECL_COMBO, "invalid type combination"};
    if (floats + doubles > 0 && signeds + unsigneds > 0) return {DTag::DECL_SIGNINT, kOnlyIntegers};
    if ((floats > 0 && longs > 0) || longs > (doubles > 0 ? 1 : 2) || (floats + doubles > 0 && shorts > 0))
      return {DTag::DECL_LONGINT, kOnlyNumbers};
    return {};
  }
  bool is_kind() const { return chars + ints + floats + doubles > 0; }
  /// As problem(), where a type that is no basic one follows; `is_void`: it is void.
  std::pair<DTag, std::string_view> problem_before(bool is_void) const {
    if (is_kind()) return {DTag::DECL_COMBO, "invalid type combination"};
    if (is_void) return {DTag::DECL_VOIDATTR, "invalid type declaration: attributes may not be used with void type"};
    if (signeds + unsigneds > 0) return {DTag::DECL_SIGNINT, kOnlyIntegers};
    return {DTag::DECL_LONGINT, kOnlyNumbers};
  }
  uint32_t float_bytes() const { return floats != 0 ? 4 : longs != 0 ? 16 : 8; }
  uint32_t bytes() const { return chars != 0 ? 1 : shorts != 0 ? 2 : longs != 0 ? 8 : 4; }
};

bool begins_type(DWord word) {
  switch (word) {
    case DWord::Char:
    case DWord::Const:
    case DWord::Double:
    case DWord::Enum:
    case DWord::Float:
    case DWord::Int:
    case DWord::Long:
    case DWord::Short:
    case DWord::Signed:
    case DWord::String:
    case DWord::Struct:
    case DWord::Union:
    case DWord::Unsigned:
    case DWord::Void:
    case DWord::Volatile: return true;
    default: return false;
  }
}

/// A structure of no members has no bytes.
[[noreturn]] void not_a_member(const DType& type, const std::string& name, DPosition at) {
  if (type.kind == DType::Kind::Void) reject(DTag::DECL_VOIDOBJ, at, "cannot have void member: " + name);
  if (!type.is_complete)
    reject(DTag::DECL_INCOMPLETE, at, "incomplete struct/union/enum " + type.name + ": " + name,
           "its definition above");
  reject(DTag::DECL_INCOMPLETE, at, "type " + quoted_source(type.name) + " cannot be a member", "a complete C type");
}

bool is_empty(const DType& type) { return type.kind == DType::Kind::Struct && type.is_complete; }

}  // namespace

/// Names that end like the kernel's own typedefs are looked for there: reading all of its types takes 10 ms.
bool DParser::at_type() const {
  if (!at(DWord::Identifier)) return begins_type(token_.word);
  return (token_.text.ends_with("_t") ? types_.find_or_ask(token_.text) : types_.find(token_.text)) != nullptr;
}

const DType* DParser::type_specifier() {
  qualifiers();
  const DType* type = nullptr;
  if (at(DWord::Struct) || at(DWord::Union)) {
    type = structure();
  } else if (at(DWord::Enum)) {
    type = enumeration();
  } else if (took(DWord::Void)) {
    type = types_.void_type();
  } else if (took(DWord::String)) {
    type = types_.string();
  } else if (at(DWord::Identifier)) {
    type = types_.find(token_.text);
    if (type == nullptr) unexpected("a type's name");
    take();
  } else {
    type = basic_type();
  }
  qualifiers();
  return type;
}

const DType* DParser::basic_type() {
  BasicWords words;
  DPosition where = token_.at;
  for (; words.count(token_.word); qualifiers()) take();
  if (!words.any()) unexpected("a type");
  bool other = begins_type(token_.word);
  auto [tag, problem] = other ? words.problem_before(at(DWord::Void)) : words.problem();
  if (!problem.empty()) reject(tag, where, std::string(problem), "a type of C, as unsigned long long");
  if (words.floats + words.doubles > 0) return types_.floating(words.float_bytes());
  return types_.integer(words.bytes(), words.unsigneds == 0);
}

const DType* DParser::structure() {
  bool is_union = take().word == DWord::Union;
  qualifiers();
  DPosition where = token_.at;
  std::string name = is_union ? "union" : "struct";
  bool has_tag = at(DWord::Identifier);
  if (has_tag) name += ' ' + take().text;
  else if (!at(DWord::OpenBrace)) unexpected("a tag or {");
  DType* type = has_tag ? types_.declare(name, is_union) : types_.anonymous(name, is_union);
  if (!at(DWord::OpenBrace)) return types_.complete_from_source(type), type;
  if (type->is_open || (type->is_complete && !type->is_prelude))
    reject(DTag::DECL_TYPERED, where, "type redeclared: " + name, "another tag");
  if (type->is_prelude) type = types_.redeclare(name, is_union);
  type->is_open = true;
  types_.complete(type, members());
  type->is_open = false;
  return type;
}

std::vector<DMember> DParser::members() {
  Level level(*this);
  expect(DWord::OpenBrace);
  std::vector<DMember> members;
  while (!took(DWord::CloseBrace)) {
    DPosition where = token_.at;
    const DType* type = type_specifier();
    if (type->kind == DType::Kind::Struct && took(DWord::Semicolon)) {
      if (!type->is_complete) not_a_member(*type, {}, where);
      members.push_back({.name = {}, .type = type});
      continue;
    }
    do members.push_back(member(type, members));
    while (took(DWord::Comma));
    expect(DWord::Semicolon, "a comma or ;");
  }
  return members;
}

DMember DParser::member(const DType* type, const std::vector<DMember>& others) {
  if (at(DWord::Colon)) return bit_field({.name = {}, .type = type}, token_.at);
  DDeclarator declared = declarator(type, Naming::Named);
  for (const DMember& other : others)
    if (other.name == declared.name)
      reject(DTag::UNKNOWN, declared.at,
             "failed to define member '" + declared.name + "': Duplicate member or variable name.", "another name");
  DMember member{.name = declared.name, .type = declared.type};
  if (at(DWord::Colon)) return bit_field(std::move(member), declared.at);
  bool is_open = declared.type->kind == DType::Kind::Array && declared.type->count == 0;
  if (!declared.keys.empty() || (declared.type->bytes == 0 && !is_open && !is_empty(*declared.type)))
    not_a_member(*declared.type, declared.name, declared.at);
  qualifiers();
  return member;
}

DMember DParser::bit_field(DMember member, DPosition where) {
  take();
  DExpressionPtr expression = conditional();
  std::optional<int64_t> bits = literal_value(*expression, types_);
  if (!member.type->is_integer()) reject(DTag::DECL_BFTYPE, where, "invalid type for bit-field: " + member.name);
  if (!bits || *bits < (member.name.empty() ? 0 : 1))
    reject(DTag::DECL_BFCONST, where, "positive integral constant expression expected as bit-field size");
  if (*bits > member.type->bytes * 8) reject(DTag::DECL_BFSIZE, where, "bit-field too big for type: " + member.name);
  member.is_bit_field = true;
  member.bits = static_cast<uint8_t>(*bits);
  return member;
}

const DType* DParser::enumeration() {
  take();
  qualifiers();
  DPosition where = token_.at;
  std::string tag = at(DWord::Identifier) ? take().text : "";
  if (at(DWord::OpenBrace)) {
    if (!tag.empty() && types_.find("enum " + tag) != nullptr)
      reject(DTag::DECL_TYPERED, where, "type redeclared: enum " + tag, "another tag");
    const DType* type = types_.enumeration(tag.empty() ? "enum" : "enum " + tag, enumerators());
    if (!tag.empty()) types_.define("enum " + tag, type);
    return type;
  }
  const DType* known = types_.find_or_ask("enum " + tag);
  if (known == nullptr) unexpected("the tag of an enumeration that exists, or {");
  return known;
}

std::vector<DEnumerator> DParser::enumerators() {
  expect(DWord::OpenBrace);
  std::vector<DEnumerator> enumerators;
  int64_t value = 0;
  do {
    if (at(DWord::CloseBrace)) break;
    DToken name = expect_name("an enumerator");
    if (took(DWord::Assign)) {
      DExpressionPtr expression = conditional();
      std::optional<int64_t> constant = literal_value(*expression, types_);
      if (!constant)
        reject(DTag::DECL_ENCONST, expression->at,
               "enumerator '" + name.text + "' must be assigned to an integral constant expression", "a number");
      value = *constant;
    }
    if (value != static_cast<int32_t>(value))
      reject(DTag::DECL_ENOFLOW, name.at, "enumerator '" + name.text + "' value overflows INT_MAX (2147483647)",
             "32 bits");
    if (std::ranges::find(enumerators, name.text, &DEnumerator::name) != enumerators.end())
      reject(DTag::UNKNOWN, name.at,
             "failed to define enumerator '" + name.text + "': Duplicate member or variable name.", "another name");
    if (types_.enumerator(name.text) != nullptr)
      reject(DTag::DECL_IDRED, name.at, "identifier redeclared: " + name.text, "another name");
    enumerators.push_back({name.text, value});
    types_.define_enumerator(name.text, value++);
  } while (took(DWord::Comma));
  expect(DWord::CloseBrace, "a comma or }");
  return enumerators;
}

}  // namespace strut
