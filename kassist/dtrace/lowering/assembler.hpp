// Writes BPF instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kassist/dtrace/library.hpp"

namespace strut {

/// One function in the making. Registers are 0 to 10; jumps go to labels, which may be bound later.
class DAssembler {
 public:
  using Register = uint8_t;

  // -- numbers. An `op` is of BPF_OP: BPF_ADD …
  void move(Register to, Register from) { put(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0); }
  void move(Register to, int32_t value) { put(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value); }
  void number(Register to, uint64_t value);
  void alu(uint8_t op, Register to, Register by) { put(static_cast<uint8_t>(BPF_ALU64 | op | BPF_X), to, by, 0, 0); }
  void alu(uint8_t op, Register to, int32_t by) { put(static_cast<uint8_t>(BPF_ALU64 | op | BPF_K), to, 0, 0, by); }
  void negate(Register what) { put(BPF_ALU64 | BPF_NEG, what, 0, 0, 0); }
  /// All eight bytes.
  void swap(Register what) { put(BPF_ALU | BPF_END | BPF_TO_BE, what, 0, 0, 64); }

  // -- memory; sizes are BPF_B, BPF_H, BPF_W, BPF_DW
  void load(uint8_t size, Register to, Register base, size_t offset);
  void store(uint8_t size, Register base, size_t offset, Register from);
  void store(uint8_t size, Register base, size_t offset, int32_t value);
  /// An atomic operation on a 64-bit word: BPF_ADD, BPF_ADD | BPF_FETCH, BPF_CMPXCHG …
  void atomic(int32_t op, Register base, size_t offset, Register from);
  void map(Register to, int descriptor);
  /// The address of the only element of an array.
  void map_value(Register to, int descriptor, uint32_t offset);

  // -- flow
  using Label = uint32_t;
  Label label();
  void bind(Label label);
  /// `op` is of BPF_JMP: BPF_JEQ …
  void jump(uint8_t op, Register left, Register right, Label to) {
    branch(static_cast<uint8_t>(BPF_JMP | op | BPF_X), left, right, 0, to);
  }
  void jump(uint8_t op, Register left, int32_t right, Label to) {
    branch(static_cast<uint8_t>(BPF_JMP | op | BPF_K), left, 0, right, to);
  }
  void jump(Label to) { branch(BPF_JMP | BPF_JA, 0, 0, 0, to); }
  void helper(int32_t number) { put(BPF_JMP | BPF_CALL, 0, 0, 0, number); }
  /// `name` outlives the function.
  void call(std::string_view name);
  void leave() { put(BPF_JMP | BPF_EXIT, 0, 0, 0, 0); }

  /// All labels are bound. False: a jump is too long for an instruction.
  bool finish();
  DFunction& function() { return function_; }
  size_t size() const { return function_.code.size(); }

 private:
  void put(uint8_t code, Register to, Register from, int16_t offset, int32_t value);
  void branch(uint8_t code, Register left, Register right, int32_t value, Label to);
  struct Jump {
    uint32_t at;
    Label to;
  };
  DFunction function_;
  std::vector<uint32_t> labels_;
  std::vector<Jump> jumps_;
};

}  // namespace strut
