// The Python frames of a process that is explained.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "procfs/remote_memory.hpp"
#include "ptrace/engine/thread_capture.hpp"
#include "ustack/python_stack.hpp"

namespace strut {

class PythonStacks final : public CaptureReader {
 public:
  explicit PythonStacks(Pid pid);

  void before(Tid tid) override;
  void read(Tid tid, Memory& memory) override;

  /// Why there are no Python frames: "CPython 3.14.0: its frames are not shown; …"; empty: they are known, or there are
  /// none.
  const std::string& unknown() const { return unknown_; }
  /// The frames of a captured thread, at most `limit`, with Python's between them. Views live as long as this.
  void add_to(KeptStack& stack, Tid tid, size_t limit);

 private:
  RemoteMemory memory_;
  std::string unknown_;
  std::optional<PythonThreads> threads_;
  std::optional<PythonCodes> codes_;
  std::map<Tid, int32_t> own_tids_;  ///< in the process's pid namespace
  std::map<Tid, std::vector<PythonFrame>> frames_;
};

}  // namespace strut
