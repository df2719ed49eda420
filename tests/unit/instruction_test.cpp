#include <doctest/doctest.h>

#include "pid-provider/instruction.hpp"
#include "tests/unit/code_bytes.hpp"

using namespace strut;
using test::code;

namespace {

Instruction decoded(std::string_view hex, uint64_t address = 0x1000) {
  std::vector<std::byte> bytes = code(hex);
  size_t length = bytes.size();
  bytes.resize(length + 16, std::byte{0xcc});
  auto instruction = decode(bytes, address);
  REQUIRE_MESSAGE(instruction, hex);
  CHECK_MESSAGE(instruction->length == length, hex);
  return *instruction;
}

Undecodable refused(std::string_view hex) {
  auto instruction = decode(code(hex), 0);
  REQUIRE_FALSE_MESSAGE(instruction.has_value(), hex);
  return instruction.error();
}

}  // namespace

TEST_CASE("instruction: lengths of every kind of operand") {
  for (std::string_view hex : {"90",
                               "55",
                               "41 57",
                               "c3",
                               "f3 c3",
                               "c2 08 00",
                               "c8 10 00 00",
                               "6a 00",
                               "68 00 00 00 00",
                               "66 68 00 00",
                               "48 89 e5",
                               "8b 44 24 08",
                               "8b 04 25 00 00 00 00",
                               "48 8d 05 00 00 00 00",
                               "48 b8 00 00 00 00 00 00 00 00",
                               "b8 00 00 00 00",
                               "66 b8 00 00",
                               "48 81 ec 00 01 00 00",
                               "66 81 c0 00 01",
                               "83 ec 08",
                               "f6 c1 01",
                               "f7 c1 01 00 00 00",
                               "f7 d8",
                               "66 f7 c1 01 00",
                               "a1 00 00 00 00 00 00 00 00",
                               "67 a1 00 00 00 00",
                               "69 c0 00 00 00 00",
                               "6b c0 00",
                               "0f 1f 44 00 00",
                               "66 2e 0f 1f 84 00 00 00 00 00",
                               "0f 84 00 00 00 00",
                               "0f ba e0 01",
                               "0f a4 c0 01",
                               "0f 70 c0 00",
                               "66 0f 3a 0f c1 08",
                               "66 0f 38 00 c1",
                               "f2 0f 38 f0 c1",
                               "c5 f8 77",
                               "c5 f9 70 c0 00",
                               "c4 e3 7d 19 c0 01",
                               "c4 e2 79 18 05 00 00 00 00",
                               "62 f1 7c 48 28 05 00 00 00 00",
                               "62 f3 7d 48 03 c0 01",
                               "62 f2 7d 48 18 44 24 01",
                               "f0 0f b1 11",
                               "64 48 8b 04 25 28 00 00 00",
                               "0f 20 c0",
                               "0f 22 00",
                               "c7 f8 00 00 00 00",
                               "c6 f8 00",
                               "9b",
                               "66 0f 1f 84 00 00 00 00 00",
                               "48 0f c7 08"})
    decoded(hex);
}

TEST_CASE("instruction: bytes that are none say why") {
  CHECK(refused("06") == Undecodable::Invalid);
  CHECK(refused("0f 0a") == Undecodable::Invalid);
  CHECK(refused("8d c0") == Undecodable::Invalid);  // lea of a register
  CHECK(refused("66 c5 f8 77") == Undecodable::Invalid);
  CHECK(refused("fe f8") == Undecodable::Invalid);
  CHECK(refused("") == Undecodable::Cut);
  CHECK(refused("48 8d 05 00 00") == Undecodable::Cut);
  CHECK(refused("66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 66") == Undecodable::TooLong);
  CHECK(refused("66 66 66 66 66 66 66 66 66 66 66 66 66 66 89 c0") == Undecodable::TooLong);
}

TEST_CASE("instruction: where control goes") {
  CHECK(decoded("e8 10 00 00 00").flow == Flow::Call);
  CHECK(decoded("e8 10 00 00 00").target() == 0x1015);
  CHECK(decoded("eb fe").target() == 0x1000);
  CHECK(decoded("0f 8f fa ff ff ff").target() == 0x1000);
  CHECK(condition_of(decoded("0f 8f fa ff ff ff")) == 15);
  CHECK(condition_of(decoded("74 00")) == 4);
  CHECK(condition_of(decoded("e3 00")) == kNoCondition);
  CHECK(decoded("e3 00").flow == Flow::JumpIf);
  CHECK(decoded("ff e0").flow == Flow::JumpIndirect);
  CHECK(decoded("3e ff e0").segment == 0x3e);  // notrack
  CHECK(decoded("ff 25 00 00 00 00").flow == Flow::JumpIndirect);
  CHECK(decoded("ff d0").flow == Flow::CallIndirect);
  CHECK(decoded("ff 30").flow == Flow::Next);  // push
  CHECK(decoded("f3 c3").flow == Flow::Return);
  CHECK(decoded("0f 0b").flow == Flow::Stop);
  CHECK(decoded("cc").flow == Flow::Trap);
  CHECK(decoded("0f 05").flow == Flow::Next);
  CHECK(decoded("c5 f9 eb c0").flow == Flow::Next);  // vpor, not a jump
}

TEST_CASE("instruction: parts") {
  Instruction load = decoded("48 8b 05 10 00 00 00");
  CHECK(load.is_rip_relative());
  CHECK(load.rip_target() == 0x1017);
  CHECK(load.displacement_at == 3);
  CHECK(load.wide());
  Instruction with_immediate = decoded("c7 05 10 00 00 00 01 00 00 00");
  CHECK(with_immediate.rip_target() == 0x101a);
  CHECK(with_immediate.immediate_at == 6);
  Instruction extended = decoded("4d 89 c1");  // mov %r8,%r9
  CHECK(extended.reg() == 8);
  CHECK(extended.rm() == 9);
  CHECK(decoded("66 48 90").wide());
  CHECK_FALSE(decoded("48 66 90").wide());  // a REX that is not last says nothing
  CHECK(is_endbr64(decoded("f3 0f 1e fa")));
  CHECK_FALSE(is_endbr64(decoded("f3 0f 1e fb")));
  CHECK(is_nop(decoded("66 90")));
  CHECK_FALSE(is_nop(decoded("49 90")));  // xchg %rax,%r8
  CHECK_FALSE(is_nop(decoded("f3 90")));  // pause
}
