// Who comes to be hosted, and who is no more.
#include <set>

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/proc/process_status.hpp"
#include "ptrace/halt.hpp"
#include "ptrace/host.hpp"

namespace strut {
namespace {

constexpr size_t kRemembered = 8;

bool share_memory(Tid a, Tid b, bool otherwise) {
  long same = ::syscall(SYS_kcmp, raw(a), raw(b), KCMP_VM, 0, 0);
  return same < 0 ? otherwise : same == 0;
}

}  // namespace

void PtraceProbeHost::handle_event(Hosted& thread, int event) {
  switch (event) {
    case PTRACE_EVENT_EXEC: {  // handle_exec has been here
      launching_ = false;
      Halt halt(thread);
      observer_->executed(halt);
      break;
    }
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE: expect_child(thread); break;
    case PTRACE_EVENT_EXIT: {
      if (!thread.process->is_told) break;
      Halt halt(thread);
      observer_->thread_ends(halt, static_cast<int>(event_message(thread.tid).value_or(0)));
      break;
    }
    default: break;
  }
  go_on(thread);
}

/// False: it is let go, or unknown. A thread that called execve has its leader's id from then on, and is alone
/// (ptrace(2), "execve(2) under ptrace").
bool PtraceProbeHost::handle_exec(Tid tid) {
  Tid former{static_cast<int32_t>(event_message(tid).value_or(static_cast<unsigned long>(raw(tid))))};
  if (former != tid && threads_.find(former)) threads_.rename(former, tid);
  Hosted* thread = threads_.find(tid);
  if (!thread) return false;
  bool was_told = thread->process->is_told;
  if (!was_told && !thread->process->starts) {  // ran in its parent's memory, and is not followed
    detach(tid);
    threads_.remove(tid);
    return false;
  }
  auto process = std::make_shared<HostedProcess>();
  process->pid = Pid{raw(tid)};
  process->space = std::make_shared<AddressSpace>(tid);
  SyscallInfo info{};
  if (read_syscall_info(tid, info)) process->linker = startup_linker(process->pid, info.instruction_pointer);
  process->starts = !process->linker.none();
  std::vector<Tid> others;
  for (auto& [id, other] : threads_)
    if (other->process == thread->process && other.get() != thread) others.push_back(other->tid);
  for (Tid other : others) threads_.remove(other);
  thread->process = std::move(process);
  thread->calls_in_slot = false;
  thread->fired.clear();
  return true;
}

void PtraceProbeHost::expect_child(Hosted& parent) {
  auto message = event_message(parent.tid);
  if (!message) return;
  Tid child{static_cast<int32_t>(*message)};
  auto status = process_status(child);
  bool is_thread = status && status->pid == parent.process->pid;
  if (parent.process->is_told && !leaving_) {
    Halt halt(parent);
    if (is_thread)
      observer_->thread_created(halt, child);
    else
      observer_->process_created(halt, Pid{raw(child)});
  }
  if (early_.erase(raw(child)) != 0) return welcome(child, parent.process.get());
  expected_[raw(child)] = parent.process;
}

/// A child stands at its first stop. Its parent's comes before or after it.
void PtraceProbeHost::welcome(Tid tid, const HostedProcess* parent) {
  std::shared_ptr<HostedProcess> of;
  auto status = process_status(tid);
  if (!status) return;
  if (auto expected = expected_.extract(raw(tid)))
    of = expected.mapped();
  else if (!parent) {
    // Nobody has told of it yet: its parent's stop will, or its parent's end.
    auto owner = threads_.process(status->pid == Pid{raw(tid)} ? status->parent : status->pid);
    if (owner)
      early_[raw(tid)] = owner;
    else
      detach(tid);
    return;
  }
  if (!of) of = threads_.process(parent->pid);
  if (!of) {
    detach(tid);
    return;
  }
  if (status->pid == of->pid) return begin(threads_.add(tid, of));
  if (share_memory(tid, leader_of(of->pid), false)) {
    auto child = std::make_shared<HostedProcess>(*of);
    child->pid = status->pid;
    child->is_told = request_.follow && of->is_told;
    child->starts = false;
    return begin(threads_.add(tid, child));
  }
  if (!request_.follow || !of->is_told) return let_copy_go(tid, *of->space);
  auto child = std::make_shared<HostedProcess>(*of);
  child->pid = status->pid;
  child->space = std::make_shared<AddressSpace>(tid, *of->space);
  begin(threads_.add(tid, child));
}

void PtraceProbeHost::begin(Hosted& child) {
  if (leaving_) {
    child.is_standing = stands_for_good(child, TrapStop{});
    return;
  }
  if (child.process->is_told) {
    Halt halt(child);
    observer_->thread_started(halt);
  }
  go_on(child);
}

/// A child with memory of its own that is not followed: without breakpoints and slots before it runs.
void PtraceProbeHost::let_copy_go(Tid tid, const AddressSpace& parent) {
  Hosted child;
  child.tid = tid;
  child.process = std::make_shared<HostedProcess>();
  child.process->pid = Pid{raw(tid)};
  child.process->space = std::make_shared<AddressSpace>(tid, parent);
  child.process->space->remove_all();
  Displacer::unmap_slots(child);
  detach(tid);
}

/// A child whose parent was killed before it could be heard of: it has the breakpoints of one of those that we know or
/// knew.
void PtraceProbeHost::let_stranger_go(Tid tid) {
  std::set<const AddressSpace*> spaces;
  for (auto& [id, thread] : threads_) spaces.insert(thread->process->space.get());
  for (auto& process : ended_) spaces.insert(process->space.get());
  for (const AddressSpace* space : spaces) AddressSpace(tid, *space).remove_all();
  detach(tid);
}

void PtraceProbeHost::adopt_orphans(Pid parent) {
  for (auto at = early_.begin(); at != early_.end();) {
    if (at->second->pid != parent) {
      ++at;
      continue;
    }
    Tid child{at->first};
    expected_[raw(child)] = at->second;
    at = early_.erase(at);
    welcome(child, nullptr);
  }
}

void PtraceProbeHost::handle_death(Tid tid, int status) {
  early_.erase(raw(tid));
  expected_.erase(raw(tid));
  Hosted* thread = threads_.find(tid);
  if (!thread) return;
  if (cpu_) cpu_->bury(tid);
  auto process = thread->process;
  threads_.remove(tid);
  if (leader_of(process->pid) != tid) return;
  adopt_orphans(process->pid);
  ended_.push_back(process);
  if (ended_.size() > kRemembered) ended_.pop_front();
  bool launched_in_vain = process->starts && !process->is_told;
  if (!leaving_ && (process->is_told || launched_in_vain)) observer_->process_ended(process->pid, status);
  launching_ = false;
  returns_ = true;
}

}  // namespace strut
