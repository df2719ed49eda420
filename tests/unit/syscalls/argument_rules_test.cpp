#include <doctest/doctest.h>

#include "syscalls/argument_rules.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

std::string entered(Abi abi, const char* name, std::initializer_list<uint64_t> regs) {
  const SyscallSlot* slot = find_syscall(abi, name);
  REQUIRE(slot != nullptr);
  DecodeScene scene(*slot->desc, regs, abi);
  scene.call.nr = slot->nr;
  return scene.enter();
}
size_t arguments(const char* name, std::initializer_list<uint64_t> regs) {
  const SyscallSlot* slot = find_syscall(Abi::X86_64, name);
  REQUIRE(slot != nullptr);
  DecodeScene scene(*slot->desc, regs);
  scene.call.nr = slot->nr;
  scene.enter();
  return scene.decoded.count;
}

TEST_CASE("argument rules: the mode counts only where a file is created") {
  CHECK(arguments("open", {0, 0, 0644}) == 2);
  CHECK(arguments("open", {0, 0100, 0644}) == 3);
  CHECK(arguments("open", {0, 020200000, 0644}) == 3);
  CHECK(arguments("open", {0, 0200000, 0644}) == 2);  // O_DIRECTORY alone
  CHECK(arguments("openat", {0, 0, 0101, 0644}) == 4);
  CHECK(arguments("openat", {0, 0, 1, 0644}) == 3);
  CHECK(arguments("mq_open", {0, 020200000, 0644, 0}) == 2);
  CHECK(arguments("mq_open", {0, 0100, 0644, 0}) == 4);
}

TEST_CASE("argument rules: the device counts only for device nodes") {
  CHECK(arguments("mknod", {0, 0100644, 0x105}) == 2);
  CHECK(arguments("mknod", {0, 0020644, 0x105}) == 3);
  CHECK(arguments("mknod", {0, 0060644, 0x105}) == 3);
  CHECK(arguments("mknodat", {0, 0, 0010644, 0x105}) == 3);
  CHECK(arguments("mknodat", {0, 0, 0060644, 0x105}) == 4);
}

TEST_CASE("argument rules: reboot's string and membarrier's CPU come by command and flag") {
  CHECK(arguments("reboot", {0xfee1dead, 1, 0x1234567, 0}) == 3);
  CHECK(arguments("reboot", {0xfee1dead, 1, 0xa1b2c3d4, 0}) == 4);
  CHECK(arguments("membarrier", {8, 0, 5}) == 2);
  CHECK(arguments("membarrier", {8, 1, 5}) == 3);
}

TEST_CASE("argument rules: 64-bit numbers in two registers of i386, whichever half comes first") {
  CHECK(entered(Abi::I386, "pread64", {3, 0x1000, 8, 0x89abcdef, 0x1234567}) == "fd:3; | ?; 8; 81985529216486895");
  CHECK(entered(Abi::I386, "_llseek", {3, 1, 2, 0, 0}).starts_with("fd:3; 4294967298; "));
  CHECK(entered(Abi::I386, "mmap2", {0, 4096, 0, 0, 5, 0xfffff}).ends_with("fd:5; 0xfffff000"));
}

TEST_CASE("argument rules: restart_syscall names the call that it resumes") {
  const SyscallDesc& row = *find_syscall(Abi::X86_64, "restart_syscall")->desc;
  DecodeScene scene(row, {});
  CHECK(scene.enter() == "<... resuming interrupted system call ...>");
  scene.call.interrupted = find_syscall(Abi::X86_64, "poll")->desc;
  CHECK(scene.enter() == "<... resuming interrupted poll ...>");
  CHECK(scene.exit(0) == "<... resuming interrupted poll ...>");
  scene.call.interrupted = &unknown_syscall();
  CHECK(scene.enter() == "<... resuming interrupted system call ...>");
}

}  // namespace
}  // namespace strut::test
