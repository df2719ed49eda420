#include "syscalls/call_parts.hpp"

#include <cstring>

#include <doctest/doctest.h>

#include "tests/unit/scripted_memory.hpp"

namespace strut::test {
namespace {

Call i386_call(uint32_t nr, std::array<uint64_t, kRegisters> regs) {
  Call call;
  call.abi = Abi::I386;
  call.nr = nr;
  call.desc = find_syscall(Abi::I386, nr);
  call.regs = regs;
  return call;
}

TEST_CASE("call parts: socketcall becomes the call it names, with arguments from memory") {
  ScriptedMemory memory;
  memory.put_object(0x1000, std::array<uint32_t, 3>{3, 0xcafe0000, 16});
  Call call = i386_call(102, {3, 0x1000});
  resolve_part(call, memory);
  CHECK(std::strcmp(call.desc->name, "connect") == 0);
  CHECK(call.regs[0] == 3);
  CHECK(call.regs[1] == 0xcafe0000);
  CHECK(call.regs[2] == 16);
  CHECK(kernel_number(call) == 102);
}

TEST_CASE("call parts: socketcall stays itself if its command is unknown or its arguments cannot be read") {
  ScriptedMemory memory;
  memory.put_object(0x1000, std::array<uint32_t, 2>{3, 4});
  for (uint64_t command : {0u, 3u, 21u, 0x10003u}) {
    Call call = i386_call(102, {command, 0x1000});
    resolve_part(call, memory);
    CHECK(std::strcmp(call.desc->name, "socketcall") == 0);
    CHECK(call.regs[0] == command);
    CHECK(kernel_number(call) == 102);
  }
}

TEST_CASE("call parts: ipc becomes its part whatever its version, without the command's register") {
  ScriptedMemory memory;
  Call call = i386_call(117, {0x10015, 7, 8, 9, 0x2000, 5});
  resolve_part(call, memory);
  CHECK(std::strcmp(call.desc->name, "shmat") == 0);
  CHECK(call.regs[0] == 7);
  CHECK(call.regs[3] == 0x2000);
  CHECK(kernel_number(call) == 117);
}

TEST_CASE("call parts: the old select has its five arguments in memory") {
  ScriptedMemory memory;
  memory.put_object(0x1000, std::array<uint32_t, 5>{4, 0x2000, 0, 0, 0x3000});
  Call call = i386_call(82, {0x1000, 77});
  resolve_part(call, memory);
  CHECK(std::strcmp(call.desc->name, "select") == 0);
  CHECK(call.desc->count == 5);
  CHECK(call.regs[0] == 4);
  CHECK(call.regs[4] == 0x3000);
  CHECK(kernel_number(call) == 82);

  Call unreadable = i386_call(82, {0x1008});
  resolve_part(unreadable, memory);
  CHECK(unreadable.desc->count == 1);
  CHECK(unreadable.regs[0] == 0x1008);
}

TEST_CASE("call parts: unknown commands of ipc and other calls stay what they are") {
  ScriptedMemory memory;
  for (uint64_t command : {0u, 5u, 25u, 0xffffu}) {
    Call call = i386_call(117, {command, 1, 2, 3, 4, 5});
    resolve_part(call, memory);
    CHECK(std::strcmp(call.desc->name, "ipc") == 0);
    CHECK(call.regs[1] == 1);
  }
  Call call = i386_call(3, {3, 4, 5});
  resolve_part(call, memory);
  CHECK(call.nr == 3);
}

}  // namespace
}  // namespace strut::test
