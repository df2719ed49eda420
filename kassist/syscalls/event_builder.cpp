// System calls as events.
#include "kassist/syscalls/event_builder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
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

}  // namespace

EventBuilder::EventBuilder(const TraceRequest& request, Sink& sink, Listener& listener, Unwinder* unwinder)
    : request_(request), listener_(listener), unwinder_(unwinder), emitter_(sink, threads_) {
  Timestamp time = now();
  realtime_offset_ns_ = time.realtime_ns - time.monotonic_ns;
}

FollowedThread* EventBuilder::find(Tid tid) {
  if (recent_ && recent_->tid == tid) return recent_;
  auto at = threads_.find(raw(tid));
  return at == threads_.end() ? nullptr : recent_ = at->second.get();
}

FollowedThread& EventBuilder::add(Tid tid, Pid pid) {
  if (FollowedThread* former = find(tid)) forget(*former);
  FollowedProcess& process = processes_[raw(pid)];
  process.threads++;
  if (added_++ == 0) first_ = tid;
  auto& fresh = threads_[raw(tid)];
  fresh = std::make_unique<FollowedThread>(tid, pid, process, request_.decode, sockets_);
  return *(recent_ = fresh.get());
}

/// A thread without a reported birth.
FollowedThread& EventBuilder::meet(Tid tid, Pid pid) {
  bool new_process = !processes_.contains(raw(pid));
  FollowedThread& thread = add(tid, pid);
  if (unwinder_ && new_process) unwinder_->reported_from_now_on(pid);
  if (request_.need_comm) thread.comm = comm_of(raw(tid)).value_or("");
  return thread;
}

Result<void> EventBuilder::expect_command(Pid pid, bool is_child) {
  FollowedThread& thread = meet(leader_of(pid), pid);
  command_ = thread.tid;
  if (is_child) launched_ = thread.tid;
  return is_child ? Result<void>{} : say(thread, monotonic_ns(), 0, AttachedEvent{true, 1});
}

uint64_t EventBuilder::late() const {
  uint64_t late = late_;
  for (const auto& [tid, thread] : threads_) late += thread->late();
  return late;
}

Result<void> EventBuilder::report(const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  if (record.kind == WIRE_NUDGE) return {};
  if (record.kind == WIRE_EXEC) return executed(entry);
  if (record.kind == WIRE_MAPPED) return learn_code(entry.record), Result<void>{};
  if (record.kind == WIRE_GENERATED) return generated(entry.record);
  if (record.kind == WIRE_SEEDED) return joined(entry);
  FollowedThread* known = find(entry.record.tid());
  FollowedThread& thread = known ? *known : meet(entry.record.tid(), entry.record.pid());
  TRY_VOID(account_for_losses(thread, record));
  TRY_VOID(report_held(thread, record.kind == WIRE_EXIT ? &entry : nullptr));
  switch (record.kind) {
    case WIRE_CALL: TRY_VOID(enter(thread, entry, &entry)); return leave(thread, entry);
    case WIRE_ENTER:
      if (!thread.inside) TRY_VOID(report_what_waited(thread, record.entered_ns));
      return record.flags & WIRE_MISSED ? hold(thread, entry) : enter(thread, entry, nullptr);
    case WIRE_EXIT: return leave(thread, entry);
    case WIRE_ABI: return follow_abi(thread, record);
    case WIRE_FORK: return born(thread, entry.record);
    case WIRE_LEFT: return stop_following(thread, record.at_ns);
    case WIRE_HIT: return come_to_site(thread, entry);
    case WIRE_SIGNAL: return signalled(thread, entry);
    case WIRE_THREAD_EXIT:
    case WIRE_LAST_THREAD: thread.note_number(record.nr); return died(thread, record);
    default: return {};
  }
}

Result<void> EventBuilder::follow_abi(FollowedThread& thread, const wire_record& record) {
  Abi abi = static_cast<Abi>(record.abi);
  if (abi == thread.last_abi) return {};
  thread.last_abi = abi;
  if (thread.hidden) return {};
  return say(thread, record.at_ns, record.ip, AbiEvent{abi});
}

// Memory that was missed when the call was entered comes with its return.
Result<void> EventBuilder::hold(FollowedThread& thread, const Order::Entry& entry) {
  thread.held = entry;
  held_.push_back(thread.tid);
  return {};
}

Result<void> EventBuilder::report_held(FollowedThread& thread, const Order::Entry* left) {
  if (!thread.held) return {};
  Order::Entry held = std::move(*thread.held);
  thread.held.reset();
  std::erase(held_, thread.tid);
  return enter(thread, held, left);
}

