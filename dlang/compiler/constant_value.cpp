// Expressions of constants.
#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

std::optional<int64_t> constant_binary(const DExpression& e) {
  auto left = constant_value(e.child(0)), right = constant_value(e.child(1));
  if (!left || !right || !e.child(0).type->is_integer() || !e.child(1).type->is_integer()) return std::nullopt;
  auto a = static_cast<uint64_t>(*left), b = static_cast<uint64_t>(*right);
  bool is_unsigned = e.type != nullptr && !e.type->is_signed;
  switch (e.op) {
    case DWord::Add: return static_cast<int64_t>(a + b);
    case DWord::Subtract: return static_cast<int64_t>(a - b);
    case DWord::Multiply: return static_cast<int64_t>(a * b);
    case DWord::And: return static_cast<int64_t>(a & b);
    case DWord::Or: return static_cast<int64_t>(a | b);
    case DWord::Xor: return static_cast<int64_t>(a ^ b);
    case DWord::ShiftLeft: return static_cast<int64_t>(a << (b & 63));
    case DWord::ShiftRight: return is_unsigned ? static_cast<int64_t>(a >> (b & 63)) : *left >> (b & 63);
    case DWord::Divide:
      if (b == 0 || *right == -1) return std::nullopt;
      return is_unsigned ? static_cast<int64_t>(a / b) : *left / *right;
    case DWord::Modulo:
      if (b == 0 || *right == -1) return std::nullopt;
      return is_unsigned ? static_cast<int64_t>(a % b) : *left % *right;
    default: return std::nullopt;
  }
}

}  // namespace

int64_t narrowed(int64_t value, const DType& type) {
  auto bits = static_cast<uint64_t>(value);
  if (!type.is_integer() || type.bytes >= 8) return value;
  unsigned shift = 64 - type.bytes * 8;
  return type.is_signed ? static_cast<int64_t>(bits << shift) >> shift : static_cast<int64_t>((bits << shift) >> shift);
}

std::optional<int64_t> constant_value(const DExpression& e) {
  using Kind = DExpression::Kind;
  std::optional<int64_t> value;
  switch (e.kind) {
    case Kind::Integer:
    case Kind::Sizeof:
    case Kind::Offsetof: return static_cast<int64_t>(e.integer);
    case Kind::Name: {  // a definition that is constant has become its number: looking further would take 2^n steps
      const DExpression* inlined = e.meaning.inlined;
      return inlined != nullptr && inlined->kind == Kind::Integer
                 ? std::optional(static_cast<int64_t>(inlined->integer))
                 : std::nullopt;
    }
    case Kind::Cast:
      if (e.named_type->is_scalar()) value = constant_value(e.child(0));
      break;
    case Kind::Unary:
      if (e.op != DWord::Subtract && e.op != DWord::Complement && e.op != DWord::Add) return std::nullopt;
      value = constant_value(e.child(0));
      if (value && e.op == DWord::Subtract) value = static_cast<int64_t>(-static_cast<uint64_t>(*value));
      if (value && e.op == DWord::Complement) value = ~*value;
      break;
    case Kind::Binary: value = constant_binary(e); break;
    default: break;
  }
  if (value && e.kind == Kind::Cast) return narrowed(*value, *e.named_type);
  return value;
}

}  // namespace strut
