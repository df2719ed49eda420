// Private to x86. The parts of an instruction's bytes, by tables of opcodes: how long it is, and no more of its meaning
// than where control goes.
#pragma once

#include "x86/instruction.hpp"

namespace strut {

/// Offsets count from the first byte; 0: it has no such part.
struct Layout {
  uint8_t length = 0;
  Flow flow = Flow::Next;
  Encoding encoding = Encoding::Legacy;
  uint8_t map = 0;  ///< as OpcodeMap
  uint8_t opcode = 0;
  uint8_t rex = 0;  ///< for VEX, EVEX and XOP: W, R, X and B as a REX byte would have them
  uint8_t segment = 0;
  uint8_t modrm = 0, modrm_at = 0;
  uint8_t sib = 0;  ///< if has_sib()
  uint8_t displacement_at = 0;
  bool lock = false, repeat = false, operand_size = false, address_size = false;
  int32_t displacement = 0;  ///< sign-extended; of EVEX not scaled
  int64_t immediate = 0;     ///< sign-extended; of a relative branch: the distance from its end

  unsigned mod() const { return modrm >> 6; }
  unsigned extension() const { return modrm >> 3 & 7u; }  ///< a part of the opcode, or a register's low bits
  unsigned reg() const { return extension() | (rex & 4u) << 1; }
  unsigned rm() const { return (modrm & 7u) | (rex & 1u) << 3; }
  bool has_memory() const { return modrm_at != 0 && mod() != 3; }
  bool has_sib() const { return has_memory() && (modrm & 7) == 4; }
  bool is_rip_relative() const { return displacement_at != 0 && (modrm & 0xc7) == 5; }
};

std::expected<Layout, Undecodable> layout_of(std::span<const std::byte> code);

}  // namespace strut
