#include "pid-provider/go_entry.hpp"

namespace strut {

namespace {

constexpr uint8_t kScratch = Gpr::kR12, kGoroutine = Gpr::kR14;

/// cmp 0x10(%r14),REG; 0x18 in code that runs on the system's stack.
bool compares_with_bound(const Instruction& i) {
  const MemoryAddress& bound = i.memory;
  bool is_field = bound.base == kGoroutine && (bound.displacement == 0x10 || bound.displacement == 0x18);
  return i.operation == Operation::Compare && i.has_memory && is_field && i.operands[0].bytes == 8;
}

/// Computes the lowest address of the frame: lea -N(%rsp),%r12, or mov %rsp,%r12 and sub $N,%r12.
bool computes_bound(const Instruction& i) {
  if (!i.operands[0].is_register(kScratch)) return false;
  if (i.operation == Operation::LoadAddress) return true;
  if (i.operation == Operation::Move) return i.operands[1].kind == Operand::Kind::Register;
  return i.operation == Operation::Subtract && i.operands[1].kind == Operand::Kind::Constant;
}

/// Whether this code makes a call and jumps back to the beginning.
bool begins_again(const DecodedFunction& code, uint64_t at) {
  bool has_called = false;
  for (const Instruction* i = code.at(at); i; i = code.at(i->end())) {
    if (i->flow == Flow::Jump) return has_called && i->target() == code.parts[0].begin;
    if (i->flow != Flow::Next && i->flow != Flow::Call) return false;
    has_called = has_called || i->flow == Flow::Call;
  }
  return false;
}

}  // namespace

std::optional<uint64_t> behind_stack_check(const DecodedFunction& code) {
  uint64_t entry = code.parts[0].begin;
  std::optional<uint64_t> behind;
  bool has_compared = false;
  for (const Instruction* i = code.at(entry); i; i = code.at(i->end())) {
    if (i->address != entry && code.is_target(i->address)) break;
    if (i->flow == Flow::JumpIf && begins_again(code, i->target())) {
      // A very large frame may reach below address 0: that is asked first.
      if (has_compared) behind = i->end();
    } else if (compares_with_bound(*i)) {
      has_compared = true;
    } else if (!computes_bound(*i)) {
      break;
    }
  }
  return behind && code.at(*behind) && !code.is_target(*behind) ? behind : std::nullopt;
}

}  // namespace strut
