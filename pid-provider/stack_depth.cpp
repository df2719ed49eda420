#include "pid-provider/stack_depth.hpp"

namespace strut {
namespace {

constexpr unsigned kRsp = 4, kRbp = 5;

std::optional<int64_t> plus(std::optional<int64_t> depth, int64_t bytes) {
  return depth ? std::optional(*depth + bytes) : std::nullopt;
}

int64_t word_bytes(const Instruction& i) { return i.operand_size ? 2 : 8; }

/// Bytes that push and pop forms add; 0: it is neither.
int64_t pushed(const Instruction& i) {
  if (i.encoding != Encoding::Legacy) return 0;
  if (i.map == OpcodeMap::Two && (i.opcode == 0xa0 || i.opcode == 0xa8)) return word_bytes(i);
  if (i.map == OpcodeMap::Two && (i.opcode == 0xa1 || i.opcode == 0xa9)) return -word_bytes(i);
  if (i.map != OpcodeMap::One) return 0;
  if (i.opcode >> 3 == 0x50 >> 3 || i.opcode == 0x68 || i.opcode == 0x6a || i.opcode == 0x9c) return word_bytes(i);
  if (i.opcode >> 3 == 0x58 >> 3 || i.opcode == 0x8f || i.opcode == 0x9d) return -word_bytes(i);
  if (i.opcode == 0xff && i.extension() == 6) return word_bytes(i);
  return 0;
}

std::optional<unsigned> popped_register(const Instruction& i) {
  if (i.encoding == Encoding::Legacy && i.map == OpcodeMap::One && i.opcode >> 3 == 0x58 >> 3)
    return (i.opcode & 7u) | (i.rex & 1u) << 3;
  return std::nullopt;
}

/// add, sub of an immediate; and, or … of %rsp are not followed.
std::optional<int64_t> subtracted(const Instruction& i) {
  if (i.opcode != 0x81 && i.opcode != 0x83) return std::nullopt;
  if (i.extension() == 5) return i.immediate;
  if (i.extension() == 0) return -i.immediate;
  return std::nullopt;
}

/// The register that an instruction of the one-byte map writes by its ModRM byte, as far as moves, lea and arithmetic
/// go.
std::optional<unsigned> written(const Instruction& i) {
  if (i.modrm_at == 0 || i.encoding != Encoding::Legacy || i.map != OpcodeMap::One) return std::nullopt;
  bool to_rm = i.opcode == 0x89 || i.opcode == 0x81 || i.opcode == 0x83 || i.opcode == 0xc7 ||
               (i.opcode < 0x38 && (i.opcode & 7) == 1);
  bool to_reg = i.opcode == 0x8b || i.opcode == 0x8d || i.opcode == 0x63 || (i.opcode < 0x38 && (i.opcode & 7) == 3);
  if ((i.opcode == 0x81 || i.opcode == 0x83) && i.extension() == 7) return std::nullopt;  // cmp
  if (to_rm && i.mod() == 3) return i.rm();
  if (to_reg) return i.reg();
  if (i.opcode == 0x87) return i.reg() == kRsp || i.reg() == kRbp ? i.reg() : i.rm();
  return std::nullopt;
}

/// The depth of an address that is %rsp or %rbp plus a constant.
std::optional<int64_t> depth_of_address(const Instruction& i, const StackDepth& before) {
  bool index = i.has_sib() && (i.sib >> 3 & 7) != 4;
  if (i.has_sib() && !index && (i.sib & 7) == kRsp && (i.rex & 1) == 0) return plus(before.stack, -i.displacement);
  if (!i.has_sib() && i.mod() != 0 && i.rm() == kRbp) return plus(before.frame, -i.displacement);
  return std::nullopt;
}

/// What a register holds after an instruction that writes it, if that is a place on the stack.
std::optional<int64_t> new_depth(const Instruction& i, const StackDepth& before, unsigned target) {
  std::optional<int64_t> own = target == kRsp ? before.stack : before.frame;
  if (!i.wide()) return std::nullopt;
  if (auto bytes = subtracted(i)) return plus(own, *bytes);
  if (i.opcode == 0x8d) return depth_of_address(i, before);
  bool move = (i.opcode == 0x89 || i.opcode == 0x8b) && i.mod() == 3;
  unsigned source = i.opcode == 0x89 ? i.reg() : i.rm();
  if (move && source == kRsp) return before.stack;
  if (move && source == kRbp) return before.frame;
  return std::nullopt;
}

}  // namespace

StackDepth depth_after(const Instruction& i, StackDepth before) {
  StackDepth after = before;
  if (int64_t bytes = pushed(i)) {
    after.stack = plus(before.stack, bytes);
    if (popped_register(i) == kRbp) after.frame.reset();
    if (popped_register(i) == kRsp) after.stack.reset();
    return after;
  }
  if (i.is_legacy(OpcodeMap::One, 0xc9)) return {plus(before.frame, -8), std::nullopt};  // leave
  if (i.is_legacy(OpcodeMap::One, 0xc8)) return {std::nullopt, plus(before.stack, 8)};   // enter
  if (auto target = written(i)) {
    if (*target == kRsp) after.stack = new_depth(i, before, kRsp);
    if (*target == kRbp) after.frame = new_depth(i, before, kRbp);
  }
  return after;
}

StackDepth agreed(const StackDepth& a, const StackDepth& b) {
  auto both = [](std::optional<int64_t> one, std::optional<int64_t> other) {
    return one == other ? one : std::nullopt;
  };
  return {both(a.stack, b.stack), both(a.frame, b.frame)};
}

}  // namespace strut
