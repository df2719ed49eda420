// Types and variables: C's declarations, with D's scopes and keys.
#include "dlang/language/parser.hpp"

namespace strut {
namespace {

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

DDeclaration variable_of(const DSpecifiers& specifiers, const DDeclarator& declared) {
  if (specifiers.is_static)
    reject(DTag::DECL_BADCLASS, specifiers.static_at, "specified storage class not appropriate in D", "self or this");
  if (declared.type->kind == DType::Kind::Array && declared.type->count == 0)
    reject(DTag::DECL_ARRNULL, declared.at, "array declaration requires array dimension or tuple signature");
  DDeclaration made;
  made.at = declared.at;
  made.name = declared.name;
  made.scope = specifiers.scope;
  made.type = declared.type;
  made.keys = declared.keys;
  return made;
}

}  // namespace

bool DParser::at_declaration() const {
  return (has_scope_or_class(token_.word) || at_type() || at_gnu_word()) && !before_.at_probe_words();
}

void DParser::declaration(std::vector<DItemTree>& items) {
  if (at(DWord::Inline)) return inline_definition(items);
  if (at(DWord::Translator)) return translator(items);
  if (at(DWord::Provider)) return provider();
  DSpecifiers specifiers_of = specifiers();
  if (specifiers_of.is_typedef && at(DWord::Semicolon))
    reject(DTag::DECL_USELESS, token_.at, "useless typedef declaration", "the type's new name");
  if (took(DWord::Semicolon)) return;  // struct x { … };
  do {
    DDeclarator declared = declarator(specifiers_of.type, Naming::Named);
    if (specifiers_of.is_typedef) {
      types_.alias(declared.name, declared.type);
      continue;
    }
    if (declared.type->kind == DType::Kind::Function) {  // C's: nothing to be called in D
      if (!at(DWord::OpenBrace)) continue;
      return skip_balanced(DWord::OpenBrace, DWord::CloseBrace);
    }
    items.emplace_back().declaration = variable_of(specifiers_of, declared);
  } while (took(DWord::Comma));
  expect(DWord::Semicolon, "a comma or ;");
}

void DParser::inline_definition(std::vector<DItemTree>& items) {
  take();
  DDeclaration& made = items.emplace_back().declaration.emplace();
  made.type = pointers(type_specifier());
  made.name = expect_name("a name").text;
  if (at(DWord::OpenBracket)) inline_keys(made);
  DPosition where = expect(DWord::Assign).at;
  made.at = where;
  DExpressionPtr cast_of = make(DExpression::Kind::Cast, where);
  cast_of->named_type = made.type;
  adopt(*cast_of, assignment());
  made.inlined = std::move(cast_of);
  expect(DWord::Semicolon, "an operator or ;");
}

/// `[int a, string b]`: types with the names that the expression has for them.
void DParser::inline_keys(DDeclaration& made) {
  take();
  do {
    DDeclarator key = declarator(type_specifier(), Naming::Either);
    made.keys.push_back(key.type);
    made.key_names.push_back(key.name);
  } while (took(DWord::Comma));
  expect(DWord::CloseBracket, "a comma or ]");
}

DSpecifiers DParser::specifiers() {
  DSpecifiers specifiers;
  while (storage_class(specifiers)) {
  }
  bool has_scope = specifiers.scope != DScope::Global;
  bool is_named = at(DWord::Identifier) && !at_type();  // self x; is an int
  specifiers.type = has_scope && is_named ? types_.int_type() : type_specifier();
  while (storage_class(specifiers)) {
  }
  return specifiers;
}

/// Takes a word that is no type; false: there is none.
bool DParser::storage_class(DSpecifiers& specifiers) {
  qualifiers();
  bool is_class = has_scope_or_class(token_.word) && !at(DWord::Inline) && !at(DWord::Extern);
  if (is_class && specifiers.has_class)
    reject(DTag::DECL_CLASS, token_.at, "only one storage class allowed in a declaration", "one of them");
  specifiers.has_class |= is_class;
  switch (token_.word) {
    case DWord::Self: specifiers.scope = DScope::Thread; break;
    case DWord::This: specifiers.scope = DScope::Clause; break;
    case DWord::Typedef: specifiers.is_typedef = true; break;
    case DWord::Extern:
    case DWord::Inline: break;
    case DWord::Auto:
    case DWord::Register:
    case DWord::Static:
      specifiers.is_static = true;
      specifiers.static_at = token_.at;
      break;
    default: return false;
  }
  take();
  return true;
}

}  // namespace strut
