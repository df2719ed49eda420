// One x86-64 instruction: its length, its operation, its registers and memory, and its successor. Capstone decides; a
// table of encodings answers for instructions that the installed version does not have (x86/capstone.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

namespace strut {

/// The longest instruction (Intel SDM, volume 2, 2.3.11).
inline constexpr size_t kLongestInstruction = 15;

/// General registers as ModRM and REX number them: rax rcx rdx rbx rsp rbp rsi rdi r8 … r15.
struct Gpr {
  enum Number : uint8_t { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi, kR8, kR9, kR12 = 12, kR14 = 14 };
  static constexpr uint8_t kIp = 16;      ///< as the base of an address
  static constexpr uint8_t kNone = 0xff;  ///< none, or one that is not general
};

/// How the opcode is said (SDM, volume 2, chapter 2; AMD's XOP). The kernel's own decoder goes by this and by opcodes.
enum class Encoding : uint8_t { Legacy, Vex, Evex, Xop };
/// Tables of opcodes: one byte, 0F xx, 0F 38 xx, 0F 3A xx; others as EVEX and XOP number them.
enum class OpcodeMap : uint8_t { One = 0, Two = 1, ThreeE8 = 2, ThreeEA = 3 };

/// Where control goes after an instruction.
enum class Flow : uint8_t {
  Next,
  Jump,          ///< relative
  JumpIf,        ///< relative and conditional: jcc, jrcxz, loop
  Call,          ///< relative
  JumpIndirect,  ///< through a register or memory
  CallIndirect,
  Return,  ///< ret, ret imm16
  Far,     ///< far calls, jumps and returns, iret, sysret, xbegin: not followed
  Trap,    ///< int3, int1, int n
  Stop,    ///< hlt, ud0, ud1, ud2: nothing behind it is reached
};

/// The operations that strut distinguishes; Flow distinguishes branches.
// clang-format off: a table
enum class Operation : uint8_t {
  Other, Nop, EndBranch, Push, Pop, PushFlags, PopFlags, Enter, Leave, Move, LoadAddress,
  Add, Or, AddCarry, SubtractBorrow, And, Subtract, Xor, Compare, Test,
  Compute,  ///< any other that computes one general register, or flags, and can do nothing else: shifts, cmov, movzx …
  JumpIfCountZero, Loop, LoopIfEqual, LoopIfNotEqual, SystemCall, Transaction,
};
// clang-format on

struct Operand {
  enum class Kind : uint8_t { None, Register, Constant, Memory, Other };
  Kind kind = Kind::None;  ///< Memory: at the instruction's address; Other: a vector, a segment …
  uint8_t bytes = 0;
  uint8_t reg = Gpr::kNone;  ///< Register
  int64_t value = 0;         ///< Constant, sign-extended; of a relative branch its target
  bool is_register(uint8_t number) const { return kind == Kind::Register && reg == number; }
};

/// base + index * scale + displacement.
struct MemoryAddress {
  uint8_t base = Gpr::kNone;  ///< a general register or Gpr::kIp, which counts from the instruction's end
  uint8_t index = Gpr::kNone;
  uint8_t scale = 1;
  int64_t displacement = 0;
};

/// Why bytes are no instruction.
enum class Undecodable : uint8_t { Cut, Invalid, TooLong };
std::string_view why(Undecodable reason);

/// Trivial and small: functions are kept as arrays of these.
struct Instruction {
  uint64_t address = 0;
  std::array<Operand, 2> operands;  ///< the first two, in Intel's order: the written one comes first
  MemoryAddress memory;             ///< if has_memory
  uint8_t length = 0;
  Flow flow = Flow::Next;
  Operation operation = Operation::Other;
  Encoding encoding = Encoding::Legacy;
  OpcodeMap map = OpcodeMap::One;
  uint8_t opcode = 0;
  uint8_t modrm = 0;            ///< if has_modrm
  uint8_t rex = 0;              ///< the byte; 0: none
  uint8_t segment = 0;          ///< the last of the prefixes 26 2E 36 3E 64 65; 0: none
  uint8_t displacement_at = 0;  ///< for a %rip-relative address: the place of its four bytes; 0: it has none
  uint16_t mnemonic = 0;        ///< for mnemonic_of(): Capstone's number; 0: it does not know the instruction
  uint16_t may_write = 0;       ///< general registers, a bit each; of a call: those that the instruction itself writes
  bool has_modrm : 1 = false;
  bool has_memory : 1 = false;  ///< it has a memory operand: lea and nop do, too, without an access
  bool lock : 1 = false;
  bool operand_size : 1 = false;     ///< 66
  bool address_size : 1 = false;     ///< 67
  bool repeat : 1 = false;           ///< F2 or F3
  bool repeat_to_equal : 1 = false;  ///< F2, the last of those two
  bool has_vector : 1 = false;       ///< an operand is a register of MMX, SSE, AVX or AVX-512, or a mask of the latter

  uint64_t end() const { return address + length; }
  uint64_t target() const { return static_cast<uint64_t>(operands[0].value); }  ///< for Jump, JumpIf, Call
  bool writes(uint8_t reg) const { return (may_write >> reg & 1) != 0; }
  bool is_rip_relative() const { return displacement_at != 0; }
  uint64_t rip_target() const { return end() + static_cast<uint64_t>(memory.displacement); }
  bool is_legacy(OpcodeMap in, uint8_t code) const {
    return encoding == Encoding::Legacy && map == in && opcode == code;
  }
};

/// The first instruction of `code`, which lies at `address`, in 64-bit mode. Says nothing about the CPU: VEX, EVEX and
/// XOP opcodes that are not known are taken for instructions. A branch with prefix 66 is read as Intel's CPUs do.
std::expected<Instruction, Undecodable> decode(std::span<const std::byte> code, uint64_t address);

/// In Intel's spelling, in small letters, without prefixes: "mov", "je", "cmpxchg", "movsb". Of static life; empty: the
/// installed Capstone does not know the instruction.
std::string_view mnemonic_of(const Instruction& instruction);
/// True for each that mnemonic_of() can return but the empty one.
bool is_mnemonic(std::string_view name);

/// The condition of a jcc as its opcode's low four bits have it; kNoCondition: none (jmp, loop, jrcxz …).
inline constexpr uint8_t kNoCondition = 0xff;
uint8_t condition_of(const Instruction& instruction);

/// The general register that an instruction writes if it does nothing else: it writes no memory, no vector register,
/// does not push or pop, and its operands are surely readable: registers, constants, its module's own memory or, at a
/// distance from %fs, its thread's own. nullopt: it does something else, or is unknown here. Gpr::kNone: it
/// writes flags at most.
std::optional<uint8_t> only_written(const Instruction& instruction);

}  // namespace strut
