// Processes that are halted at probes: launched or attached, with breakpoints in their code.
//
// Implemented in ptrace/. The user (dtrace/) gets each event while its thread is stopped, and may insert and remove
// breakpoints from within each of these calls.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <signal.h>

#include "base/ids.hpp"
#include "base/memory.hpp"
#include "base/result.hpp"
#include "syscalls/call.hpp"
#include "trace/held_command.hpp"
#include "x86/displaced.hpp"
#include "x86/watched_range.hpp"

namespace strut {

/// struct user_regs_struct (sys/user.h), member by member.
using AllRegisters = std::array<uint64_t, 27>;

/// A thread that stands still. Valid during the call that hands it over.
class HaltedThread {
 public:
  virtual ~HaltedThread() = default;
  virtual Pid pid() const = 0;
  virtual Tid tid() const = 0;
  /// At a breakpoint %rip is the instruction's. All 0: it is gone.
  virtual const AllRegisters& registers() = 0;
  /// For its process, as if there were no breakpoints.
  virtual Memory& memory() = 0;
  /// Writes over its process's memory, read-only pages included; breakpoints stay. False: some of it is not there.
  virtual bool write(Addr at, std::span<const std::byte> bytes) = 0;
  /// The process gets SIGSTOP when the thread continues.
  virtual void stop() = 0;
};

/// An instruction at which threads of a process are halted; `tag` is the asker's.
struct HostBreakpoint {
  Addr at{};
  uint64_t tag = 0;
  Addr semaphore{};  ///< a counter of 16 bits that is higher by one while there are breakpoints with it; 0: none
};

/// Memory at whose accesses threads of a process are halted, behind the instruction (Execute: in front of it).
struct HostWatch {
  WatchedRange range;
  uint32_t tag = 0;  ///< the asker's
  bool operator==(const HostWatch&) const = default;
};

struct MemoryAccess {
  uint32_t tag = 0;
  uint64_t address = 0;
  uint64_t value = 0;   ///< after the access, in the first bytes
  uint64_t before = 0;  ///< at the last access that was seen, or when the watch began
};

/// Receives the events of hosted processes, for each thread in their order.
class ProbeHostObserver {
 public:
  virtual ~ProbeHostObserver() = default;
  /// The thread is about to execute the instruction with this tag.
  virtual void at_breakpoint(HaltedThread& thread, uint64_t tag) = 0;
  /// The emulation of a displaced instruction: called once for each breakpoint, at its first hit.
  virtual Displaced displaced(uint64_t tag) = 0;

  /// The thread has made these accesses with one instruction; `lost`: how many earlier ones could not halt it.
  virtual void at_access(HaltedThread& thread, std::span<const MemoryAccess> accesses, uint64_t lost) = 0;
  /// A new thread of a process with watched memory cannot have its registers.
  virtual void unwatched([[maybe_unused]] const Error& error) {}

  /// System calls, if they are watched. A call that does not return (exit, a successful execve's caller …) has no
  /// return.
  virtual void call_entered(HaltedThread& thread, const Call& call) = 0;
  virtual void call_returned(HaltedThread& thread, const Call& call) = 0;

  /// A launched process stands before the first instruction of its program, or a hosted one executed another: it has no
  /// breakpoints, and no threads but this one.
  virtual void executed(HaltedThread& thread) = 0;
  /// Code was mapped in a process with a starting dynamic linker.
  virtual void code_mapped(Pid pid) = 0;
  /// The dynamic linker of a process has started its program.
  virtual void linker_done(Pid pid) = 0;
  /// A new process. Followed (and then it has its parent's breakpoints) or not.
  virtual void process_created(HaltedThread& parent, Pid child) = 0;
  virtual void thread_created(HaltedThread& parent, Tid child) = 0;
  /// A followed process or a thread stands before its first instruction.
  virtual void thread_started(HaltedThread& thread) = 0;
  /// A thread is about to end, with a wait status as wait4(2) has it; `registers` are those of its end.
  virtual void thread_ends(HaltedThread& thread, int status) = 0;
  /// The thread ran at so many ticks of ProbeHostRequest::clocks_ns[clock]. `is_in_call`: in the kernel, for a call;
  /// its registers are those that it is to return with, or was called with.
  virtual void sampled(HaltedThread& thread, size_t clock, uint32_t ticks, bool is_in_call) = 0;
  /// A signal is about to be delivered.
  virtual void signal_arrives(HaltedThread& thread, const siginfo_t& signal) = 0;
  /// A process is no more; wait status as wait4(2) has it.
  virtual void process_ended(Pid pid, int status) = 0;
};

/// Inserts breakpoints into the memory of processes.
class BreakpointHost {
 public:
  virtual ~BreakpointHost() = default;
  /// All of a process's threads are halted there from now on. Returns those that could not be inserted, as indexes:
  /// nothing is mapped there. An address that has one already keeps it, with the new tag.
  virtual std::vector<size_t> insert(Pid pid, std::span<const HostBreakpoint> breakpoints) = 0;
  virtual void remove(Pid pid, std::span<const Addr> addresses) = 0;
  /// The breakpoints are gone already, with their memory.
  virtual void forget(Pid pid, std::span<const Addr> addresses) = 0;
};

/// The events that a host reports beside breakpoints.
struct ProbeHostRequest {
  bool follow = false;  ///< children of hosted processes are hosted too
  bool calls = false;   ///< system calls
  /// Nanoseconds between two ticks of clocks at which threads that run are halted and looked at. Each process has its
  /// own, which go while it has a CPU, twice as fast on two: so many ticks on each CPU that it keeps busy.
  std::vector<uint64_t> clocks_ns{};
};

struct ProbeHostCounts {
  uint64_t hits = 0;      ///< for breakpoints
  uint64_t emulated = 0;  ///< by the host itself
  uint64_t stepped = 0;   ///< out of line
};

/// One object, one run. Destroyed, no hosted process has a breakpoint left, and all of them run on.
class ProbeHost : public BreakpointHost {
 public:
  /// May be called again; replaces the request from now on.
  virtual void watch(const ProbeHostRequest& request) = 0;

  /// Releases a command and hosts it; returns when executed() or process_ended() has been called for it.
  virtual Result<void> launch(HeldCommand command, ProbeHostObserver& observer) = 0;
  /// These are going to be attached to: they are stopped together, which takes less than one after another.
  virtual void stop_for_attach(std::span<const Pid> pids) = 0;
  /// All threads of a running process. Error: why it cannot be traced.
  virtual Result<void> attach(Pid pid, ProbeHostObserver& observer) = 0;
  /// Replaces the ranges of a hosted process; its threads and children have them until they exec. Error: a thread
  /// cannot have the registers, or nothing is mapped there.
  virtual Result<void> watch_memory(Pid pid, std::span<const HostWatch> watches) = 0;

  /// Reports events. Returns at this time (CLOCK_MONOTONIC) at the latest, and earlier when a signal came to strut, a
  /// process has exited, or interrupt() was called from within.
  virtual Result<void> serve(uint64_t until_ns, ProbeHostObserver& observer) = 0;
  virtual void return_soon() = 0;
  /// Detaches all processes: nothing is reported from now on.
  virtual void let_go() = 0;

  virtual ProbeHostCounts counts() const = 0;
};

}  // namespace strut
