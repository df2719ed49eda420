#include "kassist/syscalls/events/attach_reports.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "kassist/transport/seen_file.hpp"
#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"

namespace strut {

namespace {

constexpr uint32_t kTimerAbstime = 1;    // <linux/time.h>
constexpr uint32_t kFutexCommand = 127;  // FUTEX_CMD_MASK of <linux/futex.h>
constexpr uint32_t kFutexWait = 0, kFutexWaitBitset = 9;
constexpr uint32_t kRestartSyscall[] = {219, 0, 219};  // by Abi

/// Whether the call, interrupted by a tracer, goes on as a restart_syscall(2).
bool goes_on_as_restart(const SyscallDesc& desc, const wire_seed& seed) {
  uint64_t command = seed.regs[1] & kFutexCommand;
  switch (desc.effects.after_stop) {
    case AfterStop::AsRestart: return true;
    case AfterStop::AsRestartRelative: return (seed.regs[1] & kTimerAbstime) == 0;
    case AfterStop::AsRestartFutex: return (command == kFutexWait || command == kFutexWaitBitset) && seed.regs[3] != 0;
    default: return false;
  }
}

/// A record as it lies in the ring, behind its length and place.
struct RingRecord {
  uint32_t length = sizeof(wire_record);
  uint32_t place = 0;
  wire_record record{};
};

/// The entry of the call as if it were made now.
std::shared_ptr<const Batch> entry_of(const wire_seed& seed, uint32_t nr, uint64_t at_ns) {
  RingRecord made;
  wire_record& record = made.record;
  record.bytes = sizeof record;
  record.kind = WIRE_ENTER;
  record.abi = seed.abi;
  record.tgid = seed.tgid;
  record.tid = seed.tid;
  record.sequence = WIRE_UNNUMBERED;
  record.entered_ns = record.at_ns = at_ns;
  record.nr = nr;
  record.ip = seed.ip;
  std::copy(std::begin(seed.regs), std::end(seed.regs), std::begin(record.regs));
  static std::atomic<size_t> few_bytes;
  return std::make_shared<Batch>(std::as_bytes(std::span(&made, 1)), few_bytes);
}

}  // namespace

Result<void> AttachReports::expect_command(Pid pid, bool is_child) {
  FollowedThread& thread = context_.threads.meet(leader_of(pid), pid);
  context_.command.starting = thread.tid;
  if (is_child) context_.command.child = thread.tid;
  return is_child ? Result<void>{} : context_.emit(thread, monotonic_ns(), 0, AttachedEvent{true, 1});
}

Result<void> AttachReports::attach(std::span<const wire_seed> seeds) {
  std::vector<std::pair<FollowedThread*, const wire_seed*>> fresh;
  for (const wire_seed& seed : seeds) {
    Tid tid{static_cast<int32_t>(seed.tid)};
    if (context_.threads.find(tid)) continue;
    std::string comm = comm_in(std::as_bytes(std::span(seed.comm)));
    FollowedThread& thread = context_.threads.meet(tid, Pid{static_cast<int32_t>(seed.tgid)}, std::move(comm));
    fresh.emplace_back(&thread, &seed);
  }
  if (fresh.empty()) return {};
  TRY_VOID(
      context_.emit(*fresh.front().first, monotonic_ns(), 0, AttachedEvent{true, static_cast<uint32_t>(fresh.size())}));
  for (auto& [thread, seed] : fresh) TRY_VOID(resume(*thread, *seed));
  return {};
}

Result<void> AttachReports::joined(const Order::Entry& entry) {
  Tid tid = entry.record.tid();
  FollowedThread* known = context_.threads.find(tid);  // born under the iterator, it is reported twice
  std::string comm = RecordedContext::own_comm(entry.record).value_or("");
  FollowedThread& thread = known ? *known : context_.threads.meet(tid, entry.record.pid(), std::move(comm));
  thread.next_sequence = entry.record.header().sequence + 1;
  if (known) return {};
  return context_.emit(thread, entry.record.header().at_ns, 0, AttachedEvent{true, 1});
}

Result<void> AttachReports::resume(FollowedThread& thread, const wire_seed& seed) {
  uint64_t at_ns = monotonic_ns();
  if (seed.stopped_by != 0) return signals_.report_stop(thread, seed.stopped_by, at_ns);
  if (seed.nr == WIRE_NO_CALL) return {};
  Abi abi = static_cast<Abi>(seed.abi);
  const SyscallDesc* desc = find_syscall(abi, seed.nr);
  thread.call.interrupted = desc;
  bool restarts = desc && goes_on_as_restart(*desc, seed);
  auto batch = entry_of(seed, restarts ? kRestartSyscall[seed.abi] : seed.nr, at_ns);
  Result<void> reported;
  batch->each(
      [&](const wire_record* record) { reported = calls_.enter(thread, {at_ns, RecordView(record), batch}, nullptr); });
  thread.resumes = true;
  if (thread.wanted) stacks_.keep_at_attach(thread, seed);
  return reported;
}

Result<void> AttachReports::stop_following(FollowedThread& thread, uint64_t at_ns) {
  if (!context_.request.system_wide && thread.tid == leader_of(thread.pid))
    context_.listener.say(process_name(thread.pid) +
                          " runs with rights that this user lacks, and is not traced any more");
  context_.command.is_hidden |= thread.tid == context_.command.child;
  if (context_.command.starting == thread.tid) context_.command.starting.reset();
  return lives_.detach(thread, at_ns);
}

Result<void> AttachReports::leave_all() {
  std::vector<Tid> tids;
  for (const auto& [tid, thread] : context_.threads.all()) tids.push_back(thread->tid);
  std::sort(tids.begin(), tids.end());
  uint64_t at_ns = monotonic_ns();
  for (Tid tid : tids) TRY_VOID(lives_.detach(*context_.threads.find(tid), at_ns));
  return {};
}

Result<void> AttachReports::look_for_living(uint64_t reported_before_ns) {
  std::vector<Tid> gone;
  for (const auto& [tid, thread] : context_.threads.all()) {
    bool silent = thread->next_sequence == thread->looked_at_sequence;
    thread->looked_at_sequence = thread->next_sequence;
    if (!silent || thread->ended || lives(*thread)) thread->seen_dead_ns = 0;
    else if (thread->seen_dead_ns == 0) thread->seen_dead_ns = monotonic_ns();
    else if (thread->seen_dead_ns < reported_before_ns) gone.push_back(thread->tid);
  }
  for (Tid tid : gone) TRY_VOID(report_gone(*context_.threads.find(tid)));
  return {};
}

/// The thread has exited, and no record of that came.
Result<void> AttachReports::report_gone(FollowedThread& thread) {
  Tid leader_id = leader_of(thread.pid);
  TRY_VOID(lives_.end_call(thread, monotonic_ns()));
  context_.threads.forget(thread);
  FollowedThread* leader = context_.threads.find(leader_id);
  if (!leader || !leader->ended || leader->process->threads > 0) return {};
  return lives_.report_exit(*leader, leader->ended->status, leader->ended->at_ns);
}

}  // namespace strut
