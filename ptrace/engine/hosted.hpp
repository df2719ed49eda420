// Processes and threads that a probe host holds.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "ptrace/engine/probed.hpp"
#include "syscalls/call.hpp"

namespace strut {

struct Hosted : ProbedThread {
  Call call;                    ///< the one it is in
  bool is_inside = false;       ///< for a call with a seen enter
  bool maps_code = false;       ///< for that call
  bool to_be_stopped = false;   ///< the process gets SIGSTOP when it continues
  bool is_listening = false;    ///< in a group-stop
  bool is_standing = false;     ///< while all are let go: at a stop, which has been taken
  int signal = 0;               ///< and the signal that it stands there for
  std::vector<uint32_t> ticks;  ///< the clocks' at which it ran; reported at its next stop. Empty: none
  uint64_t turn = 0;            ///< the last turn of those that are stopped for ticks; 0: never
};

/// By tid.
class HostedTable {
 public:
  Hosted* find(Tid tid) {
    auto at = threads_.find(raw(tid));
    return at == threads_.end() ? nullptr : at->second.get();
  }
  Hosted& add(Tid tid, std::shared_ptr<ProbedProcess> process) {
    auto& place = threads_[raw(tid)];
    place = std::make_unique<Hosted>();
    place->tid = tid;
    place->process = std::move(process);
    return *place;
  }
  void remove(Tid tid) { threads_.erase(raw(tid)); }
  /// Gives a thread another's id; that one is no more.
  Hosted& rename(Tid from, Tid to) {
    auto thread = std::move(threads_[raw(from)]);
    threads_.erase(raw(from));
    thread->tid = to;
    return *(threads_[raw(to)] = std::move(thread));
  }
  /// nullptr: none of its threads is hosted.
  std::shared_ptr<ProbedProcess> process(Pid pid) const {
    auto leader = threads_.find(raw(pid));
    if (leader != threads_.end() && leader->second->process->pid == pid) return leader->second->process;
    for (auto& [tid, thread] : threads_)
      if (thread->process->pid == pid) return thread->process;
    return nullptr;
  }
  /// The one behind this one, whether that is there or not; there must be one at all.
  auto after(Tid tid) const {
    auto at = threads_.find(raw(tid));
    return at == threads_.end() || ++at == threads_.end() ? threads_.begin() : at;
  }
  bool empty() const { return threads_.empty(); }
  size_t size() const { return threads_.size(); }
  auto begin() const { return threads_.begin(); }
  auto end() const { return threads_.end(); }

 private:
  std::unordered_map<int32_t, std::unique_ptr<Hosted>> threads_;
};

}  // namespace strut
