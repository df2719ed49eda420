// Gives each expression its type and meaning, and rejects invalid D. Private to dlang.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dlang/compiler/compile.hpp"
#include "dlang/compiler/program.hpp"
#include "dlang/language/ast.hpp"
#include "dlang/language/constant.hpp"
#include "dlang/language/function.hpp"
#include "dlang/language/type.hpp"

namespace strut {

/// Checks the items of all sources in order. Fills in DProgram::variables and aggregations and the types and meanings
/// in the trees. Throws DError. Wide, because each kind of declaration, statement and expression has a method.
class DChecker {
 public:
  DChecker(DProgram& program, DTypes& types, const DCompileRequest& request)
      : program_(program), types_(types), request_(request) {}

  /// `source`: the number of the DSource that they come from.
  void check(std::vector<DItemTree>& items, uint32_t source);
  /// Where an error with this tag is, as DTrace's own checks know it: an action's arguments are looked at later.
  Diagnostic::Region region(DTag tag) const;

 private:
  using Kind = DExpression::Kind;

  // -- declarations, clauses, statements (checker.cpp)
  void declare(DDeclaration& declaration);
  bool is_declared_alike(const DDeclaration& declaration) const;
  std::string redeclaration(const DDeclaration& declaration, const uint32_t* known) const;
  void clause(DClauseTree& clause);
  void predicate(DExpression& e);
  void statements(std::vector<DStatement>& statements);
  void statement(DStatement& statement);
  void follow_speculation(const DExpression& statement);
  void follows_nothing(const DExpression& e, bool before, DTag tag, std::string_view what) const;
  uint32_t add_variable(const std::string& name, DScope scope, const DType* type, const std::vector<const DType*>& keys,
                        DPosition at);
  void add_keys(DVariable& variable, const std::vector<const DType*>& keys, DPosition at);
  void place_in_memory(DVariable& variable, const DType& type, DPosition at);
  const uint32_t* find_variable(const std::string& name, DScope scope) const;

  // -- inline definitions (check_inline.cpp)
  void inline_definition(DDeclaration& declaration);
  void inline_value(DDeclaration& declaration);
  void inline_with_keys(const DDeclaration& declaration);
  const DExpression* inlined_translation(const DExpression& e) const;
  const DType* inline_element(DExpression& e, const DDeclaration& definition);

  // -- translators (check_translator.cpp)
  void translator(const DTranslator& translator);
  void translation(const DTranslator& translator, const DTranslation& member);
  const DType* translated_by_program(DExpression& e);
  const DTranslator* find_translator(const DType* to, const DType* from) const;

  // -- expressions (check_expression.cpp)
  const DType* expression(DExpression& e);
  /// Checks an expression with a value that fits a register: a number, an address, a string.
  const DType* value(DExpression& e);
  const DType* integer(DExpression& e, DTag tag, std::string_view what, std::string_view kind = "integral");
  void condition(DExpression& e, std::string_view what);
  const DType* type_of(DExpression& e);
  const DType* conditional(DExpression& e);
  void not_dynamic(const DExpression& e, std::string_view sign, const DType* left, const DType* right) const;
  const DType* comma(DExpression& e);
  const DType* cast(DExpression& e);
  const DType* size_of(DExpression& e);
  const DType* offset_of(DExpression& e);

  // -- names, indexes (check_name.cpp)
  const DType* name(DExpression& e);
  [[noreturn]] void without_keys(const DExpression& e) const;
  const DType* global_name(DExpression& e);
  const DType* known_name(DExpression& e);
  const DType* index(DExpression& e);
  const DType* element(DExpression& e, uint32_t variable);
  const DType* typed_argument(DExpression& e);
  DArgumentType argument_type(DExpression& e);
  std::vector<DArgumentType> argument_types(const DExpression& e) const;
  int64_t argument_index(DExpression& e);
  const DType* memory_index(DExpression& e);
  void one_index(const DExpression& e) const;
  const DType* character_of_string(DExpression& e);
  void keys(DExpression& e, const std::string& name, const std::vector<const DType*>& wanted);
  const DType* key(DExpression& e, size_t number);
  [[noreturn]] void no_key(const DExpression& e, std::string_view of, size_t number) const;

  // -- members (check_member.cpp)
  const DType* member(DExpression& e);
  const DType* translated_member(DExpression& e, const DType& structure);

  // -- values and conditions that providers give in D (check_computed.cpp)
  DExpressionPtr computed(const std::string& text, DPosition at);
  bool is_computed_argument(const DExpression& e) const;
  void computed_translation(DExpressionPtr& e);
  const DType* computed_argument(DExpression& e, const DArgumentType& type);
  void conditions(DClauseTree& clause);

  // -- variables of the probed program (check_program_variable.cpp)
  const DType* program_variable(DExpression& e, const std::string& name);
  bool is_of_program() const;
  uint32_t program_variable_number(const std::string& name, bool is_address);

  void take_stability(const DExpression& e, std::string_view kind);

