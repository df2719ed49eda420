#include "ustack/dwarf_expression.hpp"

#include <array>

#include "symtab/byte_reader.hpp"

namespace strut {

namespace {

constexpr int kMostSteps = 1000;

// DWARF 5, table 7.9.
// clang-format off: a table
enum Operation : uint8_t {
  kAddress = 0x03, kDereference = 0x06, kConst1u = 0x08, kConst1s, kConst2u, kConst2s, kConst4u, kConst4s, kConst8u,
  kConst8s, kConstUnsigned, kConstSigned, kDuplicate, kDrop, kOver, kPick, kSwap, kRotate,
  kAbsolute = 0x19, kAnd, kDivide, kMinus, kModulo, kMultiply, kNegate, kNot, kOr, kPlus, kPlusConstant, kShiftLeft,
  kShiftRight, kShiftRightSigned, kXor, kBranch, kEqual, kGreaterEqual, kGreater, kLessEqual, kLess, kNotEqual, kSkip,
  kLiteral0 = 0x30, kLiteral31 = 0x4f, kBaseRegister0 = 0x70, kBaseRegister31 = 0x8f,
  kBaseRegisterExtended = 0x92, kDereferenceSize = 0x94, kNop = 0x96,
};
// clang-format on

class Evaluation {
 public:
  Evaluation(std::span<const std::byte> expression, const UserRegisters& registers, WordSource& memory)
      : expression_(expression), cursor_(expression), registers_(registers), memory_(memory) {}

  std::optional<uint64_t> run(std::optional<uint64_t> initial) {
    if (initial) push(*initial);
    for (int steps = 0; !cursor_.at_end(); steps++) {
      step(cursor_.take<uint8_t>());
      if (failed_ || !cursor_.ok() || steps == kMostSteps) return std::nullopt;
    }
    if (depth_ == 0) return std::nullopt;
    return stack_[depth_ - 1];
  }

 private:
  void push(uint64_t value) {
    if (depth_ == stack_.size()) failed_ = true;
    else stack_[depth_++] = value;
  }
  uint64_t pop() {
    if (depth_ == 0) failed_ = true;
    return depth_ == 0 ? 0 : stack_[--depth_];
  }
  uint64_t peek(size_t below) {
    if (below >= depth_) failed_ = true;
    return below < depth_ ? stack_[depth_ - 1 - below] : 0;
  }

  void step(uint8_t code) {
    if (code >= kLiteral0 && code <= kLiteral31) return push(code - uint64_t{kLiteral0});
    if (code >= kBaseRegister0 && code <= kBaseRegister31)
      return push_register(code - uint64_t{kBaseRegister0}, cursor_.take_sleb());
    if (code >= kConst1u && code <= kConstSigned) return push_constant(code);
    if (code >= kDuplicate && code <= kRotate) return shuffle(code);
    if ((code >= kAnd && code <= kXor && code != kNegate && code != kNot && code != kPlusConstant) ||
        (code >= kEqual && code <= kNotEqual))
      return combine(code);
    take_one(code);
  }

  void take_one(uint8_t code) {
    switch (code) {
      case kAddress: return push(cursor_.take<uint64_t>());
      case kDereference: return dereference(8);
      case kDereferenceSize: return dereference(cursor_.take<uint8_t>());
      case kAbsolute: {
        uint64_t value = pop();
        return push(static_cast<int64_t>(value) < 0 ? 0 - value : value);
      }
      case kNegate: return push(0 - pop());
      case kNot: return push(~pop());
      case kPlusConstant: return push(pop() + cursor_.take_uleb());
      case kBranch: return jump(pop() != 0);
      case kSkip: return jump(true);
      case kBaseRegisterExtended: {
        uint64_t number = cursor_.take_uleb();
        return push_register(number, cursor_.take_sleb());
      }
      case kNop: return;
      default: failed_ = true;
    }
  }

  void push_register(uint64_t number, int64_t offset) {
    if (number >= registers_.size()) failed_ = true;
    else push(registers_[number] + static_cast<uint64_t>(offset));
  }

  void push_constant(uint8_t code) {
    auto extended = [](auto value) { return static_cast<uint64_t>(int64_t{value}); };
    switch (code) {
      case kConst1u: return push(cursor_.take<uint8_t>());
      case kConst1s: return push(extended(cursor_.take<int8_t>()));
      case kConst2u: return push(cursor_.take<uint16_t>());
      case kConst2s: return push(extended(cursor_.take<int16_t>()));
      case kConst4u: return push(cursor_.take<uint32_t>());
      case kConst4s: return push(extended(cursor_.take<int32_t>()));
      case kConstUnsigned: return push(cursor_.take_uleb());
      case kConstSigned: return push(extended(cursor_.take_sleb()));
      default: return push(cursor_.take<uint64_t>());
    }
  }

  void shuffle(uint8_t code) {
    switch (code) {
      case kDuplicate: return push(peek(0));
      case kDrop: pop(); return;
      case kOver: return push(peek(1));
      case kPick: return push(peek(cursor_.take<uint8_t>()));
      default: break;
    }
    uint64_t first = pop(), second = pop();
    if (code == kSwap) {
      push(first);
      return push(second);
    }
    uint64_t third = pop();
    push(first);
    push(third);
    push(second);
  }

  void combine(uint8_t code) {
    uint64_t right = pop(), left = pop();
    auto a = static_cast<int64_t>(left), b = static_cast<int64_t>(right);
    switch (code) {
      case kAnd: return push(left & right);
      case kOr: return push(left | right);
      case kXor: return push(left ^ right);
      case kPlus: return push(left + right);
      case kMinus: return push(left - right);
      case kMultiply: return push(left * right);
      case kDivide: return push_quotient(a, b);
      case kModulo: return right == 0 ? void(failed_ = true) : push(left % right);
      case kShiftLeft: return push(right < 64 ? left << right : 0);
      case kShiftRight: return push(right < 64 ? left >> right : 0);
      case kShiftRightSigned: return push(static_cast<uint64_t>(a >> (right < 64 ? right : 63)));
      case kEqual: return push(a == b);
      case kGreaterEqual: return push(a >= b);
      case kGreater: return push(a > b);
      case kLessEqual: return push(a <= b);
      case kLess: return push(a < b);
      default: return push(a != b);
    }
  }

  void push_quotient(int64_t a, int64_t b) {
    if (b == 0 || (a == INT64_MIN && b == -1)) failed_ = true;
    else push(static_cast<uint64_t>(a / b));
  }

  void dereference(unsigned bytes) {
    uint64_t word = 0;
    if (bytes == 0 || bytes > 8 || !memory_.read_word(pop(), word)) failed_ = true;
    else push(bytes == 8 ? word : word & ((uint64_t{1} << bytes * 8) - 1));
  }

  void jump(bool taken) {
    int64_t to = int64_t{cursor_.take<int16_t>()} + static_cast<int64_t>(cursor_.at());
    if (!taken) return;
    if (to < 0 || static_cast<size_t>(to) > expression_.size()) {
      failed_ = true;
      return;
    }
    cursor_ = ByteReader(expression_);
    cursor_.skip(static_cast<uint64_t>(to));
  }

  std::span<const std::byte> expression_;
  ByteReader cursor_;
  const UserRegisters& registers_;
  WordSource& memory_;
  std::array<uint64_t, 64> stack_;
  size_t depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<uint64_t> evaluate(std::span<const std::byte> expression, std::optional<uint64_t> initial,
                                 const UserRegisters& registers, WordSource& memory) {
  return Evaluation(expression, registers, memory).run(initial);
}

}  // namespace strut
