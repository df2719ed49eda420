#include "ptrace/engine/patience.hpp"

#include <doctest/doctest.h>

namespace strut::test {

TEST_CASE("patience: a thread that may still stop is waited for longer than one that cannot be stopped") {
  constexpr uint64_t kSecond_ns = 1'000'000'000;
  CHECK_FALSE(is_patience_over(kSecond_ns / 2, "D"));
  CHECK(is_patience_over(kSecond_ns, "D"));
  CHECK(is_patience_over(kSecond_ns, std::string_view("DZ\0", 3)));
  CHECK(is_patience_over(kSecond_ns, ""));
  CHECK(is_patience_over(kSecond_ns / 2, "v"));
  CHECK(is_patience_over(kSecond_ns / 2, "vZv"));
  CHECK_FALSE(is_patience_over(0, "v"));
  CHECK_FALSE(is_patience_over(kSecond_ns / 2, "vD"));
  CHECK_FALSE(is_patience_over(10 * kSecond_ns, "vR"));
  for (std::string_view states : {"R", "DR", "S", "t"}) {
    CHECK_FALSE(is_patience_over(kSecond_ns, states));
    CHECK_FALSE(is_patience_over(10 * kSecond_ns, states));
    CHECK(is_patience_over(60 * kSecond_ns, states));
  }
}

}  // namespace strut::test
