// Follows function calls: keeps breakpoints at their sites in every traced process, and reports hits.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ptrace/breakpoints/traps.hpp"
#include "ptrace/engine/births.hpp"
#include "ptrace/engine/stack_taker.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/control.hpp"
#include "trace/armed_code.hpp"
#include "trace/function_points.hpp"
#include "trace/request.hpp"
#include "trace/event_emitter.hpp"
#include "x86/argument_places.hpp"

namespace strut {

class FunctionWatch final : private BreakpointHost {
 public:
  /// `request.functions` is set. `waiting`: as Traps has it.
  FunctionWatch(const TraceRequest& request, EventEmitter<TraceeTable>& emitter, StackTaker& stacks,
                TraceeTable& tracees, std::deque<Waited>& waiting);

  // -- processes that come and go (function_lives.cpp) --------------------------------------------------------------
  // All threads of a running process are tracees, and asked to stop.
  void attached(Pid pid);
  /// The tracee stands before the first instruction of another program, alone in its process. `arm`: it is going to be
  /// traced there.
  enum class Arm : uint8_t { No, Yes };
  void executed(Tracee& tracee, Arm arm);
  /// The parent stands at the event that reports this child. True: the child has arrived already.
  bool expect(Tracee& parent, Tid child);
  /// A child is at its first stop. Without a process: it stays there until expect() or died() names it, or it has been
  /// detached.
  enum class Arrival : uint8_t { Early, LetGo, Traced };
  Arrival arrived(Tid child, Births::Child& known);
  /// Returns children that are to be welcomed now.
  std::vector<Tid> died(const Tracee& tracee);
  /// A child is no more that was never welcomed.
  void forget(Tid child);
  bool awaits_any() const { return !births_.empty(); }
  bool awaits_child_in(const AddressSpace& space) const { return births_.await_one_in(space); }

  // -- events of tracees (function_watch.cpp) ------------------------------------------------------------------------
  // The continuation of a tracee that is stopped at SIGTRAP.
  enum class Next : uint8_t {
    GoOn,
    Wait,          ///< the result is among the waiting stops
    Deliver,       ///< the signal is its own
    DeliverAgain,  ///< so it is, and was reported already
  };
  Result<Next> at_trap(Tracee& tracee);
  /// A stop that is to be handled later is about to be taken.
  void before_taking(Tracee& tracee, const Waited& waited);
  void before_signal(Tracee& tracee, int signal);
  /// The signal to deliver for a reported one: `signal`, or 0.
  int delivered(Tracee& tracee, int signal);
  /// At a call's enter, before SyscallWatch; at its exit, behind it.
  void at_enter(Tracee& tracee, const SyscallInfo& info);
  void at_exit(Tracee& tracee, const SyscallInfo& info);
  /// At a stop that was asked for, outside of a group-stop.
  void at_rest(Tracee& tracee);
  /// Whether the tracee must stop at its next call, whatever the request.
  bool needs_calls(const Tracee& tracee) const;

  // -- detaching (function_lives.cpp)
  // ---------------------------------------------------------------------------------- No thread traps from now on, and
  // nothing is reported.
  void remove_all();

 private:
  std::vector<size_t> insert(Pid pid, std::span<const HostBreakpoint> breakpoints) override;
  void remove(Pid pid, std::span<const Addr> addresses) override;
  void forget(Pid pid, std::span<const Addr> addresses) override;

  void adopt(Pid parent, Tid child);
  void hold_borrowers_of(const std::shared_ptr<ProbedProcess>& owner, Tid tid);
  std::shared_ptr<ProbedProcess> held(Pid pid);
  void drop(Pid pid);
  void code_changed(Pid pid);
  void add(std::vector<FunctionCode> fresh);
  void update(Pid pid);
  void arm_behind(ProbedProcess& process, const FunctionHit& hit);
  bool watch_linker(Pid pid);
  Displaced displaced(const ProbedProcess& process, uint64_t tag) const;
  Result<void> report_hits(Tracee& tracee, const AllRegisters& registers, uint64_t tag);
  Result<void> report(Tracee& tracee, const AllRegisters& registers, const FunctionSite& site);
  const FloatingUse& floatings(uint32_t function);
  static void capture_goroutine(const AllRegisters& registers, AddressSpace& space, FunctionHit& hit);
  void capture_entry(const Tracee& tracee, const AllRegisters& registers, FunctionHit& hit);
  void capture_return(const Tracee& tracee, const AllRegisters& registers, FunctionHit& hit);
  std::vector<ProbedThread*> others_in(const ProbedThread& thread) const;
  std::shared_ptr<ProbedProcess> process(Pid pid) const;

  const TraceRequest& request_;
  FunctionPoints& functions_;
  EventEmitter<TraceeTable>& emitter_;
  StackTaker& stacks_;
  TraceeTable& tracees_;
  std::deque<Waited>& waiting_;
  ProbeHostCounts counts_;
  Traps traps_;
  std::shared_ptr<CallPlaces> call_places_ = std::make_shared<CallPlaces>();
  ArmedCode code_{*this};
  std::deque<FunctionCode> codes_;                     ///< by their indexes in code_; stay where they are
  std::vector<std::optional<FloatingUse>> floatings_;  ///< by function
  std::unordered_map<int32_t, std::shared_ptr<ProbedProcess>> processes_;  ///< those that are traced
  Births births_;
  bool sees_calls_;
  bool leaving_ = false;
};

}  // namespace strut
