// Interprets the bytecode of clauses: for ptrace, for tests, and for code that the kernel cannot run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "dlang/compiler/program.hpp"
#include "dlang/machine/probe_context.hpp"
#include "dlang/machine/record.hpp"
#include "dlang/output/aggregations.hpp"

namespace strut {

/// -x strsize, dynvarsize, aggsize, scratchsize.
struct DLimits {
  uint32_t text_bytes = 257;       ///< for a string with its NUL; at least 2
  size_t dynamic_bytes = 1 << 20;  ///< for thread's variables and elements of arrays
  size_t aggregation_bytes = 4 << 20;
  uint32_t scratch_bytes = kDScratchBytes;  ///< for a firing; more than this has no effect
};

/// How the run of a clause ended.
struct DOutcome {
  DFault fault = DFault::None;
  uint64_t address = 0;    ///< for a BadAddress
  uint32_t statement = 0;  ///< where the fault was: 0 in the predicate
  uint32_t code = 0;       ///< index of the instruction from the clause's first
  /// The clause's record: empty if the predicate was false or nothing is recorded. Valid until the next run.
  std::span<const std::byte> record;
};

/// The state of a run of a program: variables, aggregations, scratch. Not for several threads at once.
class DMachine {
 public:
  /// `program` passes verify() and outlives the machine.
  DMachine(const DProgram& program, const DLimits& limits);
  ~DMachine();
  DMachine(const DMachine&) = delete;
  DMachine& operator=(const DMachine&) = delete;

  /// A probe fired: this-> variables are 0, scratch is empty. Before the first of its clauses is run.
  void begin_firing();
  /// Runs one clause.
  DOutcome run(uint32_t clause, ProbeContext& context);

  /// exit() was called: nothing but END fires from then on.
  std::optional<int32_t> exit_status() const;
  /// A clause of this firing called exit(): those behind it do not run.
  bool has_left() const;

  /// Frees the data of an exited thread; its id may be used again.
  void forget_thread(Tid tid);

  DAggregations& aggregations();
  /// Stores that found no room since the last call: "N dynamic variable drops".
  uint64_t take_dynamic_drops();
  /// speculation() calls that found nspec in use since the last call.
  uint64_t take_failed_speculations();
  void free_speculation(uint32_t id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strut
