#include "x86/displaced.hpp"

#include <bit>
#include <cstring>

namespace strut {
namespace {

constexpr unsigned kRcx = 1, kRsp = 4, kRbp = 5;
// Flags (SDM, volume 1, 3.4.3).
constexpr uint64_t kCarry = 1, kParity = 4, kAuxiliary = 0x10, kZero = 0x40, kSign = 0x80, kOverflow = 0x800;
constexpr uint64_t kArithmetic = kCarry | kParity | kAuxiliary | kZero | kSign | kOverflow;
constexpr uint64_t kNeverPushed = 0x30000;  // RF, VM
constexpr uint64_t kPopped = 0x244dd5;      // the flags that popf may change in user mode

uint64_t mask_of(unsigned bytes) { return bytes >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * bytes) - 1; }

/// One emulation: registers before and after, and its writes.
class Emulation {
 public:
  Emulation(const Displaced& displaced, const MachineRegisters& before, Memory& memory)
      : displaced_(displaced), before_(before), memory_(memory), made_{before, {}} {
    made_.after.ip = before.ip + displaced.length;
  }

  std::optional<Emulated> run() {
    do_operation();
    // Where no user code can be, the branch itself faults, not its target.
    if (!readable_ || made_.after.ip >> 47 != 0) return std::nullopt;
    return made_;
  }

 private:
  uint64_t address_of(const DisplacedOperand& operand) const {
    uint64_t address = static_cast<uint64_t>(operand.constant);
    if (operand.base == DisplacedOperand::kIp) address += before_.ip;
    else if (operand.base != DisplacedOperand::kNone) address += before_.general[operand.base];
    if (operand.index != DisplacedOperand::kNone) address += before_.general[operand.index] * operand.scale;
    return address;
  }

  uint64_t load(uint64_t at, unsigned bytes) {
    uint64_t value = 0;
    if (memory_.read(Addr{at}, {reinterpret_cast<std::byte*>(&value), bytes}).bytes != bytes) readable_ = false;
    return value;
  }

  uint64_t value_of(const DisplacedOperand& operand, unsigned bytes) {
    switch (operand.kind) {
      case DisplacedOperand::Kind::Register: return before_.general[operand.reg] & mask_of(bytes);
      case DisplacedOperand::Kind::Constant: return static_cast<uint64_t>(operand.constant) & mask_of(bytes);
      case DisplacedOperand::Kind::Flags: return before_.flags & ~kNeverPushed;
      case DisplacedOperand::Kind::Memory: return load(address_of(operand), bytes);
      case DisplacedOperand::Kind::None: break;
    }
    return 0;
  }

  void store(const DisplacedOperand& operand, uint64_t value) {
    switch (operand.kind) {
      case DisplacedOperand::Kind::Register:
        made_.after.general[operand.reg] = value & mask_of(displaced_.operand_bytes);
        return;
      case DisplacedOperand::Kind::Flags: made_.after.flags = (before_.flags & ~kPopped) | (value & kPopped); return;
      case DisplacedOperand::Kind::Memory:
        made_.write = Emulated::Write{Addr{address_of(operand)}, value, displaced_.operand_bytes};
        return;
      case DisplacedOperand::Kind::Constant:
      case DisplacedOperand::Kind::None: return;
    }
  }

  void push(uint64_t value) {
    uint64_t& top = made_.after.general[kRsp];
    top -= 8;
    made_.write = Emulated::Write{Addr{top}, value, 8};
  }

  uint64_t pop() {
    uint64_t& top = made_.after.general[kRsp];
    top += 8;
    return load(top - 8, 8);
  }

  void branch() { made_.after.ip += static_cast<uint64_t>(displaced_.from.constant); }

  /// Relative targets are constants that count from the next instruction.
  uint64_t target() {
    if (displaced_.from.kind == DisplacedOperand::Kind::Constant)
      return made_.after.ip + static_cast<uint64_t>(displaced_.from.constant);
    return value_of(displaced_.from, 8);
  }

  void do_operation() {
    switch (displaced_.operation) {
      case Displaced::Operation::Nothing: return;
      case Displaced::Operation::Push: push(value_of(displaced_.from, 8)); return;
      case Displaced::Operation::Pop: do_pop(); return;
      case Displaced::Operation::Call: do_call(); return;
      case Displaced::Operation::Jump: made_.after.ip = target(); return;
      case Displaced::Operation::JumpIf:
        if (condition_holds(displaced_.condition, before_.flags)) branch();
        return;
      case Displaced::Operation::JumpIfCountZero:
        if ((before_.general[kRcx] & mask_of(displaced_.count_bytes)) == 0) branch();
        return;
      case Displaced::Operation::Loop:
      case Displaced::Operation::LoopIfEqual:
      case Displaced::Operation::LoopIfNotEqual: do_loop(); return;
      case Displaced::Operation::Return: do_return(); return;
      case Displaced::Operation::Leave: do_leave(); return;
      case Displaced::Operation::Move:
        store(displaced_.to, value_of(displaced_.from, displaced_.operand_bytes));
        return;
      case Displaced::Operation::LoadAddress: store(displaced_.to, address_of(displaced_.from)); return;
      default: do_arithmetic(); return;
    }
  }

  /// pop %rsp leaves the popped value.
  void do_pop() {
    uint64_t value = pop();
    store(displaced_.to, value);
  }

  void do_call() {
    uint64_t to = target();
    push(before_.ip + displaced_.length);
    made_.after.ip = to;
  }

  void do_return() {
    made_.after.ip = pop();
    made_.after.general[kRsp] += static_cast<uint64_t>(displaced_.from.constant);
  }

