// The frames of CPython's threads, as its structures have them.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "ustack/python_runtime.hpp"

namespace strut {

/// A frame of Python code: addresses in the process.
struct PythonFrame {
  uint64_t code = 0;         ///< PyCodeObject
  uint64_t instruction = 0;  ///< the last one that it has begun
  uint64_t run_by = 0;       ///< on the C stack, within the frame of the C function that runs it
};

/// Not for several threads at once. The process's data there is not trusted.
class PythonThreads {
 public:
  PythonThreads(const PythonRuntime& runtime, const PythonLayout& layout) : runtime_(runtime), layout_(layout) {}

  /// Finds the state of every thread of the process, which may run.
  void refresh(Memory& memory);
  /// Whether the last refresh found the state of a thread with this id in the process's own pid namespace.
  bool knows(int32_t own_tid) const { return states_.contains(own_tid); }
  /// The frames of such a thread, which is stopped or blocked, the innermost first. Empty: it runs no Python code.
  std::vector<PythonFrame> frames(int32_t own_tid, Memory& memory);

 private:
  PythonRuntime runtime_;
  PythonLayout layout_;
  std::map<int32_t, uint64_t> states_;  ///< PyThreadState by native_thread_id
};

}  // namespace strut
