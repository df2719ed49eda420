#include <cerrno>
#include <string>

#include <doctest/doctest.h>

#include "syscalls/syscall_set.hpp"

namespace strut::test {
namespace {

std::string why(std::string_view text) {
  Result<SyscallSet> set = parse_syscall_set(text);
  return set ? "" : set.error().why;
}

bool has(std::string_view text, Abi abi, std::string_view name) {
  Result<SyscallSet> set = parse_syscall_set(text);
  REQUIRE(set.has_value());
  const SyscallSlot* slot = find_syscall(abi, name);
  REQUIRE(slot != nullptr);
  return set->contains(abi, slot->nr);
}

TEST_CASE("syscall set: a name stands for the call of every ABI that has it") {
  for (Abi abi : {Abi::X86_64, Abi::I386, Abi::X32}) {
    CHECK(has("open", abi, "open"));
    CHECK_FALSE(has("open", abi, "openat"));
  }
  CHECK(has("stat64", Abi::I386, "stat64"));
  CHECK_FALSE(has("stat64", Abi::I386, "stat"));
  CHECK(has("rt_sigaction#64", Abi::X32, "rt_sigaction#64"));
}

TEST_CASE("syscall set: @ limits an item to an ABI") {
  CHECK(has("close@32", Abi::I386, "close"));
  CHECK_FALSE(has("close@32", Abi::X86_64, "close"));
  CHECK(has("close@64,open@x32", Abi::X32, "open"));
  CHECK_FALSE(has("%desc@x32", Abi::X86_64, "read"));
  CHECK(has("/^clo@32", Abi::I386, "close"));
  CHECK(has("all@64", Abi::X86_64, "fork"));
  CHECK_FALSE(has("all@64", Abi::I386, "fork"));
}

TEST_CASE("syscall set: inversion, all, none and empty items") {
  CHECK_FALSE(has("!open,close", Abi::X86_64, "close"));
  CHECK(has("!open,close", Abi::X86_64, "read"));
  CHECK(has("!!open", Abi::X86_64, "open"));
  CHECK(has("open,all", Abi::I386, "read"));
  CHECK(has(",open,,", Abi::X86_64, "open"));
  CHECK((parse_syscall_set("all") == SyscallSet::all()));
  CHECK((parse_syscall_set("!none") == SyscallSet::all()));
  CHECK(parse_syscall_set("none")->empty());
  CHECK(parse_syscall_set("!all")->empty());
}

TEST_CASE("syscall set: numbers are those of each ABI") {
  CHECK(has("13", Abi::X86_64, "rt_sigaction"));
  CHECK(has("13", Abi::I386, "time"));
  CHECK(has("512", Abi::X32, "rt_sigaction"));
  CHECK(has("1073741827", Abi::X32, "close"));
  CHECK_FALSE(has("1073741827", Abi::X86_64, "close"));
  CHECK(has("003@64", Abi::X86_64, "close"));
  for (const char* wrong : {"472", "548", "512@64", "400@64", "222@32", "-1", "0x1", "1x", "2147483648"})
    CHECK(why(wrong) == "invalid system call '" + std::string(wrong) + "'");
}

TEST_CASE("syscall set: classes with %, the oldest also without") {
  CHECK(has("%file", Abi::X86_64, "openat"));
  CHECK(has("file", Abi::X86_64, "openat"));
  CHECK(has("%net", Abi::X86_64, "socket"));
  CHECK(has("%%stat", Abi::X86_64, "statx"));
  CHECK(has("stat", Abi::X86_64, "stat"));
  CHECK_FALSE(has("stat", Abi::I386, "stat64"));
  CHECK(has("%stat", Abi::I386, "stat64"));
  CHECK(has("signal", Abi::X86_64, "kill"));
  for (const char* wrong : {"net", "pure", "creds", "clock", "%foo", "%", "%%foo", "%File"})
    CHECK(why(wrong) == "invalid system call '" + std::string(wrong) + "'");
}

TEST_CASE("syscall set: regular expressions are extended, not anchored, and know case") {
  CHECK(has("/stat", Abi::X86_64, "fstatfs"));
  CHECK(has("/^(open|close)$", Abi::X86_64, "close"));
  CHECK_FALSE(has("/^(open|close)$", Abi::X86_64, "openat"));
  CHECK(has("/", Abi::X86_64, "read"));
  CHECK(why("/OPEN") == "invalid system call '/OPEN'");
  CHECK(why("/(") == "regcomp: (: Unmatched ( or \\(");
  CHECK(why("?/(@64") == "regcomp: (: Unmatched ( or \\(");
}

TEST_CASE("syscall set: ? forgives an item that names nothing") {
  for (const char* fine : {"?foo", "??foo", "?", "?%foo", "?/nosuch", "?9999", "?foo@64", "?none,open"})
    CHECK(why(fine) == "");
  CHECK(why("?foo,bar") == "invalid system call 'bar'");
}

TEST_CASE("syscall set: errors name the item, or the whole text if it has none") {
  CHECK(why("") == "invalid system call ''");
  CHECK(why(",") == "invalid system call ','");
  CHECK(why("!") == "invalid system call '!'");
  CHECK(why("!foo") == "invalid system call 'foo'");
  CHECK(why("open,foo") == "invalid system call 'foo'");
  CHECK(why("foo@64") == "invalid system call 'foo@64'");
  CHECK(why("open@32@64") == "invalid system call 'open@32@64'");
  CHECK(why("open,none") == "invalid system call 'none'");
  CHECK(why("none@32") == "invalid system call 'none@32'");
  CHECK(why(" open") == "invalid system call ' open'");
}

TEST_CASE("syscall set: an unknown ABI is a usage error, even of an optional item") {
  Result<SyscallSet> set = parse_syscall_set("close,?open@foo");
  REQUIRE_FALSE(set.has_value());
  CHECK(set.error().code == EINVAL);
  CHECK(set.error().why == "incorrect personality designator 'foo' in qualification 'open@foo'");
  CHECK(why("open@") == "incorrect personality designator '' in qualification 'open@'");
}

}  // namespace
}  // namespace strut::test
