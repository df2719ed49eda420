// Types and variables: C's declarations, with D's scopes and keys.
#include "dlang/language/parser.hpp"

namespace strut {
namespace {

constexpr uint32_t kMaxArray = 1 << 20;

/// Words that only declarations begin with, and that are no types.
bool has_scope_or_class(DWord word) {
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
    default: return false;
  }
}

}  // namespace

bool DParser::at_declaration() const {
  return (has_scope_or_class(token_.word) || at_type()) && !before_.at_probe_words();
}

void DParser::declaration(std::vector<DItemTree>& items) {
  if (at(DWord::Inline)) return inline_definition(items);
  DSpecifiers specifiers_of = specifiers();
  if (specifiers_of.is_typedef && at(DWord::Semicolon))
    reject(DTag::DECL_USELESS, token_.at, "typedef gives nothing a name", "the type's new name");
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
  if (*count <= 0)
    reject(DTag::DECL_ARRSUB, where, "array declaration has a size that is not positive", "a positive number");
  if (*count > kMaxArray)
    reject(DTag::DECL_ARRBIG, where, "array is too large", "at most " + std::to_string(kMaxArray) + " elements");
  return static_cast<uint32_t>(*count);
}

/// `[3][4]` makes arrays, `[int, string]` an associative array.
void DParser::brackets(DDeclarator& declarator) {
  std::vector<uint32_t> counts;
  while (at(DWord::OpenBracket)) {
    DPosition where = take().at;
    if (!declarator.keys.empty() || counts.size() > 4)
      reject(DTag::DECL_ARRSUB, where, "too many dimensions", "at most 5");
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
    if (bytes == 0 || bytes > kMaxArray)
      reject(DTag::DECL_ARRBIG, declarator.at, "array is too large or has incomplete elements");
    declarator.type = types_.array_of(declarator.type, counts.back());
  }
}

}  // namespace strut
