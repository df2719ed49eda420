// libunwind as a second opinion on stacks: of a process that stands still, from its registers and its memory.
#pragma once

#include <memory>
#include <vector>

#include "trace/unwinder.hpp"

namespace strut::test {

/// A stack as it was copied, and the process for all else: libunwind reads call frame information there.
class StackAndFiles final : public Memory {
 public:
  /// `stack_at`: where the copy begins; up to a stack's usual limit from there the process is not asked.
  StackAndFiles(Memory& stack, uint64_t stack_at, Memory& live) : stack_(stack), stack_at_(stack_at), live_(live) {}
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    constexpr uint64_t kStackBytes = 8 << 20;
    return raw(at) - stack_at_ < kStackBytes ? stack_.read(at, out) : live_.read(at, out);
  }
  ReadOutcome read_string(Addr, std::span<char>) override { return {0, false}; }

 private:
  Memory& stack_;
  uint64_t stack_at_;
  Memory& live_;
};

/// The pcs of a walk, the innermost first.
std::vector<uint64_t> pcs_of(const Stack& stack);

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
