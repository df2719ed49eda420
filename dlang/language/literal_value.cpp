#include "dlang/language/parser.hpp"

namespace strut {
namespace {

std::optional<int64_t> unary(DWord op, int64_t value) {
  switch (op) {
    case DWord::Add: return value;
    case DWord::Subtract: return static_cast<int64_t>(-static_cast<uint64_t>(value));
    case DWord::Complement: return ~value;
    case DWord::Not: return value == 0;
    default: return std::nullopt;
  }
}

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

std::optional<int64_t> binary(DWord op, int64_t left, int64_t right) {
  auto a = static_cast<uint64_t>(left), b = static_cast<uint64_t>(right);
  bool divides = right != 0 && right != -1;
  switch (op) {
    case DWord::Add: return static_cast<int64_t>(a + b);
    case DWord::Subtract: return static_cast<int64_t>(a - b);
    case DWord::Multiply: return static_cast<int64_t>(a * b);
    case DWord::Divide: return divides ? std::optional(left / right) : std::nullopt;
    case DWord::Modulo: return divides ? std::optional(left % right) : std::nullopt;
    case DWord::ShiftLeft: return static_cast<int64_t>(a << (b & 63));
    case DWord::ShiftRight: return left >> (b & 63);
    case DWord::Or: return static_cast<int64_t>(a | b);
    case DWord::And: return static_cast<int64_t>(a & b);
    case DWord::Xor: return static_cast<int64_t>(a ^ b);
    default: return comparison(op, left, right);
  }
}

}  // namespace

std::optional<int64_t> literal_value(const DExpression& e, const DTypes& types) {
  using Kind = DExpression::Kind;
  auto value_of = [&](size_t child) { return literal_value(e.child(child), types); };
  switch (e.kind) {
    case Kind::Integer: return static_cast<int64_t>(e.integer);
    case Kind::Sizeof: return e.named_type != nullptr ? std::optional<int64_t>(e.named_type->bytes) : std::nullopt;
    case Kind::Cast: return value_of(0);
    case Kind::Name: {
      const int64_t* value = e.scope == DScope::Global ? types.enumerator(e.text) : nullptr;
      return value != nullptr ? std::optional(*value) : std::nullopt;
    }
    case Kind::Unary: return value_of(0).and_then([&](int64_t value) { return unary(e.op, value); });
    case Kind::Conditional: return value_of(0).and_then([&](int64_t value) { return value_of(value != 0 ? 1 : 2); });
    case Kind::Binary:
      return value_of(0).and_then(
          [&](int64_t left) { return value_of(1).and_then([&](int64_t right) { return binary(e.op, left, right); }); });
    default: return std::nullopt;
  }
}

}  // namespace strut
