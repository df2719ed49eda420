#include "dlang/language/parser.hpp"

namespace strut {

std::optional<int64_t> literal_value(const DExpression& expression, const DTypes& types) {
  using Kind = DExpression::Kind;
  if (expression.kind == Kind::Integer) return static_cast<int64_t>(expression.integer);
  if (expression.kind == Kind::Sizeof && expression.named_type != nullptr) return expression.named_type->bytes;
  if (expression.kind == Kind::Name && expression.scope == DScope::Global) {
    const int64_t* value = types.enumerator(expression.text);
    return value != nullptr ? std::optional(*value) : std::nullopt;
  }
  if (expression.kind == Kind::Unary && expression.op == DWord::Subtract)
    if (auto value = literal_value(expression.child(0), types))
      return static_cast<int64_t>(-static_cast<uint64_t>(*value));
  if (expression.kind != Kind::Binary) return std::nullopt;
  auto left = literal_value(expression.child(0), types), right = literal_value(expression.child(1), types);
  if (!left || !right) return std::nullopt;
  auto a = static_cast<uint64_t>(*left), b = static_cast<uint64_t>(*right);
  switch (expression.op) {
    case DWord::Add: return static_cast<int64_t>(a + b);
    case DWord::Subtract: return static_cast<int64_t>(a - b);
    case DWord::Multiply: return static_cast<int64_t>(a * b);
    case DWord::ShiftLeft: return static_cast<int64_t>(a << (b & 63));
    case DWord::Or: return static_cast<int64_t>(a | b);
    case DWord::And: return static_cast<int64_t>(a & b);
    default: return std::nullopt;
  }
}

}  // namespace strut
