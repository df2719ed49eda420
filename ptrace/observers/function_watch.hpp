// Follows function calls: arms their sites in every traced process, and reports hits.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ptrace/engine/probed_processes.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/observers/stack_taker.hpp"
#include "ptrace/requests/control.hpp"
#include "trace/armed_sites.hpp"
#include "trace/event_emitter.hpp"
#include "trace/function_points.hpp"
#include "trace/request.hpp"
#include "x86/argument_places.hpp"

namespace strut {

class FunctionWatch {
 public:
  /// `request.functions` is set.
  FunctionWatch(const TraceRequest& request, EventEmitter<TraceeTable>& emitter, StackTaker& stacks,
                ProbedProcesses& probes, UprobeConflictReport conflicts);

  /// All threads of a running process are tracees, and stopped or asked to stop.
  void attached(Pid pid);
  /// The process is before the first instruction of another program.
  void executed(Pid pid);
  /// A followed child is going to begin with its parent's breakpoints.
  void expects(Pid parent, Pid child) { code_.copy(parent, child); }
  void gone(Pid pid);
  /// Other code may be mapped.
  void code_changed(Pid pid);
  /// Reports changes of mappings by the process's linker from now on. False: the linker is not known.
  bool watch_linker(Pid pid);
  Result<void> at_breakpoint(Tracee& tracee, const AllRegisters& registers, uint64_t tag);
  Displaced displaced(const ProbedProcess& process, uint64_t tag) const;

 private:
  void add(std::vector<FunctionCode> fresh);
  void update(Pid pid);
  void arm_behind(ProbedProcess& process, const FunctionHit& hit);
  Result<void> report(Tracee& tracee, const AllRegisters& registers, const FunctionSite& site);
  const FloatingUse& floatings(uint32_t function);
  static void capture_goroutine(const AllRegisters& registers, AddressSpace& space, FunctionHit& hit);
  void capture_entry(const Tracee& tracee, const AllRegisters& registers, FunctionHit& hit);
  void capture_return(const Tracee& tracee, const AllRegisters& registers, FunctionHit& hit);

  const TraceRequest& request_;
  FunctionPoints& functions_;
  EventEmitter<TraceeTable>& emitter_;
  StackTaker& stacks_;
  ProbedProcesses& probes_;
  ArmedSites<FunctionCode> code_;
  std::vector<std::optional<FloatingUse>> floatings_;  ///< by function
};

}  // namespace strut
