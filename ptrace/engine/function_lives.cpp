// Which processes have breakpoints at functions, from their first instruction to their last.
#include <algorithm>
#include <set>

#include "ptrace/engine/borrowers.hpp"
#include "ptrace/engine/function_watch.hpp"
#include "ptrace/engine/shared_memory.hpp"
#include "trace/linker_breakpoint.hpp"

namespace strut {

std::shared_ptr<ProbedProcess> FunctionWatch::process(Pid pid) const {
  auto found = processes_.find(raw(pid));
  return found == processes_.end() ? nullptr : found->second;
}

std::vector<size_t> FunctionWatch::insert(Pid pid, std::span<const HostBreakpoint> breakpoints) {
  if (auto known = process(pid)) return known->space->insert(breakpoints);
  return {};
}

void FunctionWatch::remove(Pid pid, std::span<const Addr> addresses) {
  if (auto known = process(pid)) known->space->remove(addresses);
}

void FunctionWatch::forget(Pid pid, std::span<const Addr> addresses) {
  if (auto known = process(pid)) known->space->forget(addresses);
}

// -- code -----------------------------------------------------------------------------------------------------------

void FunctionWatch::code_changed(Pid pid) {
  if (leaving_ || !process(pid)) return;
  stacks_.code_changed(pid);
  size_t known_codes = codes_.size();
  add(functions_.code_changed(pid));
  update(pid);
  if (codes_.size() == known_codes) return;
  // A process with an unreported exec must not be assumed to have its parent's memory.
  for (auto& [each, known] : processes_)
    if (Pid{each} != pid && !known->borrows_space) update(Pid{each});
}

void FunctionWatch::add(std::vector<FunctionCode> fresh) {
  for (FunctionCode& code : fresh) {
    std::erase_if(code.sites,
                  [this](const FunctionSite& site) { return functions_.function(site.function).is_hidden; });
    ArmableCode armable{code.device, code.inode, {}, {}};
    for (const FunctionSite& site : code.sites) armable.offsets.push_back(site.file_offset);
    code_.add(std::move(armable));
    codes_.push_back(std::move(code));
  }
}

void FunctionWatch::update(Pid pid) {
  for (ArmedCode::SiteRef ref : code_.update(pid))
    functions_.refused(codes_[ref.code], codes_[ref.code].sites[ref.site], ArmedCode::kNotInserted);
}

bool FunctionWatch::watch_linker(Pid pid) {
  auto known = process(pid);
  auto at = known ? linker_breakpoint(pid, *known->space) : std::nullopt;
  if (at) code_.watch_linker(pid, *at);
  return at.has_value();
}

// -- processes --------------------------------------------------------------------------------------------------------

void FunctionWatch::attached(Pid pid) {
  auto fresh = std::make_shared<ProbedProcess>();
  fresh->call_places = call_places_;
  fresh->pid = pid;
  std::vector<ProbedThread*> threads;
  for (auto& [tid, tracee] : tracees_) {
    if (tracee->pid != pid) continue;
    threads.push_back(&tracee->probed);
    if (!fresh->space) fresh->space = std::make_shared<AddressSpace>(pid, tracee->tid);
    tracee->probed.process = fresh;
    note_clone_at_attach(tracee->probed);
  }
  if (!fresh->space) return;
  processes_[raw(pid)] = fresh;
  install_guard_at_attach(threads, waiting_);
  hold_borrowers_of(fresh, threads.front()->tid);
  code_changed(pid);
  auto linker = linker_base(pid);
  if (watch_linker(pid) || !linker) return;
  fresh->linker = startup_linker(pid, raw(*linker));  // it has not got that far
  fresh->starts = !fresh->linker.none();
}

void FunctionWatch::hold_borrowers_of(const std::shared_ptr<ProbedProcess>& owner, Tid tid) {
  std::vector<ProbedThread*> borrowers;
  for (auto& [id, tracee] : tracees_) {
    bool is_asked_for = std::ranges::find(request_.attach, tracee->pid) != request_.attach.end();
    if (!tracee->probed.process && !is_asked_for && share_memory(tracee->tid, tid))
      borrowers.push_back(&tracee->probed);
  }
  hold_borrowers(owner, tid, borrowers, waiting_);
}

void FunctionWatch::executed(Tracee& tracee, Arm arm) {
  auto fresh = std::make_shared<ProbedProcess>();
  fresh->call_places = call_places_;
  fresh->pid = tracee.pid;
  fresh->space = std::make_shared<AddressSpace>(tracee.pid, tracee.tid);
  SyscallInfo info{};
  if (read_syscall_info(tracee.tid, info)) fresh->linker = startup_linker(tracee.pid, info.instruction_pointer);
  fresh->starts = !fresh->linker.none();
  ProbedThread& thread = tracee.probed;
  thread.process = fresh;
  thread.calls_in_slot = false;
  thread.untraced_clone = {};
  thread.fired.clear();
  processes_[raw(tracee.pid)] = std::move(fresh);
  code_.forget(tracee.pid);
  if (arm == Arm::Yes) code_changed(tracee.pid);
}

bool FunctionWatch::expect(Tracee& parent, Tid child) {
  if (!parent.probed.process) return false;
  bool has_arrived = births_.expect(parent.probed, child, request_.follow);
  adopt(parent.probed.process->pid, child);
  return has_arrived;
}

/// A followed child has its parent's state of this moment, not of a later one.
void FunctionWatch::adopt(Pid parent, Tid child) {
  const Births::Child* known = births_.expected(child);
  if (!known || !known->process->is_reported) return;
  if (processes_.try_emplace(raw(known->process->pid), known->process).second) code_.copy(parent, known->process->pid);
}

/// The process of a pid, reported or not.
std::shared_ptr<ProbedProcess> FunctionWatch::held(Pid pid) {
  if (auto known = process(pid)) return known;
  Tracee* leader = tracees_.find(leader_of(pid));
  return leader ? leader->probed.process : nullptr;
}

FunctionWatch::Arrival FunctionWatch::arrived(Tid child, Births::Child& known) {
  bool is_stranger = false;
  auto expected = births_.arrived(child, [this](Pid pid) { return held(pid); }, is_stranger);
  if (is_stranger) {
    std::vector<std::shared_ptr<ProbedProcess>> living;
    for (auto& [pid, each] : processes_) living.push_back(each);
    births_.let_stranger_go(child, living);
    return Arrival::LetGo;
  }
  if (!expected) return Arrival::Early;
  if (expected->is_copy) {
    Births::let_copy_go(child, *expected);
    return Arrival::LetGo;
  }
  if (leaving_)
    expected->process->space->remove_all();  // it was expected before, and belonged to no process when all were cleaned
  known = std::move(*expected);
  return Arrival::Traced;
}

std::vector<Tid> FunctionWatch::died(const Tracee& tracee) {
  births_.forget(tracee.tid);
  auto gone = tracee.probed.process;
  if (!gone || leader_of(gone->pid) != tracee.tid) return {};
  std::vector<Tid> others;
  for (ProbedThread* other : others_in(tracee.probed)) others.push_back(other->tid);
  std::vector<Tid> orphans = births_.died(gone, others, request_.follow);
  for (Tid child : orphans) adopt(gone->pid, child);
  if (process(gone->pid) == gone) drop(gone->pid);
  return orphans;
}

void FunctionWatch::forget(Tid child) {
  const Births::Child* known = births_.expected(child);
  if (known && leader_of(known->process->pid) == child) drop(known->process->pid);
  births_.forget(child);
}

void FunctionWatch::drop(Pid pid) {
  processes_.erase(raw(pid));
  code_.forget(pid);
  stacks_.gone(pid);
}

// -- letting go -------------------------------------------------------------------------------------------------------

void FunctionWatch::remove_all() {
  leaving_ = true;
  std::set<AddressSpace*> spaces;
  for (auto& [tid, tracee] : tracees_)
    if (tracee->probed.process) spaces.insert(tracee->probed.process->space.get());
  for (AddressSpace* space : spaces) space->remove_all();
}

}  // namespace strut
