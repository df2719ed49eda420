// Types and variables: what C has of them, with D's scopes and keys.
#include <array>

#include "dlang/parser.hpp"

namespace strut {
namespace {

constexpr uint32_t kMostArray = 1 << 20;
constexpr int kMostStars = 8;

/// How often each word of a basic type was said: `unsigned long long int`.
struct BasicWords {
  int chars = 0, ints = 0, shorts = 0, longs = 0, signeds = 0, unsigneds = 0;

  bool count(DWord word) {
    switch (word) {
      case DWord::Char: chars++; return true;
      case DWord::Int: ints++; return true;
      case DWord::Short: shorts++; return true;
      case DWord::Long: longs++; return true;
      case DWord::Signed: signeds++; return true;
      case DWord::Unsigned: unsigneds++; return true;
      default: return false;
    }
  }
  bool any() const { return chars + ints + shorts + longs + signeds + unsigneds > 0; }
  bool make_sense() const {
    return chars < 2 && ints < 2 && shorts < 2 && longs < 3 && signeds + unsigneds < 2 &&
           (chars == 0 || ints + shorts + longs == 0) && (shorts == 0 || longs == 0);
  }
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

bool begins_declaration(DWord word) {
  switch (word) {
    case DWord::Auto:
    case DWord::Extern:
    case DWord::Inline:
    case DWord::Provider:
    case DWord::Register:
    case DWord::Self:
    case DWord::Static:
    case DWord::This:
    case DWord::Translator:
    case DWord::Typedef: return true;
    default: return begins_type(word);
  }
}

}  // namespace

bool DParser::at_type() const {
  return begins_type(token_.word) || (at(DWord::Identifier) && types_.find(token_.text) != nullptr);
}

bool DParser::at_declaration() const {
  return (begins_declaration(token_.word) || at_type()) && !before_.at_probe_words();
}

void DParser::declaration(std::vector<DItemTree>& items) {
  if (at(DWord::Inline)) return inline_definition(items);
  DSpecifiers specifiers_of = specifiers();
  if (took(DWord::Semicolon)) return;  // struct x { … };
  do {
    DDeclarator declared = declarator(specifiers_of.type);
    if (specifiers_of.is_typedef) {
      types_.define(declared.name, declared.type);
      continue;
    }
    DDeclaration& made = items.emplace_back().declaration.emplace();
    made.at = declared.at;
    made.name = declared.name;
    made.scope = specifiers_of.scope;
    made.type = declared.type;
    made.keys = declared.keys;
  } while (took(DWord::Comma));
  expect(DWord::Semicolon, "a comma or ;");
}

void DParser::inline_definition(std::vector<DItemTree>& items) {
  take();
  const DType* type = type_specifier();
  DDeclarator declared = declarator(type);
  if (!declared.keys.empty())
    reject(DTag::DECL_USELESS, declared.at, "inline definitions with keys are not supported by strut");
  DPosition where = expect(DWord::Assign).at;
  DDeclaration& made = items.emplace_back().declaration.emplace();
  made.at = where;
  made.name = declared.name;
  made.type = declared.type;
  DExpressionPtr cast_of = make(DExpression::Kind::Cast, where);
  cast_of->named_type = declared.type;
  adopt(*cast_of, assignment());
  made.inlined = std::move(cast_of);
  expect(DWord::Semicolon, "an operator or ;");
}

DSpecifiers DParser::specifiers() {
  DSpecifiers specifiers;
  for (;; take()) {
    switch (token_.word) {
      case DWord::Self: specifiers.scope = DScope::Thread; continue;
      case DWord::This: specifiers.scope = DScope::Clause; continue;
      case DWord::Typedef: specifiers.is_typedef = true; continue;
      case DWord::Extern: continue;
      case DWord::Auto:
      case DWord::Register:
      case DWord::Static:
        reject(DTag::DECL_BADCLASS, token_.at, "specified storage class not appropriate in D: " + describe(token_),
               "self or this");
      case DWord::Provider:
      case DWord::Translator:
        reject(DTag::DECL_CLASS, token_.at, "definitions of providers and translators are not supported by strut");
      default: break;
    }
    break;
  }
  specifiers.type = type_specifier();
  return specifiers;
}

const DType* DParser::type_specifier() {
  while (took(DWord::Const) || took(DWord::Volatile)) {
  }
  const DType* type = nullptr;
  if (at(DWord::Struct) || at(DWord::Union)) {
    type = structure();
  } else if (at(DWord::Enum)) {
    type = enumeration();
  } else if (at(DWord::Float) || at(DWord::Double)) {
    reject(DTag::TYPE_ERR, token_.at, "floating-point types are not supported in D programs",
           "an integer type, string, struct, union or enum");
  } else if (took(DWord::Void)) {
    type = types_.void_type();
  } else if (took(DWord::String)) {
    type = types_.string();
  } else if (at(DWord::Identifier)) {
    type = types_.find(token_.text);
    if (type == nullptr)
      reject(DTag::TYPE_ERR, token_.at, "failed to resolve type " + describe(token_) + ": no such type",
             "a type's name");
    take();
  } else {
    type = basic_type();
  }
  while (took(DWord::Const) || took(DWord::Volatile)) {
  }
  return type;
}

const DType* DParser::basic_type() {
  BasicWords words;
  DPosition where = token_.at;
  while (words.count(token_.word)) take();
  if (!words.any()) unexpected("a type");
  if (!words.make_sense()) reject(DTag::DECL_COMBO, where, "invalid type combination");
  return types_.integer(words.bytes(), words.unsigneds == 0);
}

const DType* DParser::structure() {
  bool is_union = take().word == DWord::Union;
  DPosition where = token_.at;
  std::string tag = is_union ? "union " : "struct ";
  if (at(DWord::Identifier))
    tag += take().text;
  else if (at(DWord::OpenBrace))
    tag += "(line " + std::to_string(where.line) + ", column " + std::to_string(where.column) + ')';
  else
    unexpected("a tag or {");
  DType* type = types_.declare(tag);
  if (!at(DWord::OpenBrace)) return type;
  if (type->is_complete) reject(DTag::DECL_TYPERED, where, "type redeclared: " + quoted_source(tag));
  types_.complete(type, members(), is_union);
  return type;
}

std::vector<DMember> DParser::members() {
  Level level(*this);
  expect(DWord::OpenBrace);
  std::vector<DMember> members;
  while (!took(DWord::CloseBrace)) {
    const DType* type = type_specifier();
    do {
      DDeclarator declared = declarator(type);
      if (at(DWord::Colon))
        reject(DTag::DECL_BFTYPE, token_.at, "bit-fields are not supported by strut", "a comma or ;");
      if (!declared.keys.empty() || declared.type->bytes == 0 || declared.type->is_string())
        reject(DTag::DECL_INCOMPLETE, declared.at, "type " + quoted_source(declared.type->name) + " cannot be a member",
               "a complete C type");
      for (const DMember& other : members)
        if (other.name == declared.name)
          reject(DTag::DECL_MNAME, declared.at, "duplicate member name " + quoted_source(declared.name));
      members.push_back({declared.name, declared.type});
    } while (took(DWord::Comma));
    expect(DWord::Semicolon, "a comma or ;");
  }
  return members;
}

const DType* DParser::enumeration() {
  take();
  std::string tag = at(DWord::Identifier) ? take().text : "";
  const DType* known = tag.empty() ? nullptr : types_.find("enum " + tag);
  if (at(DWord::OpenBrace)) {
    enumerators();
    if (!tag.empty()) types_.define("enum " + tag, types_.int_type());
  } else if (known == nullptr) {
    unexpected("the tag of an enumeration that exists, or {");
  }
  return types_.int_type();
}

void DParser::enumerators() {
  expect(DWord::OpenBrace);
  int64_t value = 0;
  do {
    if (at(DWord::CloseBrace)) break;
    DToken name = expect_name("an enumerator");
    if (took(DWord::Assign)) {
      DExpressionPtr expression = conditional();
      std::optional<int64_t> constant = literal_value(*expression, types_);
      if (!constant)
        reject(DTag::DECL_ENCONST, expression->at, "enumerator must be assigned to an integral constant expression");
      value = *constant;
    }
    if (value != static_cast<int32_t>(value)) reject(DTag::DECL_ENOFLOW, name.at, "enumerator value overflows int");
    if (types_.enumerator(name.text) != nullptr)
      reject(DTag::DECL_IDRED, name.at, "identifier redeclared: " + quoted_source(name.text));
    types_.define_enumerator(name.text, value++);
  } while (took(DWord::Comma));
  expect(DWord::CloseBrace, "a comma or }");
}

const DType* DParser::pointers(const DType* type) {
  int stars = 0;
  for (; took(DWord::Multiply); stars++) {
    if (stars == kMostStars) reject(DTag::TYPE_ERR, token_.at, "too many stars", "at most 8");
    type = types_.pointer_to(type);
    while (took(DWord::Const) || took(DWord::Volatile)) {
    }
  }
  return type;
}

DDeclarator DParser::declarator(const DType* type) {
  DDeclarator declarator;
  declarator.type = pointers(type);
  declarator.at = token_.at;
  if (at(DWord::OpenParenthesis))
    reject(DTag::DECL_PROTO_FORM, token_.at, "declarations of functions are not supported by strut", "a name");
  declarator.name = expect_name("a name").text;
  brackets(declarator);
  return declarator;
}

uint32_t DParser::array_count(DPosition where) {
  DExpressionPtr expression = conditional();
  std::optional<int64_t> count = literal_value(*expression, types_);
  if (!count)
    reject(DTag::DECL_ARRSUB, where, "array declaration must have an integral constant as its size",
           "a positive number or types");
  if (*count <= 0) reject(DTag::DECL_ARRSUB, where, "array declaration has a size that is not positive");
  if (*count > kMostArray)
    reject(DTag::DECL_ARRBIG, where, "array is too large", "at most " + std::to_string(kMostArray) + " elements");
  return static_cast<uint32_t>(*count);
}

/// `[3][4]` makes arrays, `[int, string]` an associative array.
void DParser::brackets(DDeclarator& declarator) {
  std::vector<uint32_t> counts;
  while (at(DWord::OpenBracket)) {
    DPosition where = take().at;
    if (!declarator.keys.empty() || counts.size() > 4) reject(DTag::DECL_ARRSUB, where, "too many dimensions");
    if (at_type()) {
      do declarator.keys.push_back(type_name());
      while (took(DWord::Comma));
    } else {
      counts.push_back(array_count(where));
    }
    expect(DWord::CloseBracket);
  }
  uint64_t bytes = declarator.type->bytes;
  for (; !counts.empty(); counts.pop_back()) {
    bytes *= counts.back();
    if (bytes == 0 || bytes > kMostArray)
      reject(DTag::DECL_ARRBIG, declarator.at, "array is too large or has incomplete elements");
    declarator.type = types_.array_of(declarator.type, counts.back());
  }
}

const DType* DParser::type_name() {
  DDeclarator abstract;
  abstract.at = token_.at;
  abstract.type = pointers(type_specifier());
  return abstract.type;
}

std::optional<int64_t> literal_value(const DExpression& expression, const DTypes& types) {
  using Kind = DExpression::Kind;
  if (expression.kind == Kind::Integer) return static_cast<int64_t>(expression.integer);
  if (expression.kind == Kind::Sizeof && expression.named_type != nullptr) return expression.named_type->bytes;
  if (expression.kind == Kind::Name && expression.scope == DScope::Global) {
    const int64_t* value = types.enumerator(expression.text);
    return value != nullptr ? std::optional(*value) : std::nullopt;
  }
  if (expression.kind == Kind::Unary && expression.op == DWord::Subtract)
    if (auto value = literal_value(expression.child(0), types))
      return static_cast<int64_t>(-static_cast<uint64_t>(*value));
  if (expression.kind != Kind::Binary) return std::nullopt;
  auto left = literal_value(expression.child(0), types), right = literal_value(expression.child(1), types);
  if (!left || !right) return std::nullopt;
  auto a = static_cast<uint64_t>(*left), b = static_cast<uint64_t>(*right);
  switch (expression.op) {
    case DWord::Add: return static_cast<int64_t>(a + b);
    case DWord::Subtract: return static_cast<int64_t>(a - b);
    case DWord::Multiply: return static_cast<int64_t>(a * b);
    case DWord::ShiftLeft: return static_cast<int64_t>(a << (b & 63));
    case DWord::Or: return static_cast<int64_t>(a | b);
    case DWord::And: return static_cast<int64_t>(a & b);
    default: return std::nullopt;
  }
}

}  // namespace strut
