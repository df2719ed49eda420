// Expressions of constants.
#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

std::optional<int64_t> constant_binary(const DExpression& e) {
  auto left = constant_value(e.child(0)), right = constant_value(e.child(1));
  if (!left || !right || !e.child(0).type->is_integer() || !e.child(1).type->is_integer()) return std::nullopt;
  return constant_of(e.op, *left, *right, e.type);
}

}  // namespace

std::optional<int64_t> constant_value(const DExpression& e) {
  using Kind = DExpression::Kind;
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
      if (!e.named_type->is_scalar()) return std::nullopt;
      return constant_value(e.child(0)).transform([&](int64_t value) { return narrowed(value, *e.named_type); });
    case Kind::Unary:
      return constant_value(e.child(0)).and_then([&](int64_t operand) { return constant_of(e.op, operand); });
    case Kind::Binary: return constant_binary(e);
    default: return std::nullopt;
  }
}

}  // namespace strut
