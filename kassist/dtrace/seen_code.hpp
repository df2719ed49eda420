// Mapped code that was reported before.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "base/ids.hpp"
#include "kassist/uprobes/process_watch.hpp"

namespace strut {

class DSeenCode {
 public:
  /// The mappings that this process, which is stopped, has at this CLOCK_MONOTONIC time are reported.
  void looked_at(Pid pid, uint64_t now_ns) { looked_ns_[pid] = now_ns; }
  bool is_reported(const ProcessChange& change) const;
  /// A mapping of a file that no process had when its mapping was reported, by a process that still lives.
  bool is_new_file(const ProcessChange& mapped);

 private:
  using File = std::tuple<uint32_t, uint32_t, uint64_t>;  ///< device and inode
  std::set<File> files_;
  std::map<Pid, uint64_t> looked_ns_;
};

}  // namespace strut
