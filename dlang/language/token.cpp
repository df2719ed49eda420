#include "dlang/language/token.hpp"

#include <iterator>

namespace strut {
namespace {

struct Spelling {
  DWord word;
  std::string_view text;
};

constexpr Spelling kSpellings[] = {
#define WORD(name, spelling) {DWord::name, spelling},
#include "dlang/language/words.inc"
#undef WORD
};
constexpr size_t kFirst = static_cast<size_t>(DWord::ShiftLeftAssign);

}  // namespace

std::string_view spelling_of(DWord word) {
  auto index = static_cast<size_t>(word);
  return index < kFirst ? std::string_view{} : kSpellings[index - kFirst].text;
}

DWord keyword(std::string_view spelling) {
  for (size_t i = static_cast<size_t>(DWord::Auto) - kFirst; i < std::size(kSpellings); i++)
    if (kSpellings[i].text == spelling) return kSpellings[i].word;
  return DWord::Identifier;
}

std::string describe(const DToken& token) {
  switch (token.word) {
    case DWord::End: return "end of input";
    case DWord::Integer:
    case DWord::Character: return '"' + std::to_string(token.integer) + '"';
    case DWord::Text: return "string " + quoted_source(token.text, 40);
    case DWord::Identifier: return quoted_source(token.text, 40);
    case DWord::Aggregation: return quoted_source('@' + token.text, 40);
    default: return quoted_source(spelling_of(token.word));
  }
}

}  // namespace strut
