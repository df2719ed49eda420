#include "syscalls/errno_names.hpp"

#include <cerrno>

#include <doctest/doctest.h>

namespace strut::test {
namespace {

TEST_CASE("errno names: in any case, kernel-internal ones too, without aliases") {
  CHECK(errno_number("ENOENT") == ENOENT);
  CHECK(errno_number("eagain") == EAGAIN);
  CHECK(errno_number("ERESTARTSYS") == 512);
  CHECK(errno_number("ENOTSUPP") == 524);
  for (const char* wrong : {"", "EWOULDBLOCK", "ENOTSUP", "EDEADLOCK", "NOENT", "ENOENT "})
    CHECK(errno_number(wrong) == std::nullopt);
}

TEST_CASE("errno names: decimal numbers that a system call can return") {
  CHECK(errno_number("1") == 1);
  CHECK(errno_number("010") == 10);
  CHECK(errno_number("4095") == 4095);
  for (const char* wrong : {"0", "4096", "-1", "0x10", "5x", "99999999999"}) CHECK(errno_number(wrong) == std::nullopt);
}

}  // namespace
}  // namespace strut::test
