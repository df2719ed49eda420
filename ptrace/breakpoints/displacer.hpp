// Lets a thread that stands at a breakpoint do the instruction there, while the breakpoint stays.
#pragma once

#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/all_registers.hpp"

namespace strut {

class Displacer {
 public:
  explicit Displacer(ProbeHostCounts& counts) : counts_(counts) {}

  /// The thread is at its process's breakpoint at `registers`' %rip, which has the displaced instruction. Emulates the
  /// instruction or moves the thread to a slot; the caller restarts it then, until its next call if `calls_in_slot`.
  /// False: the breakpoint must be removed for a single-step.
  bool go_over(ProbedThread& thread, Breakpoint& breakpoint, AllRegisters& registers);

  /// The thread would run the instruction at `registers`' %rip, where it is not: the tracer does it in its stead, and
  /// `registers` are those behind it. False: it cannot, and they are as they were.
  bool do_at_home(ProbedThread& thread, AllRegisters& registers);

  /// Brings a thread that stands in a slot back to where it would be without.
  enum class Brought : uint8_t { WasElsewhere, BeforeIt, BehindIt };
  static Brought bring_home(const ProbedThread& thread, AllRegisters& registers);

  /// syscall, sysenter or int $0x80.
  static bool enters_kernel(const Displaced& displaced);

  /// A process's slots are given back to it by one of its threads, which stands still; none may be in them.
  static void unmap_slots(ProbedThread& thread);

 private:
  bool emulates(ProbedThread& thread, const Displaced& displaced, AllRegisters& registers);
  bool do_write(ProbedThread& thread, const Emulated::Write& write);
  bool send_to_slot(ProbedThread& thread, Breakpoint& breakpoint, AllRegisters& registers);
  bool find_slot(ProbedThread& thread, Breakpoint& breakpoint, uint64_t home);
  bool map_area(ProbedThread& thread, uint64_t home);

  ProbeHostCounts& counts_;
};

}  // namespace strut
