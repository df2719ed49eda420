// Where following begins in the middle of a life, and where it ends there.
#include <algorithm>
#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/syscalls/event_builder.hpp"
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

bool lives(const FollowedThread& thread) {
  if (::syscall(SYS_tgkill, raw(thread.pid), raw(thread.tid), 0) != 0 && errno == ESRCH) return false;
  auto status = process_status(thread.tid);
  return status && status->state != 'Z' && status->state != 'X';
}

Result<void> EventBuilder::attach(std::span<const wire_seed> seeds) {
  std::vector<std::pair<FollowedThread*, const wire_seed*>> fresh;
  for (const wire_seed& seed : seeds) {
    Tid tid{static_cast<int32_t>(seed.tid)};
    if (find(tid)) continue;
    FollowedThread& thread = meet(tid, Pid{static_cast<int32_t>(seed.tgid)});
    fresh.emplace_back(&thread, &seed);
  }
  if (fresh.empty()) return {};
  TRY_VOID(say(*fresh.front().first, monotonic_ns(), 0, AttachedEvent{true, static_cast<uint32_t>(fresh.size())}));
  for (auto& [thread, seed] : fresh) TRY_VOID(resume(*thread, *seed));
  return {};
}

/// A thread came to be one that a system-wide trace follows.
Result<void> EventBuilder::joined(const Order::Entry& entry) {
  Tid tid = entry.record.tid();
  FollowedThread* known = find(tid);  // born under the iterator, it is reported twice
  FollowedThread& thread = known ? *known : meet(tid, entry.record.pid());
  thread.next_sequence = entry.record.header().sequence + 1;
  if (known) return {};
  return say(thread, entry.record.header().at_ns, 0, AttachedEvent{true, 1});
}

Result<void> EventBuilder::resume(FollowedThread& thread, const wire_seed& seed) {
  uint64_t at_ns = monotonic_ns();
  if (seed.stopped_by != 0) return report_stop(thread, seed.stopped_by, at_ns);
  if (seed.nr == WIRE_NO_CALL) return {};
  Abi abi = static_cast<Abi>(seed.abi);
  const SyscallDesc* desc = find_syscall(abi, seed.nr);
  thread.call.interrupted = desc;
  bool restarts = desc && goes_on_as_restart(*desc, seed);
  auto batch = entry_of(seed, restarts ? kRestartSyscall[seed.abi] : seed.nr, at_ns);
  Result<void> reported;
  batch->each(
      [&](const wire_record* record) { reported = enter(thread, {at_ns, RecordView(record), batch}, nullptr); });
  thread.resumes = true;
  if (thread.wanted) keep_stack_of(thread, seed);
  return reported;
}

Result<void> EventBuilder::let_go(FollowedThread& thread, uint64_t at_ns) {
  if (thread.inside && thread.wanted && !thread.announced && request_.status.detached) {
    thread.announced = true;
    TRY_VOID(say(thread, thread.call.entered.monotonic_ns, thread.call.ip, EnterEvent{&thread.call, &thread.decoded}));
  }
  TRY_VOID(say(thread, at_ns, 0, DetachedEvent{thread.inside && thread.announced},
               thread.resumes ? thread.stack.kept() : nullptr));
  forget(thread);
  return {};
}

/// The kernel programs do not follow the thread any more.
Result<void> EventBuilder::stop_following(FollowedThread& thread, uint64_t at_ns) {
  if (!request_.system_wide && thread.tid == leader_of(thread.pid))
    listener_.say(process_name(thread.pid) + " runs with rights that this user lacks, and is not traced any more");
  hides_command_ |= thread.tid == launched_;
  if (command_ == thread.tid) command_.reset();
  return let_go(thread, at_ns);
}

std::vector<FollowedId> EventBuilder::threads() const {
  std::vector<FollowedId> ids;
  for (const auto& [tid, thread] : threads_) ids.push_back({thread->tid, thread->pid});
  return ids;
}

Result<void> EventBuilder::leave_all() {
  std::vector<Tid> tids;
  for (const auto& [tid, thread] : threads_) tids.push_back(thread->tid);
  std::sort(tids.begin(), tids.end());
  uint64_t at_ns = monotonic_ns();
  for (Tid tid : tids) TRY_VOID(let_go(*find(tid), at_ns));
  return {};
}

Result<void> EventBuilder::look_for_living(uint64_t reported_before_ns) {
  std::vector<Tid> gone;
  for (const auto& [tid, thread] : threads_) {
    bool silent = thread->next_sequence == thread->looked_at_sequence;
    thread->looked_at_sequence = thread->next_sequence;
    if (!silent || thread->ended || lives(*thread)) thread->seen_dead_ns = 0;
    else if (thread->seen_dead_ns == 0) thread->seen_dead_ns = monotonic_ns();
    else if (thread->seen_dead_ns < reported_before_ns) gone.push_back(thread->tid);
  }
  for (Tid tid : gone) {
    FollowedThread& thread = *find(tid);
    Pid pid = thread.pid;
    TRY_VOID(end_call(thread, monotonic_ns()));
    forget(thread);
    if (FollowedThread* leader = find(leader_of(pid)); leader && leader->ended && leader->process->threads == 0)
      TRY_VOID(report_death(*leader, leader->ended->status, leader->ended->at_ns));
  }
  return {};
}

}  // namespace strut
