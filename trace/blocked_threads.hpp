// Registers of threads that do not run, for reports that must not stop them.
#pragma once

#include <cstdint>
#include <map>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "syscalls/abi.hpp"
#include "trace/unwinder.hpp"

namespace strut {

struct BlockedThread {
  UserRegisters registers{};  ///< as they were when it left user space
  int64_t nr = -1;            ///< for the system call that it is in, or has come from; -1: none
  Abi abi = Abi::X86_64;      ///< for `nr`
  int stopped = 0;            ///< the signal of the group-stop that it is in; 0: none
  uint64_t switches = 0;      ///< how often it has left a CPU: unchanged, it has not run

  bool operator==(const BlockedThread&) const = default;
};

class BlockedThreads {
 public:
  virtual ~BlockedThreads() = default;
  /// The threads of one process that do not run now.
  virtual Result<std::map<Tid, BlockedThread>> read() = 0;
};

}  // namespace strut
