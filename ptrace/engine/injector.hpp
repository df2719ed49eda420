// Tampers with system calls: strace(1), -e inject.
#pragma once

#include <cstdint>

#include "ptrace/engine/tracee.hpp"
#include "trace/backend.hpp"
#include "trace/request.hpp"

namespace strut {

/// The changes that a tracee gets when it continues.
struct Resumption {
  int signal = 0;
  uint64_t delay_ns = 0;
};

/// Applies a request's injections. A call obeys the last one that names it; invocations are counted per call and
/// tracee.
class Injector {
 public:
  Injector(const TraceRequest& request, Listener& listener) : request_(request), listener_(listener) {}

  bool idle() const { return request_.injections.empty(); }

  /// Counts the call that the tracee enters, and stores the changes in it.
  void choose(Tracee& tracee);
  /// Before the arguments are decoded: writes over memory. True if the call is to be decoded (again) because of it.
  bool poke_at_enter(Tracee& tracee);
  /// After the enter was reported: replaces the call.
  Resumption at_enter(Tracee& tracee);
  /// Before the exit is decoded: replaces the result and writes over memory.
  void change_result(Tracee& tracee);
  /// After the exit was reported.
  Resumption at_exit(const Tracee& tracee) const;

 private:
  void poke(Tracee& tracee, const std::vector<Poke>& pokes);

  const TraceRequest& request_;
  Listener& listener_;
};

}  // namespace strut
