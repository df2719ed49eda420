// A compiled D program: code and the tables that it points into. Plain data, complete without its source.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/compiler/bytecode.hpp"
#include "dlang/compiler/shape.hpp"
#include "dlang/language/print_format.hpp"
#include "dlang/language/settings.hpp"
#include "dlang/language/source.hpp"
#include "dlang/output/aggregate.hpp"
#include "dlang/output/printed_type.hpp"
#include "pid-provider/probe_description.hpp"

namespace strut {

enum class DScope : uint8_t {
  Global,
  Thread,  ///< self->: one per thread
  Clause,  ///< this->: one per firing of a probe, shared by all clauses that it fires; 0 and "" at its beginning
};

/// A variable. With keys it is an array; an array of a thread has the thread's id as its first key and is Global here.
struct DVariable {
  std::string name;
  DScope scope = DScope::Global;
  DShape shape;  ///< Bytes: it lies in memory, a structure or an array of C
  std::vector<DShape> keys;
  uint32_t bytes = 0;  ///< in memory
  uint64_t address =
      0;  ///< in memory, of a global or clause's variable; those of threads and elements have changing ones
};

/// An aggregation, its function and the shape of its elements.
struct DAggregation {
  std::string name;  ///< without '@'
  DAggregate aggregate;
  std::vector<DShape> keys;
};

/// Values that a clause records, printed or acted upon outside the probe, in the order of the records.
struct DAction {
  enum class Kind : uint8_t {
    Fired,        ///< a clause without actions: the line alone
    Trace,        ///< one item
    Tracemem,     ///< Bytes
    Printf,       ///< format; items
    Printa,       ///< aggregations, format (empty: the default)
    Stack,        ///< UserStack or KernelStack
    Symbol,       ///< one item: of usym, ufunc, umod, uaddr, sym, func, mod
    Exit,         ///< Integer
    Clear,        ///< aggregations[0]
    Trunc,        ///< aggregations[0]; Integer: how many stay, negative: of the smallest; no item: none
    Normalize,    ///< aggregations[0]; Integer
    Denormalize,  ///< aggregations[0]
    System,       ///< format; items
    Freopen,      ///< format; items
    Ftruncate,    ///< nothing
    Setopt,       ///< Text, and Text if there is a value
    Print,        ///< Bytes: a value of printed_type
    Speculate,    ///< Integer: the record belongs to this speculation
    Commit,       ///< Integer: the speculation with records that are now reported
    Discard,      ///< Integer: the speculation with records that are dropped
  };
  Kind kind = Kind::Fired;
  uint32_t clause = 0;
  uint32_t number = 0;  ///< for its statement in the clause, from 1
  DFormat format;
  std::vector<uint32_t> aggregations;
  std::vector<DShape> items;
  uint32_t printed_type = 0;  ///< index into DProgram::printed_types

  /// True: the action prints nothing. The session keeps, reports or drops records by it.
  bool is_about_speculations() const {
    return kind == Kind::Speculate || kind == Kind::Commit || kind == Kind::Discard;
  }
};

/// Where in a clause's code a statement begins, for messages: "in action #2".
struct DStatementMark {
  uint32_t code = 0;  ///< index into DProgram::code
  uint32_t number = 0;
};

/// One clause: which probes, and its piece of the code, which ends with End.
struct DClause {
  std::vector<ProbeDescription> probes;
  std::vector<DPosition> probe_places{};  ///< where each is written
  uint32_t source = 0;
  DPosition at;
  uint32_t begin = 0;
  uint32_t end = 0;  ///< behind the last instruction
  uint8_t integer_registers = 0;
  uint8_t text_registers = 0;
  std::vector<DStatementMark> statements;
};

/// A variable of the program that is probed, as clauses name it (`count).
struct DProgramVariable {
  std::string name;
  bool is_address = false;  ///< ProgramVariable gives its address, not its value
};

struct DProgram {
  std::vector<DInstruction> code;
  std::vector<uint64_t> constants;
  std::vector<std::string> texts;
  std::vector<DVariable> variables;
  std::vector<DProgramVariable> program_variables;
  std::vector<DAggregation> aggregations;
  std::vector<DAction> actions;
  std::vector<DPrintedType> printed_types;
  std::vector<DClause> clauses;  ///< in the order in which they run where several match a probe
  uint32_t global_bytes = 0;     ///< memory of global variables from kDGlobalBase on
  uint32_t clause_bytes = 0;     ///< memory of clauses' variables: scratch that every firing begins with, zeros
  DSettings settings;            ///< the options of the compilation, and its `#pragma D option`
  /// raise(), stop(), copyout() and others are used: not to be run without -w. Names the first.
  std::string destructive;
  std::string unsupported;  ///< an action that DTrace has and strut refuses to do
  DPosition destructive_at;
  uint32_t destructive_source = 0;
  std::vector<DStability> stabilities;  ///< for each source: the least one of the names in its clauses
};

/// -x scratchsize, as far as there is so much.
uint32_t usable_scratch_bytes(const DSettings& settings);

/// Whether the program names curthread: memory of the kernel.
bool reads_kernel(const DProgram& program);

/// The variables of the probed program that a clause names, as indexes into program_variables, ascending.
std::vector<uint32_t> program_variables_of(const DProgram& program, const DClause& clause);

/// Which statement of its clause an instruction belongs to; 0: its predicate.
uint32_t statement_at(const DClause& clause, uint32_t code);

/// Code that can be run: every operand is in the tables' bounds, jumps go forward within their clause, registers are
/// written before they are read, keys are set as the arrays and aggregations want them, records have their actions'
/// shapes. The error says where: "clause 0, instruction 3 (Add r0 r1 r9): …". The compiler's output passes; bytecode
/// from elsewhere has to.
std::expected<void, std::string> verify(const DProgram& program);

/// All of it as text, a line per instruction (dtrace -S).
std::string disassemble(const DProgram& program);

}  // namespace strut
