#include "kassist/dtrace/lowering/assembler.hpp"

#include "base/result.hpp"

namespace strut {

void DAssembler::put(uint8_t code, Register to, Register from, int16_t offset, int32_t value) {
  bpf_insn instruction{};
  instruction.code = code;
  instruction.dst_reg = to & 15;
  instruction.src_reg = from & 15;
  instruction.off = offset;
  instruction.imm = value;
  function_.code.push_back(instruction);
}

void DAssembler::number(Register to, uint64_t value) {
  auto narrow = static_cast<int32_t>(value);
  if (static_cast<uint64_t>(static_cast<int64_t>(narrow)) == value) return move(to, narrow);
  put(BPF_LD | BPF_IMM | BPF_DW, to, 0, 0, narrow);
  put(0, 0, 0, 0, static_cast<int32_t>(value >> 32));
}

void DAssembler::load(uint8_t size, Register to, Register base, size_t offset) {
  CHECK_THAT(offset <= INT16_MAX);
  put(static_cast<uint8_t>(BPF_LDX | BPF_MEM | size), to, base, static_cast<int16_t>(offset), 0);
}
void DAssembler::store(uint8_t size, Register base, size_t offset, Register from) {
  CHECK_THAT(offset <= INT16_MAX);
  put(static_cast<uint8_t>(BPF_STX | BPF_MEM | size), base, from, static_cast<int16_t>(offset), 0);
}
void DAssembler::store(uint8_t size, Register base, size_t offset, int32_t value) {
  CHECK_THAT(offset <= INT16_MAX);
  put(static_cast<uint8_t>(BPF_ST | BPF_MEM | size), base, 0, static_cast<int16_t>(offset), value);
}
void DAssembler::atomic(int32_t op, Register base, size_t offset, Register from) {
  CHECK_THAT(offset <= INT16_MAX);
  put(BPF_STX | BPF_ATOMIC | BPF_DW, base, from, static_cast<int16_t>(offset), op);
}

void DAssembler::map(Register to, int descriptor) {
  put(BPF_LD | BPF_IMM | BPF_DW, to, BPF_PSEUDO_MAP_FD, 0, descriptor);
  put(0, 0, 0, 0, 0);
}
void DAssembler::map_value(Register to, int descriptor, uint32_t offset) {
  put(BPF_LD | BPF_IMM | BPF_DW, to, BPF_PSEUDO_MAP_VALUE, 0, descriptor);
  put(0, 0, 0, 0, static_cast<int32_t>(offset));
}

DAssembler::Label DAssembler::label() {
  labels_.push_back(UINT32_MAX);
  return static_cast<Label>(labels_.size() - 1);
}
void DAssembler::bind(Label label) { labels_[label] = static_cast<uint32_t>(size()); }

void DAssembler::branch(uint8_t code, Register left, Register right, int32_t value, Label to) {
  jumps_.push_back({static_cast<uint32_t>(size()), to});
  put(code, left, right, 0, value);
}

void DAssembler::call(std::string_view name) {
  function_.references.push_back({static_cast<uint32_t>(size()), name});
  put(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

bool DAssembler::finish() {
  for (const Jump& jump : jumps_) {
    CHECK_THAT(labels_[jump.to] != UINT32_MAX);
    int64_t distance = int64_t{labels_[jump.to]} - jump.at - 1;
    if (distance != static_cast<int16_t>(distance)) return false;
    function_.code[jump.at].off = static_cast<int16_t>(distance);
  }
  return true;
}

}  // namespace strut