  // -- operators (check_operator.cpp)
  const DType* unary(DExpression& e);
  const DType* dereference(DExpression& e);
  const DType* address_of(DExpression& e);
  const DType* string_of(DExpression& e);
  const DType* update(DExpression& e);
  const DType* binary(DExpression& e);
  const DType* comparison(DExpression& e, const DType* left, const DType* right);
  const DType* as_pointer(const DType* type);
  const DType* additive(DExpression& e, const DType* left, const DType* right);
  const DType* arithmetic(DExpression& e, const DType* left, const DType* right);
  const DType* assign(DExpression& e);
  const DType* assigned(DExpression& e, const DType* target, const DType* from);
  const DType* target_of(DExpression& e, const DType* from);
  const DType* new_variable(DExpression& e, const DType* from);
  bool is_writable(const DExpression& e) const;
  [[noreturn]] void not_writable(const DExpression& e, const DExpression& operand) const;
  bool can_assign(const DType* target, const DType* from, const DExpression& value) const;
  [[noreturn]] void incompatible(const DExpression& e, const DType* left, const DType* right) const;

  // -- calls (check_call.cpp, check_action.cpp, check_format.cpp)
  const DType* call(DExpression& e);
  [[noreturn]] void refuse(DExpression& call, const DFunction& function);
  void note_destructive(const DExpression& call);
  void count_arguments(const DExpression& e, const DFunction& function, DTag tag) const;
  void argument(DExpression& call, const DFunction& function, size_t index);
  [[noreturn]] void wrong_argument(const DExpression& call, size_t index, std::string_view wanted, DTag tag) const;
  const DType* action(DExpression& e, const DFunction& function);
  void traced(DExpression& e);
  void tracemem(DExpression& e);
  const DType* shown(DExpression& e);
  const DType* recorded(DExpression& e);
  void print(DExpression& e);
  const DType* stack(DExpression& e);
  const DType* symbol(DExpression& e);
  void aggregation_argument(DExpression& e, size_t index, DTag not_one, DTag unknown);
  void printf_like(DExpression& e);
  void printed(DExpression& e, const DFormat& format);
  void printed(DExpression& e, size_t& next, const DConversion& conversion, size_t number, std::string_view star);
  void printa(DExpression& e);
  void printa_format(DExpression& e, uint32_t first);
  void printa_value(const DExpression& format, const DConversion& conversion);
  void printa_key(const DExpression& format, const DConversion& conversion, size_t number,
                  const std::vector<const DType*>& keys, size_t taken) const;
  void not_empty(const DExpression& format) const;
  DFormat format_of(const DExpression& e) const;

  // -- aggregations (check_aggregation.cpp)
  void aggregate(DExpression& e);
  DAggregate aggregate_function(DExpression& call, const DFunction& function);
  DAggregate linear(const DExpression& call) const;
  DAggregate log_linear(const DExpression& call) const;
  int32_t constant(const DExpression& call, size_t index, DTag type, DTag range) const;
  void same_function(const DExpression& e, uint32_t aggregation, const DAggregate& aggregate) const;
  uint32_t find_or_add(const DExpression& e, const DAggregate& aggregate, const std::vector<const DType*>& keys);

  DProgram& program_;
  DTypes& types_;
  const DCompileRequest& request_;

  std::map<std::pair<DScope, std::string>, uint32_t> variables_;
  std::vector<const DType*> variable_types_;              ///< by index into DProgram::variables
  std::vector<std::vector<const DType*>> variable_keys_;  ///< without a thread's own
  std::map<std::string, const DDeclaration*> inlines_;
  std::vector<const DTranslator*> translators_;
  uint32_t room_for_copies_ = 1 << 18;  ///< nodes that xlate and inline definitions with keys may still become
  std::map<std::string, uint32_t> aggregations_;
  std::vector<std::vector<const DType*>> aggregation_keys_;
  std::vector<DPosition> aggregation_places_;
  const DClauseTree* clause_ = nullptr;
  Diagnostic::Region region_ = Diagnostic::Region::None;
  uint32_t source_ = 0;
  /// The statements of the clause so far, as far as speculations may not stand in any order with them.
  struct SoFar {
    bool commits = false;
    bool speculates = false;
    bool records = false;  ///< before speculate()
  };
  SoFar so_far_;
  bool in_record_ = false;  ///< stacks and symbols are welcome: a statement, a key of an aggregation, printf
};

/// The number that an expression of constants is, in 64 bits; nullopt: it is known only when it runs. After checking.
std::optional<int64_t> constant_value(const DExpression& expression);

/// args[N] of a system call's entry: print() and %s decode it.
bool is_call_argument(const DExpression& e);
bool is_decoded_by(const DExpression& e, char letter);

/// char [] or char *: types that convert to a string.
bool is_characters(const DType& type);
/// Values of the type can be keys of arrays and aggregations.
bool is_key(const DType& type);
inline constexpr std::string_view kKeyTypes = "an integer, a pointer, a string, a structure or an array";
/// The value is somewhere in scratch memory: *p, p->m, p[i].
bool is_in_memory(const DExpression& e);
/// The value is in the memory of the program that is probed: `structure, `p->member, *`p, `array[i].
bool is_in_program(const DExpression& e);
/// s[i] or *s of a string.
bool is_of_string(const DExpression& e);

}  // namespace strut
