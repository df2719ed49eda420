// Processes and threads that a probe host holds.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/call.hpp"
#include "ptrace/address_space.hpp"
#include "ptrace/startup_linker.hpp"

namespace strut {

struct HostedProcess {
  Pid pid{};
  std::shared_ptr<AddressSpace> space;  ///< others' too, where they share memory (vfork)
  StartupLinker linker;
  bool starts = false;        ///< its dynamic linker is still at work
  bool is_told = true;        ///< false: a child that is not followed and runs in its parent's memory
  bool has_no_slots = false;  ///< memory for them cannot be had in it
};

struct Hosted {
  Tid tid{};
  std::shared_ptr<HostedProcess> process;
  Call call;                   ///< the one it is in
  bool is_inside = false;      ///< of a call whose enter was seen
  bool maps_code = false;      ///< that call
  bool calls_in_slot = false;  ///< its next call is made from a slot
  bool to_be_stopped = false;  ///< its process gets SIGSTOP when it goes on
  bool is_standing = false;    ///< while all are let go: at a stop, which has been taken
  int signal = 0;              ///< and the signal that it stands there for
  /// Instructions that it was about to run in slots when a signal came, with its stack pointer: back there, the probes
  /// have fired already. The innermost handler's last.
  struct Fired {
    uint64_t home, sp;
  };
  std::vector<Fired> fired;

  void note_fired(uint64_t home, uint64_t sp) {
    if (fired.size() == kMostFired) fired.erase(fired.begin());  // handlers that never return
    fired.push_back({home, sp});
  }
  bool take_fired(uint64_t home, uint64_t sp) {
    for (size_t i = fired.size(); i-- > 0;)
      if (fired[i].home == home && fired[i].sp == sp) return fired.resize(i), true;
    return false;
  }

 private:
  static constexpr size_t kMostFired = 16;
};

/// By tid.
class HostedTable {
 public:
  Hosted* find(Tid tid) {
    auto at = threads_.find(raw(tid));
    return at == threads_.end() ? nullptr : at->second.get();
  }
  Hosted& add(Tid tid, std::shared_ptr<HostedProcess> process) {
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
  std::shared_ptr<HostedProcess> process(Pid pid) const {
    auto leader = threads_.find(raw(pid));
    if (leader != threads_.end() && leader->second->process->pid == pid) return leader->second->process;
    for (auto& [tid, thread] : threads_)
      if (thread->process->pid == pid) return thread->process;
    return nullptr;
  }
  bool empty() const { return threads_.empty(); }
  size_t size() const { return threads_.size(); }
  auto begin() const { return threads_.begin(); }
  auto end() const { return threads_.end(); }

 private:
  std::unordered_map<int32_t, std::unique_ptr<Hosted>> threads_;
};

}  // namespace strut
