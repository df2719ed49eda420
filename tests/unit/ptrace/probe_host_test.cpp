#include <algorithm>
#include <csetjmp>
#include <thread>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "host_scene.hpp"
#include "procfs/maps.hpp"
#include "procfs/remote_memory.hpp"

// -- code of targets
// ---------------------------------------------------------------------------------------------------

extern "C" {
long host_data = 7;
long host_counter = 0;
extern const char host_leaf_end[];
long host_leaf(long a, long b);
extern const char host_calls_end[];
long host_calls(long a);
extern const char host_bytes_end[];
long host_bytes(char* to, const char* from, long count);
}

// A leaf that keeps its data below the stack pointer, with instructions of many kinds.
asm(R"(
  .text
  .globl host_leaf
host_leaf:
  movq %rdi, -8(%rsp)
  movq %rsi, -16(%rsp)
  movl $3, -20(%rsp)
  leaq 1(%rdi,%rsi,2), %rax
  addq -16(%rsp), %rax
  movq host_data(%rip), %rcx
  addq %rcx, %rax
  addq host_data(%rip), %rax
  cmpq $5, %rdi
  jle 1f
  incq %rax
1: xorl %edx, %edx
  imulq $3, %rax, %rax
  movslq -20(%rsp), %rcx
  shlq %cl, %rax
  lock incq host_counter(%rip)
  cvtsi2sdq %rax, %xmm0
  addsd %xmm0, %xmm0
  cvttsd2siq %xmm0, %rax
  pxor %xmm1, %xmm1
  movq %rax, %xmm1
  movq %xmm1, %r8
  bswapq %r8
  bswapq %r8
  cqto
  movq $10, %rcx
  idivq %rcx
  testq %rdx, %rdx
  setne %cl
  movzbl %cl, %ecx
  cmovne %rdx, %rcx
  addq %rcx, %rax
  nopw 0(%rax,%rax,1)
  rolq $3, %rax
  rorq $3, %rax
  addq -8(%rsp), %rax
  adcq $0, %rax
  ret
  .globl host_leaf_end
host_leaf_end:

  .globl host_calls
host_calls:
  pushq %rbx
  pushq %r12
  pushfq
  popq %r12
  movq %rdi, %rbx
  movl $110, %eax
  syscall
  movq %rax, %rdi
  callq 2f
  jmp 3f
2: leaq host_data(%rip), %r12
  movq (%r12), %rax
  ret
3: movq %rbx, %rcx
4: addq $2, %rax
  loop 4b
  jrcxz 5f
  ud2
5: leaq 6f(%rip), %rdx
  jmpq *%rdx
  ud2
6: enter $16, $0
  movq %rbx, -8(%rbp)
  addq -8(%rbp), %rax
  leave
  popq %r12
  popq %rbx
  ret
  .globl host_calls_end
host_calls_end:

  .globl host_bytes
host_bytes:
  movq %rdx, %rcx
  cld
  rep movsb
  movq %rdi, %rax
  ret
  .globl host_bytes_end
host_bytes_end:
)");

namespace strut::test {
namespace {

__attribute__((noinline)) long plain(long x) {
  asm volatile("" : "+r"(x));
  return x + 1;
}

__attribute__((noinline)) long recurse(long depth) {
  asm volatile("" : "+r"(depth));
  long below = depth == 0 ? -1 : recurse(depth - 1);
  asm volatile("" : "+r"(below));
  return below + 1;
}

std::vector<uint64_t> all_of(long (*leaf)(long, long)) {
  return instructions(reinterpret_cast<void*>(leaf), host_leaf_end);
}

struct DecodeContext {
  Interruption forgets_what_was_caught{Interruptible::AnyTime, Waits::Briefly};
  SharedMemory shared;
  std::unique_ptr<ProbeHost> host = make_ptrace_probe_host();
  Counting counting;

