// The calls that threads are in, numbered, for formats that report a call when it ends.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"

namespace strut {

/// A call's number, unique in a trace and ascending in the order of entries, and that of the call that made it.
struct CallIds {
  uint64_t id = 0;
  uint64_t parent = 0;  ///< a function's call of the same thread; 0: none that is traced
};

class OpenCalls {
 public:
  enum class Kind : uint8_t { Syscall, Function };

  /// `call` identifies it until it ends. `stack` is kept for end(). Of system calls a thread is in one at a time.
  CallIds enter(Tid thread, const void* call, Kind kind, std::string stack = {});
  struct Ended {
    CallIds ids;
    std::string stack;
  };
  /// A call whose entry was not reported gets its number here.
  Ended end(Tid thread, const void* call, Kind kind);
  /// The numbers of a call that goes on.
  CallIds current(Tid thread, const void* call, Kind kind) const;
  /// The thread's id is `to` from now on, with the calls that it is in.
  void rename(Tid thread, Tid to);
  /// A thread has exited, or has exec'd another program: its calls are gone.
  void forget(Tid thread) { threads_.erase(raw(thread)); }

 private:
  struct Open {
    const void* call;
    Kind kind;
    CallIds ids;
    std::string stack;
  };
  static uint64_t innermost_function(const std::vector<Open>& calls, size_t below);

  std::unordered_map<int32_t, std::vector<Open>> threads_;
  uint64_t last_ = 0;
};

}  // namespace strut
