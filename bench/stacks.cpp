// Cost of captured stacks: nanoseconds to unwind and symbolize one of some twenty frames from its registers and
// bytes.
//
// Usage: stacks [ROUNDS]. Prints name, nanoseconds a stack, stacks a second (best of five rounds), and how many frames
// it has; the same of libunwind, with its cache, which names no frame.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs/remote_memory.hpp"
#include "tests/unit/ustack/second_unwinder.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {
namespace {

/// The bytes of a stack, copied.
class Copied final : public Memory {
 public:
  Copied(Memory& memory, uint64_t at) : at_(at), bytes_(size_t{64} << 10) {
    bytes_.resize(memory.read(Addr{at}, bytes_).bytes);
  }
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    uint64_t offset = raw(at) - at_;
    if (offset >= bytes_.size()) return {0, false};
    size_t count = std::min(out.size(), bytes_.size() - offset);
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return {count, false};
  }
  ReadOutcome read_string(Addr, std::span<char>) override { return {0, false}; }

 private:
  uint64_t at_;
  std::vector<std::byte> bytes_;
};

[[gnu::noinline]] int descend(int depth) {
  volatile int below = depth == 0 ? ::raise(SIGSTOP) : descend(depth - 1);
  return below + 1;
}

UserRegisters registers_of(pid_t pid) {
  user_regs_struct r{};
  ::ptrace(PTRACE_GETREGS, pid, nullptr, &r);
  return {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
          r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip};
}

/// `unwind` returns how many frames it saw.
template <typename Unwind>
void measure(const char* name, int rounds, Unwind unwind) {
  double best = 1e18;
  size_t frames = 0;
  for (int round = 0; round < 5; round++) {
    auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; i++) frames = unwind();
    best = std::min(
        best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count() / rounds);
  }
  std::printf("%-16s %8.0f ns   %9.0f a second   %zu frames\n", name, best, 1e9 / best, frames);
}

void compare(pid_t pid, int rounds) {
  constexpr size_t kMaxFrames = 256;
  RemoteMemory live(leader_of(Pid{pid}));
  UserRegisters registers = registers_of(pid);
  Copied stack(live, registers[7]);
  auto unwinder = make_cfi_unwinder(FrameDetail::Functions);
  measure("captured stack", rounds,
          [&] { return unwinder->unwind(Pid{pid}, registers, stack, kMaxFrames).frames.size(); });
  test::StackAndFiles all(stack, registers[user_register::kStackPointer], live);
  test::SecondUnwinder second(Pid{pid});
  measure("libunwind", std::max(rounds / 10, 1), [&] { return second.unwind(registers, all, kMaxFrames).pcs.size(); });
}

}  // namespace
}  // namespace strut

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  pid_t pid = ::fork();
  if (pid == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::_exit(strut::descend(13));
  }
  int status;
  ::waitpid(pid, &status, 0);
  strut::compare(pid, std::max(rounds, 1));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, &status, 0);
}
