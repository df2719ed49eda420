#include "x86/repeated.hpp"

namespace strut {
namespace {

uint8_t logarithm_of_bytes(const Instruction& i) {
  bool is_byte = (i.opcode & 1) == 0, is_input = i.opcode >> 4 == 6;  // ins and outs have 4 bytes at most
  if (is_byte) return 0;
  if ((i.rex & 8) != 0 && !is_input) return 3;
  return i.operand_size ? 1 : 2;
}

}  // namespace

bool is_string(const Instruction& i) {
  if (i.encoding != Encoding::Legacy || i.map != OpcodeMap::One) return false;
  return (i.opcode >= 0x6c && i.opcode <= 0x6f) || (i.opcode >= 0xa4 && i.opcode <= 0xa7) ||
         (i.opcode >= 0xaa && i.opcode <= 0xaf);
}

uint8_t repetition_of(const Instruction& i) {
  if (!i.repeat || !is_string(i)) return kNoCondition;
  uint8_t bits = kRepeated | logarithm_of_bytes(i);
  if (i.opcode >> 1 == 0xa6 >> 1) bits |= kRepeatedCompare;
  if (i.opcode >> 1 == 0xae >> 1) bits |= kRepeatedScan;
  if (i.repeat_to_equal) bits |= kRepeatedToEqual;
  return bits;
}

}  // namespace strut
