// A thread in `strut stack`: its stack, its call, and its wait.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ptrace/engine/thread_capture.hpp"
#include "syscalls/call.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// The object that a thread waits for, beyond its system call.
struct Waiting {
  enum class For : uint8_t {
    Unknown,
    Futex,        ///< at `address`
    Mutex,        ///< a glibc mutex, or a priority-inheritance futex, at `address`
    Thread,       ///< the end of `thread` (pthread_join)
    Children,     ///< the ends of `children`
    Descriptors,  ///< events of `descriptors`, which an epoll instance watches
  };
  For what = For::Unknown;
  Addr address{};
  /// The thread of the same process that holds the mutex, or that is to end.
  std::optional<Tid> thread;
  std::vector<Pid> children;
  std::vector<int> descriptors;
};

struct StackThread {
  ThreadCapture capture;
  std::string comm;
  DecodedCall decoded;  ///< for capture.call
  KeptStack stack;
  Waiting waiting;
  std::vector<Tid> deadlock;  ///< the cycle of waiting threads that it is in; empty: none

  bool in_call() const { return capture.in_call; }
  /// The walk ended where a frame is found by a register that is not known, and reads as 0.
  bool lacks_registers() const {
    const Stack* frames = stack.kept();
    return capture.by == ThreadCapture::By::Proc && frames && !frames->cut && !frames->whole && frames->starved;
  }
};

/// A process with captured threads.
struct StackProcess {
  Pid pid{};
  std::string comm;
  int stopped = 0;  ///< the signal of its group-stop
  int32_t tracer = 0;
  std::string tracer_comm;
  bool held_by_tracer = false;  ///< at least one thread is in a tracing stop
  std::string python_unknown;   ///< why there are no Python frames; empty: they are known, or there are none
  std::vector<std::unique_ptr<StackThread>> threads;
  std::vector<std::vector<Tid>> deadlocks;  ///< each waits for the next one, the last for the first
};

}  // namespace strut
