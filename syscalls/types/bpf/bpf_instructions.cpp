#include "syscalls/types/bpf/bpf_instructions.hpp"

#include <cstring>

#include "syscalls/decoder.hpp"
#include "syscalls/types/bpf/bpf_code.hpp"
#include "syscalls/types/bpf/bpf_constants.hpp"

namespace strut {

Value show_bpf_instruction(Decoder& decoder, std::string_view bytes) {
  struct {
    uint8_t code, registers;  // the destination in the low half
    int16_t offset;
    uint32_t immediate;
  } instruction;
  std::memcpy(&instruction, bytes.data(), sizeof instruction);
  FieldValue fields[] = {
      {"code", bpf_code(decoder, instruction.code, BpfDialect::Extended)},
      {"dst_reg", Decoder::named(instruction.registers & 0xf, kBpfRegisters, 1)},
      {"src_reg", Decoder::named(instruction.registers >> 4, kBpfRegisters, 1)},
      {"off", Decoder::number(static_cast<uint64_t>(int64_t{instruction.offset}), Show::Signed, 2)},
      {"imm", Decoder::number(instruction.immediate, Show::Hex, 4)},
  };
  return decoder.fields(fields);
}

}  // namespace strut
