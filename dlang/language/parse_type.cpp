// Types: words, structures, enumerations, pointers.
#include "dlang/language/parser.hpp"

namespace strut {
namespace {

constexpr int kMaxStars = 8;

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

}  // namespace

bool DParser::at_type() const {
  return begins_type(token_.word) || (at(DWord::Identifier) && types_.find(token_.text) != nullptr);
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
  if (!words.make_sense())
    reject(DTag::DECL_COMBO, where, "invalid type combination", "a type of C, as unsigned long long");
  return types_.integer(words.bytes(), words.unsigneds == 0);
}

const DType* DParser::structure() {
  bool is_union = take().word == DWord::Union;
  DPosition where = token_.at;
  std::string tag = is_union ? "union " : "struct ";
  if (at(DWord::Identifier)) tag += take().text;
  else if (at(DWord::OpenBrace))
    tag += "(line " + std::to_string(where.line) + ", column " + std::to_string(where.column) + ')';
  else unexpected("a tag or {");
  DType* type = types_.declare(tag);
  if (!at(DWord::OpenBrace)) return type;
  if (type->is_complete) reject(DTag::DECL_TYPERED, where, "type redeclared: " + quoted_source(tag), "another tag");
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
          reject(DTag::DECL_MNAME, declared.at, "duplicate member name " + quoted_source(declared.name),
                 "another name");
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
        reject(DTag::DECL_ENCONST, expression->at, "enumerator must be assigned to an integral constant expression",
               "a number");
      value = *constant;
    }
    if (value != static_cast<int32_t>(value))
      reject(DTag::DECL_ENOFLOW, name.at, "enumerator value overflows int", "32 bits");
    if (types_.enumerator(name.text) != nullptr)
      reject(DTag::DECL_IDRED, name.at, "identifier redeclared: " + quoted_source(name.text), "another name");
    types_.define_enumerator(name.text, value++);
  } while (took(DWord::Comma));
  expect(DWord::CloseBrace, "a comma or }");
}

const DType* DParser::pointers(const DType* type) {
  int stars = 0;
  for (; took(DWord::Multiply); stars++) {
    if (stars == kMaxStars) reject(DTag::TYPE_ERR, token_.at, "too many stars", "at most 8");
    type = types_.pointer_to(type);
    while (took(DWord::Const) || took(DWord::Volatile)) {
    }
  }
  return type;
}

const DType* DParser::type_name() {
  DDeclarator abstract;
  abstract.at = token_.at;
  abstract.type = pointers(type_specifier());
  return abstract.type;
}

}  // namespace strut
