#include <doctest/doctest.h>

#include "tests/unit/code_bytes.hpp"
#include "x86/instruction.hpp"

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
                               "48 0f c7 08",
                               "67 0f b9 40 0c",  // ud1 as clang traps with it
                               "0f ff c0"})
    decoded(hex);
}

TEST_CASE("instruction: what Capstone 4.0.2 does not know, and what processors of AMD and VIA alone have") {
  for (std::string_view hex : {"8f e9 78 90 c1",                 // vprotb
                               "8f e8 78 c2 c1 05",              // vprotd $5
                               "8f e8 78 c3 05 00 00 00 00 05",  // vprotq $5, from the module's memory
                               "8f ea 78 10 c1 00 00 00 00",     // bextr
                               "f3 0f a7 c8",                    // xcryptecb
                               "0f a7 c0",                       // xstore
                               "f3 0f a6 c8",                    // xsha1
                               "0f 01 ee",                       // rdpkru
                               "0f 01 ef",                       // wrpkru
                               "f3 48 0f 1e c8",                 // rdssp
                               "62 f3 7d 48 25 c1 ff",           // vpternlogd
                               "62 f1 7d 40 74 05 00 00 00 00",  // vpcmpeqb
                               "62 f2 7d 48 13 c1",              // vcvtph2ps
                               "62 f5 7c 48 58 c1",              // vaddph
                               "c4 e1 f8 98 c0",                 // kortestq
                               "c4 e1 fb 93 c1",                 // kmovq
                               "0f 0f c1 9e"})                   // pfadd
    CHECK_MESSAGE(decoded(hex).flow == Flow::Next, hex);
  Instruction rotate = decoded("8f e8 78 c3 05 00 00 00 00 05");
  CHECK(rotate.encoding == Encoding::Xop);
  CHECK(rotate.opcode == 0xc3);
  CHECK(rotate.displacement_at == 5);
  CHECK(rotate.rip_target() == 0x100a);
  CHECK(decoded("62 f1 7d 40 74 05 00 00 00 00").displacement_at == 6);
  CHECK(decoded("62 f3 7d 48 25 c1 ff").may_write == 0);
  CHECK(decoded("c4 e1 fb 93 c1").may_write == 1 << Gpr::kRax);
  CHECK(decoded("67 0f b9 40 0c").flow == Flow::Stop);
}

TEST_CASE("instruction: bytes that are none say why") {
  CHECK(refused("06") == Undecodable::Invalid);
  CHECK(refused("0f 0a") == Undecodable::Invalid);
  CHECK(refused("8d c0") == Undecodable::Invalid);  // lea of a register
  CHECK(refused("fe f8") == Undecodable::Invalid);
  CHECK(refused("f0 89 c8") == Undecodable::Invalid);  // lock of an instruction that cannot be locked
  CHECK(refused("8e f0") == Undecodable::Invalid);     // there is no such segment
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
  CHECK(load.operation == Operation::Move);
  CHECK(load.operands[0].is_register(Gpr::kRax));
  CHECK(load.operands[0].bytes == 8);
  CHECK(load.operands[1].kind == Operand::Kind::Memory);
  CHECK(load.memory.base == Gpr::kIp);
  Instruction with_immediate = decoded("c7 05 10 00 00 00 ff ff ff ff");
  CHECK(with_immediate.rip_target() == 0x101a);
  CHECK(with_immediate.operands[1].kind == Operand::Kind::Constant);
  Instruction extended = decoded("4d 89 c1");  // mov %r8,%r9
  CHECK(extended.operands[0].is_register(Gpr::kR9));
  CHECK(extended.operands[1].is_register(Gpr::kR8));
  Instruction indexed = decoded("42 8b 44 a5 08");  // mov 0x8(%rbp,%r12,4),%eax
  CHECK(indexed.memory.base == Gpr::kRbp);
  CHECK(indexed.memory.index == Gpr::kR12);
  CHECK(indexed.memory.scale == 4);
  CHECK(indexed.memory.displacement == 8);
  CHECK(decoded("66 48 90").rex == 0x48);
  CHECK(decoded("48 66 90").rex == 0);  // a REX that is not last says nothing
  CHECK(decoded("48 66 90").operand_size);
  CHECK(decoded("f3 0f 1e fa").operation == Operation::EndBranch);
  CHECK(decoded("f3 0f 1e fa").opcode == 0x1e);
  CHECK(decoded("f3 0f 1e fb").operation != Operation::EndBranch);
  CHECK(decoded("66 90").operation == Operation::Nop);
  CHECK(decoded("49 90").operation != Operation::Nop);  // xchg %rax,%r8
  CHECK(decoded("f3 90").operation != Operation::Nop);  // pause
  CHECK(decoded("f0 0f b1 11").lock);
}

TEST_CASE("instruction: what does nothing but write one register") {
  CHECK(only_written(decoded("48 89 e5")) == Gpr::kRbp);
  CHECK(only_written(decoded("48 8d 44 24 08")) == Gpr::kRax);
  CHECK(only_written(decoded("0f 44 c8")) == Gpr::kRcx);
  CHECK(only_written(decoded("b4 01")) == Gpr::kRax);  // mov $1,%ah
  CHECK(only_written(decoded("48 8b 05 10 00 00 00")) == Gpr::kRax);
  CHECK(only_written(decoded("64 48 8b 04 25 28 00 00 00")) == Gpr::kRax);
  CHECK(only_written(decoded("a8 01")) == Gpr::kNone);  // test
  CHECK(only_written(decoded("0f 1f 00")) == Gpr::kNone);
  for (std::string_view hex : {"8b 07", "89 07", "55", "f7 e1", "87 c8", "0f a2", "8e d8", "c5 f8 77", "f0 83 00 01",
                               "c3", "64 8b 00", "83 05 00 00 00 00 01"})
    CHECK_MESSAGE(only_written(decoded(hex)) == std::nullopt, hex);
}
