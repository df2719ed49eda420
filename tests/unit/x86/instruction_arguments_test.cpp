#include "x86/instruction_arguments.hpp"

#include <array>
#include <cstddef>

#include <doctest/doctest.h>
#include <sys/user.h>

#include "tests/unit/code_bytes.hpp"
#include "tests/unit/scripted_memory.hpp"

using namespace strut;

namespace {

constexpr size_t kFlags = offsetof(user_regs_struct, eflags) / 8, kCount = offsetof(user_regs_struct, rcx) / 8,
                 kStack = offsetof(user_regs_struct, rsp) / 8, kIp = offsetof(user_regs_struct, rip) / 8,
                 kRbx = offsetof(user_regs_struct, rbx) / 8, kR13 = offsetof(user_regs_struct, r13) / 8;
constexpr uint64_t kAt = 0x1000, kZero = 0x40, kCarry = 1;

/// The arguments of an instruction at kAt, where the thread has these registers.
struct Hit {
  std::array<uint64_t, 27> registers{};
  test::ScriptedMemory memory;

  Hit(uint64_t flags, uint64_t count) {
    registers[kFlags] = flags;
    registers[kCount] = count;
    registers[kIp] = kAt + 0x7000;  // the file lies elsewhere in the process
  }
  std::vector<uint64_t> of(std::string_view hex) {
    auto instruction = decode(test::code(hex), kAt);
    REQUIRE_MESSAGE(instruction, hex);
    std::vector<uint64_t> values;
    for (const SiteOperand& operand : instruction_arguments(*instruction)) {
      SiteValue value = value_of(operand, registers, memory);
      values.push_back(value.is_read ? value.value : ~value.value);
    }
    return values;
  }
};

uint64_t outcome(std::string_view hex, uint64_t flags, uint64_t count = 0) { return Hit(flags, count).of(hex).at(0); }

using Values = std::vector<uint64_t>;

}  // namespace

TEST_CASE("instruction arguments: a condition holds or not") {
  CHECK(outcome("74 10", kZero) == 1);
  CHECK(outcome("74 10", 0) == 0);
  CHECK(outcome("75 10", 0) == 1);
  CHECK(outcome("0f 87 00 00 00 00", kCarry) == 0);  // ja
  CHECK(outcome("0f 87 00 00 00 00", 0) == 1);
  CHECK(outcome("0f 44 c1", kZero) == 1);  // cmove
  CHECK(outcome("0f 45 c1", kZero) == 0);
  CHECK(outcome("0f 92 c0", kCarry) == 1);  // setb
}

TEST_CASE("instruction arguments: loops count before they look") {
  CHECK(outcome("e2 10", 0, 2) == 1);
  CHECK(outcome("e2 10", 0, 1) == 0);
  CHECK(outcome("e2 10", 0, 0) == 1);  // 2^64 times
  CHECK(outcome("e1 10", kZero, 2) == 1);
  CHECK(outcome("e1 10", 0, 2) == 0);
  CHECK(outcome("e1 10", kZero, 1) == 0);
  CHECK(outcome("e0 10", 0, 2) == 1);
  CHECK(outcome("e0 10", kZero, 2) == 0);
  CHECK(outcome("e3 10", 0, 0) == 1);
  CHECK(outcome("e3 10", 0, 1) == 0);
  CHECK(outcome("e3 10", 0, 2) == 0);
}

TEST_CASE("instruction arguments: with 32 bits of a count") {
  constexpr uint64_t kHigh = 0x100000000;
  CHECK(outcome("67 e2 10", 0, kHigh + 1) == 0);
  CHECK(outcome("e2 10", 0, kHigh + 1) == 1);
  CHECK(outcome("67 e3 10", 0, kHigh) == 1);
  CHECK(outcome("e3 10", 0, kHigh) == 0);
}

TEST_CASE("instruction arguments: where branches lead") {
  Hit hit(0, 0);
  hit.registers[kStack] = 0x5000;
  hit.registers[kRbx] = 0x4000;
  hit.registers[kR13] = 2;
  hit.memory.put(0x5000, std::string_view("\x11\x22\0\0\0\0\0\0", 8));
  hit.memory.put(0x4018, std::string_view("\x33\x44\0\0\0\0\0\0", 8));
  hit.memory.put(0x8016, std::string_view("\x55\x66\0\0\0\0\0\0", 8));
  CHECK(hit.of("eb 10") == Values{1, 0x8012});
  CHECK(hit.of("74 f0") == Values{0, 0x7ff2});
  CHECK(hit.of("e8 00 01 00 00") == Values{1, 0x8105});
  CHECK(hit.of("c3") == Values{1, 0x2211});
  CHECK(hit.of("ff d3") == Values{1, 0x4000});
  CHECK(hit.of("42 ff 64 eb 08") == Values{1, 0x4433});                 // jmp *8(%rbx,%r13,8)
  CHECK(hit.of("ff 25 10 00 00 00") == Values{1, 0x6655});              // jmp *0x10(%rip)
  CHECK(hit.of("64 ff 14 25 08 00 00 00") == Values{1, ~uint64_t{0}});  // call *%fs:8: not known
}

TEST_CASE("instruction arguments: others have none") {
  for (const char* hex : {"90", "48 89 e5", "0f 05", "cc", "f4", "c7 f8 00 00 00 00", "c5 f8 44 c0"})
    CHECK_MESSAGE(Hit(0, 0).of(hex).empty(), hex);
}
