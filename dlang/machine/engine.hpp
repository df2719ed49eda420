// A D program at work on live processes: the backend's duties and its events.
//
// The session (dtrace/) knows the probes and the output; an engine makes probes fire, runs their clauses there, and
// passes on the recorded values. There are two: kassist/ lowers clauses to BPF; dtrace/ interprets them, under ptrace
// or, without probes in processes, with no target.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "dlang/compiler/program.hpp"
#include "dlang/output/aggregations.hpp"
#include "pid-provider/site_semaphore.hpp"
#include "procfs/maps.hpp"
#include "trace/code_sites.hpp"
#include "trace/held_command.hpp"
#include "x86/site_operand.hpp"
#include "x86/watched_range.hpp"

namespace strut {

/// The cause of a probe's firing.
struct DTrigger {
  enum class Kind : uint8_t {
    Fired,          ///< only DEngine::fire(): BEGIN, END, ERROR, tick
    Code,           ///< a site that names it is reached (DEngine::arm)
    SyscallEntry,   ///< arg0 … are the call's arguments
    SyscallReturn,  ///< arg0 and arg1 are the result; a failed call's is -1, with errno set
    Process,        ///< `process`
    Profile,        ///< each CPU, every interval_ns; arg0 and arg1 are the kernel's and the user's pc, one of them 0
    Tracepoint,     ///< `tracepoint`
    Watch,          ///< memory is accessed (DEngine::watch): arg0 its address, arg1 its value, arg2 the value before
  };
  enum class Process : uint8_t {
#define PROCESS_EVENT(event, number, hook, ...) event,
#include "dlang/machine/process_events.inc"
#undef PROCESS_EVENT
  };
  /// A call by its name in any ABI's table; `first` of its arguments is the probe's arg0 (open as an alias of openat:
  /// 1).
  struct Syscall {
    std::string_view name;
    uint8_t first = 0;
  };
  /// A tracepoint of the kernel, in the thread that reaches it.
  struct Tracepoint {
    static constexpr uint8_t kOwnArguments = 0xff, kNoArguments = 0xfe;
    std::string name;
    uint8_t arguments = 0;  ///< how many it has
    /// The tracepoint's argument that is the task which args[0] and args[1] are about; or kOwnArguments, kNoArguments.
    uint8_t subject = kOwnArguments;
    uint8_t if_set = 0, if_zero = 0;  ///< a bit for each argument that must (not) be 0, else the probe does not fire
  };
  Kind kind = Kind::Fired;
  Process process = Process::Create;
  uint64_t interval_ns = 0;
  std::vector<Syscall> calls{};
  Tracepoint tracepoint{};
};

/// One probe that clauses are enabled on. Views live as long as the session.
struct DProbe {
  uint32_t id = 0;  ///< as the ID column shows it
  std::string_view provider, module, function, name;
  DTrigger trigger;
  std::span<const uint32_t> clauses;  ///< for the program, in the order of their execution
};

/// A probe at a site of code.
struct DFiring {
  static constexpr uint32_t kNoVariables = UINT32_MAX;
  /// Entry: arg0 … are the function's arguments. Return: arg0 is the site's offset in its function, arg1 and arg2 the
  /// results (%rax, %rdx). Offset: no arguments. Operands: DCode::operands.
  enum class Kind : uint8_t { Entry, Return, Offset, Operands };
  uint32_t probe = 0;  ///< the place in the order of add_probes(), from 0
  Kind kind = Kind::Entry;
  /// kNoCondition, or it fires only if this holds (x86/displaced: condition_holds), or only at the first turn of a
  /// repeated instruction (x86/repeated).
  uint8_t condition = 0xff;
  uint32_t offset = 0;  ///< bytes from its function's beginning; Operands: the row of DCode::operands
  /// The row of DCode::operands with DProgram::program_variables at this site; kNoVariables: its clauses name none.
  uint32_t variables = kNoVariables;
};

/// An instruction that probes sit on, and the ones that fire there, in order.
struct DSite {
  uint64_t file_offset = 0;
  /// Where a uprobe goes instead; nullopt: none is safe (kassist leaves it out).
  std::optional<uint64_t> uprobe_offset;
  uint32_t first = 0, count = 0;             ///< in DCode::firings
  const char* no_uprobe = nullptr;           ///< why none is safe, of static life; nullptr: not known, or one is
  std::optional<SiteSemaphore> semaphore{};  ///< raised while the site is armed
};

/// Sites in one file's code.
struct DCode : CodeSites<DSite> {
  std::vector<DFiring> firings;
  /// Rows: arg0 … of statically defined probes and of instr; variables of the program.
  std::vector<std::vector<SiteOperand>> operands;
};

/// Memory of a process that is watched. arg2 is the value at the last hit, or when the watch began; of Execute there is
/// arg0 alone.
struct DWatch {
  uint32_t probe = 0;  ///< as in DFiring
  WatchedRange range;
  bool operator==(const DWatch&) const = default;
};

/// Called with how many sites were armed since the last call. False: stop, the run is to end.
using DArmingStep = std::function<bool(size_t sites)>;

/// A site that could not be armed.
struct DRefusal {
  uint32_t site = 0;  ///< in DCode::sites
  std::string why;
};

/// One firing of one clause, as reported. Valid during the call.
struct DFired {
  uint32_t probe = 0;  ///< as in DFiring
  uint32_t clause = 0;
  uint32_t cpu = 0;
  Pid pid{};
  Tid tid{};
  uint64_t time_ns = 0;               ///< CLOCK_MONOTONIC
  std::span<const std::byte> record;  ///< for DFormatter; complete: user stacks are unwound
};

/// A clause that ended in a fault.
struct DFaulted {
  uint32_t probe = 0;
  uint32_t clause = 0;
  uint32_t cpu = 0;
  uint32_t statement = 0;  ///< 0: the predicate
  uint32_t code = 0;       ///< DOutcome::code
  DFault fault = DFault::None;
  uint64_t address = 0;
};

enum class DDrops : uint8_t {
  Records,
  Aggregation,
  DynamicVariable,
  Stack,
  Speculative,        ///< records that a speculation has no room for
  FailedSpeculation,  ///< speculation() with nspec in use
  DoubleError,        ///< faults in clauses of ERROR; counted by the session
};

/// An engine reports to it from serve(), arm() and launch(), in the order of events as far as a thread can see it.
class DObserver {
 public:
  virtual ~DObserver() = default;
  virtual void fired(const DFired& fired) = 0;
  virtual void faulted(const DFaulted& faulted) = 0;
  /// So many more were lost, `cpu` -1: of no one CPU.
  virtual void dropped(DDrops what, int cpu, uint64_t count) = 0;
  /// So often a process did not wait until code that it had mapped was looked at: hits in it may be missing.
  virtual void unheld([[maybe_unused]] uint64_t count) {}
  /// Memory of a process, or of a child, is not watched as watch() has promised.
  virtual void unwatched([[maybe_unused]] const Error& error) {}
  /// A process of launch() or attach() maps new code (it was launched, executes another program, opened a library), and
  /// stands still or not as the engine can: probes armed from within the call are there before the code runs, where it
  /// can.
  virtual void code_changed(Pid pid) = 0;
  /// All that was armed in this process alone fires no more; code_changed() follows.
  virtual void disarmed(Pid pid) = 0;

