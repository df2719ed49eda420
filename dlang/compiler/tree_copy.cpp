#include "dlang/compiler/tree_copy.hpp"

#include <algorithm>

#include "dlang/language/diagnostic.hpp"

namespace strut {
namespace {

DExpressionPtr copied_node(const DExpression& e) {
  auto copy = std::make_unique<DExpression>();
  copy->kind = e.kind;
  copy->op = e.op;
  copy->scope = e.scope;
  copy->at = e.at;
  copy->integer = e.integer;
  copy->text = e.text;
  copy->named_type = e.named_type;
  copy->is_postfix = e.is_postfix;
  copy->type = e.type;
  return copy;
}

}  // namespace

DExpressionPtr copied(const DExpression& e, const std::vector<DReplacement>& replacements, uint32_t& room) {
  if (e.kind == DExpression::Kind::Name && e.scope == DScope::Global)
    if (auto at = std::ranges::find(replacements, e.text, &DReplacement::name); at != replacements.end())
      return copied(*at->instead, {}, room);
  if (room == 0)
    reject(DTag::SYNTAX, e.at, "copied expressions are too large", "xlate and inline less often within each other");
  room--;
  DExpressionPtr copy = copied_node(e);
  for (const DExpressionPtr& child : e.children) {
    copy->children.push_back(copied(*child, replacements, room));
    copy->depth = std::max(copy->depth, copy->children.back()->depth + 1);
  }
  if (copy->depth > kMaxDepth)
    reject(DTag::SYNTAX, e.at, "expression is nested too deeply", "at most " + std::to_string(kMaxDepth) + " levels");
  return copy;
}

DExpressionPtr cast_to(const DType* type, DExpressionPtr value) {
  auto cast = std::make_unique<DExpression>();
  cast->kind = DExpression::Kind::Cast;
  cast->at = value->at;
  cast->named_type = type;
  cast->depth = value->depth + 1;
  cast->children.push_back(std::move(value));
  return cast;
}

DExpressionPtr stand_in(const DType& type, DTypes& types, DPosition at) {
  auto zero = std::make_unique<DExpression>();
  zero->at = at;
  zero->type = types.integer(8, true);
  DExpressionPtr cast = cast_to(type.kind == DType::Kind::Struct ? types.pointer_to(&type) : &type, std::move(zero));
  if (type.kind != DType::Kind::Struct) return cast;
  auto value = std::make_unique<DExpression>();
  value->kind = DExpression::Kind::Unary;
  value->op = DWord::Multiply;
  value->at = at;
  value->children.push_back(std::move(cast));
  return value;
}

}  // namespace strut
