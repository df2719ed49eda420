// Expressions of numbers and addresses.
#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/compiler.hpp"

namespace strut {
namespace {

struct Operation {
  DWord word;
  DOp for_signed, for_unsigned;
};
constexpr Operation kOperations[] = {
    {DWord::Add, DOp::Add, DOp::Add},
    {DWord::Subtract, DOp::Subtract, DOp::Subtract},
    {DWord::Multiply, DOp::Multiply, DOp::Multiply},
    {DWord::Divide, DOp::DivideSigned, DOp::DivideUnsigned},
    {DWord::Modulo, DOp::ModuloSigned, DOp::ModuloUnsigned},
    {DWord::And, DOp::And, DOp::And},
    {DWord::Or, DOp::Or, DOp::Or},
    {DWord::Xor, DOp::Xor, DOp::Xor},
    {DWord::ShiftLeft, DOp::ShiftLeft, DOp::ShiftLeft},
    {DWord::ShiftRight, DOp::ShiftRightSigned, DOp::ShiftRightUnsigned},
    {DWord::Equal, DOp::Equal, DOp::Equal},
    {DWord::NotEqual, DOp::NotEqual, DOp::NotEqual},
    {DWord::Less, DOp::LessSigned, DOp::LessUnsigned},
    {DWord::LessEqual, DOp::LessEqualSigned, DOp::LessEqualUnsigned},
};

DOp operation(DWord word, bool is_signed) {
  for (const Operation& row : kOperations)
    if (row.word == word) return is_signed ? row.for_signed : row.for_unsigned;
  return DOp::End;
}

/// True: the register of this expression has a value of its type. Arithmetic has 64 bits, of all types.
bool is_extended(const DExpression& e) {
  using Kind = DExpression::Kind;
  if (!e.type->is_integer() || e.type->bytes == 8) return true;
  switch (e.kind) {
    case Kind::Binary: return is_logical(e.op) || (e.op >= DWord::LessEqual && e.op <= DWord::Greater);
    case Kind::Unary: return e.op != DWord::Subtract && e.op != DWord::Complement && e.op != DWord::Add;
    case Kind::Comma: return is_extended(e.child(1));
    case Kind::Integer: return narrowed(static_cast<int64_t>(e.integer), *e.type) == static_cast<int64_t>(e.integer);
    default: return true;
  }
}

int64_t width_of(const DType& type) { return type.bytes | (type.is_signed ? kSignedWidth : 0); }

}  // namespace

uint8_t DCompiler::number(const DExpression& e) {
  uint8_t to = new_integer(e.at);
  number_into(e, to);
  return to;
}

/// The value as it is stored or recorded: in as many bytes as the type has.
void DCompiler::number_as(const DExpression& e, uint8_t to, const DType& type) {
  if (auto value = constant_value(e)) return constant_into(narrowed(*value, type), to);
  number_into(e, to);
  convert(to, is_extended(e) ? *e.type : *types_.integer(8, true), type);
}

/// Converts a register that has a value of the type `from`, as it would be stored.
void DCompiler::convert(uint8_t of, const DType& from, const DType& to) {
  if (!to.is_integer() || to.bytes == 8) return;
  bool from_signed = from.is_integer() && from.is_signed;
  uint32_t from_bytes = from.is_integer() ? from.bytes : 8;
  bool fits =
      from_bytes < to.bytes ? !from_signed || to.is_signed : from_bytes == to.bytes && from_signed == to.is_signed;
  if (!fits) emit(DOp::Extend, of, of, 0, width_of(to));
}

void DCompiler::discard(const DExpression& e) {
  if (e.type->is_string()) text(e);
  else if (e.type->is_scalar() || e.type->is_in_memory()) number(e);
  else if (e.kind == Kind::Call) call_into(e, 0);
}

void DCompiler::number_into(const DExpression& e, uint8_t to) {
  if (auto value = constant_value(e)) return constant_into(*value, to);
  if (e.type->is_string()) return string_address_into(e, to);
  Mark before = mark();
  switch (e.kind) {
    case Kind::Name: name_into(e, to); break;
    case Kind::Unary: unary_into(e, to); break;
    case Kind::Update: update_into(e, to); break;
    case Kind::Binary: binary_into(e, to); break;
    case Kind::Assign: assign_into(e, to); break;
    case Kind::Conditional: conditional_into(e, to); break;
    case Kind::Comma:
      discard(e.child(0));
      release(before);
      number_into(e.child(1), to);
      break;
    case Kind::Index: index_into(e, to); break;
    case Kind::Member:
      if (e.meaning.kind == DMeaning::Kind::Translated) translated_into(e, to, false);
      else load(place_of(e), to);
      break;
    case Kind::Call: call_into(e, to); break;
    case Kind::Cast: number_as(e.child(0), to, *e.type); break;
    default: break;
  }
  release(before);
}

void DCompiler::name_into(const DExpression& e, uint8_t to) {
  switch (e.meaning.kind) {
    case DMeaning::Kind::Argument: emit(DOp::Argument, to, 0, 0, e.meaning.index); break;
    case DMeaning::Kind::Builtin: emit(DOp::Builtin, to, 0, 0, e.meaning.index); break;
    case DMeaning::Kind::Inline: number_into(*e.meaning.inlined, to); break;
    case DMeaning::Kind::Variable: load(place_of(e), to); break;
    case DMeaning::Kind::Program: program_variable_into(e, to); break;
    default: constant_into(0, to); break;  // curpsinfo itself: not NULL is all that could be asked of it
  }
}

void DCompiler::program_variable_into(const DExpression& e, uint8_t to) {
  if (e.meaning.is_address) load(place_of(e), to);
  else emit(DOp::ProgramVariable, to, 0, 0, e.meaning.index);
}

void DCompiler::index_into(const DExpression& e, uint8_t to) {
  switch (e.meaning.kind) {
    case DMeaning::Kind::Arguments: emit(DOp::TypedArgument, to, 0, 0, e.meaning.index); break;
    case DMeaning::Kind::Program: program_variable_into(e, to); break;
    case DMeaning::Kind::Registers: emit(DOp::UserRegister, to, number(e.child(1))); break;
    default:
      if (is_of_string(e)) character_into(e.child(0), number(e.child(1)), to);
      else load(place_of(e), to);
      break;
  }
}

/// A member of a structure that the backend answers for.
void DCompiler::translated_into(const DExpression& e, uint8_t to, bool text) {
  const DExpression& of = e.child(0);
  DSubject subject = DSubject::Current;
  uint8_t which = new_integer(e.at);
  if (of.meaning.kind == DMeaning::Kind::Arguments) {
    subject = DSubject::Argument;
    constant_into(of.meaning.index, which);
  } else if (of.meaning.kind == DMeaning::Kind::Descriptors) {
    subject = DSubject::Descriptor;
    number_into(of.child(1), which);
  } else {
    constant_into(0, which);
  }
  emit(text ? DOp::MemberText : DOp::Member, to, which, static_cast<unsigned>(subject), e.meaning.index);
}

void DCompiler::truth_into(const DExpression& e, uint8_t to) {
  Mark before = mark();
  number_into(e, to);
  emit(DOp::IsNotZero, to, to);
  release(before);
}

/// A character of a string: 0 behind its end.
void DCompiler::character_into(const DExpression& of, uint8_t index, uint8_t to) {
  emit(DOp::TextByte, to, text(of), index);
  emit(DOp::Extend, to, to, 0, 1 | kSignedWidth);
}

void DCompiler::unary_into(const DExpression& e, uint8_t to) {
  const DExpression& operand = e.child(0);
  switch (e.op) {
    case DWord::Multiply:
      if (operand.type->is_string()) {
        uint8_t first = new_integer(e.at);
        constant_into(0, first);
        return character_into(operand, first, to);
      }
      return load(place_of(e), to);
    case DWord::And: return address_into(operand, to);
    case DWord::Not:
      number_into(operand, to);
      emit(DOp::IsZero, to, to);
      return;
    default: break;
  }
  number_into(operand, to);
  if (e.op != DWord::Add) emit(e.op == DWord::Subtract ? DOp::Negate : DOp::Complement, to, to);
}

void DCompiler::update_into(const DExpression& e, uint8_t to) {
  Place place = place_of(e.child(0), For::Writing);
  uint8_t changed = new_integer(e.at), by = new_integer(e.at);
  load(place, changed);
  if (e.is_postfix) emit(DOp::Copy, to, changed);
  bool pointer = e.type->is_pointer() && e.type->target->bytes > 1;
  constant_into(pointer ? e.type->target->bytes : 1, by);
  emit(e.op == DWord::Increment ? DOp::Add : DOp::Subtract, changed, changed, by);
  if (e.type->is_integer() && e.type->bytes < 8) emit(DOp::Extend, changed, changed, 0, width_of(*e.type));
  store(place, changed);
  if (!e.is_postfix) emit(DOp::Copy, to, changed);
}

void DCompiler::binary_into(const DExpression& e, uint8_t to) {
  if (is_logical(e.op)) return logical_into(e, to);
  switch (e.op) {
    case DWord::Equal:
    case DWord::NotEqual:
    case DWord::Less:
    case DWord::LessEqual:
    case DWord::Greater:
    case DWord::GreaterEqual: return comparison_into(e, to);
    default: break;
  }
  if (e.child(0).type->is_address() || e.child(1).type->is_address()) return pointer_arithmetic_into(e, to);
  number_into(e.child(0), to);
  uint8_t right = number(e.child(1));
  emit(operation(e.op, e.type->is_signed), to, to, right);
}

void DCompiler::logical_into(const DExpression& e, uint8_t to) {
  truth_into(e.child(0), to);
  if (e.op == DWord::LogicalXor) {
    uint8_t right = new_integer(e.at);
    truth_into(e.child(1), right);
    emit(DOp::Xor, to, to, right);
    return;
  }
  size_t decided = emit(e.op == DWord::LogicalAnd ? DOp::JumpZero : DOp::JumpNotZero, to);
  truth_into(e.child(1), to);
  patch(decided);
}

void DCompiler::comparison_into(const DExpression& e, uint8_t to) {
  const DType &left = *e.child(0).type, &right = *e.child(1).type;
  if (left.is_string() || right.is_string()) return text_comparison_into(e, to);
  bool both = left.is_integer() && right.is_integer();
  const DType& common = both ? *types_.common(&left, &right) : *types_.integer(8, false);
  number_into(e.child(0), to);
  uint8_t other = number(e.child(1));
  bool swapped = e.op == DWord::Greater || e.op == DWord::GreaterEqual;
  DWord op = e.op == DWord::Greater ? DWord::Less : e.op == DWord::GreaterEqual ? DWord::LessEqual : e.op;
  emit(operation(op, common.is_signed), to, swapped ? other : to, swapped ? to : other);
}

void DCompiler::text_comparison_into(const DExpression& e, uint8_t to) {
  const DExpression &left = e.child(0), &right = e.child(1);
  bool against_null = constant_value(left) == 0 || constant_value(right) == 0;
  if (against_null) {
    emit(DOp::TextIsSet, to, text(left.type->is_string() ? left : right));
    emit(e.op == DWord::Equal ? DOp::IsZero : DOp::IsNotZero, to, to);
    return;
  }
  uint8_t a = text(left), b = text(right), zero = new_integer(e.at);
  emit(DOp::TextCompare, to, a, b);
  constant_into(0, zero);
  bool swapped = e.op == DWord::Greater || e.op == DWord::GreaterEqual;
  DWord op = e.op == DWord::Greater ? DWord::Less : e.op == DWord::GreaterEqual ? DWord::LessEqual : e.op;
  emit(operation(op, true), to, swapped ? zero : to, swapped ? to : zero);
}

void DCompiler::assign_into(const DExpression& e, uint8_t to) {
  const DType& target = *e.type;
  if (e.op == DWord::Assign) {
    number_as(e.child(1), to, target);
    store(place_of(e.child(0), For::Writing), to);
    return;
  }
  uint8_t by = number(e.child(1));
  bool pointer = target.is_pointer();
  const DType& common = pointer ? target : *types_.common(&target, e.child(1).type);
  if (pointer) scale(by, target.target->bytes, e.at);
  Place place = place_of(e.child(0), For::Writing);
  load(place, to);
  emit(operation(e.op, common.is_signed), to, to, by);
  convert(to, *types_.integer(8, true), target);
  store(place, to);
}

void DCompiler::conditional_into(const DExpression& e, uint8_t to) {
  Mark before = mark();
  Jumps otherwise = jump_if_false(e.child(0));
  release(before);
  number_as(e.child(1), to, *e.type);
  size_t end = emit(DOp::Jump);
  patch(otherwise);
  number_as(e.child(2), to, *e.type);
  patch(end);
}

}  // namespace strut
