// A process that undoes what strut has done to its targets, should strut be killed.
//
// A destructor undoes it if strut ends by itself; SIGKILL leaves no time for one. So the guardian traces the tracer:
// whatever way that ends, it stops at PTRACE_EVENT_EXIT (ptrace(2)), still the tracer of its tracees. They can go no
// further than to their next stop, while the guardian undoes what is on record; only then the tracer dies and its
// tracees are let go. Not covered: who kills the guardian and then, before strut has noticed, strut.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include <sys/types.h>

#include "core/ids.hpp"

namespace strut {

/// One thing that must be undone, in memory that strut and its guardian share.
class UndoRecord {
 public:
  /// From now on the guardian calls `undo` with what is returned, as it is then: it may be written to while it is
  /// armed. `undo` runs in a process forked from one with threads: it may do system calls and nothing else.
  template <auto undo, typename What>
  What& arm(const What& what) {
    static_assert(std::is_trivially_copyable_v<What> && sizeof(What) <= kBytes && alignof(What) <= alignof(UndoRecord));
    auto* place = new (what_) What(what);
    undo_.store([](const std::byte* bytes) { undo(*std::launder(reinterpret_cast<const What*>(bytes))); },
                std::memory_order_release);
    return *place;
  }
  /// It has been undone, or there is nobody left to undo it for.
  void disarm() { undo_.store(nullptr, std::memory_order_release); }
  bool armed() const { return undo_.load(std::memory_order_relaxed) != nullptr; }
  void undo() {
    if (auto* how = undo_.load(std::memory_order_acquire)) how(what_);
  }

 private:
  static constexpr size_t kBytes = 2032;
  std::atomic<void (*)(const std::byte*)> undo_ = nullptr;  ///< the guardian has the same code at the same place
  alignas(8) std::byte what_[kBytes];
};

/// What strut and its guardian share.
struct GuardianLedger;

class Guardian {
 public:
  static constexpr size_t kRecords = 8;

  /// Forks one for `ward`, a thread of this process. nullptr: errno says why.
  /// It is nobody's child, belongs to a session of its own, keeps nothing open, and ends with its ward.
  static std::unique_ptr<Guardian> start(Tid ward);
  /// Sends it away and waits for its end. Nothing may be armed.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// It has begun to hold its ward: records count, while it is alive. It never does where the ward may not be traced:
  /// another tracer has it, Yama.
  bool holds() const;
  /// False: somebody has killed it, or it could not hold its ward.
  bool alive() const;
  UndoRecord& record(size_t index);

 private:
  Guardian(GuardianLedger* ledger, int pidfd) : ledger_(ledger), pidfd_(pidfd) {}

  GuardianLedger* ledger_;
  int pidfd_;
};

}  // namespace strut
