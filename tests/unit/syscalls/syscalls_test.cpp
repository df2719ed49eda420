#include <cstring>

#include <doctest/doctest.h>

#include <sys/syscall.h>

#include "syscalls/call.hpp"
#include "syscalls/syscall.hpp"

namespace strut::test {
namespace {

TEST_CASE("syscalls: numbers lead to names and names to numbers, in every ABI") {
  for (Abi abi : {Abi::X86_64, Abi::I386, Abi::X32})
    for (const SyscallSlot& slot : syscalls_of(abi)) {
      CHECK((slot.nr < kFirstPart ? find_syscall(abi, slot.nr) : find_part(slot.nr)) == slot.desc);
      const SyscallSlot* found = find_syscall(abi, slot.desc->name);
      REQUIRE(found != nullptr);
      CHECK(std::strcmp(found->desc->name, slot.desc->name) == 0);
    }
}

TEST_CASE("syscalls: the numbers are this machine's") {
  CHECK(find_syscall(Abi::X86_64, "openat")->nr == SYS_openat);
  CHECK(find_syscall(Abi::X86_64, "newfstatat")->nr == SYS_newfstatat);
  CHECK(find_syscall(Abi::X86_64, "pread64")->nr == SYS_pread64);
  CHECK(find_syscall(Abi::X86_64, "umount2")->nr == SYS_umount2);
  CHECK(find_syscall(Abi::X86_64, "futex_waitv")->nr == SYS_futex_waitv);
  CHECK(find_syscall(Abi::I386, "exit_group")->nr == 252);
  CHECK(find_syscall(Abi::X32, "rt_sigaction")->nr == 512);
}

TEST_CASE("syscalls: from 424 on a number is the same call in every ABI") {
  CHECK(std::strcmp(find_syscall(Abi::I386, 424)->name, "pidfd_send_signal") == 0);
  CHECK(std::strcmp(find_syscall(Abi::X32, 424)->name, "pidfd_send_signal") == 0);
  for (const SyscallSlot& slot : syscalls_of(Abi::X86_64)) {
    if (slot.nr < 424) continue;
    CAPTURE(slot.nr);
    CHECK(find_syscall(Abi::I386, slot.nr) == slot.desc);
    CHECK(find_syscall(Abi::X32, slot.nr) == slot.desc);
  }
  CHECK(syscalls_of(Abi::I386).size() > syscalls_of(Abi::X86_64).size());
}

TEST_CASE("syscalls: what an ABI lacks is not found") {
  CHECK(find_syscall(Abi::X86_64, 337) == nullptr);
  CHECK(find_syscall(Abi::X86_64, 0xffffffff) == nullptr);
  CHECK(find_syscall(Abi::I386, 222) == nullptr);
  CHECK(find_syscall(Abi::I386, kFirstPart + 1) == nullptr);
  CHECK(find_syscall(Abi::X86_64, "stat64") == nullptr);
  CHECK(find_syscall(Abi::X86_64, "") == nullptr);
}

TEST_CASE("syscalls: x86-64's own numbers are shown bare when called with the x32 bit") {
  const SyscallDesc* desc = find_syscall(Abi::X32, 13);
  REQUIRE(desc != nullptr);
  CHECK(std::strcmp(desc->name, "rt_sigaction#64") == 0);
  CHECK(desc->count == 4);
  CHECK(desc->classes == kSignals);
}

TEST_CASE("syscalls: an unknown number is shown in hexadecimal, with its ABI's bit") {
  Call call;
  call.desc = &unknown_syscall();
  call.nr = 0x1bad;
  CHECK(name_of(call) == "syscall_0x1bad");
  call.abi = Abi::X32;
  call.nr = 700;
  CHECK(name_of(call) == "syscall_0x400002bc");
  call.abi = Abi::I386;
  call.nr = 0xffffffff;
  CHECK(name_of(call) == "syscall_0xffffffffffffffff");
  CHECK(unknown_syscall().count == 6);
}

}  // namespace
}  // namespace strut::test
