#include "ustack/cfi_unwinder.hpp"

#include <csignal>
#include <vector>

#include <doctest/doctest.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs/remote_memory.hpp"
#include "tests/unit/ustack/second_unwinder.hpp"

using namespace strut;
using strut::test::pcs_of;
using strut::test::SecondUnwinder;

namespace {

__attribute__((noinline)) int unwinder_test_inner(int depth) {
  if (depth > 0) {
    volatile int below = unwinder_test_inner(depth - 1);  // volatile: the recursion stays one
    return below + 1;
  }
  ::raise(SIGSTOP);
  return depth;
}

UserRegisters registers_of(pid_t pid) {
  user_regs_struct r{};
  ::ptrace(PTRACE_GETREGS, pid, nullptr, &r);
  return {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
          r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip};
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
  UserRegisters registers() const { return registers_of(pid_); }

 private:
  pid_t pid_;
};

/// A program that is traced from its first instruction on, and can be stopped at its system calls.
class Program {
 public:
  explicit Program(const std::vector<const char*>& words) : pid_(::fork()) {
    if (pid_ == 0) {
      std::vector<char*> argv;
      for (const char* word : words) argv.push_back(const_cast<char*>(word));
      argv.push_back(nullptr);
      ::close(STDOUT_FILENO);
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::waitpid(pid_, &status_, 0);
  }
  Program(const Program&) = delete;
  ~Program() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
  /// Goes on to its n-th stop at a system call from here. False: it has ended.
  bool go_on(int stops) {
    for (; stops > 0 && WIFSTOPPED(status_); stops--) {
      ::ptrace(PTRACE_SYSCALL, pid_, nullptr, nullptr);
      ::waitpid(pid_, &status_, 0);
    }
    return WIFSTOPPED(status_);
  }
  Pid pid() const { return Pid{pid_}; }

 private:
  pid_t pid_;
  int status_ = 0;
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

TEST_CASE("unwinder: libunwind sees the same frames wherever programs make system calls") {
  constexpr size_t kMaxFrames = 512;
  constexpr int kStopsApart = 7;
  struct Case {
    std::vector<const char*> words;
    size_t at_least;  ///< stacks that are to be compared
  };
  for (const Case& one :
       {Case{{"/usr/bin/python3", "-c", "import json, decimal"}, 20}, Case{{"/usr/bin/git", "--version"}, 5}}) {
    Program program(one.words);
    auto unwinder = make_cfi_unwinder(FrameDetail::Functions);
    size_t compared = 0;
    while (program.go_on(kStopsApart)) {
      RemoteMemory memory(leader_of(program.pid()));
      UserRegisters registers = registers_of(raw(program.pid()));
      unwinder->modules_changed(program.pid());
      SecondUnwinder second(program.pid());
      auto theirs = second.unwind(registers, memory, kMaxFrames);
      if (!theirs.is_whole) continue;
      const Stack& ours = unwinder->unwind(program.pid(), registers, memory, kMaxFrames);
      CHECK(pcs_of(ours) == theirs.pcs);
      compared++;
    }
    CHECK(compared >= one.at_least);
  }
}
