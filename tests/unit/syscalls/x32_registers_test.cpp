#include <doctest/doctest.h>

#include "syscalls/arg_plan.hpp"
#include "syscalls/call.hpp"

namespace strut::test {
namespace {

uint64_t argument(uint32_t nr, size_t index, uint64_t reg) {
  Call call;
  call.abi = Abi::X32;
  call.nr = nr;
  call.desc = find_syscall(Abi::X32, nr);
  call.regs.fill(reg);
  return value_of(plan_args(call).args[index], call);
}

TEST_CASE("x32 registers: as wide as x86-64's for the numbers that both share") {
  constexpr uint32_t kRead = 0;
  CHECK(argument(kRead, 0, 0xdeadbeefdeadbeef) == 0xffffffffdeadbeef);
  CHECK(argument(kRead, 1, 0xdeadbeefdeadbeef) == 0xdeadbeefdeadbeef);
  CHECK(argument(kRead, 2, 0xdeadbeefdeadbeef) == 0xdeadbeefdeadbeef);
}

TEST_CASE("x32 registers: 32 bits for the numbers of its own, but for calls that pass an offset") {
  constexpr uint32_t kReadv = 515, kPreadv = 534;
  CHECK(argument(kReadv, 1, 0xdeadbeefdeadbeef) == 0xdeadbeef);
  CHECK(argument(kReadv, 2, 0xdeadbeefdeadbeef) == 0xdeadbeef);
  CHECK(argument(kPreadv, 1, 0xdeadbeefdeadbeef) == 0xdeadbeefdeadbeef);
  CHECK(argument(kPreadv, 3, 0xdeadbeefdeadbeef) == 0xdeadbeefdeadbeef);
}

}  // namespace
}  // namespace strut::test
