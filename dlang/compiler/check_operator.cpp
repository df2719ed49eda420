// Operators and assignments.
#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

std::string sign(const DExpression& e) { return "operator " + std::string(spelling_of(e.op)); }

bool is_comparison(DWord op) {
  return op == DWord::Equal || op == DWord::NotEqual || op == DWord::Less || op == DWord::LessEqual ||
         op == DWord::Greater || op == DWord::GreaterEqual;
}
bool is_additive(DWord op) { return op == DWord::Add || op == DWord::Subtract; }

bool is_text_like(const DType& type) { return type.is_string() || is_characters(type); }

}  // namespace

void DChecker::incompatible(const DExpression& e, const DType* left, const DType* right) const {
  reject(DTag::OP_INCOMPAT, e.at,
         "operands have incompatible types: " + quoted_source(left->name) + ' ' + std::string(spelling_of(e.op)) + ' ' +
             quoted_source(right->name));
}

const DType* DChecker::unary(DExpression& e) {
  switch (e.op) {
    case DWord::Multiply: return dereference(e);
    case DWord::And: return address_of(e);
    case DWord::Stringof: return string_of(e);
    case DWord::Not: condition(*e.children[0], "!"); return types_.int_type();
    case DWord::Complement: return integer(*e.children[0], DTag::OP_INT, "operator ~", "integral");
    default: return integer(*e.children[0], DTag::OP_ARITH, sign(e), "arithmetic");
  }
}

const DType* DChecker::dereference(DExpression& e) {
  const DType* type = expression(*e.children[0]);
  if (type->is_string()) return types_.integer(1, true);  // a string is an array of characters
  if (!type->is_pointer())
    reject(DTag::DEREF_NONPTR, e.at, "cannot dereference non-pointer type", "a pointer, or a cast to one");
  if (type->target->kind == DType::Kind::Void)
    reject(DTag::DEREF_VOID, e.at, "cannot dereference pointer to void", "a cast to a pointer to a type with a size");
  if (type->target->kind == DType::Kind::Function)
    reject(DTag::DEREF_FUNC, e.at, "cannot dereference pointer to function");
  if (!type->target->is_complete)
    reject(
        DTag::OP_INCOMPLETE, e.at,
        "operator * cannot be applied to a forward declaration: no " + type->target->name + " definition is available");
  return type->target;
}

const DType* DChecker::address_of(DExpression& e) {
  const DType* type = expression(*e.children[0]);
  const DExpression& of = e.child(0);
  if (of.kind == Kind::Aggregation)
    reject(DTag::ADDROF_VAR, e.at, "cannot take address of dynamic variable: @" + of.text);
  if (of.meaning.kind == DMeaning::Kind::Variable || of.meaning.kind == DMeaning::Kind::Builtin)
    reject(DTag::ADDROF_VAR, e.at,
           "cannot take address of dynamic variable: " + (of.kind == Kind::Index ? of.child(0).text : of.text));
  if (of.bits != 0) reject(DTag::ADDROF_BITFIELD, e.at, "cannot take address of bit-field");
  if (!is_in_memory(of))
    reject(DTag::ADDROF_LVAL, e.at, "unacceptable operand for unary & operator", "*p, p->member or p[index]");
  return types_.pointer_to(type, is_in_program(of) ? DTypes::Leads::IntoProgram : DTypes::Leads::Here);
}

const DType* DChecker::string_of(DExpression& e) {
  const DType* type = expression(*e.children[0]);
  if (type->is_string() || type->is_scalar()) return types_.string();
  reject(DTag::STRINGOF_TYPE, e.at, "cannot apply stringof to a value of type " + type->name, "a string or an address");
}

bool DChecker::is_writable(const DExpression& e) const {
  if (is_in_program(e)) return false;
  if (e.meaning.kind == DMeaning::Kind::Variable) return e.type->kind != DType::Kind::Array;
  if (is_of_string(e)) return is_writable(e.child(0));
  return is_in_memory(e) && e.type->kind != DType::Kind::Array;
}

void DChecker::not_writable(const DExpression& e, const DExpression& operand) const {
  bool is_known = operand.meaning.kind != DMeaning::Kind::None && operand.meaning.kind != DMeaning::Kind::Variable;
  if (is_known) reject(DTag::OP_WRITE, e.at, sign(e) + " can only be applied to a writable variable");
  reject(DTag::OP_LVAL, e.at, sign(e) + " requires modifiable lvalue as an operand");
}

