#include "pid-provider/jumps_between.hpp"

#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/code_file.hpp"

namespace strut::test {
namespace {

constexpr CodeRange kFunction{0x1100, 0x1120};
constexpr uint64_t kInside = 0x1105, kLast = 0x1108;

/// jmp or je with a 32-bit distance.
std::vector<std::byte> far_jump(bool is_conditional, uint64_t from, uint64_t to) {
  std::vector<std::byte> bytes = code(is_conditional ? "0f 84" : "e9");
  auto distance = static_cast<int32_t>(to - from - bytes.size() - sizeof(int32_t));
  auto* raw = reinterpret_cast<const std::byte*>(&distance);
  bytes.insert(bytes.end(), raw, raw + sizeof distance);
  return bytes;
}

bool is_found(uint64_t at, bool is_conditional, uint64_t to) {
  auto module = CodeFile().function("f", kFunction.begin, 0x20).put(at, far_jump(is_conditional, at, to)).make();
  return JumpsBetween(module->elf()).reach_into(kFunction, kLast);
}

}  // namespace

TEST_CASE("jumps between functions: wherever they stand") {
  for (bool is_conditional : {false, true}) {
    for (uint64_t at = 0x1800; at < 0x1850; at++) {
      CAPTURE(at);
      CHECK(is_found(at, is_conditional, kInside));
      CHECK_FALSE(is_found(at, is_conditional, kFunction.begin));
      CHECK_FALSE(is_found(at, is_conditional, kLast + 1));
    }
    // The last that there can be, before constants.
    for (uint64_t at = CodeFile::kConstants - 40; at <= CodeFile::kConstants - 6; at++) {
      CAPTURE(at);
      CHECK(is_found(at, is_conditional, kInside));
    }
  }
}

}  // namespace strut::test