  /// Attaches, inserts, lets the target go on; how it ended.
  int run(Pid pid, const std::vector<uint64_t>& addresses, ProbeHostRequest request = {}) {
    host->watch(request);
    REQUIRE(host->attach(pid, counting));
    CHECK(host->insert(pid, breakpoints_at(addresses)).empty());
    shared->stage = 1;
    return serve_to_end(*host, counting, pid);
  }
};

/// Calls plain() and host_leaf() from three threads until the stage is 2. Their result is 0.
void call_in_threads(Shared& shared) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&] {
      long value = 0;
      while (shared.stage < 2) value = plain(value) - 1 + host_leaf(0, 0) * 0;
      shared.result += value;
    });
  for (auto& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("probe host: every instruction of a leaf that keeps data in the red zone") {
  DecodeContext scene;
  long expected = 0;
  for (long i = 0; i < 100; i++) expected += host_leaf(i, i * 3);
  Pid pid = target(*scene.shared, [&] {
    long sum = 0;
    for (long i = 0; i < 100; i++) sum += host_leaf(i, i * 3);
    scene.shared->result = sum;
    return 0;
  });
  auto all = all_of(host_leaf);
  CHECK(scene.run(pid, all) == 0);
  CHECK(scene.shared->result == expected);
  CHECK(scene.counting.hits[all.front()] == 100);
  CHECK(scene.counting.hits[all.back()] == 100);
  CHECK(scene.counting.total() == static_cast<long>(all.size()) * 100 - 6);  // incq is passed over by 0 … 5
  CHECK(scene.host->counts().stepped > 0);
  CHECK(scene.host->counts().emulated > 0);
}

TEST_CASE("probe host: branches, calls, system calls, flags, loops") {
  DecodeContext scene;
  long expected = 0;
  for (long i = 1; i < 40; i++) expected += host_calls(i);
  Pid pid = target(*scene.shared, [&] {
    long sum = 0;
    for (long i = 1; i < 40; i++) sum += host_calls(i);
    scene.shared->result = sum;
    return 3;
  });
  auto all = instructions(reinterpret_cast<void*>(host_calls), host_calls_end);
  CHECK(scene.run(pid, all) == 3 << 8);
  CHECK(scene.shared->result == expected);
  CHECK(scene.counting.hits[all.front()] == 39);
  CHECK(scene.counting.hits[all.back()] == 39);
}

TEST_CASE("probe host: where a filter would kill it for strut's calls, instructions are stepped") {
  DecodeContext scene;
  Pid pid = target(*scene.shared, [&] {
    sock_filter no_mapping[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
                                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
                                BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    sock_fprog program{std::size(no_mapping), no_mapping};
    std::atomic<bool> ready = false;
    std::thread other([&] {
      while (!ready) ::usleep(100);
      long sum = 0;
      for (long i = 0; i < 30; i++) sum += host_leaf(i, i);
      scene.shared->result += sum;
    });
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) return 1;
    ready = true;
    long sum = 0;
    for (long i = 0; i < 30; i++) sum += host_leaf(i, i);
    other.join();
    scene.shared->result += sum;
    return 0;
  });
  long expected = 0;
  for (long i = 0; i < 30; i++) expected += 2 * host_leaf(i, i);
  auto all = all_of(host_leaf);
  CHECK(scene.run(pid, all) == 0);
  CHECK(scene.shared->result == expected);
  CHECK(scene.counting.hits[all.front()] == 60);
  CHECK(scene.counting.total() == static_cast<long>(all.size()) * 60 - 12);
  CHECK(scene.host->counts().stepped == 0);
}

TEST_CASE("probe host: an interrupted repetition goes on, and fires once") {
  DecodeContext scene;
  Pid pid = target(*scene.shared, [&] {
    std::vector<char> from(3 << 20, 'x'), to(3 << 20);
    ::signal(SIGALRM, [](int) {});
    itimerval often{{0, 300}, {0, 300}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    for (int i = 0; i < 40; i++) {
      std::fill(to.begin(), to.end(), 'y');
      host_bytes(to.data(), from.data(), static_cast<long>(from.size()));
      if (from != to) return 1;
      scene.shared->kept++;
    }
    return 0;
  });
  auto all = instructions(reinterpret_cast<void*>(host_bytes), host_bytes_end);
  CHECK(scene.run(pid, all) == 0);
  CHECK(scene.counting.signals.size() > 0);
  for (uint64_t address : all) CHECK(scene.counting.hits[address] == scene.shared->kept);
}

TEST_CASE("probe host: threads lose nothing, nor do signals make it more") {
  DecodeContext scene;
  constexpr long kEach = 1500;
  Pid pid = target(*scene.shared, [&] {
    static std::atomic<long> in_handler = 0;
    ::signal(SIGALRM, [](int) { in_handler += plain(0); });
    itimerval often{{0, 700}, {0, 700}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&] {
        long value = 0;
        for (long i = 0; i < kEach; i++) value = plain(value) + host_leaf(1, 2) * 0;
        scene.shared->result += value;
      });
    for (auto& thread : threads) thread.join();
    itimerval off{};
    ::setitimer(ITIMER_REAL, &off, nullptr);
    scene.shared->kept = in_handler.load();
    return 0;
  });
  auto leaf = all_of(host_leaf);
  std::vector<uint64_t> sites{address_of(plain), leaf[0], leaf[4], leaf[5]};
  CHECK(scene.run(pid, sites) == 0);
  CHECK(scene.shared->result == 4 * kEach);
  CHECK(scene.counting.hits[address_of(plain)] == 4 * kEach + scene.shared->kept);
  for (size_t i = 1; i < sites.size(); i++) CHECK(scene.counting.hits[sites[i]] == 4 * kEach);
  CHECK(scene.counting.threads_created == 4);
  CHECK(scene.counting.threads_ended == 5);
}

TEST_CASE("probe host: children that are not followed have no breakpoints, and those that are have them") {
  for (bool follow : {false, true}) {
    DecodeContext scene;
    Pid pid = target(*scene.shared, [&] {
      for (int i = 0; i < 10; i++) {
        plain(1);
        host_leaf(1, 2);  // has a slot
        pid_t child = ::fork();
        if (child == 0) ::_exit(static_cast<int>(plain(plain(40)) + host_leaf(0, 0) * 0));
        int status;
        ::waitpid(child, &status, 0);
        if (status != 42 << 8) return 1;
        scene.shared->kept++;
      }
      return 0;
    });
    auto leaf = all_of(host_leaf);
    std::vector<uint64_t> sites{address_of(plain), leaf[0]};
    CHECK(scene.run(pid, sites, {.follow = follow}) == 0);
    CHECK(scene.shared->kept == 10);
    CHECK(scene.counting.created.size() == 10);
    CHECK(scene.counting.hits[address_of(plain)] == (follow ? 30 : 10));
    CHECK(scene.counting.hits[leaf[0]] == (follow ? 20 : 10));
    CHECK(scene.counting.by_process[raw(pid)] == 20);
  }
}

TEST_CASE("probe host: vfork and exec") {
  for (bool follow : {false, true}) {
    DecodeContext scene;
    Pid pid = target(*scene.shared, [&] {
      for (int i = 0; i < 5; i++) {
        pid_t child = ::vfork();
        if (child == 0) {
          plain(3);
          ::execl("/bin/sh", "sh", "-c", "exit 9", nullptr);
          ::_exit(1);
        }
        int status;
        ::waitpid(child, &status, 0);
        if (status != 9 << 8) return 1;
        plain(4);
      }
      return 0;
    });
    CHECK(scene.run(pid, {address_of(plain)}, {.follow = follow}) == 0);
    CHECK(scene.counting.by_process[raw(pid)] == 5);
    CHECK(scene.counting.total() == 10);
    CHECK(scene.counting.executed_pids.size() == (follow ? 5 : 0));
  }
}

TEST_CASE("probe host: recursion, longjmp, exceptions") {
  DecodeContext scene;
  Pid pid = target(*scene.shared, [&] {
    if (recurse(101) != 101) return 1;
    jmp_buf back;
    volatile int round = 0;
    setjmp(back);
    if (round < 20) {
      round = round + 1;
      plain(1);
      longjmp(back, 1);
    }
    for (int i = 0; i < 20; i++) try {
        if (plain(i) >= 0) throw i;
      } catch (int caught) {
        if (caught != i) return 2;
      }
    return 0;
  });
  CHECK(scene.run(pid, {address_of(plain), address_of(recurse)}) == 0);
  CHECK(scene.counting.hits[address_of(recurse)] == 102);
  CHECK(scene.counting.hits[address_of(plain)] == 40);
}

TEST_CASE("probe host: breakpoints come and go while threads run into them") {
  DecodeContext scene;
  Pid pid = target(*scene.shared, [&] {
    call_in_threads(*scene.shared);
    return 0;
  });
  REQUIRE(scene.host->attach(pid, scene.counting));
  scene.shared->stage = 1;
  std::vector<uint64_t> sites{address_of(plain)};
  for (uint64_t address : all_of(host_leaf)) sites.push_back(address);
  std::vector<Addr> addresses;
  for (uint64_t site : sites) addresses.push_back(Addr{site});
  for (int round = 0; round < 30 || (scene.counting.total() <= 100 && round < 3000); round++) {
    CHECK(scene.host->insert(pid, breakpoints_at(sites)).empty());
    REQUIRE(scene.host->serve(monotonic_ns() + 3'000'000, scene.counting));
    scene.host->remove(pid, addresses);
    REQUIRE(scene.host->serve(monotonic_ns() + 1'000'000, scene.counting));
  }
  scene.shared->stage = 2;
  CHECK(serve_to_end(*scene.host, scene.counting, pid) == 0);
  CHECK(scene.shared->result == 0);
  CHECK(scene.counting.total() > 100);
}

TEST_CASE("probe host: let go, a process is as it was") {
  for (int round = 0; round < 20; round++) {
    DecodeContext scene;
    Pid pid = target(*scene.shared, [&] {
      call_in_threads(*scene.shared);
      return 5;
    });
    // The stacks of its threads come at any time; code without a file is ours.
    auto made_code = [&] {
      return std::ranges::count_if(maps_of(pid).value(),
                                   [](const Mapping& one) { return one.executable && one.path.empty(); });
    };
    auto before = made_code();
    REQUIRE(scene.host->attach(pid, scene.counting));
    std::vector<uint64_t> sites{address_of(plain)};
    for (uint64_t address : all_of(host_leaf)) sites.push_back(address);
    scene.host->insert(pid, breakpoints_at(sites));
    scene.shared->stage = 1;
    REQUIRE(scene.host->serve(monotonic_ns() + 2'000'000 + static_cast<uint64_t>(round) * 100'000, scene.counting));
    auto hosted = made_code();
    scene.host->let_go();
    if (scene.host->counts().stepped > 0) CHECK(hosted > before);
    CHECK(made_code() == before);
    std::byte now[64];
    RemoteMemory(leader_of(pid)).read(Addr{address_of(plain)}, now);
    CHECK(std::memcmp(now, reinterpret_cast<void*>(plain), sizeof now) == 0);
    scene.shared->stage = 2;
    int status = -1;
    ::waitpid(raw(pid), &status, 0);
    CHECK(status == 5 << 8);
    CHECK(scene.shared->result == 0);
  }
}

TEST_CASE("probe host: what a target reads of its code, and signals of its own") {
  DecodeContext scene;
  scene.counting.at = [&](HaltedThread& thread, uint64_t tag) {
    std::byte seen[16];
    CHECK(thread.memory().read(Addr{tag}, seen).bytes == sizeof seen);
    CHECK(std::memcmp(seen, reinterpret_cast<void*>(tag), sizeof seen) == 0);
  };
  Pid pid = target(*scene.shared, [&] {
    static std::atomic<int> traps = 0;
    ::signal(SIGTRAP, [](int) { traps++; });
    ::raise(SIGTRAP);
    asm volatile("int3");
    plain(1);
    return traps == 2 ? 0 : 1;
  });
  CHECK(scene.run(pid, {address_of(plain)}) == 0);
  CHECK(scene.counting.hits[address_of(plain)] == 1);
  CHECK(scene.counting.signals == std::vector{SIGTRAP, SIGTRAP});
}

TEST_CASE("probe host: a launched command is reported from its execve on") {
  DecodeContext scene;
  TraceRequest request;
  request.launch = Launch{.path = "/bin/sh", .argv = {"sh", "-c", "exit 4"}};
  auto command = HeldCommand::fork(request, nullptr);
  REQUIRE(command);
  Pid pid = command->pid();
  scene.host->watch({.calls = true});
  REQUIRE(scene.host->launch(*std::move(command), scene.counting));
  CHECK(scene.counting.executed_pids == std::vector{pid});
  CHECK(serve_to_end(*scene.host, scene.counting, pid) == 4 << 8);
  REQUIRE(!scene.counting.calls.empty());
  CHECK(scene.counting.calls.back() == "exit_group");
  // The execve, which was not reported when it was called, returns; its last call does not.
  CHECK(static_cast<size_t>(scene.counting.returned) == scene.counting.calls.size());
}

uint64_t cpu_time_ns() {
  timespec time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

TEST_CASE("probe host: clocks tick as often as a process has CPU time for, beside breakpoints, and not in its sleep") {
  SharedMemory shared;
  Pid pid = target(*shared, [&] {
    while (cpu_time_ns() < 300'000'000)
      for (long i = 0; i < shared->result; i++) shared->kept = shared->kept + (host_leaf(i, 1) != 0);
    ::usleep(100'000);
    shared->result = static_cast<long>(cpu_time_ns() / 1'000'000);
    return 3;
  });
  auto host = make_ptrace_probe_host();
  Counting counting;
  host->watch({.clocks_ns = {1'000'000, 10'000'000}});
  REQUIRE(host->attach(pid, counting));
  std::vector<uint64_t> sites = instructions(reinterpret_cast<const void*>(&host_leaf), host_leaf_end);
  SUBCASE("nothing else") { shared->result = 100'000; }  // calls before a look at the clock, which halts, too
  SUBCASE("breakpoints") {
    shared->result = 1000;
    REQUIRE(host->insert(pid, breakpoints_at(sites)).empty());
  }
  shared->stage = 1;
  CHECK(serve_to_end(*host, counting, pid) == W_EXITCODE(3, 0));
  if (!counting.hits.empty()) CHECK(counting.hits[sites.front()] >= shared->kept);
  CHECK(counting.ticks[0] > shared->result * 8 / 10);
  CHECK(counting.ticks[0] < shared->result * 12 / 10);
  CHECK(counting.ticks[1] > shared->result * 6 / 100);
  CHECK(counting.ticks[1] < shared->result * 14 / 100);
  long within = 0;  // in the function, not in a slot
  for (uint64_t at : counting.halted_at) within += std::ranges::binary_search(sites, at);
  CHECK(within > 0);
}

}  // namespace strut::test
