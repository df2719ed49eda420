// One x86-64 instruction: how long it is, where its parts lie, and where it goes next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace strut {

/// The longest instruction (Intel SDM, volume 2, 2.3.11).
inline constexpr size_t kLongestInstruction = 15;

/// How the opcode is said (SDM, volume 2, chapter 2).
enum class Encoding : uint8_t { Legacy, Vex, Evex };

/// Tables of opcodes: one byte, 0F xx, 0F 38 xx, 0F 3A xx; EVEX has two more (map5 and map6, AVX512-FP16).
enum class OpcodeMap : uint8_t { One = 0, Two = 1, ThreeE8 = 2, ThreeEA = 3, Five = 5, Six = 6 };

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

/// Why bytes are no instruction.
enum class Undecodable : uint8_t { Cut, Invalid, TooLong };
std::string_view why(Undecodable reason);

/// The parts of an instruction. Offsets count from its first byte; 0 means it has no such part. Trivial and small:
/// functions are kept as arrays of these.
struct Instruction {
  uint64_t address = 0;
  uint8_t length = 0;
  Encoding encoding = Encoding::Legacy;
  OpcodeMap map = OpcodeMap::One;
  uint8_t opcode = 0;
  uint8_t rex = 0;      ///< the byte; of VEX and EVEX: W, R, X and B as a REX byte would have them
  uint8_t segment = 0;  ///< the last of the prefixes 26 2E 36 3E 64 65; 0: none
  uint8_t modrm = 0, modrm_at = 0;
  uint8_t sib = 0;  ///< valid if has_sib()
  uint8_t displacement_at = 0, displacement_bytes = 0;
  uint8_t immediate_at = 0, immediate_bytes = 0;
  Flow flow = Flow::Next;
  bool lock : 1 = false;
  bool rep : 1 = false;           ///< F3
  bool repne : 1 = false;         ///< F2
  bool operand_size : 1 = false;  ///< 66
  bool address_size : 1 = false;  ///< 67
  int32_t displacement = 0;       ///< sign-extended; of EVEX not scaled
  int64_t immediate = 0;          ///< sign-extended; of a relative branch: the distance from its end

  uint64_t end() const { return address + length; }
  uint64_t target() const { return end() + static_cast<uint64_t>(immediate); }  ///< of Jump, JumpIf, Call
  bool wide() const { return (rex & 8) != 0; }
  unsigned mod() const { return modrm >> 6; }
  unsigned reg() const { return (modrm >> 3 & 7u) | (rex & 4u) << 1; }  ///< a register's number, or
  unsigned extension() const { return modrm >> 3 & 7u; }                ///< a part of the opcode
  unsigned rm() const { return (modrm & 7u) | (rex & 1u) << 3; }        ///< a register if mod() is 3
  bool has_sib() const { return modrm_at != 0 && mod() != 3 && (modrm & 7) == 4; }
  /// True if it names memory by a ModRM byte (lea and nop do, too, without touching it).
  bool has_memory() const { return modrm_at != 0 && mod() != 3; }
  bool is_rip_relative() const { return modrm_at != 0 && (modrm & 0xc7) == 5; }
  uint64_t rip_target() const { return end() + static_cast<uint64_t>(static_cast<int64_t>(displacement)); }
  bool is_legacy(OpcodeMap in, uint8_t code) const {
    return encoding == Encoding::Legacy && map == in && opcode == code;
  }
};

/// The first instruction of `code`, which lies at `address`, in 64-bit mode. Says nothing about the CPU: opcodes of
/// maps that are still being filled are taken for instructions. A branch with prefix 66 is read as Intel's CPUs do.
std::expected<Instruction, Undecodable> decode(std::span<const std::byte> code, uint64_t address);

bool is_endbr64(const Instruction& instruction);
/// 90 and 0F 1F with any prefixes: what assemblers pad with.
bool is_nop(const Instruction& instruction);
/// The condition of a jcc as its opcode's low four bits have it; nullopt in form of 0xff: none (jmp, loop, jrcxz …).
inline constexpr uint8_t kNoCondition = 0xff;
uint8_t condition_of(const Instruction& instruction);

}  // namespace strut