  // Changes of processes' memory (DRunRequest::mappings), reported before any record of that time. An engine that sees
  // all processes of the machine reports all; another one reports those that it watches, without mapped(): these are
  // stopped at code_changed(), and can be inspected.

  /// Nothing that it had mapped is there any more.
  virtual void executed(Pid pid, uint64_t at_ns) = 0;
  /// The child has its parent's mappings.
  virtual void forked(Pid parent, Pid child, uint64_t at_ns) = 0;
  virtual void mapped(Pid pid, const Mapping& mapping) = 0;
  /// The process's last thread is about to exit.
  virtual void unmapped(Pid pid) = 0;
  /// There was no room for some of these changes.
  virtual void missed_changes() = 0;

  /// A process of launch() or attach() is no more; wait status as wait4(2) has it, -1: it is not known.
  virtual void ended(Pid pid, int status) = 0;
};

/// The settings of a run.
struct DRunRequest {
  const DProgram* program = nullptr;  ///< passes verify(); outlives the engine
  Pid self{};                         ///< strut's pid as users know it: BEGIN, END, ERROR and tick fire in this process
  bool system_wide = false;  ///< code_changed() is also called for any process that maps a file not yet reported
  bool later_programs =
      false;  ///< programs that launched processes exec later are probed, too: the processes are stopped meanwhile
  bool mappings = false;  ///< the observer wants to know of processes' memory
};

struct DEngineCounts {
  uint64_t fired = 0;  ///< clauses that recorded something with a true predicate
  uint64_t dropped = 0;
  uint64_t armed = 0;  ///< instructions
  uint64_t startup_ns = 0;
};

/// One object, one run: load, add_probes, then the rest in any order. Destroyed, nothing of it stays in target or
/// kernel.
class DEngine {
 public:
  virtual ~DEngine() = default;
  virtual std::string_view name() const = 0;  ///< "ptrace", "kassist"
  /// True: probes fire in all processes of the machine. False: in those of launch() and attach() and their descendants.
  virtual bool sees_all() const = 0;

