// libunwind as a second opinion on stacks: of a process that stands still, from its registers and its memory.
#pragma once

#include <memory>
#include <vector>

#include "trace/unwinder.hpp"

namespace strut::test {

class SecondUnwinder {
 public:
  explicit SecondUnwinder(Pid pid);
  SecondUnwinder(const SecondUnwinder&) = delete;
  ~SecondUnwinder();

  struct Walked {
    std::vector<uint64_t> pcs;  ///< the innermost first
    bool is_whole = false;      ///< it ended without an error, and not at the limit
  };
  /// `memory`: of the stack, and of all that the process has mapped.
  Walked unwind(const UserRegisters& registers, Memory& memory, size_t limit);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace strut::test
