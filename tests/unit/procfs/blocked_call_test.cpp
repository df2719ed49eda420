// /proc/PID/syscall.
#include "procfs/blocked_call.hpp"

#include <doctest/doctest.h>

namespace strut::test {

TEST_CASE("blocked call: a system call, none, and a thread that runs") {
  auto call =
      parse_blocked_call("202 0x5595f5393100 0x80 0x2 0x0 0x0 0xffffffffffffffff 0x7ffd40649217 0x7efcd6cdb2ad\n");
  REQUIRE(call);
  CHECK(call->nr == 202);
  CHECK(call->arguments == std::array<uint64_t, 6>{0x5595f5393100, 0x80, 2, 0, 0, ~uint64_t{0}});
  CHECK(call->sp == 0x7ffd40649217);
  CHECK(call->ip == 0x7efcd6cdb2ad);
  auto stopped = parse_blocked_call("-1 0x7ffd40649217 0x7efcd6cdb2ad\n");
  REQUIRE(stopped);
  CHECK(stopped->nr == -1);
  CHECK(stopped->ip == 0x7efcd6cdb2ad);
  CHECK(!parse_blocked_call("running\n"));
}

TEST_CASE("blocked call: malformed text is none") {
  for (const char* text :
       {"", " ", "0", "0x", "202 0x1 0x2", "-1 0x1", "202 1 2 3 4 5 6 0x7", "-1 0x1ffffffffffffffff 0x1"})
    CHECK_MESSAGE(!parse_blocked_call(text), text);
}

}  // namespace strut::test
