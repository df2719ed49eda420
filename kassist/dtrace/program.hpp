// A D program in the kernel: its clauses as BPF, the tables of clauses by hit, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "dlang/compiler/program.hpp"
#include "dlang/machine/engine.hpp"
#include "dlang/output/aggregations.hpp"
#include "kassist/dtrace/control.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "kassist/wire/dtrace_wire.h"

namespace strut {

/// Where the kernel runs clauses. Each has a BPF program of its own, made when it is asked for.
enum class DHook : uint8_t {
#define D_HOOK(hook, function, tracepoint) hook,
#include "kassist/dtrace/hooks.inc"
#undef D_HOOK
};
constexpr size_t kDHooks = 0
#define D_HOOK(hook, function, tracepoint) +1
#include "kassist/dtrace/hooks.inc"
#undef D_HOOK
    ;

/// The raw tracepoint of a hook; empty: it is none.
std::string_view tracepoint_of(DHook hook);

/// Settings that are fixed when the program is loaded. Sizes of strings, variables and aggregations are
/// DProgram::settings'.
struct DTuning {
  uint32_t ring_bytes = 4 << 20;    ///< a power of two, of pages
  uint32_t stack_bytes = 32 << 10;  ///< the limit of a user stack's copy; no more than kDMostStack
  /// For the uprobe program; nullopt: there will be none.
  std::optional<UprobeMechanism> uprobes;
};
constexpr uint32_t kDMostStack = 32 << 10;

/// Losses since the last call.
struct DLost {
  std::vector<uint64_t> records;  ///< by CPU: firings that found no room in the ring, or no memory to run in
  uint64_t aggregation = 0;
  uint64_t dynamic_variable = 0;
  uint64_t speculations = 0;  ///< speculation() calls that got none
};

/// One run of one program. Its maps and programs go with this object, or with the process, however it ends.
class DKernelProgram {
 public:
  /// Checks that all of the program can be done in the kernel and makes the maps. `program` outlives this. Error:
  /// something in it cannot be done here (`why` names the construct), or BPF is refused.
  static Result<DKernelProgram> load(const DProgram& program, const DTuning& tuning);
  DKernelProgram(DKernelProgram&&) noexcept;
  DKernelProgram& operator=(DKernelProgram&&) noexcept;
  ~DKernelProgram();

  /// Makes probes known behind those that are. Those of system calls and processes fire as soon as their hooks'
  /// programs are attached. Strings are copied. Error: a kind of probe, or of its arguments, that cannot be.
  Result<void> add_probes(std::span<const DProbe> probes);
  /// Adds sites. Returns a cookie for each: the value of UprobePoint::cookie there.
  Result<std::vector<uint64_t>> add_code(const DCode& code);
  /// For BPF_LINK_CREATE of a perf event.
  Result<uint64_t> profile_cookie(uint32_t probe);
  /// For BPF_RAW_TRACEPOINT_OPEN.
  static uint64_t tracepoint_cookie(uint32_t probe, const DTrigger::Tracepoint& at);

  /// A range of a process's memory that DHook::Watch finds at a hit, with its value now. Error: no room.
  Result<void> add_watch(Pid pid, const DWatch& watch, uint64_t value);
  void remove_watch(Pid pid, uint64_t address);

  /// The hook's program: its descriptor (this object's), with all clauses that probes known so far have at this hook;
  /// nullopt: none has. It stays the same until add_probes() adds such a clause: later arming then uses a new program;
  /// uprobes armed before keep theirs, tracepoints must be attached anew. Error: the kernel's refusal, with the clause
  /// if it is one's.
  Result<std::optional<int>> program(DHook hook);
  /// The hooks that probes known so far need, but Uprobe and Fire.
  std::vector<DHook> hooks() const;

  /// Runs a probe's clauses in this thread, now; their records are in the ring when this returns.
  Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments);

  /// A BPF_MAP_TYPE_RINGBUF with records as kassist/wire/dtrace_wire.h has them, and its size.
  int ring() const;
  size_t ring_bytes() const;
  DControl& control() const;

  /// Where dynamic linkers say that they have mapped something (kernel/dtrace/linker.bpf.h); none: such a program
  /// cannot wait here.
  OwnedFd linker_program() const;
  /// For ArmingQuestions, with DControl::arming().
  int linker_questions() const;

  /// Adds the values since the last call to aggregations. Not to be called from two threads.
  Result<void> merge_aggregations(DAggregations& into);
  /// The aggregation was cleared or truncated: its earlier min() or max() is not taken over again.
  Result<void> restart_aggregation(uint32_t aggregation, DAggregations& into);
  DLost take_lost();
  /// The speculation's records are reported or dropped.
  void free_speculation(uint32_t id);
  /// Faults at entries of unreturned calls, with clauses that waited for the return. To be called once, when nothing
  /// fires any more.
  std::vector<d_record> take_waiting();
  /// Clauses that ran with a true predicate and recorded something.
  uint64_t fired() const;

 private:
  struct State;
  explicit DKernelProgram(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace strut
