// User stacks: the active calls of a thread, frame by frame.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/memory.hpp"
#include "procfs/maps.hpp"

namespace strut {

/// Stands for the module of JIT code with a known name (a JIT compiler's perf map).
inline constexpr std::string_view kMadeCode = "[jit]";
/// Stands for the module of a frame that an interpreter runs: its `source` is the file of the script, and it has no
/// address.
inline constexpr std::string_view kPythonCode = "[python]";

/// One frame, the innermost first. Views live as long as the unwinder.
struct StackFrame {
  Addr pc{};                 ///< the innermost: where the thread is; the others: where they will return to
  std::string_view module;   ///< path as /proc/PID/maps has it, "[vdso]", kMadeCode; empty: no module has the address
  std::string_view symbol;   ///< the function that contains it, mangled; empty: none is known
  uint64_t offset = 0;       ///< bytes from the symbol's beginning
  uint64_t file_offset = 0;  ///< bytes into the module's file; of kMadeCode the address
  uint64_t sp = 0;           ///< the frame lies on the stack from here on
  /// The source file that the code at the frame comes from; empty: not known or not asked for.
  std::string_view source = {};
  uint32_t line = 0;       ///< from 1
  bool is_return = false;  ///< the thread will return there; else it is there, or was when a signal came
  bool guessed = false;    ///< nothing describes the code of the frame before it: it looks as if this were its caller
};

struct Stack {
  std::span<const StackFrame> frames;
  bool cut = false;             ///< there were more than the limit
  bool whole = false;           ///< the last frame is known to be the first one's: nothing called it
  bool truncated = false;       ///< it continues after the end of the captured memory
  bool of_new_program = false;  ///< for an execve that succeeded: not the stack at its entry
  bool starved = false;         ///< code says where its caller is found, and that memory cannot be read
};

/// A stack that outlives the next walk.
class KeptStack {
 public:
  void keep(const Stack& stack) {
    frames_.assign(stack.frames.begin(), stack.frames.end());
    stack_ = stack;
    stack_.frames = frames_;
  }
  void drop() {
    frames_.clear();
    stack_ = {};
  }
  /// nullptr: none is kept.
  const Stack* kept() const { return frames_.empty() ? nullptr : &stack_; }

 private:
  std::vector<StackFrame> frames_;
  Stack stack_;
};

/// A thread's registers by their DWARF numbers (System V psABI for x86-64, figure 3.36): rax rdx rcx rbx rsi rdi rbp
/// rsp, r8 to r15, and the instruction pointer.
using UserRegisters = std::array<uint64_t, 17>;
namespace user_register {
inline constexpr size_t kFramePointer = 6, kStackPointer = 7, kInstructionPointer = 16;
}

/// Walks stacks of threads that are stopped, or that were captured. Implemented in ustack/, used by backends. Reads the
/// places of a process's code from /proc, unless they are reported.
class Unwinder {
 public:
  virtual ~Unwinder() = default;

  /// At most `limit` frames of a thread of process `pid` with these registers and this memory. The first frame is
  /// always there. The result is valid until the next call.
  virtual const Stack& unwind(Pid pid, const UserRegisters& registers, Memory& memory, size_t limit) = 0;

  /// The process mapped or unmapped something, or runs another program.
  virtual void modules_changed(Pid pid) = 0;
  /// The process is no more.
  virtual void gone(Pid pid) = 0;

  // For backends with late reports of stacks, when /proc has changed.

  /// Mappings are read from /proc now; changes are reported from now on.
  virtual void reported_from_now_on(Pid pid) = 0;
  /// A new program: it has only the mappings that are reported from now on.
  virtual void nothing_mapped(Pid pid) = 0;
  virtual void vdso_mapped(Pid pid, Addr at) = 0;
  /// Code came to be there. `mapping`: of a file if it has an inode, else made by the process.
  virtual void mapped(Pid pid, const Mapping& mapping) = 0;
  /// A new process has its parent's mappings.
  virtual void forked(Pid parent, Pid child) = 0;
};

}  // namespace strut
