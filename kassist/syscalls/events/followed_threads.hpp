// The followed threads, and their processes.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kassist/syscalls/events/followed.hpp"
#include "trace/request.hpp"

namespace strut {

class FollowedThreads {
 public:
  using Table = std::unordered_map<int32_t, std::unique_ptr<FollowedThread>>;

  /// `request` and `unwinder` outlive this; nullptr: no stacks are wanted.
  FollowedThreads(const TraceRequest& request, Unwinder* unwinder) : request_(request), unwinder_(unwinder) {}

  /// nullptr: it is not followed.
  FollowedThread* find(Tid tid);
  /// A thread that is followed from now on. A former thread with its id is dropped.
  FollowedThread& add(Tid tid, Pid pid);
  /// A thread that is followed from now on, whose birth was not reported. `comm`: as the kernel programs saw it; the
  /// system is asked where they did not, and knows none of a thread that has ended.
  FollowedThread& meet(Tid tid, Pid pid, std::string comm = {});
  /// The thread that called execve has its leader's id from now on (ptrace(2), "execve(2) under ptrace"). The former
  /// leader; nullptr: it was not followed.
  std::unique_ptr<FollowedThread> replace_leader(Tid leader, Tid former);
  /// Drops a thread, and its process with the last of its threads.
  void forget(FollowedThread& thread);

  const Table& all() const { return threads_; }
  size_t size() const { return threads_.size(); }
  bool empty() const { return threads_.empty(); }
  std::vector<FollowedId> ids() const;
  /// True if another thread than this one was ever followed.
  bool had_others(Tid tid) const { return added_ > 1 || tid != first_; }

  /// Reads of memory that were answered late (CapturedMemory), and those of other recorded context.
  uint64_t late() const;
  void count_late(uint64_t reads) { late_ += reads; }
  SocketDetails& sockets() { return sockets_; }

 private:
  const TraceRequest& request_;
  Unwinder* const unwinder_;
  SocketDetails sockets_;
  Table threads_;
  std::unordered_map<int32_t, FollowedProcess> processes_;
  FollowedThread* recent_ = nullptr;
  uint64_t added_ = 0;  ///< threads that were ever followed, …
  Tid first_{};         ///< … and the first of them
  uint64_t late_ = 0;   ///< for exited threads
};

}  // namespace strut
