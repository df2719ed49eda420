// Declarators: C's, from the name outwards, and D's keys of associative arrays.
#include <algorithm>
#include <string_view>

#include "dlang/language/constant.hpp"
#include "dlang/language/parser.hpp"

namespace strut {
namespace {

constexpr uint32_t kMaxArray = 1 << 20;
constexpr int kMaxStars = 8;

/// Words of GNU C in system headers.
struct GnuWord {
  std::string_view word;
  bool has_arguments;  ///< a parenthesis follows
};
constexpr GnuWord kGnuWords[] = {
    {"__attribute__", true}, {"__attribute", true}, {"__asm__", true},        {"__asm", true},
    {"_Alignas", true},      {"__aligned", true},   {"__extension__", false}, {"__restrict", false},
    {"__restrict__", false}, {"restrict", false},   {"__inline", false},      {"__inline__", false},
    {"__const", false},      {"__const__", false},  {"__volatile", false},    {"__volatile__", false},
    {"_Noreturn", false},    {"__signed__", false},
};

const GnuWord* gnu_word(const DToken& token) {
  if (token.word != DWord::Identifier) return nullptr;
  auto at = std::ranges::find(kGnuWords, token.text, &GnuWord::word);
  return at == std::end(kGnuWords) ? nullptr : at;
}

}  // namespace

bool DParser::at_gnu_word() const { return gnu_word(token_) != nullptr; }

void DParser::qualifiers() {
  for (;;) {
    if (took(DWord::Const) || took(DWord::Volatile)) continue;
    const GnuWord* word = gnu_word(token_);
    if (word == nullptr) return;
    take();
    if (word->has_arguments && at(DWord::OpenParenthesis))
      skip_balanced(DWord::OpenParenthesis, DWord::CloseParenthesis);
  }
}

/// Takes tokens from an opening sign to the closing one that belongs to it.
void DParser::skip_balanced(DWord open, DWord close) {
  int depth = 0;
  do {
    if (at(DWord::End))
      unexpected("the " + std::string(spelling_of(close)) + " that belongs to " + std::string(spelling_of(open)));
    if (at(open)) depth++;
    if (at(close)) depth--;
    take();
  } while (depth > 0);
}

const DType* DParser::pointers(const DType* type) {
  int stars = 0;
  for (qualifiers(); took(DWord::Multiply); stars++) {
    if (stars == kMaxStars) reject(DTag::TYPE_ERR, token_.at, "too many stars", "at most 8");
    type = types_.pointer_to(type);
    qualifiers();
  }
  return type;
}

/// A parenthesis that encloses a declarator, not parameters.
bool DParser::at_inner_declarator() const {
  if (!at(DWord::OpenParenthesis)) return false;
  DParser ahead = *this;
  ahead.take();
  ahead.qualifiers();
  return ahead.at(DWord::Multiply) || ahead.at(DWord::OpenParenthesis) ||
         (ahead.at(DWord::Identifier) && !ahead.at_type());
}

/// The suffixes behind a parenthesis are parsed before its contents: they are a part of the inner declarator's type.
DDeclarator DParser::declarator(const DType* type, Naming naming) {
  Level level(*this);
  DDeclarator declarator;
  declarator.type = pointers(type);
  declarator.at = token_.at;
  if (at_inner_declarator()) {
    DParser inner = *this;
    skip_balanced(DWord::OpenParenthesis, DWord::CloseParenthesis);
    suffixes(declarator);
    inner.take();
    DDeclarator named = inner.declarator(declarator.type, naming);
    inner.expect(DWord::CloseParenthesis);
    if (!declarator.keys.empty()) named.keys = declarator.keys;
    return named;
  }
  bool is_named = naming == Naming::Named || (naming == Naming::Either && at(DWord::Identifier));
  if (is_named) declarator.name = expect_name("a name").text;
  suffixes(declarator);
  return declarator;
}

/// `[3][4]` makes arrays, `[int, string]` an associative array, `(int)` a function.
void DParser::suffixes(DDeclarator& declarator) {
  std::vector<uint32_t> counts;
  for (qualifiers();; qualifiers()) {
    if (at(DWord::OpenBracket)) {
      brackets(declarator, counts);
    } else if (at(DWord::OpenParenthesis)) {
      arrays(declarator, counts);
      counts.clear();
      parameters(declarator);
    } else {
      return arrays(declarator, counts);
    }
  }
}

void DParser::brackets(DDeclarator& declarator, std::vector<uint32_t>& counts) {
  DPosition where = take().at;
  qualifiers();
  if (!declarator.keys.empty() || counts.size() > 4)
    reject(DTag::DECL_ARRSUB, where, "too many dimensions", "at most 5");
  if (at_type()) {
    do declarator.keys.push_back(type_name());
    while (took(DWord::Comma));
  } else if (at(DWord::CloseBracket)) {
    counts.push_back(0);  // as many as there are: the last member of a structure, a parameter
  } else {
    counts.push_back(array_count(where));
  }
  expect(DWord::CloseBracket);
}

void DParser::arrays(DDeclarator& declarator, const std::vector<uint32_t>& counts) {
  uint64_t bytes = declarator.type->bytes;
  for (size_t i = counts.size(); i > 0; i--) {
    bytes *= counts[i - 1];
    bool is_open = counts[i - 1] == 0;
    if ((bytes == 0 && !is_open) || bytes > kMaxArray)
      reject(DTag::DECL_ARRBIG, declarator.at, "array is too large or has incomplete elements");
    declarator.type = types_.array_of(declarator.type, counts[i - 1]);
  }
}

uint32_t DParser::array_count(DPosition where) {
  DExpressionPtr expression = conditional();
  std::optional<int64_t> count = literal_value(*expression, types_);
  if (!count || *count <= 0)
    reject(DTag::DECL_ARRSUB, where,
           "positive integral constant or tuple signature expected as array declaration subscript",
           count ? "a positive number" : "a positive number or types");
  if (*count > kMaxArray)
    reject(DTag::DECL_ARRBIG, where, "maximum static array size exceeded",
           "at most " + std::to_string(kMaxArray) + " elements");
  return static_cast<uint32_t>(*count);
}

/// The types are kept for the function's name in messages.
void DParser::parameters(DDeclarator& declarator) {
  take();
  std::vector<const DType*> types;
  bool has_more = false;
  while (!at(DWord::CloseParenthesis)) {
    has_more = took(DWord::Ellipsis);
    if (has_more) break;
    while (took(DWord::Register) || took(DWord::Auto)) {
    }
    const DType* type = declarator_type();
    bool is_only = types.empty() && at(DWord::CloseParenthesis);
    if (type->kind == DType::Kind::Void && !is_only)
      reject(DTag::DECL_PROTO_VOID, token_.at, "void must be sole parameter in a function declaration");
    types.push_back(type);
    if (!took(DWord::Comma)) break;
  }
  expect(DWord::CloseParenthesis, "a comma or )");
  declarator.type = types_.function_of(declarator.type, types, has_more);
}

/// A parameter: its type, and a name that is ignored.
const DType* DParser::declarator_type() {
  qualifiers();
  const DType* type = type_specifier();
  type = declarator(type, Naming::Either).type;
  return type->kind == DType::Kind::Array ? types_.pointer_to(type->target) : type;
}

const DType* DParser::type_name() {
  qualifiers();
  const DType* type = type_specifier();
  return declarator(type, Naming::Abstract).type;
}

}  // namespace strut
