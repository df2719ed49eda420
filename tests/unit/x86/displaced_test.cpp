// Every class of emulated instruction, with registers and operands by chance (always the same), against the CPU; and
// out-of-line instructions against themselves in place.
#include <random>

#include <doctest/doctest.h>

#include "pid-provider/displacement.hpp"
#include "tests/unit/code_bytes.hpp"
#include "tests/unit/x86/hardware_step.hpp"

using namespace strut;
using test::HardwareStep;

namespace {

constexpr uint64_t kFlagsAlwaysSet = 0x202, kArithmetic = 0x8d5, kAuxiliary = 0x10, kTrap = 0x100;

/// This process's memory, as far as it is the stepper's data.
class OwnMemory : public Memory {
 public:
  explicit OwnMemory(const HardwareStep& cpu) : cpu_(cpu) {}
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    if (!cpu_.is_data(raw(at), out.size())) return {};
    std::memcpy(out.data(), reinterpret_cast<const void*>(raw(at)), out.size());
    return {out.size(), false};
  }
  ReadOutcome read_string(Addr, std::span<char>) override { return {}; }

 private:
  const HardwareStep& cpu_;
};

Displaced displaced_of(std::span<const std::byte> bytes, uint64_t at) {
  auto instruction = decode(bytes, at);
  REQUIRE(instruction);
  return displace(*instruction, bytes);
}

std::string hex(std::span<const std::byte> bytes, size_t length) {
  std::string text;
  char two[4];
  for (size_t i = 0; i < length; i++) {
    std::snprintf(two, sizeof two, "%02x ", static_cast<unsigned>(bytes[i]));
    text += two;
  }
  return text;
}

class Chance {
 public:
  uint64_t number() { return engine_(); }
  size_t below(size_t bound) { return engine_() % bound; }

  /// Registers half of which point into the data.
  MachineRegisters registers(const HardwareStep& cpu) {
    MachineRegisters made;
    for (uint64_t& value : made.general) {
      size_t kind = below(4);
      value = kind < 2    ? cpu.data() + HardwareStep::kDataBytes / 2 + below(256) * 8
              : kind == 2 ? below(64)
                          : number() >> below(64);
    }
    made.general[4] = cpu.data() + HardwareStep::kDataBytes / 2 + below(256) * 8;
    made.ip = cpu.code() + 0x800;
    made.flags = kFlagsAlwaysSet | (number() & kArithmetic);
    return made;
  }

  /// Bytes that begin with an opcode and go on by chance: REX, ModRM with small displacements, immediates.
  std::vector<std::byte> instruction(std::string_view opcode) {
    std::vector<std::byte> bytes = test::code(opcode);
    for (int i = 0; i < 12; i++) bytes.push_back(static_cast<std::byte>(number()));
    if (bytes[0] >= std::byte{0x40} && bytes[0] < std::byte{0x50}) bytes[0] = static_cast<std::byte>(0x40 | below(16));
    return bytes;
  }

 private:
  std::mt19937_64 engine_{20};
};

/// popf must not set flags that break the test itself: alignment checks, the trap flag.
void tame(const std::vector<std::byte>& bytes, const MachineRegisters& before) {
  if (bytes[0] == std::byte{0x9d}) *reinterpret_cast<uint64_t*>(before.general[4]) &= kArithmetic | 0x400;
}

/// Emulates and executes; true if both could be done and were compared.
bool compare(HardwareStep& cpu, const std::vector<std::byte>& bytes, const MachineRegisters& before) {
  Displaced displaced = displaced_of(bytes, before.ip);
  if (displaced.way != Displaced::Way::Emulate) return false;
  OwnMemory memory(cpu);
  tame(bytes, before);
  auto emulated = emulate(displaced, before, memory);
  if (!emulated) return false;
  if (emulated->write && !cpu.is_data(raw(emulated->write->at), 8)) return false;
  uint64_t old = 0;
  if (emulated->write) std::memcpy(&old, reinterpret_cast<void*>(raw(emulated->write->at)), 8);
  auto real = cpu.step({bytes.data(), displaced.length}, before);
  std::string name = hex(bytes, displaced.length);
  REQUIRE_MESSAGE(real, name);
  using Operation = Displaced::Operation;
  bool logical = displaced.operation == Operation::And || displaced.operation == Operation::Or ||
                 displaced.operation == Operation::Xor || displaced.operation == Operation::Test;
  uint64_t undefined = logical ? kAuxiliary : 0;
  CHECK_MESSAGE((real->flags | undefined) == (emulated->after.flags | undefined), name);
  CHECK_MESSAGE(real->general == emulated->after.general, name);
  CHECK_MESSAGE(real->ip == emulated->after.ip, name);
  if (emulated->write) {
    uint64_t now = 0, expected = old;
    std::memcpy(&now, reinterpret_cast<void*>(raw(emulated->write->at)), 8);
    std::memcpy(&expected, &emulated->write->value, emulated->write->bytes);
    bool pushes_flags = displaced.from.kind == DisplacedOperand::Kind::Flags;
    CHECK_MESSAGE((pushes_flags ? now & ~kTrap : now) == expected, name);
  }
  return true;
}

}  // namespace

