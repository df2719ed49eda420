#include "ptrace/engine/seccomp_filter.hpp"

#include <cerrno>
#include <cstddef>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "syscalls/call_parts.hpp"

namespace strut {

namespace {

/// Numbers first … last of one architecture, as the kernel is given them.
struct Range {
  uint32_t first;
  uint32_t last;
};

constexpr uint32_t kIpc = 117, kSocketcall = 102;  // <asm/unistd_32.h>

uint32_t last_number(Abi abi) {
  uint32_t last = 0;
  for (const SyscallSlot& slot : syscalls_of(abi))
    if (slot.nr < kFirstPart) last = slot.nr;
  return last;
}

bool wanted(const SyscallSet& calls, Abi abi, uint32_t nr) {
  const SyscallDesc* desc = find_syscall(abi, nr);
  if (desc && desc->effects.replace_program()) return true;
  // A gap between known numbers is let through, as in strace --seccomp-bpf: only numbers after all known ones are
  // unknown.
  if (!desc && nr <= last_number(abi)) return false;
  if (calls.contains(abi, nr)) return true;
  uint32_t parts = abi != Abi::I386 ? 0 : nr == kSocketcall ? kSocketcallParts : nr == kIpc ? kIpcParts : 0;
  for (uint32_t part = parts; parts != 0 && part < parts + 32; part++)
    if (calls.contains(abi, part)) return true;
  return false;
}

std::vector<Range> ranges_of(const SyscallSet& calls, Abi abi) {
  uint32_t bit = abi == Abi::X32 ? kX32Bit : 0;
  std::vector<Range> ranges;
  for (uint32_t nr = 0; nr < kFirstPart; nr++) {
    if (!wanted(calls, abi, nr)) continue;
    if (!ranges.empty() && ranges.back().last + 1 == (nr | bit)) ranges.back().last++;
    else ranges.push_back({nr | bit, nr | bit});
  }
  // Beyond the tables every number is unknown. The parts of socketcall and ipc have no numbers of the kernel's.
  if (calls.contains(abi, kSyscallLimit))
    ranges.push_back({kFirstPart | bit, abi == Abi::X86_64 ? kX32Bit - 1 : UINT32_MAX});
  return ranges;
}

constexpr sock_filter load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
constexpr sock_filter answer(uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }

/// The instructions for one architecture; every path ends in a verdict.
std::vector<sock_filter> decide(const std::vector<Range>& ranges) {
  std::vector<sock_filter> code{load(offsetof(seccomp_data, nr))};
  for (const Range& range : ranges) {
    if (range.first == range.last) {
      code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, range.first, 0, 1));
    } else {
      code.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, range.first, 0, 2));
      code.push_back(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, range.last, 1, 0));
    }
    code.push_back(answer(SECCOMP_RET_TRACE));
  }
  code.push_back(answer(SECCOMP_RET_ALLOW));
  return code;
}

}  // namespace

std::vector<sock_filter> seccomp_program(const SyscallSet& calls) {
  std::vector<Range> ranges = ranges_of(calls, Abi::X86_64);
  for (const Range& range : ranges_of(calls, Abi::X32)) ranges.push_back(range);
  std::vector<sock_filter> native = decide(ranges);
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
                                   BPF_STMT(BPF_JMP | BPF_JA, static_cast<uint32_t>(native.size()))};
  program.insert(program.end(), native.begin(), native.end());
  std::vector<sock_filter> i386 = decide(ranges_of(calls, Abi::I386));
  program.insert(program.end(), i386.begin(), i386.end());
  return program;
}

bool install_seccomp(const std::vector<sock_filter>& program) {
  sock_fprog whole{static_cast<unsigned short>(program.size()), const_cast<sock_filter*>(program.data())};
  if (program.size() > BPF_MAXINSNS) return false;
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) == 0) return true;
  if (errno != EACCES || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) == 0;
}

}  // namespace strut
