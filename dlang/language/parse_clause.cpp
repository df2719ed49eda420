// Clauses: probes /predicate/ { statements }.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "dlang/language/parser.hpp"

namespace strut {

DParser::Level::Level(DParser& parser) : parser_(parser) {
  if (parser.level_ >= kMaxDepth)
    reject(DTag::SYNTAX, parser.token_.at, "program is nested too deeply",
           "at most " + std::to_string(kMaxDepth) + " levels");
  parser.level_++;
}

DToken DParser::take() {
  DToken taken = std::move(token_);
  before_ = lexer_;
  token_ = lexer_.next();
  return taken;
}

bool DParser::took(DWord word) {
  if (!at(word)) return false;
  take();
  return true;
}

DToken DParser::expect(DWord word, std::string_view meaning) {
  if (!at(word)) unexpected(meaning.empty() ? quoted_source(spelling_of(word)) : std::string(meaning));
  return take();
}

DToken DParser::expect_name(std::string_view meaning) { return expect(DWord::Identifier, meaning); }

void DParser::unexpected(std::string expected) const {
  reject(DTag::SYNTAX, token_.at, "syntax error near " + describe(token_), std::move(expected));
}

// A probe description is no sequence of tokens (`mu*:entry`, `tick-1s`): at the outermost level the lexer goes back to
// where the current token began and reads it as one.
std::vector<DItemTree> DParser::program() {
  std::vector<DItemTree> items;
  while (!at(DWord::End)) {
    if (took(DWord::Semicolon)) continue;
    if (at_declaration()) {
      declaration(items);
    } else {
      clauses(items);
    }
  }
  return items;
}

/// A clause, or one for each of its probes if it names args[], which has other types at each.
void DParser::clauses(std::vector<DItemTree>& items) {
  constexpr size_t kMaxCopies = 256;  // the text is read once for each
  DParser begin = *this;
  has_typed_arguments_ = false;
  DClauseTree whole = clause();
  size_t copies = has_typed_arguments_ && whole.probes.size() <= kMaxCopies ? whole.probes.size() : 1;
  for (size_t i = 0; copies > 1 && i < copies; i++) {
    DParser again = begin;
    DClauseTree& copy = items.emplace_back().clause.emplace(again.clause());
    copy.probes = {whole.probes[i]};
    copy.probe_places = {whole.probe_places[i]};
  }
  if (copies == 1) items.emplace_back().clause = std::move(whole);
}

DClauseTree DParser::clause() {
  DClauseTree clause;
  clause.at = token_.at;
  probes(clause);
  if (at(DWord::Divide)) clause.predicate = predicate();
  if (at(DWord::OpenBrace)) {
    clause.statements = block();
  } else if (!took(DWord::Semicolon) && !at(DWord::End)) {
    unexpected(clause.predicate ? "{" : "a predicate between slashes, or {");
  }
  return clause;
}

void DParser::probes(DClauseTree& clause) {
  do {
    lexer_ = before_;
    DPosition where = lexer_.position();
    std::string words = lexer_.probe_words();
    if (words.empty()) unexpected("a probe description");
    Result<ProbeDescription> probe = parse_probe_description(words, source_.last_field);
    if (!probe)
      reject(DTag::PDESC_INVAL, where,
             "invalid probe description " + quoted_source(words) + ": Overspecified probe description",
             "provider:module:function:name");
    clause.probes.push_back(*std::move(probe));
    clause.probe_places.push_back(where);
    take();
  } while (took(DWord::Comma));
}

DExpressionPtr DParser::predicate() {
  expect(DWord::Divide);
  parentheses_ = 0;
  DExpressionPtr predicate = expression();
  parentheses_ = -1;
  expect(DWord::Divide, "an operator, or the / that ends the predicate");
  return predicate;
}

/// A slash outside of parentheses ends the predicate if nothing can follow that would be divided by.
bool DParser::ends_predicate() const {
  if (parentheses_ != 0 || !at(DWord::Divide)) return false;
  DWord after = token_after().word;
  return after == DWord::OpenBrace || after == DWord::Semicolon || after == DWord::End;
}

std::vector<DStatement> DParser::block() {
  Level level(*this);
  expect(DWord::OpenBrace);
  std::vector<DStatement> statements;
  while (!at(DWord::CloseBrace)) {
    if (took(DWord::Semicolon)) continue;
    if (at(DWord::End)) unexpected("a statement or }");
    statements.push_back(statement());
    if (statements.back().kind == DStatement::Kind::If || at(DWord::CloseBrace)) continue;
    expect(DWord::Semicolon, "an operator, ; or }");
  }
  take();
  return statements;
}

/// Reserved in D, where none of them means anything (DTrace Guide, "Types, Operators, and Expressions").
bool DParser::is_word_of_c() const {
  constexpr std::string_view kReserved[] = {"break", "case", "continue", "default", "do",
                                            "for",   "goto", "return",   "switch",  "while"};
  return at(DWord::Identifier) && std::ranges::find(kReserved, token_.text) != std::end(kReserved);
}

DStatement DParser::statement() {
  if (at(DWord::If)) return if_statement();
  if (at(DWord::Else)) unexpected("a statement: no if stands before this else");
  if (is_word_of_c()) unexpected("a statement: D has no loops and no jumps");
  DStatement statement;
  statement.at = token_.at;
  statement.expression = expression();
  return statement;
}

std::vector<DStatement> DParser::block_or_statement() {
  if (at(DWord::OpenBrace)) return block();
  Level level(*this);
  std::vector<DStatement> statements;
  if (took(DWord::Semicolon)) return statements;
  statements.push_back(statement());
  if (statements.back().kind == DStatement::Kind::Expression && !at(DWord::CloseBrace))
    expect(DWord::Semicolon, "an operator, ; or }");
  return statements;
}

DStatement DParser::if_statement() {
  DStatement statement;
  statement.kind = DStatement::Kind::If;
  statement.at = take().at;
  expect(DWord::OpenParenthesis);
  statement.expression = expression();
  expect(DWord::CloseParenthesis);
  statement.then = block_or_statement();
  if (took(DWord::Else)) statement.otherwise = block_or_statement();
  return statement;
}

std::vector<DItemTree> parse_d(const DSource& source, const DMacros& macros, DTypes& types, MacrosUsed& used,
                               std::vector<DOption>& options) {
  DLexer lexer(source.text, macros, used, options);
  DParser parser(source, lexer, types);
  return parser.program();
}

}  // namespace strut
