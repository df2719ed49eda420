#include "pid-provider/displacement.hpp"

#include <algorithm>
#include <cstring>

namespace strut {
namespace {

using Operand = DisplacedOperand;
using Operation = Displaced::Operation;
using Way = Displaced::Way;

constexpr unsigned kRax = 0, kRsp = 4;

Operand reg(unsigned number) {
  Operand operand;
  operand.kind = Operand::Kind::Register;
  operand.reg = static_cast<uint8_t>(number);
  return operand;
}
Operand constant(int64_t value) {
  Operand operand;
  operand.kind = Operand::Kind::Constant;
  operand.constant = value;
  return operand;
}
Operand flags() {
  Operand operand;
  operand.kind = Operand::Kind::Flags;
  return operand;
}

/// What ModRM and SIB say of memory (SDM, volume 2, 2.1.5).
Operand memory(const Instruction& i) {
  Operand operand;
  operand.kind = Operand::Kind::Memory;
  operand.constant = i.displacement;
  if (i.is_rip_relative()) {
    operand.base = Operand::kIp;
    operand.constant += i.length;
  } else if (i.has_sib()) {
    unsigned base = (i.sib & 7u) | (i.rex & 1u) << 3, index = (i.sib >> 3 & 7u) | (i.rex & 2u) << 2;
    bool no_base = i.mod() == 0 && (i.sib & 7) == 5;
    if (!no_base) operand.base = static_cast<uint8_t>(base);
    if (index != kRsp) operand.index = static_cast<uint8_t>(index);
    operand.scale = static_cast<uint8_t>(1 << (i.sib >> 6));
  } else {
    operand.base = static_cast<uint8_t>(i.rm());
  }
  return operand;
}

Operand rm(const Instruction& i) { return i.mod() == 3 ? reg(i.rm()) : memory(i); }

Operation arithmetic(unsigned number) {
  static constexpr Operation kOperations[] = {
      Operation::Add, Operation::Or,       Operation::AddCarry, Operation::SubtractBorrow,
      Operation::And, Operation::Subtract, Operation::Xor,      Operation::Compare};
  return kOperations[number & 7];
}

/// Fills in what is emulated; leaves Way::OutOfLine where nothing fits.
class Emulable {
 public:
  Emulable(const Instruction& i, Displaced& made) : i_(i), made_(made) {}

  void fill() {
    bool to_other_segment = i_.has_memory() && (i_.segment == 0x64 || i_.segment == 0x65);
    if (i_.encoding != Encoding::Legacy || i_.lock || to_other_segment) return;
    if (is_nop(i_) || is_endbr64(i_)) return take(Operation::Nothing);
    if (i_.flow != Flow::Next) return fill_branch();
    if (i_.operand_size || i_.rep || i_.repne || i_.map != OpcodeMap::One) return;
    if (i_.address_size && i_.has_memory()) return;
    fill_stack();
    if (made_.way == Way::OutOfLine) fill_move();
    if (made_.way == Way::OutOfLine) fill_arithmetic();
  }

 private:
  void take(Operation operation, Operand to = {}, Operand from = {}) {
    made_.way = Way::Emulate;
    made_.operation = operation;
    made_.to = to;
    made_.from = from;
  }

  void fill_branch() {
    if (i_.address_size && i_.has_memory()) return;
    switch (i_.flow) {
      case Flow::Call: return take(Operation::Call, {}, constant(i_.immediate));
      case Flow::Jump: return take(Operation::Jump, {}, constant(i_.immediate));
      case Flow::CallIndirect: return take(Operation::Call, {}, rm(i_));
      case Flow::JumpIndirect: return take(Operation::Jump, {}, rm(i_));
      case Flow::Return: return take(Operation::Return, {}, constant(i_.opcode == 0xc2 ? i_.immediate & 0xffff : 0));
      case Flow::JumpIf: return fill_conditional();
      default: return;
    }
  }

  void fill_conditional() {
    static constexpr Operation kCounted[] = {Operation::LoopIfNotEqual, Operation::LoopIfEqual, Operation::Loop,
                                             Operation::JumpIfCountZero};
    made_.condition = condition_of(i_);
    made_.count_bytes = i_.address_size ? 4 : 8;
    take(made_.condition == kNoCondition ? kCounted[i_.opcode & 3] : Operation::JumpIf, {}, constant(i_.immediate));
  }

  void fill_stack() {
    unsigned number = (i_.opcode & 7u) | (i_.rex & 1u) << 3;
    if (i_.opcode >> 3 == 0x50 >> 3) take(Operation::Push, {}, reg(number));
    else if (i_.opcode >> 3 == 0x58 >> 3) take(Operation::Pop, reg(number));
    else if (i_.opcode == 0x68 || i_.opcode == 0x6a) take(Operation::Push, {}, constant(i_.immediate));
    else if (i_.opcode == 0xff && i_.extension() == 6) take(Operation::Push, {}, rm(i_));
    else if (i_.opcode == 0x9c) take(Operation::Push, {}, flags());
    else if (i_.opcode == 0x9d) take(Operation::Pop, flags());
    else if (i_.opcode == 0xc9) take(Operation::Leave);
    if (made_.way == Way::Emulate) made_.operand_bytes = 8;
  }

  void fill_move() {
    if (i_.opcode == 0x89) take(Operation::Move, rm(i_), reg(i_.reg()));
    else if (i_.opcode == 0x8b) take(Operation::Move, reg(i_.reg()), rm(i_));
    else if (i_.opcode == 0xc7 && i_.extension() == 0) take(Operation::Move, rm(i_), constant(i_.immediate));
    else if (i_.opcode >> 3 == 0xb8 >> 3)
      take(Operation::Move, reg((i_.opcode & 7u) | (i_.rex & 1u) << 3), constant(i_.immediate));
    else if (i_.opcode == 0x8d) take(Operation::LoadAddress, reg(i_.reg()), memory(i_));
  }

  void fill_arithmetic() {
    Operation by_opcode = arithmetic(i_.opcode >> 3);
    if (i_.opcode < 0x40 && (i_.opcode & 7) == 1) take(by_opcode, rm(i_), reg(i_.reg()));
    else if (i_.opcode < 0x40 && (i_.opcode & 7) == 3) take(by_opcode, reg(i_.reg()), rm(i_));
    else if (i_.opcode < 0x40 && (i_.opcode & 7) == 5) take(by_opcode, reg(kRax), constant(i_.immediate));
    else if (i_.opcode == 0x81 || i_.opcode == 0x83) take(arithmetic(i_.extension()), rm(i_), constant(i_.immediate));
    else if (i_.opcode == 0x85) take(Operation::Test, rm(i_), reg(i_.reg()));
    else if (i_.opcode == 0xa9) take(Operation::Test, reg(kRax), constant(i_.immediate));
    else if (i_.opcode == 0xf7 && i_.extension() < 2) take(Operation::Test, rm(i_), constant(i_.immediate));
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
  made.operand_bytes = instruction.wide() ? 8 : 4;
  if (instruction.is_rip_relative()) made.rip_displacement_at = instruction.displacement_at;
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