  void do_leave() {
    made_.after.general[kRsp] = before_.general[kRbp];
    made_.after.general[kRbp] = pop();
  }

  void do_loop() {
    uint64_t count = (before_.general[kRcx] - 1) & mask_of(displaced_.count_bytes);
    made_.after.general[kRcx] = count;
    bool zero = (before_.flags & kZero) != 0;
    bool goes = count != 0;
    if (displaced_.operation == Displaced::Operation::LoopIfEqual) goes = goes && zero;
    if (displaced_.operation == Displaced::Operation::LoopIfNotEqual) goes = goes && !zero;
    if (goes) branch();
  }

  void do_arithmetic() {
    unsigned bytes = displaced_.operand_bytes;
    uint64_t a = value_of(displaced_.to, bytes), b = value_of(displaced_.from, bytes);
    uint64_t result = 0;
    switch (displaced_.operation) {
      case Displaced::Operation::Add: result = add(a, b, 0); break;
      case Displaced::Operation::AddCarry: result = add(a, b, before_.flags & kCarry); break;
      case Displaced::Operation::Subtract:
      case Displaced::Operation::Compare: result = subtract(a, b, 0); break;
      case Displaced::Operation::SubtractBorrow: result = subtract(a, b, before_.flags & kCarry); break;
      case Displaced::Operation::Or: result = logical(a | b); break;
      case Displaced::Operation::Xor: result = logical(a ^ b); break;
      default: result = logical(a & b); break;
    }
    if (displaced_.operation != Displaced::Operation::Compare && displaced_.operation != Displaced::Operation::Test)
      store(displaced_.to, result);
  }

  uint64_t sign_bit() const { return uint64_t{1} << (8 * displaced_.operand_bytes - 1); }

  uint64_t set_flags(uint64_t result, uint64_t others) {
    uint64_t flags = others;
    if (result == 0) flags |= kZero;
    if (result & sign_bit()) flags |= kSign;
    if (std::popcount(result & 0xff) % 2 == 0) flags |= kParity;
    made_.after.flags = (before_.flags & ~kArithmetic) | flags;
    return result;
  }
  uint64_t logical(uint64_t result) { return set_flags(result, 0); }

  /// The carries out of each bit follow from a + b and its parts (Warren, Hacker's Delight, 2-13).
  uint64_t add(uint64_t a, uint64_t b, uint64_t carry) {
    uint64_t result = (a + b + carry) & mask_of(displaced_.operand_bytes);
    uint64_t carries = (a & b) | ((a | b) & ~result);
    uint64_t overflow = (a ^ result) & (b ^ result);
    return set_flags(result, others(carries, overflow, a ^ b ^ result));
  }
  uint64_t subtract(uint64_t a, uint64_t b, uint64_t borrow) {
    uint64_t result = (a - b - borrow) & mask_of(displaced_.operand_bytes);
    uint64_t borrows = (~a & b) | ((~a | b) & result);
    uint64_t overflow = (a ^ b) & (a ^ result);
    return set_flags(result, others(borrows, overflow, a ^ b ^ result));
  }
  uint64_t others(uint64_t carries, uint64_t overflow, uint64_t differing) const {
    return (carries & sign_bit() ? kCarry : 0) | (overflow & sign_bit() ? kOverflow : 0) |
           (differing & 0x10 ? kAuxiliary : 0);
  }

  const Displaced& displaced_;
  const MachineRegisters& before_;
  Memory& memory_;
  Emulated made_;
  bool readable_ = true;
};

}  // namespace

bool condition_holds(uint8_t condition, uint64_t flags) {
  bool carry = flags & kCarry, zero = flags & kZero, sign = flags & kSign, overflow = flags & kOverflow;
  bool holds = false;
  switch (condition >> 1) {
    case 0: holds = overflow; break;
    case 1: holds = carry; break;
    case 2: holds = zero; break;
    case 3: holds = carry || zero; break;
    case 4: holds = sign; break;
    case 5: holds = (flags & kParity) != 0; break;
    case 6: holds = sign != overflow; break;
    default: holds = zero || sign != overflow; break;
  }
  return holds != ((condition & 1) != 0);
}

std::optional<Emulated> emulate(const Displaced& displaced, const MachineRegisters& before, Memory& memory) {
  return Emulation(displaced, before, memory).run();
}

std::optional<std::array<std::byte, 15>> moved_to(const Displaced& displaced, uint64_t home, uint64_t slot) {
  auto bytes = displaced.bytes;
  if (displaced.rip_displacement_at == 0) return bytes;
  int32_t displacement;
  std::memcpy(&displacement, bytes.data() + displaced.rip_displacement_at, sizeof displacement);
  auto distance = static_cast<int64_t>(home - slot);
  int64_t wanted;
  if (__builtin_add_overflow(distance, int64_t{displacement}, &wanted) || wanted != static_cast<int32_t>(wanted))
    return std::nullopt;
  displacement = static_cast<int32_t>(wanted);
  std::memcpy(bytes.data() + displaced.rip_displacement_at, &displacement, sizeof displacement);
  return bytes;
}

MachineRegisters brought_home(const Displaced& displaced, uint64_t home, uint64_t slot,
                              const MachineRegisters& stepped) {
  MachineRegisters registers = stepped;
  if (stepped.ip - slot <= displaced.length) registers.ip = home + (stepped.ip - slot);
  if (displaced.is_system_call && stepped.general[kRcx] == slot + displaced.length)
    registers.general[kRcx] = home + displaced.length;
  return registers;
}

}  // namespace strut
