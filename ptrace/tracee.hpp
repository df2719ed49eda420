// One thread under ptrace, and all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/call.hpp"
#include "core/proc/live_surroundings.hpp"
#include "core/proc/remote_memory.hpp"

namespace strut {

/// Where a tracee stands between its calls.
enum class Place : uint8_t {
  Outside,  ///< not in a system call
  Inside,   ///< between enter and exit
};

/// Whether a tracee's calls are told.
enum class Visibility : uint8_t {
  Hidden,  ///< the launched command before its execve, and strut's own words after that failed
  Shown,
};

struct Tracee {
  Tracee(Tid tid, Pid pid) : tid(tid), pid(pid), memory(tid), around(tid) {}

  Tid tid;
  Pid pid;
  RemoteMemory memory;
  LiveSurroundings around;
  std::string comm;  ///< kept only if the request needs it

  Visibility visibility = Visibility::Shown;
  Place place = Place::Outside;
  bool in_syscall_stop = false;  ///< it stands still at a call's enter or exit
  bool wanted = false;           ///< the call it is in passed the filters
  bool announced = false;        ///< an EnterEvent told of it
  bool group_stopped = false;    ///< in a group-stop: a further one is not news
  Call call;
  DecodedCall decoded;
  uint64_t system_time_at_enter_ns = 0;
  int64_t last_nr = -1;
  Abi last_abi = Abi::X86_64;
};

/// The tracees by tid.
class TraceeTable {
 public:
  /// nullptr: not a tracee.
  Tracee* find(Tid tid) {
    if (recent_ && recent_->tid == tid) return recent_;
    auto at = tracees_.find(raw(tid));
    if (at == tracees_.end()) return nullptr;
    return recent_ = at->second.get();
  }
  Tracee& add(Tid tid, Pid pid) {
    auto& slot = tracees_[raw(tid)];
    slot = std::make_unique<Tracee>(tid, pid);
    return *(recent_ = slot.get());
  }
  void remove(Tid tid) {
    recent_ = nullptr;
    tracees_.erase(raw(tid));
  }
  bool empty() const { return tracees_.empty(); }
  size_t size() const { return tracees_.size(); }
  auto begin() const { return tracees_.begin(); }
  auto end() const { return tracees_.end(); }

 private:
  std::unordered_map<int32_t, std::unique_ptr<Tracee>> tracees_;
  Tracee* recent_ = nullptr;  ///< the last one found: mostly the next one too
};

}  // namespace strut