TEST_CASE("displaced: every class of emulated instruction does what the CPU does") {
  HardwareStep cpu;
  Chance chance;
  for (uint64_t at = cpu.data(); at < cpu.data() + HardwareStep::kDataBytes; at += 8)
    *reinterpret_cast<uint64_t*>(at) = chance.number();
  for (std::string_view opcode : {"50",          "41 57",    "54",
                                  "58",          "41 5c",    "5c",
                                  "68",          "6a",       "ff 34 24",
                                  "40 ff 75",    "9c",       "9d",
                                  "c9",  // the stack
                                  "e8",          "e9",       "eb",
                                  "70",          "71",       "72",
                                  "73",          "74",       "75",
                                  "76",          "77",       "78",
                                  "79",          "7a",       "7b",
                                  "7c",          "7d",       "7e",
                                  "7f",          "0f 84",    "0f 8f",
                                  "e0",          "e1",       "e2",
                                  "e3",          "67 e3",    "67 e2",
                                  "c3",          "f3 c3",    "c2",
                                  "ff d0",       "41 ff e3", "ff 14 24",
                                  "ff 64 24 08", "3e ff e0",  // branches
                                  "90",          "66 90",    "0f 1f 44 00 00",
                                  "f3 0f 1e fa",  // nops
                                  "40 89",       "40 8b",    "40 c7 c0",
                                  "40 c7 45",    "40 b8",    "48 bf",
                                  "40 8d",       "48 8d 05",  // moves, lea
                                  "40 01",       "40 03",    "48 05",
                                  "40 09",       "40 0b",    "0d",
                                  "40 11",       "40 13",    "15",
                                  "40 19",       "40 1b",    "1d",
                                  "40 21",       "40 23",    "25",
                                  "40 29",       "40 2b",    "2d",
                                  "40 31",       "40 33",    "35",
                                  "40 39",       "40 3b",    "3d",
                                  "40 85",       "a9",       "40 f7 c0",
                                  "40 f7 45",    "40 81",    "40 83",
                                  "48 83 ec",    "48 81 ec", "48 83 c4",
                                  "31 c0",       "85 ff"}) {
    size_t compared = 0;
    for (int tries = 0; tries < 3000 && compared < 24; tries++) {
      auto bytes = chance.instruction(opcode);
      if (!decode(bytes, 0)) continue;
      compared += compare(cpu, bytes, chance.registers(cpu));
    }
    CHECK_MESSAGE(compared == 24, opcode);
  }
}

TEST_CASE("displaced: conditions are the CPU's, for all flags") {
  HardwareStep cpu;
  Chance chance;
  for (unsigned condition = 0; condition < 16; condition++)
    for (unsigned bits = 0; bits < 32; bits++) {
      MachineRegisters before = chance.registers(cpu);
      before.flags =
          kFlagsAlwaysSet | (bits & 1) | (bits & 2) << 1 | (bits & 4) << 4 | (bits & 8) << 4 | (bits & 16) << 7;
      std::vector<std::byte> bytes = {static_cast<std::byte>(0x70 | condition), std::byte{0x10}};
      auto real = cpu.step(bytes, before);
      REQUIRE(real);
      CHECK((real->ip == before.ip + 0x12) == condition_holds(static_cast<uint8_t>(condition), before.flags));
    }
}

