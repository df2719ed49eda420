// Processes that come to be hosted, and those that are gone.
#include <sys/syscall.h>

#include "procfs/process_status.hpp"
#include "ptrace/engine/halt.hpp"
#include "ptrace/engine/host.hpp"

namespace strut {
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
      if (!thread.process->is_reported) break;
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
  take(tid);  // else a thread with a changed id answers no request (Linux 5.13)
  Tid former{static_cast<int32_t>(event_message(tid).value_or(static_cast<unsigned long>(raw(tid))))};
  if (former != tid && threads_.find(former)) threads_.rename(former, tid);
  Hosted* thread = threads_.find(tid);
  if (!thread) return false;
  bool was_reported = thread->process->is_reported;
  if (!was_reported && !thread->process->starts) {  // ran in its parent's memory, and is not followed
    detach(tid);
    threads_.remove(tid);
    return false;
  }
  auto process = std::make_shared<ProbedProcess>();
  process->call_places = call_places_;
  process->pid = Pid{raw(tid)};
  process->space = std::make_shared<AddressSpace>(process->pid, tid);
  SyscallInfo info{};
  if (read_syscall_info(tid, info)) process->linker = startup_linker(process->pid, info.instruction_pointer);
  process->starts = !process->linker.none();
  std::vector<Tid> others;
  for (auto& [id, other] : threads_)
    if (other->process == thread->process && other.get() != thread) others.push_back(other->tid);
  for (Tid other : others) threads_.remove(other);
  thread->process = std::move(process);
  if (!was_reported) {  // the command: it made the call before any report
    set_number(thread->call, Abi::X86_64, SYS_execve);
    thread->call.pid = Pid{raw(tid)};
    thread->call.tid = tid;
    thread->is_inside = true;
  }
  thread->calls_in_slot = false;
  thread->untraced_clone = {};
  thread->fired.clear();
  return true;
}

void PtraceProbeHost::expect_child(Hosted& parent) {
  auto message = event_message(parent.tid);
  if (!message) return;
  Tid child{static_cast<int32_t>(*message)};
  auto status = process_status(child);
  bool is_thread = status && status->pid == parent.process->pid;
  if (parent.process->is_reported && !leaving_) {
    Halt halt(parent);
    if (is_thread) observer_->thread_created(halt, child);
    else observer_->process_created(halt, Pid{raw(child)});
  }
  if (births_.expect(parent, child, request_.follow)) welcome(child);
}

void PtraceProbeHost::welcome(Tid tid) {
  bool is_stranger = false;
  auto child = births_.arrived(tid, [this](Pid pid) { return threads_.process(pid); }, is_stranger);
  if (!child && is_stranger) return births_.let_stranger_go(tid, processes());
  if (!child) return take(tid);  // it stays there
  if (child->is_copy) return Births::let_copy_go(tid, *child);
  begin(threads_.add(tid, child->process));
}

std::vector<std::shared_ptr<ProbedProcess>> PtraceProbeHost::processes() const {
  std::vector<std::shared_ptr<ProbedProcess>> all;
  for (auto& [tid, thread] : threads_) all.push_back(thread->process);
  return all;
}

void PtraceProbeHost::begin(Hosted& child) {
  if (leaving_) {
    take(child.tid);
    child.process->space->remove_all();  // it may have been expected before the others' were cleaned
    child.is_standing = Traps::may_be_left(child, TrapStop{}, child.signal);
    return;
  }
  if (child.process->is_reported) {
    Halt halt(child);
    observer_->thread_started(halt);
  }
  go_on(child);
}

void PtraceProbeHost::handle_death(Tid tid, int status) {
  births_.forget(tid);
  Hosted* thread = threads_.find(tid);
  if (!thread) return;
  if (cpu_) cpu_->bury(tid);
  auto process = thread->process;
  std::vector<Tid> others;
  for (ProbedThread* other : others_in(*thread)) others.push_back(other->tid);
  threads_.remove(tid);
  if (leader_of(process->pid) != tid) return;
  for (Tid child : births_.died(process, others, request_.follow)) welcome(child);
  samples_.forget(process->pid);
  bool launched_in_vain = process->starts && !process->is_reported;
  if (!leaving_ && (process->is_reported || launched_in_vain)) observer_->process_ended(process->pid, status);
  launching_ = false;
  returns_ = true;
}

}  // namespace strut
