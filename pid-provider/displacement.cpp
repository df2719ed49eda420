#include "pid-provider/displacement.hpp"

#include <algorithm>
#include <cstring>

namespace strut {
namespace {

using MovedOperand = DisplacedOperand;
using Action = Displaced::Operation;
using Way = Displaced::Way;

static_assert(DisplacedOperand::kIp == Gpr::kIp && DisplacedOperand::kNone == Gpr::kNone);

MovedOperand constant(int64_t value) {
  MovedOperand operand;
  operand.kind = MovedOperand::Kind::Constant;
  operand.constant = value;
  return operand;
}
MovedOperand flags() {
  MovedOperand operand;
  operand.kind = MovedOperand::Kind::Flags;
  return operand;
}

/// Memory that counts from %rip does so from the instruction's end.
MovedOperand memory(const Instruction& i) {
  MovedOperand operand;
  operand.kind = MovedOperand::Kind::Memory;
  operand.base = i.memory.base;
  operand.index = i.memory.index;
  operand.scale = i.memory.scale;
  operand.constant = i.memory.displacement + (i.is_rip_relative() ? i.length : 0);
  return operand;
}

/// Kind::None: it is emulated for no operand of this kind.
MovedOperand operand_of(const Instruction& i, size_t number) {
  const Operand& from = i.operands[number];
  MovedOperand made;
  switch (from.kind) {
    case Operand::Kind::Constant: return constant(from.value);
    case Operand::Kind::Memory: return memory(i);
    case Operand::Kind::Register:
      made.kind = MovedOperand::Kind::Register;
      made.reg = from.reg;
      return made;
    case Operand::Kind::None:
    case Operand::Kind::Other: break;
  }
  return made;
}

/// Instructions with two operands, by Capstone's operation.
Action with_two_operands(Operation operation) {
  switch (operation) {
    case Operation::Move: return Action::Move;
    case Operation::LoadAddress: return Action::LoadAddress;
    case Operation::Add: return Action::Add;
    case Operation::Or: return Action::Or;
    case Operation::AddCarry: return Action::AddCarry;
    case Operation::SubtractBorrow: return Action::SubtractBorrow;
    case Operation::And: return Action::And;
    case Operation::Subtract: return Action::Subtract;
    case Operation::Xor: return Action::Xor;
    case Operation::Compare: return Action::Compare;
    case Operation::Test: return Action::Test;
    default: return Action::Nothing;
  }
}

/// Fills in the emulation; leaves Way::OutOfLine where none fits.
class Emulable {
 public:
  Emulable(const Instruction& i, Displaced& made) : i_(i), made_(made) {}

  void fill() {
    bool to_other_segment = i_.has_memory && (i_.segment == 0x64 || i_.segment == 0x65);
    if (i_.lock || to_other_segment) return;
    bool does_nothing = i_.operation == Operation::Nop || i_.operation == Operation::EndBranch;
    if (does_nothing) return take(Action::Nothing);
    if (i_.address_size && i_.has_memory) return;
    if (i_.flow != Flow::Next) return fill_branch();
    if (i_.operand_size || i_.repeat) return;
    fill_stack();
    if (made_.way == Way::OutOfLine) fill_two_operands();
  }

 private:
  void take(Action operation, MovedOperand to = {}, MovedOperand from = {}) {
    made_.way = Way::Emulate;
    made_.operation = operation;
    made_.to = to;
    made_.from = from;
  }

  void fill_branch() {
    auto distance = constant(static_cast<int64_t>(i_.target() - i_.end()));
    bool drops = i_.operands[0].kind == Operand::Kind::Constant;
    switch (i_.flow) {
      case Flow::Call: return take(Action::Call, {}, distance);
      case Flow::Jump: return take(Action::Jump, {}, distance);
      case Flow::CallIndirect: return take(Action::Call, {}, operand_of(i_, 0));
      case Flow::JumpIndirect: return take(Action::Jump, {}, operand_of(i_, 0));
      case Flow::Return: return take(Action::Return, {}, constant(drops ? i_.operands[0].value & 0xffff : 0));
      case Flow::JumpIf: return fill_conditional(distance);
      default: return;
    }
  }

  void fill_conditional(const MovedOperand& distance) {
    made_.condition = condition_of(i_);
    made_.count_bytes = i_.address_size ? 4 : 8;
    switch (i_.operation) {
      case Operation::LoopIfNotEqual: return take(Action::LoopIfNotEqual, {}, distance);
      case Operation::LoopIfEqual: return take(Action::LoopIfEqual, {}, distance);
      case Operation::Loop: return take(Action::Loop, {}, distance);
      case Operation::JumpIfCountZero: return take(Action::JumpIfCountZero, {}, distance);
      default: return take(Action::JumpIf, {}, distance);
    }
  }

  void fill_stack() {
    MovedOperand operand = operand_of(i_, 0);
    bool is_segment = operand.kind == MovedOperand::Kind::None;
    switch (i_.operation) {
      case Operation::Push:
        if (!is_segment) take(Action::Push, {}, operand);
        break;
      case Operation::Pop:
        if (operand.kind == MovedOperand::Kind::Register) take(Action::Pop, operand);
        break;
      case Operation::PushFlags: take(Action::Push, {}, flags()); break;
      case Operation::PopFlags: take(Action::Pop, flags()); break;
      case Operation::Leave: take(Action::Leave); break;
      default: return;
    }
    made_.operand_bytes = 8;
  }

  void fill_two_operands() {
    Action operation = with_two_operands(i_.operation);
    uint8_t bytes = i_.operands[0].bytes;
    MovedOperand to = operand_of(i_, 0), from = operand_of(i_, 1);
    bool has_both = to.kind != MovedOperand::Kind::None && from.kind != MovedOperand::Kind::None;
    if (operation == Action::Nothing || (bytes != 4 && bytes != 8) || !has_both) return;
    made_.operand_bytes = bytes;
    take(operation, to, from);
  }

  const Instruction& i_;
  Displaced& made_;
};

/// Relative branches with prefix 66 are read differently by different CPUs; far ones and traps are others' business.
bool is_refused(const Instruction& i) {
  bool relative = i.flow == Flow::Jump || i.flow == Flow::JumpIf || i.flow == Flow::Call;
  bool indirect = i.flow == Flow::JumpIndirect || i.flow == Flow::CallIndirect || i.flow == Flow::Return;
  return i.flow == Flow::Far || i.flow == Flow::Trap || ((relative || indirect) && i.operand_size);
}

}  // namespace

Displaced displace(const Instruction& instruction, std::span<const std::byte> code) {
  Displaced made;
  made.length = instruction.length;
  std::memcpy(made.bytes.data(), code.data(), std::min<size_t>(instruction.length, code.size()));
  if (is_refused(instruction)) return made;
  made.way = Way::OutOfLine;
  made.rip_displacement_at = instruction.displacement_at;
  made.is_system_call = instruction.is_legacy(OpcodeMap::Two, 0x05);
  Emulable(instruction, made).fill();
  // A branch that is not emulated would be taken from the slot.
  bool is_branch = instruction.flow != Flow::Next && instruction.flow != Flow::Stop;
  if (made.way == Way::OutOfLine && is_branch) made.way = Way::Refused;
  return made;
}

Displaced displaced_at(const ElfFile& file, uint64_t file_offset) {
  auto address = file.address_of_offset(file_offset);
  if (!address) return {};
  auto code = file.at_address(*address);
  auto instruction = decode(code.first(std::min(code.size(), kLongestInstruction)), *address);
  return instruction ? displace(*instruction, code) : Displaced{};
}

}  // namespace strut
