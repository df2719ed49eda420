#include "cli/stack/waits.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include <linux/futex.h>
#include <unistd.h>

#include "procfs/blocked_call.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {

namespace {

constexpr size_t kFramesOfLibc = 5;  ///< innermost frames that may be those of pthread_mutex_lock(3) and its callees
/// struct __pthread_mutex_s (glibc, <bits/struct_mutex.h>), of x86-64 and of i386: int lock, unsigned count, int owner.
constexpr uint64_t kOwnerOffset = 8;
/// musl's locks that do not know their holder have this in the place of its id (EBUSY; pthread_mutex_lock.c,
/// since 1.1).
constexpr uint32_t kNoHolder = 16;
constexpr size_t kMaxDescriptors = 16, kLongestFdinfo = 1 << 16;

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  text.remove_prefix(std::min(text.find_first_not_of('_'), text.size()));
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

/// Whether one of the innermost frames is such a function, underscores before its name aside.
bool is_inside(const StackThread& thread, std::initializer_list<std::string_view> functions) {
  const Stack* stack = thread.stack.kept();
  if (!stack) return false;
  auto inner = stack->frames.first(std::min(stack->frames.size(), kFramesOfLibc));
  return std::ranges::any_of(inner, [&](const StackFrame& frame) { return begins_with_any(frame.symbol, functions); });
}

class WaitSearch {
 public:
  explicit WaitSearch(StackProcess& process) : process_(process), memory_(leader_of(process.pid)) {
    for (const auto& thread : process.threads) {
      Tid tid = thread->capture.tid;
      by_own_id_[own_tid(tid, process_status(tid))] = tid;
    }
  }

  void find(StackThread& thread) {
    if (!thread.in_call()) return;
    const Effects& effects = thread.capture.call.effects();
    bool resumed = effects.have(kResumesCall);
    if (effects.have(kWaitsForFutex) || resumed) return find_futex(thread, resumed);
    if (effects.have(kWaitsForChild)) return find_children(thread, !effects.have(kReturnsReaped));
    if (effects.have(kWaitsForDescriptors)) find_watched(thread);
  }

 private:
  std::optional<uint32_t> word_at(uint64_t address) {
    uint32_t word = 0;
    bool is_read = memory_.read(Addr{address}, std::as_writable_bytes(std::span(&word, 1))).bytes == sizeof word;
    return is_read ? std::optional(word) : std::nullopt;
  }

