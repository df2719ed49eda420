// A D program as it is written, with the types and meanings that checking gives it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/language/builtin.hpp"
#include "dlang/language/diagnostic.hpp"
#include "dlang/language/lexer.hpp"
#include "dlang/language/source.hpp"
#include "dlang/language/token.hpp"
#include "dlang/language/type.hpp"

namespace strut {

struct DExpression;
using DExpressionPtr = std::unique_ptr<DExpression>;

/// The meaning of a name.
struct DMeaning {
  enum class Kind : uint8_t {
    None,
    Variable,     ///< index into DProgram::variables
    Builtin,      ///< index is a DBuiltin
    Argument,     ///< argN, index is N
    Arguments,    ///< args
    Registers,    ///< uregs
    Translated,   ///< curpsinfo, curlwpsinfo: subject Current
    Descriptors,  ///< fds
    Aggregation,  ///< index into DProgram::aggregations
    Inline,       ///< `inlined` stands for it
    Function,     ///< index into functions()
    Program,      ///< index into DProgram::program_variables; is_address: the instruction gives its address
  };
  Kind kind = Kind::None;
  uint32_t index = 0;
  const DExpression* inlined = nullptr;
  bool is_of_call = false;  ///< Arguments: DArgumentType's
  bool is_address = false;
};

struct DExpression {
  enum class Kind : uint8_t {
    Integer,      ///< `integer`
    Text,         ///< `text`
    Name,         ///< `text`; scope says self-> or this->
    Aggregation,  ///< @text[children]
    Unary,        ///< op children[0]: - ~ ! + * & and stringof
    Update,       ///< ++ or -- of children[0]; is_postfix
    Binary,       ///< children[0] op children[1], the logical ones, too
    Assign,       ///< children[0] op= children[1]; op is the operator alone, Assign for =
    Conditional,  ///< children[0] ? children[1] : children[2]
    Comma,        ///< children[0], children[1]
    Index,        ///< children[0] [children[1] …]
    Member,       ///< children[0].text, or -> if op is Arrow
    Call,         ///< text(children …)
    Cast,         ///< (type) children[0]
    Sizeof,       ///< sizeof children[0], or of named_type
    Offsetof,     ///< offsetof(named_type, text)
    Xlate,        ///< xlate <named_type> (children[0]): only its members have values
  };
  Kind kind = Kind::Integer;
  DWord op = DWord::End;
  DScope scope = DScope::Global;
  DPosition at;
  uint64_t integer = 0;
  std::string text;
  std::vector<DExpressionPtr> children;
  const DType* named_type = nullptr;
  bool is_postfix = false;
  uint8_t bits = 0;       ///< the width of a bit-field; 0: another member
  uint8_t first_bit = 0;  ///< a bit-field's lowest bit in its integer
  uint32_t depth = 1;     ///< for this subtree

  // By the checker:
  const DType* type = nullptr;
  DMeaning meaning;

  const DExpression& child(size_t index) const { return *children[index]; }
};

struct DStatement {
  enum class Kind : uint8_t { Expression, If } kind = Kind::Expression;
  DPosition at;
  DExpressionPtr expression;  ///< or the condition
  std::vector<DStatement> then;
  std::vector<DStatement> otherwise;
};

/// probe, probe /predicate/ { statements }
struct DClauseTree {
  DPosition at;
  std::vector<ProbeDescription> probes;
  std::vector<DPosition> probe_places;  ///< where each begins
  DExpressionPtr predicate;             ///< may be null
  std::vector<DStatement> statements;
};

/// `int x;`, `self string name[int, string];`, `inline int x = 1;`, `inline int f[int a] = a + 1;`. Types and
/// enumerators are defined when they are parsed.
struct DDeclaration {
  DPosition at;
  std::string name;
  DScope scope = DScope::Global;
  const DType* type = nullptr;
  std::vector<const DType*> keys;
  std::vector<std::string> key_names;  ///< of an inline definition with keys, which its expression uses
  DExpressionPtr inlined;              ///< by an inline definition
};

/// `member = value;` in a translator.
struct DTranslation {
  DPosition at;
  std::string member;
  DExpressionPtr value;
};
/// `translator struct out < struct in *p > { member = p->value; };`
struct DTranslator {
  DPosition at;
  const DType* to = nullptr;
  const DType* from = nullptr;
  std::string parameter;
  std::vector<DTranslation> members;
};

/// An outermost item of a source, in order: one of the three.
struct DItemTree {
  std::optional<DClauseTree> clause;
  std::optional<DDeclaration> declaration;
  std::optional<DTranslator> translator;
};

/// Nesting of expressions and statements beyond this is refused: no source overflows our stack.
constexpr uint32_t kMaxDepth = 256;

/// Parses one source. Throws DError. Types go into `types`, options into `options`.
std::vector<DItemTree> parse_d(const DSource& source, const DMacros& macros, DTypes& types, MacrosUsed& used,
                               std::vector<DOption>& options);

/// The descriptions of a source's clauses, found without the types that its declarations and bodies need: for what has
/// to precede it. An error ends them; parse_d() reports it.
std::vector<ProbeDescription> probe_descriptions_of(const DSource& source, const DMacros& macros);

}  // namespace strut
