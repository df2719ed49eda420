// Arithmetic with pointers.
#include "dlang/compiler/compiler.hpp"

namespace strut {
namespace {

uint32_t element_bytes(const DType& type) { return type.is_string() ? 1 : type.target->bytes; }

}  // namespace

void DCompiler::scale(uint8_t of, uint32_t bytes, DPosition at) {
  if (bytes <= 1) return;
  uint8_t factor = new_integer(at);
  constant_into(bytes, factor);
  emit(DOp::Multiply, of, of, factor);
}

void DCompiler::pointer_arithmetic_into(const DExpression& e, uint8_t to) {
  const DType &left = *e.child(0).type, &right = *e.child(1).type;
  number_into(e.child(0), to);
  uint8_t other = new_integer(e.at);
  number_into(e.child(1), other);
  if (!left.is_address()) scale(to, element_bytes(right), e.at);
  if (!right.is_address()) scale(other, element_bytes(left), e.at);
  emit(e.op == DWord::Add ? DOp::Add : DOp::Subtract, to, to, other);
  if (!left.is_address() || !right.is_address() || left.target->bytes <= 1) return;
  constant_into(left.target->bytes, other);
  emit(DOp::DivideSigned, to, to, other);
}

}  // namespace strut
