// The place where this process's own dynamic linker announces loaded modules.
#include "trace/linker_breakpoint.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "procfs/remote_memory.hpp"
#include "tests/unit/scripted_memory.hpp"

namespace strut::test {
namespace {

TEST_CASE("linker breakpoint: it is r_brk, and its function does nothing") {
  RemoteMemory memory{Tid{getpid()}};
  auto at = linker_breakpoint(Pid{getpid()}, memory);
  REQUIRE(at.has_value());
  CHECK(raw(*at) == _r_debug.r_brk);
  CHECK(linker_displaced(*at, memory).way == Displaced::Way::Emulate);
}

TEST_CASE("linker breakpoint: the linker begins where the kernel has said") {
  CHECK(linker_base(Pid{getpid()}) == Addr{getauxval(AT_BASE)});
}

TEST_CASE("linker breakpoint: a function that does something is not run in another's stead") {
  ScriptedMemory memory;
  memory.put(0x1000, "\xc3\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90");  // ret
  memory.put(0x2000, "\xf3\x0f\x1e\xfa\xc3\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90");  // endbr64; ret
  memory.put(0x3000, "\x48\x83\xec\x08\xc3\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90");  // sub $8,%rsp
  CHECK(linker_displaced(Addr{0x1000}, memory).way == Displaced::Way::Emulate);
  CHECK(linker_displaced(Addr{0x2000}, memory).way == Displaced::Way::Emulate);
  CHECK(linker_displaced(Addr{0x3000}, memory).way == Displaced::Way::Refused);
  CHECK(linker_displaced(Addr{0x4000}, memory).way == Displaced::Way::Refused);  // nothing is there
}

TEST_CASE("linker breakpoint: a process that is gone has none") {
  RemoteMemory memory{Tid{INT32_MAX}};
  CHECK_FALSE(linker_breakpoint(Pid{INT32_MAX}, memory).has_value());
  CHECK_FALSE(linker_base(Pid{INT32_MAX}).has_value());
}

}  // namespace
}  // namespace strut::test
