// Turns checked trees into code. Inside dlang only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dlang/compiler/compile.hpp"
#include "dlang/compiler/program.hpp"
#include "dlang/language/ast.hpp"
#include "dlang/language/function.hpp"

namespace strut {

/// Emits the clauses of checked items into a program. Registers are a stack: an expression's temporaries are free again
/// once its value is in its register. Throws DError where a clause needs more than there are. Wide, because each kind
/// of statement and expression has a method.
class DCompiler {
 public:
  DCompiler(DProgram& program, const DTypes& types) : program_(program), types_(types) {}

  void compile(const DClauseTree& tree, uint32_t source);

 private:
  using Kind = DExpression::Kind;
  using Jumps = std::vector<size_t>;  ///< instructions that jump to a place not yet known

  /// A key of a tuple, evaluated.
  struct KeyRegister {
    DShape shape;
    uint8_t number = 0;
  };
  /// Where a value is loaded from and stored to.
  struct Place {
    enum class Kind : uint8_t { Global, Thread, Clause, Element, Memory } kind = Kind::Global;
    uint32_t variable = 0;
    std::vector<KeyRegister> keys;
    uint8_t address = 0;
    const DType* type = nullptr;
    bool is_in_program = false;           ///< Memory: the probed program's
    uint8_t bits = 0, first_bit = 0;      ///< a bit-field in memory; 0: another place
    std::shared_ptr<const Place> string;  ///< the string of a character; nullptr: another place
    uint8_t copy = 0;                     ///< then: the address of the string's copy, which the character is in
  };
  /// Whether variables of threads and elements of arrays that lie in memory are made if they are absent.
  enum class For : uint8_t { Reading, Writing };
  /// Registers in use, to be put back.
  struct Mark {
    unsigned integers, texts;
  };

  // -- emission (compiler.cpp)
  size_t emit(DOp op, unsigned a = 0, unsigned b = 0, unsigned c = 0, int64_t imm = 0);
  void patch(const Jumps& jumps);
  void patch(size_t jump) { patch(Jumps{jump}); }
  uint8_t new_integer(DPosition at);
  uint8_t new_text(DPosition at);
  Mark mark() const { return {integers_, texts_}; }
  void release(Mark mark) { integers_ = mark.integers, texts_ = mark.texts; }
  void constant_into(int64_t value, uint8_t to);
  int64_t text_index(const std::string& text);

  // -- statements (compiler.cpp)
  void statements(const std::vector<DStatement>& list);
  void statement(const DStatement& statement);
  Jumps jump_if_false(const DExpression& e);
  uint32_t add_action(DAction::Kind kind, const DExpression* e);

  // -- limits of hits (compile_limits.cpp)
  Jumps hits_outside_limits(const DClause& clause);
  void count_hit(uint8_t hits, uint8_t id, uint8_t one);

  // -- numbers (compile_number.cpp)
  uint8_t number(const DExpression& e);
  void number_into(const DExpression& e, uint8_t to);
  /// Evaluates an expression for its side effects.
  void discard(const DExpression& e);
  void number_as(const DExpression& e, uint8_t to, const DType& type);
  void convert(uint8_t of, const DType& from, const DType& to);
  void truth_into(const DExpression& e, uint8_t to);
  void name_into(const DExpression& e, uint8_t to);
  void character_into(const DExpression& of, uint8_t index, uint8_t to);
  void unary_into(const DExpression& e, uint8_t to);
  void update_into(const DExpression& e, uint8_t to);
  void binary_into(const DExpression& e, uint8_t to);
  void logical_into(const DExpression& e, uint8_t to);
  void comparison_into(const DExpression& e, uint8_t to);
  void text_comparison_into(const DExpression& e, uint8_t to);
  void pointer_arithmetic_into(const DExpression& e, uint8_t to);
  void scale(uint8_t of, uint32_t bytes, DPosition at);
  void assign_into(const DExpression& e, uint8_t to);
  void conditional_into(const DExpression& e, uint8_t to);
  void program_variable_into(const DExpression& e, uint8_t to);
  void index_into(const DExpression& e, uint8_t to);
  void translated_into(const DExpression& e, uint8_t to, bool text);

  // -- texts (compile_text.cpp)
  uint8_t text(const DExpression& e);
  void text_into(const DExpression& e, uint8_t to);
  void characters_into(const DExpression& e, uint8_t to);
  void program_text_into(uint8_t address, uint8_t to);
  void text_name_into(const DExpression& e, uint8_t to);
  void text_assign_into(const DExpression& e, uint8_t to);
  void text_conditional_into(const DExpression& e, uint8_t to);

  // -- places (compile_place.cpp)
  Place place_of(const DExpression& e, For use = For::Reading);
  void load(const Place& place, uint8_t to);
  void load_from_memory(const Place& place, uint8_t to);
  size_t jump_if_here(uint8_t address);
  void bring_in(uint8_t address, uint32_t bytes);
  void store(const Place& place, uint8_t from);
  std::vector<KeyRegister> key_registers(const DExpression& e, size_t first, const std::vector<DShape>& shapes);
  KeyRegister key_register(const DExpression& e, const DShape& shape);
  void set_keys(const std::vector<KeyRegister>& keys);
  void address_into(const DExpression& e, uint8_t to, For use = For::Reading);
  void variable_address_into(const DExpression& e, uint8_t to, For use);
  std::vector<KeyRegister> element_keys(const DExpression& e, const DVariable& variable);
  void load_bits(const Place& place, uint8_t to);
  void store_bits(const Place& place, uint8_t from);
  void store_in_memory(const Place& place, uint8_t from);
  void place_in_string(const DExpression& e, Place& place);
  void string_address_into(const DExpression& e, uint8_t to);
  void copy_to_scratch(uint8_t text, uint8_t to);

  // -- calls (compile_call.cpp, compile_action.cpp)
  /// `to` is an integer or text register, as the function's result wants; nothing is written if it has none.
  void call_into(const DExpression& e, uint8_t to);
  bool special_call_into(const DExpression& e, uint8_t to);
  bool text_call_into(const DExpression& e, uint8_t to);
  void device_part_into(const DExpression& e, uint8_t to);
  void action(const DExpression& e);
  void put(const DExpression& e, const DShape& shape);
  void put_call_argument(const DExpression& e);
  void put_bytes(const DExpression& e);
  uint32_t printed_type(const DType& type);
  DShape recorded_shape(const DExpression& e, char letter) const;
  void record(uint32_t action, const DExpression& given, const DShape& shape);
  void print_action(const DExpression& e);
  void printf_action(const DExpression& e, DAction::Kind kind);
  void printa_action(const DExpression& e);
  void tracemem_action(const DExpression& e);
  void aggregation_action(const DExpression& e, DAction::Kind kind);
  void speculation_action(const DExpression& e, DAction::Kind kind);
  void aggregate(const DExpression& e);
  uint32_t frames_of(const DExpression& e) const;

  DProgram& program_;
  const DTypes& types_;
  std::map<std::string, int64_t> texts_known_;
  std::map<uint64_t, int64_t> constants_known_;
  std::map<const DType*, uint32_t> printed_known_;
  unsigned integers_ = 0, texts_ = 0;
  unsigned most_integers_ = 0, most_texts_ = 0;
  uint32_t statement_ = 0;
  DPosition statement_at_;  ///< where it is written; the clause's place before its first one
  std::vector<DStatementMark> statement_marks_;
  Jumps ends_clause_;  ///< where a speculation takes no records
};

}  // namespace strut