  /// Makes code of the program. Until open() nothing fires but by fire(). Error: something in it cannot be done here;
  /// `why` names the construct.
  virtual Result<void> load(const DRunRequest& request) = 0;
  /// Makes probes known, behind those that are known already. Those of calls, processes and profiles fire from now on.
  /// Error: a kind of probe that this engine cannot have.
  virtual Result<void> add_probes(std::span<const DProbe> probes) = 0;
  /// Code probes fire from now on, also in processes that map the file later (those that DCode::pid allows). The engine
  /// keeps copies of its data. Error: none of them could be armed: privilege, memory, descriptors, process gone. It
  /// calls `step` after each few thousand sites; if that returns false it stops arming and returns.
  virtual Result<std::vector<DRefusal>> arm(const DCode& code, const DArmingStep& step) = 0;

  /// Probes of kind Watch fire at these ranges of a process of launch() or attach() from now on, in all its threads and
  /// in children that it forks from now on; not after an exec. Replaces its earlier ones. Error: none of them fires.
  virtual Result<void> watch(Pid pid, std::span<const DWatch> watches) = 0;

  /// All that is there is armed: probes fire from now on.
  virtual void open() = 0;

  /// Releases a command and watches it; code_changed() is called for it before its first instruction. It was forked
  /// before the program was compiled, because $target is a constant of the program. Several one after the other, if
  /// need be.
  virtual Result<void> launch(HeldCommand command, DObserver& observer) = 0;
  /// These are going to be attached to, one after another.
  virtual void prepare_attach([[maybe_unused]] std::span<const Pid> pids) {}
  /// Watches a process that runs. Error ESRCH, EPERM.
  virtual Result<void> attach(Pid pid, DObserver& observer) = 0;

  /// Fires a probe of kind Fired in strut's own thread, with these arg0 …; its records are reported before this
  /// returns.
  virtual Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) = 0;
  /// Reports events. Returns at this time (CLOCK_MONOTONIC) at the latest, and earlier if a signal came, an event ended
  /// a process, or exit() was called.
  virtual Result<void> serve(uint64_t until_ns, DObserver& observer) = 0;
  /// The records of a speculation that has ended are reported or dropped: another one may take its place.
  virtual void free_speculation(uint32_t id) = 0;
  /// exit() was called in a clause: nothing fires any more but by fire().
  virtual std::optional<int32_t> exit_status() const = 0;
  /// No probe fires from now on; earlier events are reported.
  virtual Result<void> stop(DObserver& observer) = 0;

  /// All elements up to now; the same object each time. Cleared and truncated there.
  virtual DAggregations& aggregations() = 0;
  virtual DEngineCounts counts() const = 0;
};

}  // namespace strut