Result<void> EventBuilder::report_held(uint64_t before_ns) {
  for (size_t i = 0; i < held_.size();) {
    FollowedThread* thread = find(held_[i]);
    // The memory of an exited thread cannot be read any more, but its return or its exit is on its way.
    bool waits =
        thread && thread->held && (thread->held->key_ns >= before_ns || (before_ns != UINT64_MAX && !lives(*thread)));
    if (waits) {
      i++;
      continue;
    }
    if (thread && thread->held) TRY_VOID(report_held(*thread, nullptr));
    else held_.erase(held_.begin() + static_cast<ptrdiff_t>(i));
  }
  return {};
}

namespace {

void add_all(FollowedThread& thread, const Order::Entry& entry) {
  for (const Order::Part& part : entry.parts) {
    thread.memory.add(part.record, part.batch);
    if (part.record.header().kind != WIRE_LATE) thread.around.add(part.record);  // it is known already
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

}  // namespace

/// The call as it was made, and the memory that was captured for it.
void EventBuilder::take_call(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left) {
  const wire_record& record = entry.record.header();
  Call& call = thread.call;
  thread.memory.begin();
  thread.around.begin();
  add_all(thread, entry);
  if (left && left != &entry) add_all(thread, *left);
  if (left) thread.memory.settle(missed_by(thread, *left));
  else if (thread.replaced) thread.memory.settle(CapturedMemory::Missed::Replaced);
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
  call.entered = moment(record.entered_ns);
  thread.last_nr = static_cast<int32_t>(kernel_number(call));
}

/// `left`: the record of the return, if it is there already.
Result<void> EventBuilder::enter(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left) {
  const wire_record& record = entry.record.header();
  const Call& call = thread.call;
  take_call(thread, entry, left);
  TRY_VOID(follow_abi(thread, record));
  thread.inside = true;
  thread.announced = false;
  thread.asleep_at_ns = 0;
  thread.sleep_reported = false;
  thread.wanted = !thread.hidden && request_.calls.contains(call.abi, call.nr);
  if (thread.wanted && request_.decode_arguments) {
    decode_enter(call, scene(thread), thread.decoded);
    thread.wanted = touches(request_, call, scene(thread), thread.decoded);
  }
  if (thread.wanted && unwinder_) {
    thread.stack.drop();
    keep_stack(thread, entry);
  }
  if (!thread.wanted || !request_.status.all()) return {};
  thread.announced = true;
  return say(thread, record.entered_ns, call.ip, EnterEvent{&call, &thread.decoded});
}

Result<void> EventBuilder::leave(FollowedThread& thread, const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  if (!thread.inside) return {};
  if ((record.flags & WIRE_DYING) && !thread.dying) {
    thread.dying = entry;
    return {};
  }
  thread.inside = thread.resumes = false;
  Call& call = thread.call;
  if (call.desc->custom != decode_resumed) call.interrupted = call.desc;
  take_result(call, record);
  bool command_failed = command_ == thread.tid && call.error != 0;
  if (command_ == thread.tid) command_.reset();
  if (record.kind == WIRE_EXIT) add_all(thread, entry);
  thread.memory.settle(missed_by(thread, entry));
  if (thread.wanted && record.kind == WIRE_EXIT) keep_stack(thread, entry);
  thread.replaced = false;
  thread.program.reset();
  thread.memory.show_results();
  thread.around.show_results();
  call.ip = record.ip;
  call.sp = record.regs[WIRE_SP];
  if (thread.wanted) TRY_VOID(report_exit(thread, record.at_ns));
  thread.wanted = false;
  learn_comm(thread, entry.record);
  if (command_failed) {
    thread.hidden = true;
    listener_.say(std::string("exec: ") + strerror(call.error));
  }
  // A signal may have been sent between the time of the return and the end of its program.
  return report_what_waited(thread, record.at_ns + kSendTakes_ns);
}

Result<void> EventBuilder::report_exit(FollowedThread& thread, uint64_t at_ns) {
  Call& call = thread.call;
  call.left = moment(at_ns);
  if (!passes(request_.status, call)) return {};
  if (request_.decode_arguments) {
    decode_exit(call, scene(thread), thread.decoded);
    unseen_ += thread.decoded.unseen;
  }
  calls_reported_++;
  uint64_t when = thread.announced ? at_ns : call.entered.monotonic_ns;
  return say(thread, when, call.ip, ExitEvent{&call, &thread.decoded}, thread.stack.kept());
}

}  // namespace strut
