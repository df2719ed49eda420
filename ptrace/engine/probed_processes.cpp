#include "ptrace/engine/probed_processes.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "procfs/process_status.hpp"
#include "trace/breakpoint_event.hpp"
#include "ptrace/engine/attach.hpp"
#include "ptrace/engine/borrowers.hpp"
#include "ptrace/engine/shared_memory.hpp"

namespace strut {

std::shared_ptr<ProbedProcess> ProbedProcesses::find(Pid pid) const {
  auto found = processes_.find(raw(pid));
  return found == processes_.end() ? nullptr : found->second;
}

/// The process of a pid, reported or not.
std::shared_ptr<ProbedProcess> ProbedProcesses::held(Pid pid) const {
  if (auto known = find(pid)) return known;
  for (auto& [tid, tracee] : tracees_)
    if (tracee->pid == pid && tracee->process) return tracee->process;
  return nullptr;
}

std::vector<ProbedThread*> ProbedProcesses::others_in(const ProbedThread& thread) const {
  std::vector<ProbedThread*> others;
  for (auto& [tid, other] : tracees_)
    if (other.get() != &thread && other->process && other->process->space == thread.process->space)
      others.push_back(other.get());
  return others;
}

// -- breakpoints ------------------------------------------------------------------------------------------------------

std::vector<size_t> ProbedProcesses::insert(Pid pid, std::span<const HostBreakpoint> breakpoints) {
  if (auto known = held(pid)) return known->space->insert(breakpoints);
  std::vector<size_t> all(breakpoints.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

void ProbedProcesses::remove(Pid pid, std::span<const Addr> addresses) {
  if (auto known = held(pid)) known->space->remove(addresses);
}

void ProbedProcesses::forget(Pid pid, std::span<const Addr> addresses) {
  if (auto known = held(pid)) known->space->forget(addresses);
}

Result<void> ProbedProcesses::watch_memory(Pid pid, std::span<const HostWatch> watches) {
  auto process = held(pid);
  if (!process) return fail({ESRCH, "watch memory", "process " + std::to_string(raw(pid)), {}, {}});
  if (process->watched && std::ranges::equal(process->watched->ranges, watches, {}, &WatchedMemory::Range::watch))
    return {};
  process->watched = std::make_shared<WatchedMemory>();
  for (const HostWatch& watch : watches) process->watched->ranges.push_back({watch});
  bool has_values = false;
  for (auto& [tid, tracee] : tracees_) {
    if (tracee->process != process || tracee->place() == Place::Ending) continue;
    if (!std::exchange(has_values, true)) TRY_VOID(read_values(*tracee));
    TRY_VOID(watch_thread(*tracee));
  }
  return {};
}

/// A thread that has ended needs none.
Result<void> ProbedProcesses::watch_thread(Tracee& tracee) {
  int error = give_breakpoints(tracee);
  return error != 0 && error != ESRCH ? fail(why_no_breakpoint(error, tracee.pid)) : Result<void>{};
}

Result<void> ProbedProcesses::watch_child(Tracee& child) {
  bool has_own_memory = leader_of(child.pid) == child.tid && !child.process->borrows_space;
  if (has_own_memory) TRY_VOID(read_values(child));
  return watch_thread(child);
}

void ProbedProcesses::remove_all() {
  is_leaving_ = true;
  for (auto& [tid, tracee] : tracees_) tracee->breakpoints.clear();
  std::set<AddressSpace*> spaces;
  for (auto& [tid, tracee] : tracees_)
    if (tracee->process) spaces.insert(tracee->process->space.get());
  for (AddressSpace* space : spaces) space->remove_all();
}

// -- lives ------------------------------------------------------------------------------------------------------------

std::shared_ptr<ProbedProcess> ProbedProcesses::fresh(Pid pid, Tid thread) const {
  auto process = std::make_shared<ProbedProcess>();
  process->call_places = call_places_;
  process->pid = pid;
  process->space = std::make_shared<AddressSpace>(pid, thread);
  return process;
}

std::shared_ptr<ProbedProcess> ProbedProcesses::attached(Pid pid, std::span<const Pid> asked_for) {
  std::vector<ProbedThread*> threads, borrowers;
  std::vector<Tid> tids;
  for (auto& [tid, tracee] : tracees_)
    if (tracee->pid == pid) threads.push_back(tracee.get()), tids.push_back(tracee->tid);
  if (threads.empty()) return nullptr;
  Tid living = living_thread(tids);
  auto process = processes_[raw(pid)] = fresh(pid, living);
  for (ProbedThread* thread : threads) {
    thread->process = process;
    note_clone_at_attach(*thread);
  }
  install_guard_at_attach(threads, waiting_);
  for (auto& [tid, tracee] : tracees_)
    if (!tracee->process && std::ranges::find(asked_for, tracee->pid) == asked_for.end() &&
        share_memory(tracee->tid, living))
      borrowers.push_back(tracee.get());
  hold_borrowers(process, living, borrowers, waiting_);
  return process;
}

bool ProbedProcesses::report(Pid pid) {
  auto process = held(pid);
  if (!process) return false;
  process->is_reported = true;
  processes_[raw(pid)] = std::move(process);
  return true;
}

void ProbedProcesses::executed(Tracee& tracee) {
  auto process = fresh(tracee.pid, tracee.tid);
  SyscallInfo info{};
  if (read_syscall_info(tracee.tid, info)) process->linker = startup_linker(tracee.pid, info.instruction_pointer);
  process->starts = !process->linker.none();
  tracee.process = process;
  tracee.calls_in_slot = false;
  tracee.untraced_clone = {};
  tracee.fired.clear();
  tracee.breakpoints.clear();
  processes_[raw(tracee.pid)] = std::move(process);
}

ProbedProcesses::Expected ProbedProcesses::expect(Tracee& parent, Tid child, bool follow) {
  if (!parent.process) return {};
  bool has_arrived = births_.expect(parent, child, follow);
  return {has_arrived, adopt(child)};
}

/// A followed child has its parent's state of this moment, not of a later one.
std::optional<Pid> ProbedProcesses::adopt(Tid child) {
  const Births::Child* known = births_.expected(child);
  if (!known || !known->process->is_reported) return std::nullopt;
  Pid pid = known->process->pid;
  return processes_.try_emplace(raw(pid), known->process).second ? std::optional(pid) : std::nullopt;
}

ProbedProcesses::Arrival ProbedProcesses::arrived(Tid child, Births::Child& known) {
  bool is_stranger = false;
  auto expected = births_.arrived(child, [this](Pid pid) { return held(pid); }, is_stranger);
  if (is_stranger) {
    std::vector<std::shared_ptr<ProbedProcess>> living;
    for (auto& [pid, process] : processes_) living.push_back(process);
    for (auto& [tid, tracee] : tracees_)
      if (tracee->process) living.push_back(tracee->process);
    births_.let_stranger_go(child, living);
    return Arrival::LetGo;
  }
  if (!expected) return Arrival::Early;
  if (expected->is_copy) {
    Births::let_copy_go(child, *expected);
    return Arrival::LetGo;
  }
  if (is_leaving_)
    expected->process->space->remove_all();  // when all breakpoints were removed, no process had this space yet
  known = std::move(*expected);
  return Arrival::Traced;
}

ProbedProcesses::Orphans ProbedProcesses::died(const Tracee& tracee, bool follow) {
  births_.forget(tracee.tid);
  auto gone = tracee.process;
  if (!gone || leader_of(gone->pid) != tracee.tid) return {};
  std::vector<Tid> others;
  for (ProbedThread* other : others_in(tracee)) others.push_back(other->tid);
  Orphans orphans{births_.died(gone, others, follow), {}};
  for (Tid child : orphans.children)
    if (auto process = adopt(child)) orphans.processes.push_back(*process);
  if (find(gone->pid) == gone) processes_.erase(raw(gone->pid));
  return orphans;
}

std::optional<Pid> ProbedProcesses::forget_child(Tid child) {
  const Births::Child* known = births_.expected(child);
  bool is_process = known && leader_of(known->process->pid) == child;
  std::optional<Pid> gone;
  if (is_process && processes_.erase(raw(known->process->pid)) != 0) gone = Pid{raw(child)};
  births_.forget(child);
  return gone;
}

}  // namespace strut
