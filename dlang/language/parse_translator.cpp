// Definitions of translators and providers (DTrace Guide, "Translators", "Statically Defined Tracing").
#include <set>

#include "dlang/language/characters.hpp"
#include "dlang/language/parser.hpp"

namespace strut {

void DParser::translator(std::vector<DItemTree>& items) {
  DTranslator& made = items.emplace_back().translator.emplace();
  made.at = take().at;
  made.to = type_name();
  expect(DWord::Less);
  const DType* type = type_specifier();
  DDeclarator parameter = declarator(type, Naming::Named);
  made.from = parameter.type;
  made.parameter = parameter.name;
  expect(DWord::Greater);
  expect(DWord::OpenBrace);
  while (!took(DWord::CloseBrace)) {
    DTranslation& member = made.members.emplace_back();
    member.at = token_.at;
    member.member = expect_name("a member's name").text;
    expect(DWord::Assign);
    member.value = assignment();
    expect(DWord::Semicolon, "an operator or ;");
  }
  expect(DWord::Semicolon);
}

/// xlate <struct s *> (p): members follow.
DExpressionPtr DParser::xlate_expression() {
  DExpressionPtr xlate = make(DExpression::Kind::Xlate, take().at);
  expect(DWord::Less);
  xlate->named_type = type_name();
  expect(DWord::Greater);
  expect(DWord::OpenParenthesis);
  if (parentheses_ >= 0) parentheses_++;
  adopt(*xlate, expression());
  if (parentheses_ > 0) parentheses_--;
  expect(DWord::CloseParenthesis);
  return xlate;
}

/// The definition is checked and dropped: programs with such probes are compiled from it, tracers do not need it.
void DParser::provider() {
  constexpr size_t kMaxName = 63;
  take();
  DPosition where = token_.at;
  std::string name = expect_name("a provider's name").text;
  if (name.size() > kMaxName)
    reject(DTag::PROV_BADNAME, where, "provider name may not exceed 63 characters: " + name, "a shorter name");
  if (is_digit(name.back()))
    reject(DTag::PROV_BADNAME, where, "provider name may not end with a digit: " + name, "another name");
  std::set<std::string> probes;
  expect(DWord::OpenBrace);
  while (!took(DWord::CloseBrace)) {
    if (expect_name("probe").text != "probe") unexpected("probe");
    where = token_.at;
    if (auto [probe, fresh] = probes.insert(expect_name("a probe's name").text); !fresh)
      reject(DTag::PROV_PRDUP, where, "probe redeclared: " + *probe, "another name");
    DDeclarator arguments{.at = token_.at, .type = types_.void_type()};
    if (!at(DWord::OpenParenthesis)) unexpected("(");
    parameters(arguments);
    if (took(DWord::Colon)) {
      if (!at(DWord::OpenParenthesis)) unexpected("(");
      parameters(arguments);
    }
    expect(DWord::Semicolon);
  }
  expect(DWord::Semicolon);
}

}  // namespace strut
