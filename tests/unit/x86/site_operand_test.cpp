#include "x86/site_operand.hpp"

#include <array>
#include <cstddef>

#include <doctest/doctest.h>
#include <sys/user.h>

#include "tests/unit/scripted_memory.hpp"

using namespace strut;
using Place = SiteOperand::Place;

namespace {

constexpr uint8_t kRbx = offsetof(user_regs_struct, rbx) / 8, kRcx = offsetof(user_regs_struct, rcx) / 8,
                  kRip = offsetof(user_regs_struct, rip) / 8;

struct Hit {
  std::array<uint64_t, 27> registers{};
  test::ScriptedMemory memory;

  Hit() {
    registers[kRbx] = 0x1122334487654321;
    registers[kRcx] = 0x1000;
    registers[kRip] = 0x400000;
    memory.put(0x1010, "\xfe\xff\xff\xff\x01\x02\x03\x04");
  }
  SiteValue operator()(const SiteOperand& operand) { return value_of(operand, registers, memory); }
};

}  // namespace

TEST_CASE("site operand: registers by all of their names") {
  CHECK(register_named("rbx")->place == kRbx);
  CHECK(register_named("ebx")->bytes == 4);
  CHECK(register_named("bx")->bytes == 2);
  CHECK(register_named("bl")->bytes == 1);
  CHECK(register_named("bh")->skip == 1);
  CHECK(register_named("r10d")->place == offsetof(user_regs_struct, r10) / 8);
  CHECK(register_named("sil")->place == offsetof(user_regs_struct, rsi) / 8);
  CHECK(register_named("rip")->place == kRip);
  for (const char* name : {"", "xmm0", "fs:8", "st", "r16"}) CHECK_FALSE(register_named(name));
}

TEST_CASE("site operand: a register's part, by size and sign") {
  Hit hit;
  CHECK(hit({.place = Place::Register, .bytes = 4, .is_signed = true, .base = kRbx}).value == 0xffffffff87654321);
  CHECK(hit({.place = Place::Register, .bytes = 4, .base = kRbx}).value == 0x87654321);
  CHECK(hit({.place = Place::Register, .bytes = 1, .skip = 1, .base = kRbx}).value == 0x43);
  CHECK(hit({.place = Place::Register, .bytes = 8, .base = kRbx}).value == 0x1122334487654321);
}

TEST_CASE("site operand: memory by base, index and distance") {
  Hit hit;
  CHECK(hit({.place = Place::Memory, .bytes = 4, .is_signed = true, .base = kRcx, .displacement = 16}).value ==
        uint64_t{0} - 2);
  CHECK(hit({.place = Place::Memory, .bytes = 2, .base = kRcx, .index = kRcx, .scale = 1, .displacement = 20 - 0x1000})
            .value == 0x0201);
  SiteValue unread = hit({.place = Place::Memory, .bytes = 8, .base = kRcx, .displacement = 20});
  CHECK_FALSE(unread.is_read);
  CHECK(unread.value == 0x1014);
}

TEST_CASE("site operand: constants, addresses of the file, and operands that are unknown") {
  Hit hit;
  CHECK(hit({.place = Place::Constant, .bytes = 4, .is_signed = true, .displacement = -7}).value == uint64_t{0} - 7);
  CHECK(hit({.place = Place::Constant, .bytes = 2, .displacement = -1}).value == 0xffff);
  CHECK(hit({.place = Place::Constant, .bytes = 8, .base = kRip, .displacement = 0x20}).value == 0x400020);
  CHECK_FALSE(hit({}).is_read);
}