const DType* DChecker::update(DExpression& e) {
  DExpression& operand = *e.children[0];
  bool fresh = operand.kind == Kind::Name && operand.scope == DScope::Global
                   ? find_variable(operand.text, DScope::Global) == nullptr && !find_builtin(operand.text) &&
                         !inlines_.contains(operand.text)
                   : operand.kind == Kind::Name && find_variable(operand.text, operand.scope) == nullptr;
  bool fresh_array = operand.kind == Kind::Index && operand.child(0).kind == Kind::Name &&
                     find_variable(operand.child(0).text, operand.child(0).scope) == nullptr;
  const DType* type = fresh || fresh_array ? target_of(operand, types_.integer(8, true)) : expression(operand);
  if (!is_writable(operand)) not_writable(e, operand);
  if (!type->is_scalar()) reject(DTag::OP_SCALAR, e.at, sign(e) + " requires operand of scalar type");
  if (type->is_pointer() && type->target->bytes == 0)
    reject(DTag::OP_VFPTR, e.at, sign(e) + " requires an operand of known size",
           "a cast to a pointer to a type with a size");
  return type;
}

const DType* DChecker::binary(DExpression& e) {
  if (is_logical(e.op)) {
    condition(*e.children[0], spelling_of(e.op));
    condition(*e.children[1], spelling_of(e.op));
    return types_.int_type();
  }
  const DType* left = expression(*e.children[0]);
  const DType* right = expression(*e.children[1]);
  if (is_comparison(e.op)) return comparison(e, left, right);
  return is_additive(e.op) ? additive(e, left, right) : arithmetic(e, left, right);
}

const DType* DChecker::comparison(DExpression& e, const DType* left, const DType* right) {
  const DType* result = types_.int_type();
  if (left->is_integer() && right->is_integer()) return result;
  bool equality = e.op == DWord::Equal || e.op == DWord::NotEqual;
  if (left->is_string() && equality && constant_value(e.child(1)) == 0) return result;  // != NULL
  if (right->is_string() && equality && constant_value(e.child(0)) == 0) return result;
  if (left->is_string() || right->is_string()) {
    if (is_text_like(*left) && is_text_like(*right)) return result;
    incompatible(e, left, right);
  }
  if (!left->is_scalar() || !right->is_scalar()) incompatible(e, left, right);
  return result;  // addresses and numbers compare as D programs always did: 64 bits
}

/// An address in arithmetic: a pointer to a type with a size, or a string, which is an array of characters.
const DType* DChecker::as_pointer(const DType* type) {
  if (type->is_string()) return types_.pointer_to(types_.integer(1, true));
  return type->is_pointer() && type->target->bytes != 0 ? type : nullptr;
}

const DType* DChecker::additive(DExpression& e, const DType* left, const DType* right) {
  const DType *left_pointer = as_pointer(left), *right_pointer = as_pointer(right);
  const DType* pointer = left_pointer != nullptr ? left_pointer : right_pointer;
  if (pointer == nullptr) {
    if (!left->is_integer() || !right->is_integer()) incompatible(e, left, right);
    return types_.common(left, right);
  }
  if (left_pointer != nullptr && right_pointer != nullptr) {
    if (e.op != DWord::Subtract || !is_same(*left_pointer->target, *right_pointer->target) || left->is_string() ||
        right->is_string())
      incompatible(e, left, right);
    return types_.integer(8, true);
  }
  bool reversed = left_pointer == nullptr;
  if ((reversed && e.op == DWord::Subtract) || !(reversed ? left : right)->is_integer()) incompatible(e, left, right);
  bool leads_out = pointer->kind == DType::Kind::Pointer && pointer->leads_into_program;
  return types_.pointer_to(pointer->target, leads_out ? DTypes::Leads::IntoProgram : DTypes::Leads::Here);
}

const DType* DChecker::arithmetic(DExpression& e, const DType* left, const DType* right) {
  bool multiplies = e.op == DWord::Multiply || e.op == DWord::Divide;
  if (!left->is_integer() || !right->is_integer())
    reject(multiplies ? DTag::OP_ARITH : DTag::OP_INT, e.at,
           sign(e) + " requires operands of " + (multiplies ? "arithmetic" : "integral") + " type");
  bool divides = e.op == DWord::Divide || e.op == DWord::Modulo;
  if (divides && constant_value(e.child(1)) == 0)
    reject(DTag::DIV_ZERO, e.at, "expression contains division by zero", "a divisor that is not 0");
  return types_.common(left, right);
}

