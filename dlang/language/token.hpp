// The words of D.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dlang/language/diagnostic.hpp"

namespace strut {

/// Kinds of tokens: classes with a value, then every sign and keyword by itself.
enum class DWord : uint8_t {
  End,
  Integer,      ///< DToken::integer, is_unsigned, longs
  Character,    ///< DToken::integer
  Text,         ///< DToken::text, escapes resolved
  Identifier,   ///< DToken::text; may hold a backquote: mod`name
  Aggregation,  ///< DToken::text without the '@'; empty: @ alone
#define WORD(name, spelling) name,
#include "dlang/language/words.inc"
#undef WORD
};

struct DToken {
  DWord word = DWord::End;
  DPosition at;
  std::string text;  ///< an integer has one only if it is negative, which only macros yield
  uint64_t integer = 0;
  bool is_unsigned = false;  ///< an integer with the suffix u
  bool is_decimal = true;    ///< the type is never unsigned without the suffix (C11 6.4.4.1)
  uint8_t longs = 0;         ///< how many l it ends with
};

constexpr bool is_logical(DWord op) {
  return op == DWord::LogicalAnd || op == DWord::LogicalOr || op == DWord::LogicalXor;
}

/// How it is written; "" for a class.
std::string_view spelling_of(DWord word);

/// The keyword of this spelling; Identifier if there is none.
DWord keyword(std::string_view spelling);

/// The token as messages show it, in quotes.
std::string describe(const DToken& token);

}  // namespace strut
