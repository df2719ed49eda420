// The registers and the top of the stack of a running process's threads, copied during a stop that is as short as
// ptrace(2) allows, or read from /proc where a thread cannot be stopped.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "syscalls/call.hpp"
#include "trace/blocked_threads.hpp"
#include "trace/unwinder.hpp"

namespace strut {

struct ThreadCapture {
  enum class By : uint8_t {
    Stop,     ///< all registers are known
    Kernel,   ///< without a stop
    Proc,     ///< only the stack pointer and the instruction pointer are known: the other registers are 0
    Nothing,  ///< `why` says the reason
  };
  Tid tid{};
  By by = By::Nothing;
  std::string why;
  int seize_error = 0;  ///< errno(3) of PTRACE_SEIZE, where that is the reason
  char state = '?';     ///< proc(5), "/proc/pid/stat", before the stop
  UserRegisters registers{};
  bool in_call = false;
  Call call;        ///< the system call in progress, where `in_call`
  int stopped = 0;  ///< the signal of the group-stop that the thread is in; 0: none
  Addr stack_at{};
  std::vector<std::byte> stack;  ///< memory from `stack_at` on, as it was during the stop
  uint64_t stopped_ns = 0;       ///< how long the thread was kept from running, at most
};

/// Reads more of each thread at its capture.
class CaptureReader {
 public:
  virtual ~CaptureReader() = default;
  /// The thread still runs.
  virtual void before(Tid tid) = 0;
  /// The thread is stopped until this returns, or was blocked when it was looked at: a capture of one that has run
  /// since is thrown away.
  virtual void read(Tid tid, Memory& memory) = 0;
};

/// How threads are captured.
struct CaptureMeans {
  BlockedThreads* blocked = nullptr;  ///< reads threads that do not run without a stop; nullptr: none does
  bool stops = true;                  ///< other threads are stopped
};

/// All threads of the process, one after another. A system call in progress goes on: one that the kernel does not
/// restart after a stop (epoll_wait, semop, sigtimedwait: signal(7)) is made to begin again. Empty: there is no such
/// process.
std::vector<ThreadCapture> capture_threads(Pid pid, const CaptureMeans& means, CaptureReader& reader);

}  // namespace strut
