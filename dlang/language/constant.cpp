#include "dlang/language/constant.hpp"

namespace strut {
namespace {

std::optional<int64_t> comparison(DWord op, int64_t left, int64_t right) {
  switch (op) {
    case DWord::Equal: return left == right;
    case DWord::NotEqual: return left != right;
    case DWord::Less: return left < right;
    case DWord::LessEqual: return left <= right;
    case DWord::Greater: return left > right;
    case DWord::GreaterEqual: return left >= right;
    case DWord::LogicalAnd: return left != 0 && right != 0;
    case DWord::LogicalOr: return left != 0 || right != 0;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<int64_t> constant_of(DWord op, int64_t left, int64_t right, const DType* type) {
  auto a = static_cast<uint64_t>(left), b = static_cast<uint64_t>(right);
  bool is_unsigned = type != nullptr && !type->is_signed, divides = right != 0 && right != -1;
  auto quotient = [&](int64_t of_signed, uint64_t of_unsigned) {
    return is_unsigned ? static_cast<int64_t>(of_unsigned) : of_signed;
  };
  switch (op) {
    case DWord::Add: return static_cast<int64_t>(a + b);
    case DWord::Subtract: return static_cast<int64_t>(a - b);
    case DWord::Multiply: return static_cast<int64_t>(a * b);
    case DWord::And: return static_cast<int64_t>(a & b);
    case DWord::Or: return static_cast<int64_t>(a | b);
    case DWord::Xor: return static_cast<int64_t>(a ^ b);
    case DWord::ShiftLeft: return static_cast<int64_t>(a << (b & 63));
    case DWord::ShiftRight: return quotient(left >> (b & 63), a >> (b & 63));
    case DWord::Divide: return divides ? std::optional(quotient(left / right, a / b)) : std::nullopt;
    case DWord::Modulo: return divides ? std::optional(quotient(left % right, a % b)) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<int64_t> constant_of(DWord op, int64_t operand) {
  switch (op) {
    case DWord::Add: return operand;
    case DWord::Subtract: return static_cast<int64_t>(-static_cast<uint64_t>(operand));
    case DWord::Complement: return ~operand;
    default: return std::nullopt;
  }
}

int64_t narrowed(int64_t value, const DType& type) {
  auto bits = static_cast<uint64_t>(value);
  if (!type.is_integer() || type.bytes >= 8) return value;
  unsigned shift = 64 - type.bytes * 8;
  return type.is_signed ? static_cast<int64_t>(bits << shift) >> shift : static_cast<int64_t>((bits << shift) >> shift);
}

std::optional<int64_t> literal_value(const DExpression& e, const DTypes& types) {
  using Kind = DExpression::Kind;
  auto value_of = [&](size_t child) { return literal_value(e.child(child), types); };
  switch (e.kind) {
    case Kind::Integer: return static_cast<int64_t>(e.integer);
    case Kind::Sizeof: return e.named_type != nullptr ? std::optional<int64_t>(e.named_type->bytes) : std::nullopt;
    case Kind::Cast: return value_of(0).transform([&](int64_t value) { return narrowed(value, *e.named_type); });
    case Kind::Name: {
      const int64_t* value = e.scope == DScope::Global ? types.enumerator(e.text) : nullptr;
      return value != nullptr ? std::optional(*value) : std::nullopt;
    }
    case Kind::Unary:
      return value_of(0).and_then([&](int64_t value) {
        return e.op == DWord::Not ? std::optional<int64_t>(value == 0) : constant_of(e.op, value);
      });
    case Kind::Conditional: return value_of(0).and_then([&](int64_t value) { return value_of(value != 0 ? 1 : 2); });
    case Kind::Binary: {
      auto left = value_of(0), right = value_of(1);
      if (!left || !right) return std::nullopt;
      auto value = constant_of(e.op, *left, *right, nullptr);
      return value ? value : comparison(e.op, *left, *right);
    }
    default: return std::nullopt;
  }
}

}  // namespace strut
