// User stacks: what a thread was doing, frame by frame.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/ids.hpp"
#include "core/memory.hpp"

namespace strut {

/// One frame, the innermost first. Views live until the unwinder's next unwind().
struct StackFrame {
  Addr pc{};                ///< the innermost: where the thread is; the others: where they will return to
  std::string_view module;  ///< path as /proc/PID/maps has it, "[vdso]"; empty: no module has the address
  std::string_view symbol;  ///< the closest one at or below, mangled; empty: none
  uint64_t offset = 0;      ///< bytes from the symbol's beginning
  uint64_t file_offset = 0; ///< bytes into the module's file
};

struct Stack {
  std::span<const StackFrame> frames;
  bool cut = false;  ///< there were more than the limit
};

/// A thread's registers by their DWARF numbers (System V psABI for x86-64, figure 3.36): rax rdx rcx rbx rsi rdi rbp rsp,
/// r8 to r15, and the instruction pointer.
using UserRegisters = std::array<uint64_t, 17>;

/// Walks stacks of threads that stand still, or that were captured. Implemented in ustack/, used by backends.
class Unwinder {
 public:
  virtual ~Unwinder() = default;

  /// At most `limit` frames of a thread of process `pid` with these registers and this memory. The first frame is always
  /// there. The result is valid until the next call.
  virtual const Stack& unwind(Pid pid, const UserRegisters& registers, Memory& memory, size_t limit) = 0;

  /// The process mapped or unmapped something, or runs another program.
  virtual void modules_changed(Pid pid) = 0;
  /// The process is no more.
  virtual void gone(Pid pid) = 0;
};

}  // namespace strut
