// One thread under ptrace, and all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "procfs/live_context.hpp"
#include "procfs/remote_memory.hpp"
#include "ptrace/engine/probed.hpp"
#include "syscalls/call.hpp"
#include "trace/request.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// Where a tracee stands between its calls.
enum class Place : uint8_t {
  Outside,  ///< not in a system call
  Inside,   ///< between enter and exit
  Ending,   ///< past its last call; a leader with living threads stays so
};

/// Whether a tracee's calls are reported.
enum class Visibility : uint8_t {
  Hidden,    ///< the launched command before its execve, and strut's own calls after that failed
  Starting,  ///< the execve: reported, never tampered with
  Shown,
};

/// Threads that could learn by a call that a thread's affinity has been changed (ptrace/cpu/mask_exposure.hpp).
enum class Exposure : uint8_t {
  Unknown,  ///< not looked at yet
  None,
  Itself,   ///< the caller, and its children
  Anybody,  ///< the caller, of whichever thread
};

/// How many tracees are where.
struct Census {
  size_t outside = 0;   ///< outside of any call: they run, or are at a stop
  size_t standing = 0;  ///< while all are released: at a stop that was taken
};

struct Tracee : ProbedThread {
  Tracee(Tid id, Pid pid, PidfdNames pidfds, SocketDetails& sockets, Census& census)
      : pid(pid), memory(id), around(id, pidfds, &sockets), census_(census) {
    census_.outside++;
    tid = id;
  }
  ~Tracee() {
    move_to(Place::Ending);
    if (is_standing_) census_.standing--;
  }
  Tracee(const Tracee&) = delete;
  Tracee& operator=(const Tracee&) = delete;

  Place place() const { return place_; }
  /// The call it is in; nullptr: none that was seen to begin.
  const SyscallDesc* open_call() const { return place_ == Place::Inside ? call.desc : nullptr; }
  void move_to(Place place) {
    if (place_ == Place::Outside) census_.outside--;
    place_ = place;
    if (place_ == Place::Outside) census_.outside++;
  }

  Pid pid;
  RemoteMemory memory;
  LiveContext around;
  std::string comm;  ///< kept only if the request needs it

  Visibility visibility = Visibility::Shown;
  bool wanted = false;           ///< the call it is in passed the filters
  bool announced = false;        ///< an EnterEvent reported it
  bool group_stopped = false;    ///< in a group-stop: a further one is not news
  bool abandoned = false;        ///< let go of as soon as it stops: its process is left stopped
  bool to_be_abandoned = false;  ///< the SIGSTOP that it has got is ours, and stops its process
  bool sleep_reported = false;   ///< a SleepingEvent reported its current call
  bool resumes = false;          ///< the call it is in, or enters next, is the one in which it was attached
  bool just_attached = false;    ///< a running thread that -p named, not yet stopped
  bool is_launching = false;     ///< the launched command outside of its program: it stops, or ends, by itself
  uint64_t resume_at_ns = 0;     ///< CLOCK_MONOTONIC; it stands still until then; 0: it runs
  int resume_signal = 0;         ///< the signal that it gets then
  Call call;
  Exposure exposure = Exposure::Unknown;  ///< for the call
  DecodedCall decoded;
  KeptStack stack;  ///< when the call it is in was entered, where it is asked for
  uint64_t system_time_at_enter_ns = 0;
  int64_t last_nr = -1;
  Abi last_abi = Abi::X86_64;
  const Injection* injection = nullptr;                ///< for its current call
  std::unordered_map<uint32_t, uint32_t> invocations;  ///< for calls that injections name; by ABI and number

  // Where there are breakpoints (`process` is nullptr until it runs code that may have some):
  bool is_unfollowed = false;   ///< an unrequested thread in a followed process
  bool to_be_stopped = false;   ///< its process gets SIGSTOP when it continues
  std::vector<uint32_t> ticks;  ///< the clocks' at which it ran; reported at its next stop. Empty: none
  uint64_t turn = 0;            ///< the last turn of those that are stopped for ticks; 0: never
  /// The thread is not followed, and held because it runs in its parent's memory.
  bool is_borrower() const { return process && !process->is_reported; }
  /// Held for the breakpoints in its memory alone: it is not reported.
  bool is_bystander() const { return is_borrower() || is_unfollowed; }
  /// While all are released: it is at a stop that was taken, to be detached with resume_signal.
  bool is_standing() const { return is_standing_; }
  void stand() {
    if (!std::exchange(is_standing_, true)) census_.standing++;
  }

 private:
  Census& census_;
  bool is_standing_ = false;
  Place place_ = Place::Outside;
};

/// The tracees by tid.
class TraceeTable {
 public:
  explicit TraceeTable(PidfdNames pidfds) : pidfds_(pidfds) {}

  /// nullptr: not a tracee.
  Tracee* find(Tid tid) {
    if (recent_ && recent_->tid == tid) return recent_;
    auto at = tracees_.find(raw(tid));
    if (at == tracees_.end()) return nullptr;
    return recent_ = at->second.get();
  }
  bool contains(Tid tid) const { return tracees_.contains(raw(tid)); }
  Tracee& add(Tid tid, Pid pid) {
    auto& slot = tracees_[raw(tid)];
    slot = std::make_unique<Tracee>(tid, pid, pidfds_, sockets_, census_);
    return *(recent_ = slot.get());
  }
  void remove(Tid tid) {
    recent_ = nullptr;
    tracees_.erase(raw(tid));
  }
  /// Takes one out of the table; it must be there.
  std::unique_ptr<Tracee> extract(Tid tid) {
    recent_ = nullptr;
    return std::move(tracees_.extract(raw(tid)).mapped());
  }
  /// Gives a tracee another id, which no tracee may have.
  void rename(Tid from, Tid to) {
    auto node = tracees_.extract(raw(from));
    node.key() = raw(to);
    Tracee& tracee = *node.mapped();
    tracee.tid = to;
    tracee.memory.move_to(to);
    tracee.around = LiveContext(to, pidfds_, &sockets_);
    tracees_.insert(std::move(node));
  }
  void clear() {
    recent_ = nullptr;
    tracees_.clear();
  }
  bool empty() const { return tracees_.empty(); }
  size_t size() const { return tracees_.size(); }
  bool all_stand() const { return census_.standing == tracees_.size(); }
  size_t standing() const { return census_.standing; }
  /// Whether any but this one is outside of calls.
  bool others_run(const Tracee& tracee) const { return census_.outside > (tracee.place() == Place::Outside ? 1 : 0); }
  /// The one behind this one, whether that is there or not; there must be one at all.
  auto after(Tid tid) const {
    auto at = tracees_.find(raw(tid));
    return at == tracees_.end() || ++at == tracees_.end() ? tracees_.begin() : at;
  }
  auto begin() const { return tracees_.begin(); }
  auto end() const { return tracees_.end(); }

 private:
  PidfdNames pidfds_;
  SocketDetails sockets_;
  Census census_;
  std::unordered_map<int32_t, std::unique_ptr<Tracee>> tracees_;
  Tracee* recent_ = nullptr;  ///< the last one found: mostly the next one too
};

}  // namespace strut
