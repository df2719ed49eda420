// The module at an address of a process, at any time of a trace: events may be reported long after code was unmapped.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "libcalls/modules/call_module.hpp"

namespace strut {

/// A module where it is mapped.
struct PlacedModule {
  uint64_t start = 0, end = 0;
  uint64_t bias = 0;  ///< address in the process minus address in the file
  const CallModule* module = nullptr;
  bool operator==(const PlacedModule&) const = default;
};

/// The mappings of all processes, old ones too. Thread-safe.
class CodePlaces {
 public:
  /// The process's mappings from now (CLOCK_MONOTONIC) on; ascending by start.
  void changed(Pid pid, std::vector<PlacedModule> modules, uint64_t now_ns);
  /// A child has its parent's mappings.
  void forked(Pid parent, Pid child);

  /// The module that had an address at a moment; where that had nothing there, at the next one, or before. `module` is
  /// nullptr: none ever had.
  PlacedModule at(Pid pid, uint64_t address, uint64_t when_ns) const;
  /// True if anything is known of the process.
  bool knows(Pid pid) const;

 private:
  struct Picture {
    uint64_t since_ns;
    std::vector<PlacedModule> modules;
  };
  mutable std::mutex mutex_;
  std::unordered_map<int32_t, std::vector<Picture>> pictures_;  ///< the oldest first
};

}  // namespace strut
