// The probe descriptions of a source, without its declarations and bodies.
#include <algorithm>
#include <iterator>

#include "dlang/language/parser.hpp"

namespace strut {

void DParser::descriptions(std::vector<ProbeDescription>& found) {
  while (!at(DWord::End)) {
    if (took(DWord::Semicolon)) continue;
    if (at_declaration()) {
      skip(Item::Declaration);
      continue;
    }
    DClauseTree clause;
    probes(clause);
    std::ranges::move(clause.probes, std::back_inserter(found));
    skip(Item::Clause);
  }
}

/// Takes the rest of an item. The braces of a clause or of a C function end it, those of a structure do not.
void DParser::skip(Item item) {
  bool is_body = item == Item::Clause;
  while (!at(DWord::End) && !took(DWord::Semicolon)) {
    if (at(DWord::OpenBrace)) {
      skip_balanced(DWord::OpenBrace, DWord::CloseBrace);
      if (is_body) return;
      continue;
    }
    bool closes = take().word == DWord::CloseParenthesis;
    is_body = item == Item::Clause || closes;
  }
}

std::vector<ProbeDescription> probe_descriptions_of(const DSource& source, const DMacros& macros) {
  std::vector<ProbeDescription> found;
  MacrosUsed used;
  std::vector<DOption> options;
  DTypes types;
  try {
    DParser(source, DLexer(source.text, macros, used, options), types).descriptions(found);
  } catch (const DError&) {  // the compiler comes to it, too
  }
  return found;
}

}  // namespace strut
