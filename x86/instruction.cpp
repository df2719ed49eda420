#include "x86/instruction.hpp"

#include <algorithm>
#include <bit>

namespace strut {
namespace {

/// The thread's own memory at an address from %fs, or the module's own.
bool is_sure_to_be_there(const Instruction& i) {
  constexpr uint8_t kFs = 0x64;
  if (i.is_rip_relative()) return i.segment == 0;
  return i.memory.base == Gpr::kNone && i.memory.index == Gpr::kNone && i.segment == kFs;
}

}  // namespace

std::string_view why(Undecodable reason) {
  switch (reason) {
    case Undecodable::Cut: return "an instruction reaches beyond the end";
    case Undecodable::TooLong: return "an instruction is longer than 15 bytes";
    case Undecodable::Invalid: break;
  }
  return "the bytes are no instruction";
}

uint8_t condition_of(const Instruction& i) {
  bool is_counted = i.opcode >> 4 == 0xe;  // loop, jrcxz
  return i.flow == Flow::JumpIf && !is_counted ? i.opcode & 15 : kNoCondition;
}

std::optional<uint8_t> only_written(const Instruction& i) {
  if (i.operation == Operation::Nop || i.operation == Operation::EndBranch) return Gpr::kNone;
  bool computes = i.operation >= Operation::Move && i.operation <= Operation::Compute;
  if (!computes || i.lock) return std::nullopt;
  auto is_other = [](const Operand& operand) { return operand.kind == Operand::Kind::Other; };
  if (std::ranges::any_of(i.operands, is_other)) return std::nullopt;  // mov of segments, control registers
  bool reads_only = i.operation == Operation::Compare || i.operation == Operation::Test;
  if (i.operands[0].kind == Operand::Kind::Memory && !reads_only) return std::nullopt;
  if (i.has_memory && i.operation != Operation::LoadAddress && !is_sure_to_be_there(i)) return std::nullopt;
  if (std::popcount(i.may_write) > 1) return std::nullopt;
  return i.may_write == 0 ? Gpr::kNone : static_cast<uint8_t>(std::countr_zero(i.may_write));
}

}  // namespace strut
