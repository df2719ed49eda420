#include "ptrace/breakpoints/trap_guard_code.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace strut::test {

namespace {

constexpr std::array<uint8_t, 6> kReturn7 = {0xb8, 7, 0, 0, 0, 0xc3};  // mov $7, %eax; ret

/// A process that has the handler, and a function with an int3 on its first byte.
struct Guarded {
  std::byte* memory;
  TrapGuardData* data;
  volatile uint8_t* function;

  explicit Guarded(uint64_t program_handler) {
    void* at = ::mmap(nullptr, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory = static_cast<std::byte*>(at);
    std::memcpy(memory, trap_guard_code().data(), trap_guard_code().size());
    data = reinterpret_cast<TrapGuardData*>(memory + trap_guard_places().data);
    data->program_handler = program_handler;
    std::memcpy(memory + 4096, kReturn7.data(), kReturn7.size());
    function = reinterpret_cast<volatile uint8_t*>(memory + 4096);
    *function = 0xcc;
    struct sigaction action{};
    action.sa_sigaction = reinterpret_cast<void (*)(int, siginfo_t*, void*)>(memory + trap_guard_places().handler);
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGTRAP, &action, nullptr);
  }
  int call() const { return reinterpret_cast<int (*)()>(memory + 4096)(); }
};

/// The result of `part`, or 128 and the signal that it dies of.
int status_in_child(int (*part)()) {
  pid_t child = ::fork();
  if (child == 0) ::_exit(part());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A SIGTRAP of a perf event (TRAP_PERF) with this si_perf_data, sent by the thread to itself.
void raise_perf_trap(uint64_t data) {
  siginfo_t info{};
  info.si_signo = SIGTRAP;
  info.si_code = 6;
  std::memcpy(reinterpret_cast<std::byte*>(&info) + kPerfDataPlace, &data, sizeof data);
  if (::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), ::gettid(), SIGTRAP, &info) != 0) ::_exit(99);
}

}  // namespace

TEST_CASE("trap guard: a hit of watched memory that comes after the tracer's death is ignored") {
  CHECK(status_in_child([] {
          Guarded guarded(0);
          raise_perf_trap(uint64_t{kBreakpointMark} << 32 | 1);
          return 5;
        }) == 5);
  CHECK(status_in_child([] {
          void (*own)(int) = [](int) { ::_exit(3); };
          Guarded guarded(reinterpret_cast<uint64_t>(own));
          raise_perf_trap(uint64_t{kBreakpointMark} << 32 | 1);
          raise_perf_trap(0x1234);  // an event of the program's own
          return 5;
        }) == 3);
}

TEST_CASE("trap guard: a thread at a breakpoint of a dead tracer waits until it is taken out") {
  CHECK(status_in_child([] {
          Guarded guarded(0);
          std::thread later([&] {
            ::usleep(20'000);
            *guarded.function = kReturn7[0];
            guarded.data->is_restored = 1;
          });
          int got = guarded.call();
          later.join();
          return got;
        }) == 7);
}

TEST_CASE("trap guard: an int3 that is there when all breakpoints are taken out is the program's") {
  CHECK(status_in_child([] {
          Guarded guarded(0);
          guarded.data->is_restored = 1;
          return guarded.call();
        }) == 128 + SIGTRAP);
  CHECK(status_in_child([] {
          void (*own)(int) = [](int) { ::_exit(3); };
          Guarded guarded(reinterpret_cast<uint64_t>(own));
          guarded.data->is_restored = 1;
          return guarded.call();
        }) == 3);
}

}  // namespace strut::test
