// A process that undoes strut's changes to its targets, should strut be killed.
//
// A destructor undoes it if strut ends by itself; SIGKILL and the OOM killer leave no time for one. So the guardian
// traces the tracer: whatever way that ends, it stops at PTRACE_EVENT_EXIT (ptrace(2)), still the tracer of its
// tracees. They can run only to their next stop while the guardian undoes the recorded changes. Only then the tracer
// dies and the kernel detaches its tracees.
//
// Where the tracer is a process of its own (TracerProcess), the guardian also traces the front process, and delays its
// exit until the tracer has detached. The guardian itself may die: the kernel detaches its tracees, and they run on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include <sys/types.h>

#include "base/ids.hpp"

namespace strut {

/// One thing that must be undone, in memory that strut and its guardian share.
class UndoRecord {
 public:
  /// From now on the guardian calls `undo` with the returned memory, as it is then: it may be written to while it is
  /// armed. `undo` runs in a process forked from one with threads: it may make system calls and nothing else.
  template <auto undo, typename What>
  What& arm(const What& what) {
    return arm<undo, [](const What&) {}>(what);
  }
  /// `afterwards` is called several times when the tracer is dead and no process waits for the guardian: for changes
  /// that could not be seen at that time.
  template <auto undo, auto afterwards, typename What>
  What& arm(const What& what) {
    static_assert(std::is_trivially_copyable_v<What> && sizeof(What) <= kBytes && alignof(What) <= alignof(UndoRecord));
    auto* place = new (what_) What(what);
    afterwards_ = [](const std::byte* bytes) { afterwards(*std::launder(reinterpret_cast<const What*>(bytes))); };
    undo_.store([](const std::byte* bytes) { undo(*std::launder(reinterpret_cast<const What*>(bytes))); },
                std::memory_order_release);
    return *place;
  }
  /// The change has been undone, or its target is gone.
  void disarm() { undo_.store(nullptr, std::memory_order_release); }
  bool armed() const { return undo_.load(std::memory_order_relaxed) != nullptr; }
  void undo() {
    if (auto* how = undo_.load(std::memory_order_acquire)) how(what_);
  }
  void look_afterwards() {
    if (armed()) afterwards_(what_);
  }

 private:
  static constexpr size_t kBytes = 2024;
  std::atomic<void (*)(const std::byte*)> undo_ = nullptr;  ///< the guardian has the same code at the same place
  void (*afterwards_)(const std::byte*) = nullptr;          ///< valid while undo_ is
  alignas(8) std::byte what_[kBytes];
};

/// The memory that strut's processes and their guardian share.
struct GuardianLedger;

/// What a guardian does for the end of a tracer that is a process of its own. It is forked from a process that may have
/// threads: system calls only. nullptr: nothing.
struct TracerEnd {
  void (*dies)(Pid tracer) = nullptr;                    ///< at PTRACE_EVENT_EXIT: the tracer still has its descriptors
  void (*is_dead)() = nullptr;                           ///< before its parent can wait for it
  void (*is_dead_without_parent)(Pid tracer) = nullptr;  ///< the front process dies, too
};

class Guardian {
 public:
  static constexpr size_t kRecords = 8;
  /// The purpose of each record.
  static constexpr size_t kPinnedMask = 0, kCode = 1;

  /// The guardian of `tracer`, a thread of this process: the one that this process has already, or a new one. nullptr:
  /// errno says why.
  /// Its parent has exited; it belongs to a session of its own, keeps nothing open, and ends with its tracer.
  static std::unique_ptr<Guardian> start(Tid tracer);

  /// Makes the memory that a tracer forked from this process shares with its guardian. Without it (errno says why)
  /// there is no guardian for it.
  static bool share();
  /// In the front process, after share() and the tracer's fork: guards the front process and its tracer. When the front
  /// process dies, the tracer gets TracerProcess::tell_orphaned() and is killed if it makes no progress. nullptr: errno
  /// says why.
  static std::unique_ptr<Guardian> start(Pid front, Pid tracer, const TracerEnd& end);

  /// Sends a guardian that start(Tid) has forked away and waits for its end. Nothing may be armed.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// The guardian has begun to hold the tracer: records count, while it is alive. It never does where the tracer may
  /// not be traced: another process traces it, Yama.
  bool holds() const;
  /// Waits until it holds the tracer, two seconds at most. False: it does not.
  bool await_hold() const;
  /// False: it was killed, or it could not trace the tracer.
  bool alive() const;
  UndoRecord& record(size_t index);
  /// Zero-filled memory that the guardian has at the same addresses: it can be read when the tracer is dead. Empty:
  /// there is no memory for it.
  std::span<std::byte> memory();

 private:
  enum class Tie : uint8_t { Owner, Borrower };
  Guardian(GuardianLedger* ledger, int pidfd, Tie tie) : ledger_(ledger), pidfd_(pidfd), tie_(tie) {}
  static std::unique_ptr<Guardian> fork(GuardianLedger& ledger, Tie tie);

  GuardianLedger* ledger_;
  int pidfd_;
  Tie tie_;
};

}  // namespace strut
