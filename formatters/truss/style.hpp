// How truss's text looks: the options that change looks and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/machine_faults.hpp"
#include "syscalls/signal_names.hpp"
#include "syscalls/syscall_set.hpp"

namespace strut {

/// Thread ids from first to last.
struct LwpRange {
  int32_t first = 0, last = 0;
  bool has(Tid tid) const { return strut::raw(tid) >= first && strut::raw(tid) <= last; }
};

struct TrussStyle {
  SyscallSet calls = SyscallSet::all();      ///< -t
  SyscallSet verbose;                        ///< -v: contents of structures are shown below the call
  SyscallSet raw;                            ///< -x: arguments as numbers
  SignalNumbers signals = ~SignalNumbers{};  ///< -s
  FaultNumbers faults = ~FaultNumbers{};     ///< -m
  bool arguments = false;                    ///< -a
  bool environment = false;                  ///< -e
  bool processes = false;                    ///< `PID:` in front of lines: -f, several processes
  bool lwps = false;                         ///< -l; else only where a process has several
  bool base_time = false;                    ///< -d
  bool delta_time = false;                   ///< -D
  bool system_time = false;                  ///< -E
  bool function_arguments = false;           ///< --decode: functions' arguments as decoded text, not in hexadecimal
  /// The shown threads of these processes (-p PID/LWPS).
  std::map<Pid, std::vector<LwpRange>> only;

  bool reports_of(Pid pid, Tid tid) const {
    auto found = only.find(pid);
    return found == only.end() || std::ranges::any_of(found->second, [&](LwpRange range) { return range.has(tid); });
  }
};

}  // namespace strut
