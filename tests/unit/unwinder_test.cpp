#include "ustack/cfi_unwinder.hpp"

#include <csignal>

#include <doctest/doctest.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/proc/remote_memory.hpp"

using namespace strut;

namespace {

__attribute__((noinline)) int unwinder_test_inner(int depth) {
  if (depth > 0) {
    volatile int below = unwinder_test_inner(depth - 1);  // volatile: the recursion stays one
    return below + 1;
  }
  ::raise(SIGSTOP);
  return depth;
}

/// A child of this program, stopped below unwinder_test_inner.
class StoppedChild {
 public:
  StoppedChild() : pid_(::fork()) {
    if (pid_ == 0) {
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::_exit(unwinder_test_inner(5));
    }
    int status;
    ::waitpid(pid_, &status, 0);
  }
  ~StoppedChild() {
    ::kill(pid_, SIGKILL);
    int status;
    ::waitpid(pid_, &status, 0);
  }
  Pid pid() const { return Pid{pid_}; }
  UserRegisters registers() const {
    user_regs_struct r{};
    ::ptrace(PTRACE_GETREGS, pid_, nullptr, &r);
    return {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
            r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip};
  }

 private:
  pid_t pid_;
};

size_t frames_of(const Stack& stack, std::string_view part) {
  size_t count = 0;
  for (const StackFrame& frame : stack.frames) count += frame.symbol.find(part) != std::string_view::npos;
  return count;
}

}  // namespace

TEST_CASE("unwinder: a stopped process's stack reaches its beginning, every recursion in it") {
  StoppedChild child;
  RemoteMemory memory(leader_of(child.pid()));
  auto unwinder = make_cfi_unwinder(FrameDetail::Functions);
  const Stack& stack = unwinder->unwind(child.pid(), child.registers(), memory, 256);
  CHECK_FALSE(stack.cut);
  CHECK(frames_of(stack, "unwinder_test_inner") == 6);
  REQUIRE_FALSE(stack.frames.empty());
  CHECK(stack.frames.back().symbol == "_start");
}

TEST_CASE("unwinder: a limit cuts, and says so") {
  StoppedChild child;
  RemoteMemory memory(leader_of(child.pid()));
  auto unwinder = make_cfi_unwinder(FrameDetail::Functions);
  const Stack& stack = unwinder->unwind(child.pid(), child.registers(), memory, 3);
  CHECK(stack.cut);
  CHECK(stack.frames.size() == 3);
}

TEST_CASE("unwinder: registers that make no sense give one frame") {
  StoppedChild child;
  RemoteMemory memory(leader_of(child.pid()));
  auto unwinder = make_cfi_unwinder(FrameDetail::Functions);
  UserRegisters registers{};
  registers[16] = 0x1234;
  const Stack& stack = unwinder->unwind(child.pid(), registers, memory, 256);
  REQUIRE(stack.frames.size() == 1);
  CHECK(stack.frames[0].module.empty());
}
