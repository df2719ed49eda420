// From the bytecode of a clause to BPF. Inside kassist only.
//
// In the code of a clause r6 is the run (kassist/wire/dtrace_run.h); all values lie there, and r0 to r5, r7 and r8 hold
// nothing from one instruction of D to the next: so the verifier knows nothing either, and paths that join are the same
// to it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "dlang/compiler/program.hpp"
#include "kassist/dtrace/lowering/assembler.hpp"
#include "kassist/dtrace/checks.hpp"
#include "kassist/dtrace/maps.hpp"

namespace strut {

/// The inputs of code generation.
struct DLoweringContext {
  const DProgram& program;
  const DMaps& maps;
  const DLibrary& library;
};

/// Has the address of the d_run in all code of clauses.
inline constexpr DAssembler::Register kRun = 6;
/// The value that makes bpf_task_storage_get() create storage (<linux/bpf.h>: BPF_LOCAL_STORAGE_GET_F_CREATE).
inline constexpr int32_t kCreateStorage = 1;

/// One clause's code: int clause(struct d_run *), which says whether exit() was called. Error: `why` names the
/// construct that cannot be done in the kernel.
Result<DFunction> lower_clause(const DLoweringContext& context, uint32_t clause);

/// The function that runs those of a probe's clauses that are among `clauses` (ascending), by these names.
DFunction lower_clause_list(const DLoweringContext& context, std::span<const uint32_t> clauses,
                            std::span<const std::string> names);

/// One clause in the making. A method for each group of instructions of D's bytecode.
class DLowering {
 public:
  DLowering(const DLoweringContext& context, uint32_t clause)
      : program_(context.program),
        maps_(context.maps),
        library_(context.library),
        index_(clause),
        clause_(context.program.clauses[clause]),
        may_be_unread_(may_have_operands(clause_)) {}
  Result<DFunction> lower();

 private:
  using Register = DAssembler::Register;
  using Label = DAssembler::Label;

  // -- flow (lowering.cpp)
  Result<void> instruction(const DInstruction& i);
  bool flow(const DInstruction& i);
  bool simple(const DInstruction& i);
  void extend(const DInstruction& i);
  bool alu(const DInstruction& i);
  bool compare(const DInstruction& i);
  Result<void> call_by_row(const DInstruction& i);
  void operand(char kind, int64_t value, Register into, DOp op);
  void find_run();
  std::unexpected<Error> cannot(std::string construct, std::string why = {}) const;
  Result<std::string_view> function_named(const std::string& name, const std::string& construct) const;
  Result<void> builtin(const DInstruction& i);
  Result<void> member(const DInstruction& i);
  void argument(const DInstruction& i);
  DLateValue late() const { return maps_.late.taken_by(clause_.begin + at_); }

  // -- faults (lowering/faults.cpp)
  uint32_t repeatable() const;
  void fault_unless_zero();
  void fault_at_null(const DInstruction& i);
  void fault_at_unread(uint32_t number);
  void end_and_faults();

  // -- places
  void get(Register to, uint8_t integer);
  void set(uint8_t integer, Register from);
  void text_address(Register to, uint8_t text);
  void address(Register to, size_t offset);
  uint32_t text_place(uint8_t text) const { return text * maps_.text_cell(); }
  void copy_kernel(uint32_t bytes);  ///< bpf_probe_read_kernel(r1, bytes, r3)
  void count_drop(size_t offset_in_control);

  // -- texts, variables, arrays (lowering/variables.cpp)
  bool variable(const DInstruction& i);
  bool text(const DInstruction& i);
  bool global(const DInstruction& i);
  bool clause_local(const DInstruction& i);
  void text_constant(const DInstruction& i);
  void thread_cells(bool make, Label absent);
  void set_null(uint8_t text);
  void find_stored(const DInstruction& i, Register to);
  void keep_text(uint8_t text, Register at);
  void unmark_kept(uint8_t text);
  void load_text(uint8_t text, Register from);
  void store_text(Register to, uint8_t text);
  void store_thread(const DInstruction& i);
  void load_thread(const DInstruction& i);
  void element(const DInstruction& i);
  /// The variable's value that register 0 points to, or, from `absent` on, that of one that is not there.
  void load_cell(const DInstruction& i, Label absent);
  void key_pointer(Register to);
  void look_up(int map, Label found);
  void make_element(int map, Label found);

  // -- variables in memory (lowering/memory.cpp)
  void set_address(const DInstruction& i, Label absent, bool is_drop);
  void thread_address(const DInstruction& i);
  void element_address(const DInstruction& i);

  // -- tuples (lowering/tuples.cpp)
  bool tuple(const DInstruction& i);
  void begin_tuple();
  void begin_outside(bool wants_stack);
  void key(const DInstruction& i);
  void own_process();
  void key_of_bytes(const DInstruction& i);
  void outside_key(const DInstruction& i);
  void outside_word(Register from);
  void outside_user_stack(const DInstruction& i);

  // -- aggregations (lowering/aggregations.cpp)
  void aggregate(const DInstruction& i);
  void find_element(uint32_t aggregation, Label nothing);
  void take(uint32_t aggregation, const DInstruction& i);
  void take_extreme(bool least);
  void take_in_round(uint32_t aggregation, bool least);
  void lock_round(Label locked, Label given_up);
  void begin_round(uint32_t aggregation);
  void take_squares();
  void mirror(int32_t middle);
  void find_bucket(const DAggregate& aggregate);
  void find_log_bucket(const DAggregate& aggregate);
  void take_bucket(const DAggregate& aggregate, const DInstruction& i);

  const DProgram& program_;
  const DMaps& maps_;
  const DLibrary& library_;
  uint32_t index_;
  const DClause& clause_;
  DAssembler out_;
  std::vector<Label> labels_;  ///< by instruction of D
  Label end_ = 0;
  struct Fault {
    Label label;
    uint32_t code;  ///< the instruction's number, with D_AGAIN or D_AGAIN_ALONE
  };
  std::vector<Fault> faults_;
  bool may_be_unread_;    ///< the clause is for probes whose arguments are in memory
  uint32_t at_ = 0;       ///< the instruction being lowered, from the clause's first
  uint32_t key_at_ = 0;   ///< where in d_run::keys the next key goes
  bool outside_ = false;  ///< the tuple goes out as a record
};

}  // namespace strut
