// Recursive descent over the tokens of one source. Inside dlang only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dlang/language/ast.hpp"

namespace strut {

/// The part before declarators: `unsigned long`, `self int`, `typedef struct x { … }`.
struct DSpecifiers {
  const DType* type = nullptr;  ///< nullptr: only a scope was given
  DScope scope = DScope::Global;
  bool is_typedef = false;
  bool has_class = false;  ///< a word for a scope or a storage class
  bool is_static = false;  ///< auto, register, static: not for variables of D
  DPosition static_at;
};

/// A name with its declarator: `*x`, `x[3]`, `x[int, string]`.
struct DDeclarator {
  DPosition at;
  std::string name;
  const DType* type = nullptr;
  std::vector<const DType*> keys;
};

/// Recursive descent: a method for each production of the grammar.
class DParser {
 public:
  DParser(const DSource& source, DLexer lexer, DTypes& types) : source_(source), lexer_(lexer), types_(types) {
    take();
  }

  std::vector<DItemTree> program();
  /// Adds the descriptions of all clauses. Nothing else is parsed.
  void descriptions(std::vector<ProbeDescription>& found);

 private:
  // -- tokens
  /// The next token becomes the current one; the previous one is returned.
  DToken take();
  bool at(DWord word) const { return token_.word == word; }
  /// Takes the current token if it is this one.
  bool took(DWord word);
  DToken expect(DWord word, std::string_view meaning = {});
  DToken expect_name(std::string_view meaning);
  [[noreturn]] void unexpected(std::string expected) const;
  DToken token_after() const { return lexer_.peek(); }

  // -- clauses (parse_clause.cpp)
  void clauses(std::vector<DItemTree>& items);
  DClauseTree clause();
  void probes(DClauseTree& clause);
  DExpressionPtr predicate();
  std::vector<DStatement> block();
  std::vector<DStatement> block_or_statement();
  DStatement statement();
  bool is_word_of_c() const;
  DStatement if_statement();

  // -- descriptions alone (parse_descriptions.cpp)
  enum class Item : uint8_t { Clause, Declaration };
  void skip(Item item);

  // -- declarations (parse_declaration.cpp)
  bool at_declaration() const;
  bool at_type() const;
  void declaration(std::vector<DItemTree>& items);
  void inline_definition(std::vector<DItemTree>& items);
  void inline_keys(DDeclaration& made);
  void translator(std::vector<DItemTree>& items);
  void provider();
  DSpecifiers specifiers();
  bool storage_class(DSpecifiers& specifiers);
  const DType* type_specifier();
  const DType* basic_type();
  const DType* structure();
  const DType* enumeration();
  std::vector<DEnumerator> enumerators();
  std::vector<DMember> members();
  DMember member(const DType* type, const std::vector<DMember>& others);
  DMember bit_field(DMember member, DPosition where);
  const DType* pointers(const DType* type);
  const DType* type_name();

  // -- declarators (parse_declarator.cpp)
  enum class Naming : uint8_t { Named, Abstract, Either };
  DDeclarator declarator(const DType* type, Naming naming);
  bool at_inner_declarator() const;
  void suffixes(DDeclarator& declarator);
  void brackets(DDeclarator& declarator, std::vector<uint32_t>& counts);
  void arrays(DDeclarator& declarator, const std::vector<uint32_t>& counts);
  void parameters(DDeclarator& declarator);
  const DType* declarator_type();
  uint32_t array_count(DPosition where);
  /// Takes const, volatile, and words of GNU C: __attribute__((…)), __restrict, __inline, __extension__.
  void qualifiers();
  bool at_gnu_word() const;
  void skip_balanced(DWord open, DWord close);

  // -- expressions (parse_expression.cpp)
  DExpressionPtr expression();
  DExpressionPtr assignment();
  DExpressionPtr conditional();
  DExpressionPtr binary(int least);
  DExpressionPtr cast();
  DExpressionPtr unary();
  DExpressionPtr sizeof_expression();
  DExpressionPtr offsetof_expression();
  DExpressionPtr xlate_expression();
  bool ends_predicate() const;

  // -- operands (parse_postfix.cpp)
  DExpressionPtr postfix();
  DExpressionPtr postfix_behind(DExpressionPtr operand);
  DExpressionPtr postfix_of(DExpressionPtr operand);
  DExpressionPtr call_of(DExpressionPtr function);
  DExpressionPtr primary();
  DExpressionPtr integer_literal();
  DExpressionPtr text_literal();
  DExpressionPtr scoped_name();
  DExpressionPtr name(DScope scope);
  DExpressionPtr aggregation();
  DExpressionPtr parenthesized();
  void list(std::vector<DExpressionPtr>& into, DWord closing);

  DExpressionPtr make(DExpression::Kind kind, DPosition where) const;
  /// Adds a child and keeps count of the depth.
  void adopt(DExpression& parent, DExpressionPtr child) const;

  /// Counts the levels that the parser itself is deep in.
  struct Level {
    explicit Level(DParser& parser);
    ~Level() { parser_.level_--; }
    Level(const Level&) = delete;
    DParser& parser_;
  };

  const DSource& source_;
  DLexer lexer_;            ///< behind token_
  DLexer before_ = lexer_;  ///< at token_
  DTypes& types_;
  DToken token_;
  uint32_t level_ = 0;
  bool has_typed_arguments_ = false;  ///< the name args occurred, or one of the program's
  int parentheses_ = -1;              ///< open ones since a predicate began; -1: not in a predicate
};

}  // namespace strut
