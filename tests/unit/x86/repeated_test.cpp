#include "x86/repeated.hpp"

#include <doctest/doctest.h>

#include "tests/unit/code_bytes.hpp"

using namespace strut;

namespace {

uint8_t of(std::string_view hex) {
  auto instruction = decode(test::code(hex), 0);
  REQUIRE_MESSAGE(instruction, hex);
  return repetition_of(*instruction);
}

}  // namespace

TEST_CASE("repeated: sizes of elements") {
  CHECK(of("f3 a4") == kRepeated);
  CHECK(of("f3 66 a5") == (kRepeated | 1));
  CHECK(of("f3 a5") == (kRepeated | 2));
  CHECK(of("f3 48 ab") == (kRepeated | 3));
  CHECK(of("f3 48 6f") == (kRepeated | 2));  // outs
}

TEST_CASE("repeated: how comparisons end it") {
  CHECK(of("f2 ae") == (kRepeated | kRepeatedScan | kRepeatedToEqual));
  CHECK(of("f3 ae") == (kRepeated | kRepeatedScan));
  CHECK(of("f3 a6") == (kRepeated | kRepeatedCompare));
  CHECK(of("f2 48 a7") == (kRepeated | kRepeatedCompare | kRepeatedToEqual | 3));
  CHECK(of("f2 f3 a6") == (kRepeated | kRepeatedCompare));  // the last prefix counts
}

TEST_CASE("repeated: other instructions are not") {
  for (const char* hex : {"a4", "f3 90", "f3 c3", "f3 0f 1e fa", "f3 0f b8 c1", "f2 0f 10 c1"})
    CHECK_MESSAGE(of(hex) == kNoCondition, hex);
}
