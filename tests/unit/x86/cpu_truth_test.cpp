// The registers that instructions of this machine's C library write, according to decode() and to the CPU.
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "symtab/process/process_modules.hpp"
#include "tests/unit/code_bytes.hpp"
#include "tests/unit/x86/hardware_step.hpp"
#include "tests/unit/own_modules.hpp"
#include "tests/unit/x86/hardware_step.hpp"
#include "x86/instruction.hpp"

using namespace strut;
using test::HardwareStep;

namespace {

class Registers {
 public:
  explicit Registers(const HardwareStep& cpu) : cpu_(cpu) {}
  /// All point into the data, at no two the same place, so that most memory operands are there.
  MachineRegisters next() {
    MachineRegisters made;
    for (size_t i = 0; i < made.general.size(); i++)
      made.general[i] = cpu_.data() + HardwareStep::kDataBytes / 2 + i * 1024 + chance_() % 64 * 16;
    made.ip = cpu_.code() + 0x800;
    made.flags = 0x202 | (chance_() & 0x8d5);
    return made;
  }

 private:
  const HardwareStep& cpu_;
  std::mt19937_64 chance_{19};
};

/// Single-steps instructions that go on to the next one and stay in this process.
bool may_be_stepped(const Instruction& i) {
  bool other_segment = i.segment == 0x64 || i.segment == 0x65;
  bool is_privileged = i.map == OpcodeMap::Two && (i.opcode == 0x01 || i.opcode == 0xae || i.opcode == 0xc7);
  bool sets_segment = i.is_legacy(OpcodeMap::One, 0x8e);
  return i.flow == Flow::Next && i.operation != Operation::SystemCall && i.operation != Operation::PopFlags &&
         !other_segment && !is_privileged && !sets_segment && !i.is_rip_relative();
}

uint16_t changed(const MachineRegisters& before, const MachineRegisters& after) {
  uint16_t mask = 0;
  for (unsigned i = 0; i < 16; i++)
    if (before.general[i] != after.general[i]) mask |= static_cast<uint16_t>(1 << i);
  return mask;
}

/// One step; false: it faulted.
bool compare(HardwareStep& cpu, const MachineRegisters& before, std::span<const std::byte> bytes, const Instruction& i,
             uint64_t address) {
  auto after = cpu.step(bytes.first(i.length), before);
  if (after) CHECK_MESSAGE((changed(before, *after) & ~i.may_write) == 0, address);
  return after.has_value();
}

}  // namespace

TEST_CASE("instruction: the registers that it may write are those that the CPU writes") {
  test::OwnModules own;
  const ElfFile& file = own.libc().file->elf();
  const Section* text = file.section(".text");
  REQUIRE(text);
  HardwareStep cpu;
  Registers registers(cpu);
  std::map<uint32_t, int> tries;  // by encoding, map, opcode and the ModRM byte's reg
  size_t stepped = 0;
  auto code = file.contents(*text);
  for (size_t at = 0; at < code.size();) {
    auto instruction = decode(code.subspan(at), cpu.code() + 0x800);
    if (instruction && may_be_stepped(*instruction)) {
      const Instruction& i = *instruction;
      uint32_t kind = static_cast<uint32_t>(i.encoding) << 24 | static_cast<uint32_t>(i.map) << 16 |
                      static_cast<uint32_t>(i.opcode) << 8 | (i.modrm & 0x38u);
      if (tries[kind]++ < 8) stepped += compare(cpu, registers.next(), code.subspan(at), i, text->address + at);
    }
    at += instruction ? instruction->length : 1;
  }
  CHECK(stepped > 1000);
}

TEST_CASE("instruction: the registers that are written without being named") {
  HardwareStep cpu;
  Registers registers(cpu);
  for (std::string_view hex : {"f0 48 0f c7 0f",
                               "f0 0f c7 0f",
                               "0f b1 17",
                               "48 f7 e1",
                               "f6 e1",
                               "48 0f c1 c8",
                               "0f a2",
                               "0f 31",
                               "d7",
                               "ac",
                               "48 ad",
                               "aa",
                               "a4",
                               "f3 48 a5",
                               "f3 a6",
                               "f2 ae",
                               "c9",
                               "c8 10 00 00",
                               "98",
                               "48 99",
                               "9f",
                               "54",
                               "5c",
                               "8f 07",
                               "9c",
                               "48 87 d1",
                               "48 91",
                               "66 0f 3a 61 c1 00",
                               "66 0f 3a 63 c1 00",
                               "f3 0f b8 c1",
                               "66 0f d7 c1"}) {
    auto bytes = test::code(hex);
    auto instruction = decode(bytes, cpu.code() + 0x800);
    REQUIRE_MESSAGE(instruction, hex);
    CHECK_MESSAGE(compare(cpu, registers.next(), bytes, *instruction, 0), hex);
  }
}