TEST_CASE("displaced: out of line, an instruction reaches the same memory") {
  HardwareStep cpu;
  Chance chance;
  // Each reads or writes 100 bytes into the data; the displacement is filled in.
  for (std::string_view hex :
       {"80 3d 00 00 00 00 07", "0f b6 05 00 00 00 00", "66 89 05 00 00 00 00", "f0 48 0f c1 15 00 00 00 00",
        "48 0f 45 0d 00 00 00 00", "c6 05 00 00 00 00 2a", "0f b1 15 00 00 00 00", "0f ab 05 00 00 00 00",
        "48 87 15 00 00 00 00", "48 f7 15 00 00 00 00", "0f 94 05 00 00 00 00"}) {
    auto bytes = test::code(hex);
    uint64_t home = cpu.code() + 0x100, slot = cpu.code() + 0x1234;
    auto instruction = decode(bytes, home);
    REQUIRE(instruction);
    REQUIRE(instruction->is_rip_relative());
    auto displacement = static_cast<int32_t>(cpu.data() + 96 - instruction->end());
    std::memcpy(bytes.data() + instruction->displacement_at, &displacement, 4);
    Displaced displaced = displaced_of(bytes, home);
    REQUIRE_MESSAGE(displaced.way == Displaced::Way::OutOfLine, hex);
    MachineRegisters before = chance.registers(cpu);
    auto* cell = reinterpret_cast<uint64_t*>(cpu.data() + 96);
    uint64_t old = chance.number();
    *cell = old;
    before.ip = home;
    auto at_home = cpu.step(bytes, before);
    REQUIRE(at_home);
    uint64_t written = *cell;
    *cell = old;
    auto moved = moved_to(displaced, home, slot);
    REQUIRE(moved);
    before.ip = slot;
    auto in_slot = cpu.step({moved->data(), displaced.length}, before);
    REQUIRE(in_slot);
    CHECK_MESSAGE(brought_home(displaced, home, slot, *in_slot) == *at_home, hex);
    CHECK_MESSAGE(*cell == written, hex);
  }
}

TEST_CASE("displaced: slots too far away, repetitions, system calls") {
  Displaced load = displaced_of(test::code("0f b6 05 00 00 00 00"), 0x1000);
  CHECK_FALSE(moved_to(load, 0x1000, 0x200000000).has_value());
  CHECK(moved_to(load, 0x1000, 0x7000000).has_value());
  Displaced copy = displaced_of(test::code("f3 a4"), 0x1000);
  REQUIRE(copy.way == Displaced::Way::OutOfLine);
  MachineRegisters stepped;
  stepped.ip = 0x9000;  // one of several repetitions is done
  CHECK(brought_home(copy, 0x1000, 0x9000, stepped).ip == 0x1000);
  stepped.ip = 0x9002;
  CHECK(brought_home(copy, 0x1000, 0x9000, stepped).ip == 0x1002);
  stepped.ip = 0x5555;  // a signal's handler, or sigreturn
  CHECK(brought_home(copy, 0x1000, 0x9000, stepped).ip == 0x5555);
  Displaced call = displaced_of(test::code("0f 05"), 0x1000);
  stepped.ip = stepped.general[1] = 0x9002;
  CHECK(brought_home(call, 0x1000, 0x9000, stepped).general[1] == 0x1002);
}

TEST_CASE("displaced: what is refused, and what a bad stack does") {
  for (std::string_view hex :
       {"cc", "cd 80", "cf", "cb", "66 e9 00 00 00 00", "c7 f8 00 00 00 00", "ff 2f", "64 ff 20"})
    CHECK_MESSAGE(displaced_of(test::code(hex), 0x1000).way == Displaced::Way::Refused, hex);
  for (std::string_view hex : {"f0 ff 07", "64 48 8b 04 25 28 00 00 00", "88 07", "66 89 07", "67 8b 07", "49 90",
                               "0f 05", "0f 0b", "c5 f8 77", "f3 a4"})
    CHECK_MESSAGE(displaced_of(test::code(hex), 0x1000).way == Displaced::Way::OutOfLine, hex);
  HardwareStep cpu;
  OwnMemory memory(cpu);
  MachineRegisters nowhere;
  CHECK_FALSE(emulate(displaced_of(test::code("c3"), 0x1000), nowhere, memory).has_value());
  nowhere.general[4] = cpu.data();
  *reinterpret_cast<uint64_t*>(cpu.data()) = 0x1234567812345678;
  CHECK_FALSE(emulate(displaced_of(test::code("c3"), 0x1000), nowhere, memory).has_value());
  CHECK_FALSE(emulate(displaced_of(test::code("8b 07"), 0x1000), nowhere, memory).has_value());
}
