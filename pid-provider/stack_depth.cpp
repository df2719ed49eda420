#include "pid-provider/stack_depth.hpp"

namespace strut {
namespace {

std::optional<int64_t> plus(std::optional<int64_t> depth, int64_t bytes) {
  return depth ? std::optional(*depth + bytes) : std::nullopt;
}

/// Bytes that push and pop forms add; 0: it is neither.
int64_t pushed(const Instruction& i) {
  int64_t word_bytes = i.operand_size ? 2 : 8;
  switch (i.operation) {
    case Operation::Push:
    case Operation::PushFlags: return word_bytes;
    case Operation::Pop:
    case Operation::PopFlags: return -word_bytes;
    default: return 0;
  }
}

/// The depth of an address that is %rsp or %rbp plus a constant.
std::optional<int64_t> depth_of_address(const MemoryAddress& memory, const StackDepth& before) {
  if (memory.index != Gpr::kNone) return std::nullopt;
  if (memory.base == Gpr::kRsp) return plus(before.stack, -memory.displacement);
  if (memory.base == Gpr::kRbp) return plus(before.frame, -memory.displacement);
  return std::nullopt;
}

/// The value of a register after an instruction that writes it, if it is a place on the stack. and, or … are not
/// followed.
std::optional<int64_t> new_depth(const Instruction& i, const StackDepth& before, uint8_t target) {
  const Operand& to = i.operands[0];
  const Operand& from = i.operands[1];
  std::optional<int64_t> own = target == Gpr::kRsp ? before.stack : before.frame;
  if (!to.is_register(target) || to.bytes != 8) return std::nullopt;
  bool is_constant = from.kind == Operand::Kind::Constant;
  if (i.operation == Operation::Subtract && is_constant) return plus(own, from.value);
  if (i.operation == Operation::Add && is_constant) return plus(own, -from.value);
  if (i.operation == Operation::LoadAddress) return depth_of_address(i.memory, before);
  if (i.operation == Operation::Move && from.is_register(Gpr::kRsp)) return before.stack;
  if (i.operation == Operation::Move && from.is_register(Gpr::kRbp)) return before.frame;
  return std::nullopt;
}

}  // namespace

StackDepth depth_after(const Instruction& i, StackDepth before) {
  StackDepth after = before;
  if (int64_t bytes = pushed(i)) {
    after.stack = plus(before.stack, bytes);
    if (i.operation == Operation::Pop && i.operands[0].is_register(Gpr::kRbp)) after.frame.reset();
    if (i.operation == Operation::Pop && i.operands[0].is_register(Gpr::kRsp)) after.stack.reset();
    return after;
  }
  if (i.operation == Operation::Leave) return {plus(before.frame, -8), std::nullopt};
  if (i.operation == Operation::Enter) return {std::nullopt, plus(before.stack, 8)};
  if (i.flow != Flow::Next) return after;
  if (i.writes(Gpr::kRsp)) after.stack = new_depth(i, before, Gpr::kRsp);
  if (i.writes(Gpr::kRbp)) after.frame = new_depth(i, before, Gpr::kRbp);
  return after;
}

StackDepth agreed(const StackDepth& a, const StackDepth& b) {
  auto both = [](std::optional<int64_t> one, std::optional<int64_t> other) {
    return one == other ? one : std::nullopt;
  };
  return {both(a.stack, b.stack), both(a.frame, b.frame)};
}

}  // namespace strut
