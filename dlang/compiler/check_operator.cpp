// Operators and assignments.
#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

std::string sign(const DExpression& e) { return "operator " + std::string(spelling_of(e.op)); }

bool is_comparison(DWord op) {
  return op == DWord::Equal || op == DWord::NotEqual || op == DWord::Less || op == DWord::LessEqual ||
         op == DWord::Greater || op == DWord::GreaterEqual;
}
bool is_logical(DWord op) { return op == DWord::LogicalAnd || op == DWord::LogicalOr || op == DWord::LogicalXor; }
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
    case DWord::Complement: return types_.promoted(integer(*e.children[0], DTag::OP_INT, "operator ~"));
    default: return types_.promoted(integer(*e.children[0], DTag::OP_ARITH, sign(e)));
  }
}

const DType* DChecker::dereference(DExpression& e) {
  const DType* type = expression(*e.children[0]);
  if (type->is_string()) return types_.integer(1, true);  // a string is an array of characters
  if (!type->is_pointer())
    reject(DTag::DEREF_NONPTR, e.at, "cannot dereference a value that is no pointer but " + quoted_source(type->name),
           "a pointer, or a cast to one");
  if (type->target->bytes == 0)
    reject(DTag::DEREF_VOID, e.at, "cannot dereference a pointer to " + quoted_source(type->target->name),
           "a cast to a pointer to a type with a size");
  return type->target;
}

const DType* DChecker::address_of(DExpression& e) {
  const DType* type = expression(*e.children[0]);
  const DExpression& of = e.child(0);
  if (of.meaning.kind == DMeaning::Kind::Variable)
    reject(DTag::ADDROF_VAR, e.at, "cannot take the address of variable " + quoted_source(of.text));
  if (!is_in_memory(of))
    reject(DTag::ADDROF_LVAL, e.at, "unary & may only be applied to what is in memory", "*p, p->member or p[index]");
  return types_.pointer_to(type);
}

const DType* DChecker::string_of(DExpression& e) {
  const DType* type = expression(*e.children[0]);
  if (type->is_string() || type->is_scalar()) return types_.string();
  reject(DTag::STRINGOF_TYPE, e.at, "cannot apply stringof to a value of type " + quoted_source(type->name),
         "a string or an address");
}

bool DChecker::is_writable(const DExpression& e) const {
  if (e.meaning.kind == DMeaning::Kind::Variable) return true;
  return is_in_memory(e) && e.type->is_scalar() && e.type->kind != DType::Kind::Array;
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
  if (!is_writable(operand)) reject(DTag::OP_LVAL, e.at, sign(e) + " requires a modifiable lvalue as an operand");
  if (!type->is_scalar())
    reject(DTag::OP_SCALAR, e.at, sign(e) + " requires an operand of scalar type, not " + quoted_source(type->name));
  return type;
}

const DType* DChecker::binary(DExpression& e) {
  if (is_logical(e.op)) {
    condition(*e.children[0], spelling_of(e.op));
    condition(*e.children[1], spelling_of(e.op));
    return types_.int_type();
  }
  const DType* left = value(*e.children[0]);
  const DType* right = value(*e.children[1]);
  if (is_comparison(e.op)) return comparison(e, left, right);
  if (is_additive(e.op) && (left->is_pointer() || right->is_pointer())) return additive(e, left, right);
  return arithmetic(e, left, right);
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
  return result;  // addresses and numbers compare as D programs always did: 64 bits
}

const DType* DChecker::additive(DExpression& e, const DType* left, const DType* right) {
  bool both = left->is_pointer() && right->is_pointer();
  const DType* pointer = left->is_pointer() ? left : right;
  if (pointer->target->bytes == 0) {
    // Arithmetic with void * counts bytes, as GNU C's does.
    if (pointer->target->kind != DType::Kind::Void) incompatible(e, left, right);
  }
  if (both) {
    if (e.op != DWord::Subtract || left->target != right->target) incompatible(e, left, right);
    return types_.integer(8, true);
  }
  bool reversed = !left->is_pointer();
  if ((reversed && e.op == DWord::Subtract) || !(reversed ? left : right)->is_integer()) incompatible(e, left, right);
  return types_.pointer_to(pointer->target);
}