// -- assignment -----------------------------------------------------------------------------------------------------

const DType* DChecker::assign(DExpression& e) {
  if (e.child(0).kind == Kind::Aggregation)
    reject(DTag::AGG_FUNC, e.at, "an aggregation is assigned to only by a statement of its own",
           "@name[keys] = function(…);");
  if (e.child(0).kind == Kind::Index && e.child(0).child(0).kind == Kind::Aggregation) index(*e.children[0]);
  const DType* from = expression(*e.children[1]);
  not_dynamic(e, "=", from, from);
  if (from->kind == DType::Kind::Void || from->kind == DType::Kind::Special) value(*e.children[1]);
  const DType* target = target_of(*e.children[0], from);
  const DExpression& left = e.child(0);
  if (target->kind == DType::Kind::Array)
    reject(DTag::OP_ARRFUN, e.at, sign(e) + " may not be applied to operand of type " + quoted_source(target->name));
  if (!is_writable(left)) not_writable(e, left);
  return assigned(e, target, from);
}

const DType* DChecker::assigned(DExpression& e, const DType* target, const DType* from) {
  if (e.op == DWord::Assign) {
    if (!can_assign(target, from, e.child(1))) incompatible(e, target, from);
    return target;
  }
  if (is_additive(e.op) && !target->is_string()) additive(e, target, from);
  else if (target->is_string()) incompatible(e, target, from);
  else arithmetic(e, target, from);
  return target;
}

bool DChecker::can_assign(const DType* target, const DType* from, const DExpression& value) const {
  if (target->is_integer()) return from->is_integer() || constant_value(value) == 0;
  if (target->is_string()) return is_text_like(*from) || constant_value(value) == 0;
  if (target->is_in_memory() || from->is_in_memory())
    if (target->kind != DType::Kind::Pointer) return target == from;
  if (from->is_string()) return is_characters(*target) || target->target->kind == DType::Kind::Void;
  if (constant_value(value) == 0) return true;
  if (!from->is_pointer() || from->target->kind == DType::Kind::Translated) return false;
  return is_same(*target->target, *from->target) || target->target->kind == DType::Kind::Void ||
         from->target->kind == DType::Kind::Void;
}

/// The target of an assignment; a new variable gets the type of the assigned value.
const DType* DChecker::target_of(DExpression& e, const DType* from) {
  bool array = e.kind == Kind::Index && e.child(0).kind == Kind::Name;
  const DExpression& named = array ? e.child(0) : e;
  if ((array || e.kind == Kind::Name) && find_variable(named.text, named.scope) == nullptr) {
    bool known =
        named.scope == DScope::Global &&
        (find_builtin(named.text) || find_function(named.text) || inlines_.contains(named.text) ||
         types_.enumerator(named.text) != nullptr || named.text == "args" || named.text == "uregs" ||
         named.text == "fds" || named.text == "curpsinfo" || named.text == "curlwpsinfo" ||
         named.text.find('`') != std::string::npos ||
         (named.text.size() == 4 && named.text.starts_with("arg") && named.text[3] >= '0' && named.text[3] <= '9'));
    if (!known) return new_variable(e, from);
  }
  return expression(e);
}

const DType* DChecker::new_variable(DExpression& e, const DType* from) {
  const DType* type = from->kind == DType::Kind::Array ? types_.pointer_to(from->target) : from;
  if (e.kind == Kind::Name) {
    add_variable(e.text, e.scope, type, {}, e.at);
    return expression(e);
  }
  const DExpression& array = e.child(0);
  if (array.scope == DScope::Clause)
    reject(DTag::ARR_LOCAL, e.at, "local variables may not be used as associative arrays: " + array.text);
  std::vector<const DType*> keys;
  for (size_t i = 1; i < e.children.size(); i++) {
    const DType* of = key(*e.children[i], i);
    keys.push_back(is_characters(*of) ? types_.string() : of);
  }
  add_variable(array.text, array.scope, type, keys, e.at);
  return expression(e);
}

}  // namespace strut
