#include <doctest/doctest.h>

#include "x86/watched_range.hpp"

using namespace strut;

TEST_CASE("watched ranges: lengths, alignment, the kernel's memory") {
  for (uint64_t bytes : {1, 2, 4, 8}) {
    CHECK(is_watchable_size(bytes));
    CHECK(why_unwatchable(0x7f0000001000 + bytes, bytes).empty());
    CHECK(why_unwatchable(0x7f0000001001, bytes).empty() == (bytes == 1));
  }
  for (uint64_t bytes : {0, 3, 5, 7, 9, 16, 100}) CHECK_FALSE(is_watchable_size(bytes));
  CHECK(why_unwatchable(0x1000, 3) == "a debug register watches 1, 2, 4 or 8 bytes, and not 3");
  CHECK(why_unwatchable(0x1004, 8) == "8 bytes can be watched only at a multiple of 8, and 0x1004 is none");
  CHECK(why_unwatchable(0xffffffff81000000, 8) == "0xffffffff81000000 is an address of the kernel");
}
