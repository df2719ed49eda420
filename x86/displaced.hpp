// The instruction under a breakpoint, done without lifting it: by the tracer itself, or by the CPU in another place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/memory.hpp"

namespace strut {

/// A thread's registers as far as displaced instructions touch them. General registers are in the order of their
/// numbers in instructions: rax rcx rdx rbx rsp rbp rsi rdi r8 … r15.
struct MachineRegisters {
  std::array<uint64_t, 16> general{};
  uint64_t ip = 0;
  uint64_t flags = 0;
  bool operator==(const MachineRegisters&) const = default;
};

/// An operand of an emulated instruction: a register, a constant, the flags, or memory at base + index * scale +
/// constant.
struct DisplacedOperand {
  enum class Kind : uint8_t { None, Register, Constant, Flags, Memory };
  static constexpr uint8_t kNone = 0xff, kIp = 16;
  Kind kind = Kind::None;
  uint8_t reg = 0;       ///< Register
  uint8_t base = kNone;  ///< Memory: a register, kIp (where the instruction is) or kNone
  uint8_t index = kNone;
  uint8_t scale = 1;
  int64_t constant = 0;  ///< Constant, or of Memory
};

/// Made by pid-provider/ from an instruction's bytes; plain data, so that a backend needs to know no opcodes.
struct Displaced {
  enum class Way : uint8_t {
    Emulate,
    OutOfLine,  ///< the bytes run in a slot, without a single-step
    Refused,    ///< neither: breakpoints of others, far branches, transactions
  };
  // clang-format off: a table
  enum class Operation : uint8_t {
    Nothing, Push, Pop, Call, Jump, JumpIf, JumpIfCountZero, Loop, LoopIfEqual, LoopIfNotEqual, Return, Leave, Move, LoadAddress,
    Add, Or, AddCarry, SubtractBorrow, And, Subtract, Xor, Compare, Test,
  };
  // clang-format on

  Way way = Way::Refused;
  Operation operation = Operation::Nothing;
  uint8_t operand_bytes = 8;  ///< 4 or 8; 4 clears a register's upper half
  uint8_t count_bytes = 8;    ///< for %rcx, for JumpIfCountZero and Loop…
  uint8_t condition = 0;      ///< JumpIf: as the opcode's low four bits have it
  DisplacedOperand to, from;  ///< Call, Jump: from; Return: from is the number of bytes dropped besides the address
  uint8_t length = 0;
  uint8_t rip_displacement_at = 0;  ///< where the four bytes of a displacement from %rip begin; 0: it has none
  bool is_system_call = false;      ///< leaves its own address in %rcx
  std::array<std::byte, 15> bytes{};
};

/// True if a conditional jump, move or set with this condition would act (Intel SDM, volume 1, appendix B).
bool condition_holds(uint8_t condition, uint64_t flags);

struct Emulated {
  struct Write {
    Addr at{};
    uint64_t value = 0;
    uint8_t bytes = 8;
  };
  MachineRegisters after;
  std::optional<Write> write;  ///< to be done before `after` is set; if it fails, nothing has happened yet
};
/// The registers after an instruction of Way::Emulate; `before.ip` is its address. nullopt: memory cannot be read, or
/// its target cannot be code; run it out of line, and the CPU raises the fault that the target would have seen.
std::optional<Emulated> emulate(const Displaced& displaced, const MachineRegisters& before, Memory& memory);

/// The bytes to run at `slot` for an instruction at `home`: its own, with the displacement from %rip adjusted to reach
/// the same memory. nullopt: the slot is too far away (2 GiB).
std::optional<std::array<std::byte, 15>> moved_to(const Displaced& displaced, uint64_t home, uint64_t slot);

/// Registers as they would be had the instruction been run at its home, from those after a step (or a fault, or an
/// interrupted repetition) in the slot. An instruction that is not done yet is at its beginning again: step it once
/// more.
MachineRegisters brought_home(const Displaced& displaced, uint64_t home, uint64_t slot,
                              const MachineRegisters& stepped);

}  // namespace strut
