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
  if (expression.kind == Kind::Cast) return literal_value(expression.child(0), types);
  if (expression.kind == Kind::Unary) {
    auto value = literal_value(expression.child(0), types);
    if (!value) return std::nullopt;
    switch (expression.op) {
      case DWord::Add: return value;
      case DWord::Subtract: return static_cast<int64_t>(-static_cast<uint64_t>(*value));
      case DWord::Complement: return ~*value;
      case DWord::Not: return *value == 0 ? 1 : 0;
      default: return std::nullopt;
    }
  }
  if (expression.kind == Kind::Conditional) {
    auto condition = literal_value(expression.child(0), types);
    return condition ? literal_value(expression.child(*condition != 0 ? 1 : 2), types) : std::nullopt;
  }
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
    case DWord::Equal: return *left == *right;
    case DWord::NotEqual: return *left != *right;
    case DWord::Less: return *left < *right;
    case DWord::LessEqual: return *left <= *right;
    case DWord::Greater: return *left > *right;
    case DWord::GreaterEqual: return *left >= *right;
    case DWord::LogicalAnd: return *left != 0 && *right != 0;
    case DWord::LogicalOr: return *left != 0 || *right != 0;
    case DWord::Xor: return static_cast<int64_t>(a ^ b);
    case DWord::ShiftRight: return *left >> (b & 63);
    case DWord::Divide: return b == 0 || *right == -1 ? std::nullopt : std::optional(*left / *right);
    case DWord::Modulo: return b == 0 || *right == -1 ? std::nullopt : std::optional(*left % *right);
    default: return std::nullopt;
  }
}

}  // namespace strut
