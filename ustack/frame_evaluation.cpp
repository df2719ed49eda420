#include "ustack/frame_evaluation.hpp"

#include <array>

#include <dwarf.h>

namespace strut {
namespace {

constexpr int kMaxSteps = 1000;

/// The stack machine. A failure ends it.
class Evaluation {
 public:
  Evaluation(const FrameExpression& expression, const FrameValues& frame, WordSource& memory)
      : expression_(expression), frame_(frame), memory_(memory) {}

  std::optional<uint64_t> run() {
    for (int steps = 0; next_ < expression_.size(); steps++) {
      if (steps == kMaxSteps) return std::nullopt;
      const FrameOperation& operation = expression_[next_++];
      step(operation.code, operation);
      if (failed_) return std::nullopt;
    }
    if (depth_ == 0) return std::nullopt;
    return stack_[depth_ - 1];
  }

 private:
  void fail() { failed_ = true; }
  void push(uint64_t value) {
    if (depth_ == stack_.size()) return fail();
    stack_[depth_++] = value & frame_.abi.mask();
  }
  uint64_t pop() {
    if (depth_ == 0) return fail(), 0;
    return stack_[--depth_];
  }
  void push_nth(size_t below) {
    if (below >= depth_) return fail();
    push(stack_[depth_ - 1 - below]);
  }
  void push_register(uint64_t number, uint64_t offset) {
    if (number > frame_.abi.instruction_pointer) return fail();
    push(frame_.registers[number] + offset);
  }
  int64_t as_signed(uint64_t value) const {
    return frame_.abi.word_bytes == 8 ? static_cast<int64_t>(value) : static_cast<int32_t>(value);
  }

  void step(uint8_t code, const FrameOperation& operation) {
    if (code >= DW_OP_lit0 && code <= DW_OP_lit31) return push(code - uint64_t{DW_OP_lit0});
    if (code >= DW_OP_breg0 && code <= DW_OP_breg31)
      return push_register(code - uint64_t{DW_OP_breg0}, operation.first);
    switch (code) {
      case DW_OP_addr:
      case DW_OP_const1u:
      case DW_OP_const1s:
      case DW_OP_const2u:
      case DW_OP_const2s:
      case DW_OP_const4u:
      case DW_OP_const4s:
      case DW_OP_const8u:
      case DW_OP_const8s:
      case DW_OP_constu:
      case DW_OP_consts: return push(operation.first);
      case DW_OP_call_frame_cfa: return push(frame_.cfa);
      case DW_OP_bregx: return push_register(operation.first, operation.second);
      case DW_OP_deref: return dereference(frame_.abi.word_bytes);
      case DW_OP_deref_size: return dereference(operation.first);
      case DW_OP_bra:
        if (pop() != 0) next_ = operation.branches_to;
        return;
      case DW_OP_skip: next_ = operation.branches_to; return;
      case DW_OP_nop: return;
      default: return shuffle(code, operation);
    }
  }

  void shuffle(uint8_t code, const FrameOperation& operation) {
    switch (code) {
      case DW_OP_dup: return push_nth(0);
      case DW_OP_over: return push_nth(1);
      case DW_OP_pick: return push_nth(operation.first);
      case DW_OP_drop: pop(); return;
      case DW_OP_swap: return rotate(2);
      case DW_OP_rot: return rotate(3);
      default: return compute(code, operation);
    }
  }

  /// The topmost goes below the `count` - 1 others.
  void rotate(size_t count) {
    if (count > depth_) return fail();
    uint64_t* top = &stack_[depth_ - 1];
    uint64_t first = *top;
    for (size_t i = 1; i < count; i++, top--) *top = top[-1];
    *top = first;
  }

  void compute(uint8_t code, const FrameOperation& operation) {
    uint64_t right = pop();
    switch (code) {
      case DW_OP_abs: return push(as_signed(right) < 0 ? 0 - right : right);
      case DW_OP_neg: return push(0 - right);
      case DW_OP_not: return push(~right);
      case DW_OP_plus_uconst: return push(right + operation.first);
      default: return combine(code, pop(), right);
    }
  }

  void combine(uint8_t code, uint64_t left, uint64_t right) {
    int64_t a = as_signed(left), b = as_signed(right);
    switch (code) {
      case DW_OP_and: return push(left & right);
      case DW_OP_or: return push(left | right);
      case DW_OP_xor: return push(left ^ right);
      case DW_OP_plus: return push(left + right);
      case DW_OP_minus: return push(left - right);
      case DW_OP_mul: return push(left * right);
      case DW_OP_div: return b == 0 || (a == INT64_MIN && b == -1) ? fail() : push(static_cast<uint64_t>(a / b));
      case DW_OP_mod: return right == 0 ? fail() : push(left % right);
      case DW_OP_shl: return push(right < 64 ? left << right : 0);
      case DW_OP_shr: return push(right < 64 ? left >> right : 0);
      case DW_OP_shra: return push(static_cast<uint64_t>(a >> (right < 64 ? right : 63)));
      case DW_OP_eq: return push(a == b);
      case DW_OP_ge: return push(a >= b);
      case DW_OP_gt: return push(a > b);
      case DW_OP_le: return push(a <= b);
      case DW_OP_lt: return push(a < b);
      case DW_OP_ne: return push(a != b);
      default: return fail();
    }
  }

  void dereference(uint64_t bytes) {
    uint64_t word = 0;
    if (bytes == 0 || bytes > frame_.abi.word_bytes || !memory_.read_word(pop(), bytes, word)) return fail();
    push(word);
  }

  const FrameExpression& expression_;
  const FrameValues& frame_;
  WordSource& memory_;
  size_t next_ = 0;
  std::array<uint64_t, 64> stack_;
  size_t depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<uint64_t> evaluate(const FrameExpression& expression, const FrameValues& frame, WordSource& memory) {
  return Evaluation(expression, frame, memory).run();
}

}  // namespace strut