  std::optional<Tid> thread_at(uint64_t address, uint32_t mask) {
    std::optional<uint32_t> read = word_at(address);
    if (!read) return {};
    uint32_t word = *read;
    auto found = by_own_id_.find(static_cast<int32_t>(word & mask));
    return found == by_own_id_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Robust mutexes and those of musl that know their holder have its id in the futex word, as futex(2) has it for
  /// priority inheritance, and FUTEX_WAITERS while a thread waits.
  std::optional<Tid> holder_in_word(uint64_t address) {
    std::optional<uint32_t> word = word_at(address);
    bool may_hold = word && (*word & FUTEX_WAITERS) && (*word & FUTEX_TID_MASK) != kNoHolder;
    return may_hold ? thread_at(address, FUTEX_TID_MASK) : std::nullopt;
  }

  void find_futex(StackThread& thread, bool resumed) {
    const auto& regs = thread.capture.call.regs;
    int operation = static_cast<int>(regs[1]) & FUTEX_CMD_MASK;
    bool pi = !resumed && (operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2);
    bool plain = operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;
    bool mutex = is_inside(thread, {"pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_clocklock"});
    bool join = is_inside(thread, {"pthread_join", "pthread_timedjoin", "pthread_clockjoin"});
    if (!pi && (!plain || (resumed && !mutex && !join))) return;
    Waiting& waiting = thread.waiting;
    waiting.address = Addr{regs[0]};
    waiting.what = pi || mutex ? Waiting::For::Mutex : Waiting::For::Futex;
    if (pi) waiting.thread = thread_at(regs[0], FUTEX_TID_MASK);
    else if (mutex) waiting.thread = thread_at(regs[0] + kOwnerOffset, ~uint32_t{0});
    else if (join && (waiting.thread = thread_at(regs[0], ~uint32_t{0}))) waiting.what = Waiting::For::Thread;
    else if (!resumed && (waiting.thread = holder_in_word(regs[0]))) waiting.what = Waiting::For::Mutex;
  }

  void find_children(StackThread& thread, bool by_kind) {
    auto wanted = static_cast<int32_t>(thread.capture.call.regs[by_kind ? 1 : 0]);
    bool one = by_kind ? thread.capture.call.regs[0] == P_PID : wanted > 0;
    thread.waiting.what = Waiting::For::Children;
    for (Pid pid : processes()) {
      auto status = process_status(leader_of(pid));
      if (!status || raw(status->parent) != raw(process_.pid)) continue;
      int32_t own_id = status->nested_pids.empty() ? raw(pid) : own_number(*status);
      if (!one || own_id == wanted) thread.waiting.children.push_back(pid);
    }
  }

  /// The number of a child in the pid namespace of its parent.
  int32_t own_number(const ProcessStatus& child) const {
    auto parent = process_status(leader_of(process_.pid));
    size_t depth = parent && !parent->nested_pids.empty() ? parent->nested_pids.size() - 1 : 0;
    return depth < child.nested_pids.size() ? child.nested_pids[depth] : raw(child.pid);
  }

  /// proc(5), "/proc/pid/fdinfo": a line "tfd: N …" for each descriptor that an epoll instance watches.
  void find_watched(StackThread& thread) {
    auto epoll = static_cast<int32_t>(thread.capture.call.regs[0]);
    auto text = read_proc_file(proc_path(raw(thread.capture.tid), "fdinfo", epoll), kLongestFdinfo);
    if (!text) return;
    constexpr std::string_view kKey = "tfd:";
    for (size_t at = text->find(kKey); at != std::string::npos; at = text->find(kKey, at + 1)) {
      size_t digits = text->find_first_not_of(' ', at + kKey.size());
      int fd = -1;
      if (digits != std::string::npos) std::from_chars(text->data() + digits, text->data() + text->size(), fd);
      if (fd >= 0 && thread.waiting.descriptors.size() < kMaxDescriptors) thread.waiting.descriptors.push_back(fd);
    }
    if (!thread.waiting.descriptors.empty()) thread.waiting.what = Waiting::For::Descriptors;
  }

  static constexpr uint64_t P_PID = 1;  // waitid(2): idtype_t
  StackProcess& process_;
  RemoteMemory memory_;
  std::map<int32_t, Tid> by_own_id_;  ///< as the process itself numbers its threads
};

/// Follows threads from one to the one that it waits for.
class Cycles {
 public:
  explicit Cycles(StackProcess& process) : process_(process) {
    for (const auto& thread : process.threads) by_tid_[thread->capture.tid] = thread.get();
  }

  void find() {
    for (const auto& thread : process_.threads) {
      std::vector<Tid> cycle = cycle_from(thread->capture.tid);
      if (cycle.empty() || !std::ranges::all_of(cycle, [&](Tid tid) { return still_waits(*by_tid_.at(tid)); }))
        continue;
      for (Tid tid : cycle) by_tid_.at(tid)->deadlock = cycle;
      process_.deadlocks.push_back(std::move(cycle));
    }
  }

 private:
  std::optional<Tid> next(Tid tid) const {
    auto found = by_tid_.find(tid);
    return found == by_tid_.end() ? std::nullopt : found->second->waiting.thread;
  }

  /// The cycle that leads back to `first`; empty: none does, or it is known.
  std::vector<Tid> cycle_from(Tid first) const {
    if (!by_tid_.at(first)->deadlock.empty()) return {};
    std::vector<Tid> cycle{first};
    for (auto at = next(first); at && *at != first; at = next(*at)) {
      if (cycle.size() > by_tid_.size()) return {};
      cycle.push_back(*at);
    }
    return next(cycle.back()) == first ? cycle : std::vector<Tid>();
  }

  /// A thread that was stopped in its call may wait for a CPU before it is back in it.
  static bool still_waits(const StackThread& thread) {
    constexpr int kMaxLooks = 100;
    constexpr useconds_t kLookEvery_us = 5'000;
    const ThreadCapture& capture = thread.capture;
    for (int look = 0; look < kMaxLooks; look++, ::usleep(kLookEvery_us))
      if (auto now = blocked_call(capture.tid))
        return now->sp == capture.call.sp && now->arguments[0] == capture.call.regs[0];
    return false;
  }

  StackProcess& process_;
  std::map<Tid, StackThread*> by_tid_;
};

}  // namespace

void find_waits(StackProcess& process) {
  WaitSearch waits(process);
  for (const auto& thread : process.threads) waits.find(*thread);
  Cycles(process).find();
}

}  // namespace strut
