// Types of expressions, the plain ones.
#include "dlang/compiler/checker.hpp"

namespace strut {

bool is_key(const DType& type) {
  return (type.is_scalar() || type.is_string() || type.is_in_memory()) && !type.is_dynamic();
}

bool is_characters(const DType& type) {
  return type.is_pointer() && type.target->is_integer() && type.target->bytes == 1;
}

bool is_call_argument(const DExpression& e) { return e.kind == DExpression::Kind::Index && e.meaning.is_of_call; }

bool is_decoded_by(const DExpression& e, char letter) { return letter == 's' && is_call_argument(e); }

bool is_in_memory(const DExpression& e) {
  using Kind = DExpression::Kind;
  if (e.meaning.kind == DMeaning::Kind::Variable) return e.type->is_in_memory();
  if (e.meaning.kind == DMeaning::Kind::Program) return e.meaning.is_address;
  if (e.meaning.kind != DMeaning::Kind::None) return false;
  return (e.kind == Kind::Unary && e.op == DWord::Multiply && !e.child(0).type->is_string()) ||
         e.kind == Kind::Member || e.kind == Kind::Index;
}

bool is_of_string(const DExpression& e) {
  using Kind = DExpression::Kind;
  bool has_place = e.kind == Kind::Index || (e.kind == Kind::Unary && e.op == DWord::Multiply);
  return has_place && e.meaning.kind == DMeaning::Kind::None && e.child(0).type->is_string();
}

/// A structure of the kernel behind a pointer has members from now on.
const DType* DChecker::expression(DExpression& e) {
  e.type = type_of(e);
  if (e.type->is_pointer()) types_.complete_from_source(e.type->target);
  return e.type;
}

const DType* DChecker::type_of(DExpression& e) {
  switch (e.kind) {
    case Kind::Integer: return e.type;
    case Kind::Text: return types_.string();
    case Kind::Name: return name(e);
    case Kind::Aggregation: return types_.special(DShape::Kind::None, "<DYN>");  // fits nothing
    case Kind::Unary: return unary(e);
    case Kind::Update: return update(e);
    case Kind::Binary: return binary(e);
    case Kind::Assign: return assign(e);
    case Kind::Conditional: return conditional(e);
    case Kind::Comma: return comma(e);
    case Kind::Index: return index(e);
    case Kind::Member: return member(e);
    case Kind::Call: return call(e);
    case Kind::Cast: return cast(e);
    case Kind::Sizeof: return size_of(e);
    case Kind::Offsetof: return offset_of(e);
    case Kind::Xlate:
      reject(DTag::OP_DYN, e.at, "translated data may only be used by its members", "-> or . and a member");
  }
  return types_.void_type();
}

const DType* DChecker::value(DExpression& e) {
  const DType* type = expression(e);
  if (type->is_scalar() || type->is_string()) return type;
  reject(DTag::OP_SOU, e.at, "a value of type " + quoted_source(type->name) + " cannot be used here",
         "an integer, a pointer or a string");
}

const DType* DChecker::integer(DExpression& e, DTag tag, std::string_view what, std::string_view kind) {
  const DType* type = expression(e);
  if (type->is_integer()) return type;
  reject(tag, e.at, std::string(what) + " requires an operand of " + std::string(kind) + " type");
}

/// A string is no condition: scripts ask `/self->path != NULL/`.
void DChecker::condition(DExpression& e, std::string_view what) {
  if (expression(e)->is_scalar()) return;
  if (what == "?:") reject(DTag::OP_SCALAR, e.at, "operator ?: expression must be of scalar type");
  if (what == "if") reject(DTag::PRED_SCALAR, e.at, "conditional expression must be of scalar type");
  reject(
      DTag::OP_SCALAR, e.at,
      "operator " + std::string(what) + " requires " + (what == "!" ? "an operand" : "operands") + " of scalar type");
}

/// Aggregations have no value.
void DChecker::not_dynamic(const DExpression& e, std::string_view sign, const DType* left, const DType* right) const {
  auto is_dynamic = [](const DType* type) {
    return type->kind == DType::Kind::Special && type->special.kind == DShape::Kind::None;
  };
  if (is_dynamic(left) || is_dynamic(right))
    reject(DTag::OP_DYN, e.at, "operator " + std::string(sign) + " operands cannot be of dynamic type");
}

const DType* DChecker::conditional(DExpression& e) {
  condition(*e.children[0], "?:");
  const DType* left = expression(*e.children[1]);
  const DType* right = expression(*e.children[2]);
  not_dynamic(e, "?:", left, right);
  if (left->is_integer() && right->is_integer()) return types_.common(left, right);
  if (is_same(*left, *right) && left->kind != DType::Kind::Void) return left;
  auto zero = [](const DExpression& side) { return constant_value(side) == 0; };
  if ((left->is_string() || is_characters(*left)) && (right->is_string() || is_characters(*right)))
    return types_.string();
  if ((left->is_string() || left->is_pointer()) && zero(e.child(2))) return left;
  if ((right->is_string() || right->is_pointer()) && zero(e.child(1))) return right;
  if (left->is_pointer() && right->is_pointer()) return types_.pointer_to(types_.void_type());
  reject(DTag::OP_INCOMPAT, e.at, "operator ?: operands must have compatible types");
}

const DType* DChecker::comma(DExpression& e) {
  const DType* left = expression(*e.children[0]);
  const DType* right = expression(*e.children[1]);
  not_dynamic(e, ",", left, right);
  return right;
}

const DType* DChecker::cast(DExpression& e) {
  const DType* from = expression(*e.children[0]);
  const DType* to = e.named_type;
  bool number = (from->is_scalar() && (to->is_integer() || to->kind == DType::Kind::Pointer)) ||
                (from->is_string() && to->kind == DType::Kind::Pointer) || (from == to && from->is_in_memory());
  bool text = to->is_string() && (from->is_string() || from->is_scalar());
  bool translated = to->is_pointer() && to->target->kind == DType::Kind::Translated;
  if ((number || text) && !translated) return to;
  reject(DTag::CAST_INVAL, e.at,
         "invalid cast expression: " + quoted_source(from->name) + " to " + quoted_source(to->name));
}

const DType* DChecker::size_of(DExpression& e) {
  const DType* of = e.named_type != nullptr ? e.named_type : expression(*e.children[0]);
  if (e.named_type == nullptr && e.child(0).bits != 0)
    reject(DTag::SIZEOF_BITFIELD, e.at, "cannot apply sizeof to a bit-field");
  bool is_empty = of->kind == DType::Kind::Struct && of->is_complete;
  bool is_open = of->kind == DType::Kind::Array;
  if (of->bytes == 0 && !is_empty && !is_open)
    reject(DTag::SIZEOF_TYPE, e.at, "cannot apply sizeof to an operand of type " + of->name, "a complete C type");
  e.integer = of->is_string() ? program_.settings.strsize : of->bytes;
  return types_.integer(8, false);
}

const DType* DChecker::offset_of(DExpression& e) {
  if (e.named_type->kind != DType::Kind::Struct || !e.named_type->is_complete)
    reject(DTag::OFFSETOF_TYPE, e.at, "offsetof operand must be a struct or union type", "a structure");
  std::optional<DMember> member = find_member(*e.named_type, e.text);
  if (!member)
    reject(DTag::TYPE_MEMBER, e.at,
           "failed to determine offset of " + e.text + ": " + e.text + " is not a member of " + e.named_type->name,
           "one of its members");
  if (member->is_bit_field) reject(DTag::OFFSETOF_BITFIELD, e.at, "cannot take offset of a bit-field: " + e.text);
  e.integer = member->offset_bytes;
  return types_.integer(8, false);
}

}  // namespace strut