const DType* DChecker::arithmetic(DExpression& e, const DType* left, const DType* right) {
  if (!left->is_integer() || !right->is_integer())
    reject(left->is_string() || right->is_string() ? DTag::OP_INCOMPAT : DTag::OP_ARITH, e.at,
           sign(e) + " requires operands of arithmetic type, not " + quoted_source(left->name) + " and " +
               quoted_source(right->name));
  bool divides = e.op == DWord::Divide || e.op == DWord::Modulo;
  if (divides && constant_value(e.child(1)) == 0)
    reject(DTag::DIV_ZERO, e.at, "expression contains division by zero", "a divisor that is not 0");
  if (e.op == DWord::ShiftLeft || e.op == DWord::ShiftRight) return types_.promoted(left);
  return types_.common(left, right);
}

// -- assignment -----------------------------------------------------------------------------------------------------

const DType* DChecker::assign(DExpression& e) {
  if (e.child(0).kind == Kind::Aggregation)
    reject(DTag::AGG_FUNC, e.at, "an aggregation is assigned to only by a statement of its own",
           "@name[keys] = function(…);");
  const DType* from = value(*e.children[1]);
  const DType* target = target_of(*e.children[0], from);
  const DExpression& left = e.child(0);
  if (!is_writable(left)) {
    bool known = left.meaning.kind != DMeaning::Kind::None;
    reject(known ? DTag::OP_WRITE : DTag::OP_LVAL, e.at,
           known ? "cannot write to read-only variable " + quoted_source(left.text)
                 : sign(e) + " requires a modifiable lvalue as an operand");
  }
  return assigned(e, target, from);
}

const DType* DChecker::assigned(DExpression& e, const DType* target, const DType* from) {
  if (e.op == DWord::Assign) {
    if (!can_assign(target, from, e.child(1))) incompatible(e, target, from);
    return target;
  }
  if (is_additive(e.op) && target->is_pointer() && from->is_integer()) {
    additive(e, target, from);
    return target;
  }
  arithmetic(e, target, from);
  return target;
}

bool DChecker::can_assign(const DType* target, const DType* from, const DExpression& value) const {
  if (target->is_integer()) return from->is_integer() || constant_value(value) == 0;
  if (target->is_string()) return is_text_like(*from) || constant_value(value) == 0;
  if (constant_value(value) == 0) return true;
  if (!from->is_pointer() || from->target->kind == DType::Kind::Translated) return false;
  return target->target == from->target || target->target->kind == DType::Kind::Void ||
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
    reject(DTag::DECL_LOCASSC, e.at, "cannot declare clause-local associative array " + quoted_source(array.text));
  std::vector<const DType*> keys;
  for (size_t i = 1; i < e.children.size(); i++) {
    const DType* of = key(*e.children[i]);
    keys.push_back(is_characters(*of) ? types_.string() : of);
  }
  add_variable(array.text, array.scope, type, keys, e.at);
  return expression(e);
}

// -- constants --------------------------------------------------------------------------------------------------------

namespace {

std::optional<int64_t> constant_binary(const DExpression& e) {
  auto left = constant_value(e.child(0)), right = constant_value(e.child(1));
  if (!left || !right || !e.child(0).type->is_integer() || !e.child(1).type->is_integer()) return std::nullopt;
  auto a = static_cast<uint64_t>(*left), b = static_cast<uint64_t>(*right);
  switch (e.op) {
    case DWord::Add: return static_cast<int64_t>(a + b);
    case DWord::Subtract: return static_cast<int64_t>(a - b);
    case DWord::Multiply: return static_cast<int64_t>(a * b);
    case DWord::And: return static_cast<int64_t>(a & b);
    case DWord::Or: return static_cast<int64_t>(a | b);
    case DWord::Xor: return static_cast<int64_t>(a ^ b);
    case DWord::ShiftLeft: return static_cast<int64_t>(a << (b & 63));
    case DWord::Divide:
      if (b == 0 || *right == -1) return std::nullopt;
      return e.type != nullptr && !e.type->is_signed ? static_cast<int64_t>(a / b) : *left / *right;
    default: return std::nullopt;
  }
}

/// As many low bytes as the type has, extended by its sign.
int64_t narrowed(int64_t value, const DType& type) {
  auto bits = static_cast<uint64_t>(value);
  if (!type.is_integer() || type.bytes >= 8) return value;
  unsigned shift = 64 - type.bytes * 8;
  return type.is_signed ? static_cast<int64_t>(bits << shift) >> shift : static_cast<int64_t>((bits << shift) >> shift);
}

}  // namespace

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
  if (value && e.type != nullptr) return narrowed(*value, *e.type);
  return value;
}

}  // namespace strut
