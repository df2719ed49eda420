#include "kassist/syscalls/events/call_reports.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "syscalls/argument_rules.hpp"
#include "syscalls/call_parts.hpp"
#include "trace/filter.hpp"

namespace strut {

namespace {

constexpr uint64_t kSendTakes_ns = 1'000'000;

void take_result(Call& call, const wire_record& record) {
  set_result(call, static_cast<int64_t>(record.regs[WIRE_RESULT]));
  uint64_t took_ns = record.at_ns - record.entered_ns;
  bool sane = static_cast<int64_t>(record.system_ns) >= 0;  // clocks of the scheduler and of records are not quite one
  call.system_time_ns = sane ? std::min(record.system_ns, took_ns) : 0;
}

void add_all(FollowedThread& thread, const Order::Entry& entry) {
  for (const Order::Part& part : entry.parts) {
    thread.memory.add(part.record, part.batch);
    if (part.record.header().kind != WIRE_LATE) thread.around.add(part.record);  // the context is known already
  }
  thread.memory.add(entry.record, entry.batch);
  thread.around.add(entry.record);
}

CapturedMemory::Missed missed_by(const FollowedThread& thread, const Order::Entry& left) {
  const wire_record& record = left.record.header();
  if (static_cast<int32_t>(record.regs[WIRE_RESULT]) == -EFAULT) return CapturedMemory::Missed::Faulted;
  return thread.replaced || (record.flags & WIRE_GONE) ? CapturedMemory::Missed::Replaced
                                                       : CapturedMemory::Missed::Unknown;
}

/// The memory that was captured for the call.
void take_memory(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left) {
  thread.memory.begin();
  thread.around.begin();
  add_all(thread, entry);
  if (left && left != &entry) add_all(thread, *left);
  if (left) thread.memory.settle(missed_by(thread, *left));
  else if (thread.replaced) thread.memory.settle(CapturedMemory::Missed::Replaced);
}

}  // namespace

Result<void> CallReports::follow_abi(FollowedThread& thread, const wire_record& record) {
  Abi abi = static_cast<Abi>(record.abi);
  if (abi == thread.last_abi) return {};
  thread.last_abi = abi;
  if (thread.hidden) return {};
  return context_.emit(thread, record.at_ns, record.ip, AbiEvent{abi});
}

// -- entries --------------------------------------------------------------------------------------------

/// The call as it was made, and the memory that was captured for it.
void CallReports::take_entry(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left) {
  const wire_record& record = entry.record.header();
  Call& call = thread.call;
  take_memory(thread, entry, left);
  set_number(call, static_cast<Abi>(record.abi), record.nr);
  std::copy_n(record.regs, kRegisters, call.regs.begin());
  if (thread.program) supply_strings(thread.memory, call, *thread.program);
  resolve_part(call, thread.memory);
  call.ip = record.ip;
  call.sp = record.regs[WIRE_SP];
  call.pid = thread.pid;
  call.tid = thread.tid;
  call.returned = false;
  call.error = 0;
  call.entered = context_.timestamp(record.entered_ns);
  thread.last_nr = static_cast<int32_t>(kernel_number(call));
}

Result<void> CallReports::enter(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left) {
  const wire_record& record = entry.record.header();
  const TraceRequest& request = context_.request;
  const Call& call = thread.call;
  take_entry(thread, entry, left);
  TRY_VOID(follow_abi(thread, record));
  thread.inside = true;
  thread.announced = false;
  thread.asleep_at_ns = 0;
  thread.sleep_reported = false;
  thread.wanted = !thread.hidden && request.calls.contains(call.abi, call.nr);
  if (thread.wanted && request.decode_arguments) {
    decode_enter(call, context_.decode_context(thread), thread.decoded);
    thread.wanted = touches(request, call, context_.decode_context(thread), thread.decoded);
  }
  if (thread.wanted) {
    thread.stack.drop();
    stacks_.keep(thread, entry);
  }
  if (!thread.wanted || !request.status.all()) return {};
  thread.announced = true;
  return context_.emit(thread, record.entered_ns, call.ip, EnterEvent{&call, &thread.decoded});
}

void CallReports::hold(FollowedThread& thread, const Order::Entry& entry) {
  thread.held = entry;
  held_.push_back(thread.tid);
}

Result<void> CallReports::report_held(FollowedThread& thread, const Order::Entry* left) {
  if (!thread.held) return {};
  Order::Entry held = std::move(*thread.held);
  thread.held.reset();
  std::erase(held_, thread.tid);
  return enter(thread, held, left);
}

/// The memory of an exited thread cannot be read any more, but its return or its exit is on its way.
bool CallReports::waits_for_return(const FollowedThread& thread, uint64_t before_ns) const {
  return thread.held->key_ns >= before_ns || (before_ns != UINT64_MAX && !lives(thread));
}

Result<void> CallReports::report_all_held(uint64_t before_ns) {
  for (size_t i = 0; i < held_.size();) {
    FollowedThread* thread = context_.threads.find(held_[i]);
    if (!thread || !thread->held) held_.erase(held_.begin() + static_cast<ptrdiff_t>(i));
    else if (waits_for_return(*thread, before_ns)) i++;
    else TRY_VOID(report_held(*thread, nullptr));
  }
  return {};
}

// -- returns --------------------------------------------------------------------------------------------

/// The results of the thread's call, and the memory that they are in.
void CallReports::take_return(FollowedThread& thread, const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  Call& call = thread.call;
  if (call.desc->custom != decode_resumed) call.interrupted = call.desc;
  take_result(call, record);
  if (record.kind == WIRE_EXIT) add_all(thread, entry);
  thread.memory.settle(missed_by(thread, entry));
  if (thread.wanted && record.kind == WIRE_EXIT) stacks_.keep(thread, entry);
  thread.replaced = false;
  thread.program.reset();
  thread.memory.show_results();
  thread.around.show_results();
  call.ip = record.ip;
  call.sp = record.regs[WIRE_SP];
}

Result<void> CallReports::leave(FollowedThread& thread, const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  if (!thread.inside) return {};
  if ((record.flags & WIRE_DYING) && !thread.dying) {
    thread.dying = entry;
    return {};
  }
  thread.inside = thread.resumes = false;
  take_return(thread, entry);
  if (thread.wanted) TRY_VOID(report_return(thread, record.at_ns));
  thread.wanted = false;
  context_.learn_comm(thread, entry.record);
  note_command(thread);
  // A signal may have been sent between the time of the return and the end of its program.
  return signals_.report_waiting(thread, record.at_ns + kSendTakes_ns);
}

/// After a failed execve of the launched command, calls of strut's own follow.
void CallReports::note_command(FollowedThread& thread) {
  if (context_.command.starting != thread.tid) return;
  context_.command.starting.reset();
  if (thread.call.error == 0) return;
  thread.hidden = true;
  context_.listener.say(std::string("exec: ") + strerror(thread.call.error));
}

Result<void> CallReports::report_return(FollowedThread& thread, uint64_t at_ns) {
  const TraceRequest& request = context_.request;
  Call& call = thread.call;
  call.left = context_.timestamp(at_ns);
  if (!passes(request.status, call)) return {};
  if (request.decode_arguments) {
    decode_exit(call, context_.decode_context(thread), thread.decoded);
    unseen_ += thread.decoded.unseen;
  }
  reported_++;
  uint64_t when = thread.announced ? at_ns : call.entered.monotonic_ns;
  return context_.emit(thread, when, call.ip, ExitEvent{&call, &thread.decoded}, thread.stack.kept());
}

Result<void> CallReports::end_open(FollowedThread& thread, uint64_t at_ns) {
  if (!std::exchange(thread.inside, false)) return {};
  return thread.wanted ? report_return(thread, at_ns) : Result<void>{};
}

}  // namespace strut
