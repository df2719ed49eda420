#include "x86/instruction_arguments.hpp"

#include <optional>

#include "x86/instruction_labels.hpp"

namespace strut {
namespace {

using Place = SiteOperand::Place;

SiteOperand condition(uint8_t number) { return {.place = Place::Outcome, .condition = number}; }

/// loop, jrcxz: with prefix 67 they count in %ecx.
SiteOperand counted(const Instruction& i) {
  SiteOperand operand{.place = Place::Outcome, .bytes = static_cast<uint8_t>(i.address_size ? 4 : 8)};
  operand.base = register_place(Gpr::kRcx);
  operand.displacement = i.operation == Operation::JumpIfCountZero ? 0 : 1;
  constexpr uint8_t kEqual = 4, kNotEqual = 5;
  if (i.operation == Operation::LoopIfEqual) operand.condition = kEqual;
  if (i.operation == Operation::LoopIfNotEqual) operand.condition = kNotEqual;
  return operand;
}

/// nullopt: it does not depend on anything.
std::optional<SiteOperand> outcome(const Instruction& i) {
  if (i.flow == Flow::JumpIf) return condition_of(i) != kNoCondition ? condition(condition_of(i)) : counted(i);
  if (is_conditional_move(i) || is_conditional_set(i)) return condition(i.opcode & 15);
  return std::nullopt;
}

/// From the site: it is where %rip is when the probe fires.
SiteOperand address(const Instruction& i, uint64_t of) {
  return {
      .place = Place::Constant, .base = register_place(Gpr::kIp), .displacement = static_cast<int64_t>(of - i.address)};
}

SiteOperand through_memory(const Instruction& i) {
  if (i.segment == 0x64 || i.segment == 0x65 || i.address_size) return {};
  SiteOperand operand{.place = Place::Memory, .scale = i.memory.scale, .displacement = i.memory.displacement};
  if (i.memory.base == Gpr::kIp) operand.displacement += i.length;
  operand.base = register_place(i.memory.base);
  operand.index = register_place(i.memory.index);
  return operand;
}

SiteOperand destination(const Instruction& i) {
  switch (i.flow) {
    case Flow::Jump:
    case Flow::JumpIf:
    case Flow::Call: return address(i, i.target());
    case Flow::Return: return {.place = Place::Memory, .base = register_place(Gpr::kRsp)};
    case Flow::JumpIndirect:
    case Flow::CallIndirect: break;
    default: return {};
  }
  if (i.operands[0].kind == Operand::Kind::Register)
    return {.place = Place::Register, .base = register_place(i.operands[0].reg)};
  return i.operands[0].kind == Operand::Kind::Memory ? through_memory(i) : SiteOperand{};
}

bool is_branch(const Instruction& i) {
  bool goes_on = i.flow == Flow::Next || i.flow == Flow::Trap || i.flow == Flow::Stop;
  return !goes_on && i.operation != Operation::Transaction;
}

}  // namespace

std::vector<SiteOperand> instruction_arguments(const Instruction& i) {
  auto depends = outcome(i);
  if (!is_branch(i)) return depends ? std::vector{*depends} : std::vector<SiteOperand>{};
  constexpr SiteOperand kAlways{.place = Place::Constant, .displacement = 1};
  return {depends.value_or(kAlways), destination(i)};
}

}  // namespace strut
