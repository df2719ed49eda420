// The filter's program, run by a small interpreter of classic BPF.
#include "ptrace/engine/seccomp_filter.hpp"

#include <doctest/doctest.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

namespace strut::test {

/// The program's verdict; 0 if it runs off its end or uses an instruction that seccomp does not have.
uint32_t run(const std::vector<sock_filter>& program, uint32_t arch, uint32_t nr) {
  uint32_t accumulator = 0;
  for (size_t at = 0; at < program.size(); at++) {
    const sock_filter& step = program[at];
    bool taken = false;
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        accumulator = step.k == offsetof(seccomp_data, nr) ? nr : step.k == offsetof(seccomp_data, arch) ? arch : 0;
        continue;
      case BPF_RET | BPF_K: return step.k;
      case BPF_JMP | BPF_JA: at += step.k; continue;
      case BPF_JMP | BPF_JEQ | BPF_K: taken = accumulator == step.k; break;
      case BPF_JMP | BPF_JGE | BPF_K: taken = accumulator >= step.k; break;
      case BPF_JMP | BPF_JGT | BPF_K: taken = accumulator > step.k; break;
      default: return 0;
    }
    at += taken ? step.jt : step.jf;
  }
  return 0;
}

constexpr uint32_t kTrace = SECCOMP_RET_TRACE, kAllow = SECCOMP_RET_ALLOW;

TEST_CASE("seccomp filter: every number of every ABI gets its answer") {
  auto calls = parse_syscall_set("openat,read,write,getpid@32,socket@32,chdir@x32");
  REQUIRE(calls);
  auto program = seccomp_program(*calls);
  CHECK(program.size() <= BPF_MAXINSNS);
  for (uint32_t nr = 0; nr < kFirstPart; nr++) {
    auto needed = [&](Abi abi) {
      const SyscallDesc* desc = find_syscall(abi, nr);
      return desc && std::string_view(desc->name).starts_with("execve");
    };
    CHECK(run(program, AUDIT_ARCH_X86_64, nr) ==
          (calls->contains(Abi::X86_64, nr) || needed(Abi::X86_64) ? kTrace : kAllow));
    CHECK(run(program, AUDIT_ARCH_X86_64, nr | kX32Bit) ==
          (calls->contains(Abi::X32, nr) || needed(Abi::X32) ? kTrace : kAllow));
    bool carried = nr == 102;  // socketcall may be a socket
    CHECK(run(program, AUDIT_ARCH_I386, nr) ==
          (calls->contains(Abi::I386, nr) || needed(Abi::I386) || carried ? kTrace : kAllow));
  }
  CHECK(run(program, AUDIT_ARCH_X86_64, 5000) == kAllow);
}

TEST_CASE("seccomp filter: all and none") {
  auto all = seccomp_program(SyscallSet::all());
  for (uint32_t nr : {0u, 59u, 300u, 900u, 5000u, 0xffffffffu, kX32Bit | 1, kX32Bit | 5000})
    CHECK(run(all, AUDIT_ARCH_X86_64, nr) == kTrace);
  CHECK(run(all, AUDIT_ARCH_I386, 5000) == kTrace);
  auto none = seccomp_program(SyscallSet{});
  for (uint32_t nr : {0u, 300u, 5000u, 0xffffffffu, kX32Bit | 1}) CHECK(run(none, AUDIT_ARCH_X86_64, nr) == kAllow);
  CHECK(run(none, AUDIT_ARCH_X86_64, 59) == kTrace);
  CHECK(run(none, AUDIT_ARCH_I386, 11) == kTrace);
}

}  // namespace strut::test
