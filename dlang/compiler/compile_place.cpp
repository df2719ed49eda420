// Where values live: variables, elements of arrays, scratch memory.
#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/compiler.hpp"

namespace strut {
namespace {

/// Loading and storing a number, then a string.
struct Access {
  DOp load, store, load_text, store_text;
};
constexpr Access kAccess[] = {
    {DOp::LoadGlobal, DOp::StoreGlobal, DOp::LoadGlobalText, DOp::StoreGlobalText},
    {DOp::LoadThread, DOp::StoreThread, DOp::LoadThreadText, DOp::StoreThreadText},
    {DOp::LoadClause, DOp::StoreClause, DOp::LoadClauseText, DOp::StoreClauseText},
    {DOp::LoadElement, DOp::StoreElement, DOp::LoadElementText, DOp::StoreElementText},
};

}  // namespace

DCompiler::Place DCompiler::place_of(const DExpression& e, For use) {
  Place place{.type = e.type};
  if (e.meaning.kind != DMeaning::Kind::Variable || e.type->is_in_memory()) {
    place.kind = Place::Kind::Memory;
    place.address = new_integer(e.at);
    place.bits = e.bits;
    place.first_bit = e.first_bit;
    place.is_in_program = is_in_program(e);
    if (is_of_string(e)) place_in_string(e, place);
    else address_into(e, place.address, use);
    return place;
  }
  place.variable = e.meaning.index;
  const DVariable& variable = program_.variables[place.variable];
  place.kind = e.kind == Kind::Index ? Place::Kind::Element : static_cast<Place::Kind>(variable.scope);
  if (e.kind == Kind::Index) place.keys = element_keys(e, variable);
  return place;
}

/// s[i] or *s: in a copy of the string, which is stored when the character is.
void DCompiler::place_in_string(const DExpression& e, Place& place) {
  place.string = std::make_shared<const Place>(place_of(e.child(0), For::Writing));
  place.copy = new_integer(e.at);
  uint8_t text = new_text(e.at);
  load(*place.string, text);
  copy_to_scratch(text, place.copy);
  if (e.kind == Kind::Index) emit(DOp::Add, place.address, place.copy, number(e.child(1)));
  else emit(DOp::Copy, place.address, place.copy);
}

/// A thread's array has the thread as its first key.
std::vector<DCompiler::KeyRegister> DCompiler::element_keys(const DExpression& e, const DVariable& variable) {
  bool of_thread = e.child(0).scope == DScope::Thread;
  std::vector<DShape> shapes(variable.keys.begin() + (of_thread ? 1 : 0), variable.keys.end());
  std::vector<KeyRegister> keys = key_registers(e, 1, shapes);
  if (!of_thread) return keys;
  KeyRegister thread{variable.keys[0], new_integer(e.at)};
  emit(DOp::Builtin, thread.number, 0, 0, static_cast<int64_t>(DBuiltin::Tid));
  keys.insert(keys.begin(), thread);
  return keys;
}

void DCompiler::load(const Place& place, uint8_t to) {
  if (place.kind == Place::Kind::Memory) return load_from_memory(place, to);
  if (place.kind == Place::Kind::Element) set_keys(place.keys);
  const Access& access = kAccess[static_cast<size_t>(place.kind)];
  emit(place.type->is_string() ? access.load_text : access.load, to, 0, 0, place.variable);
}

void DCompiler::load_from_memory(const Place& place, uint8_t to) {
  if (place.is_in_program) bring_in(place.address, place.type->bytes);
  if (place.type->is_in_memory()) {
    emit(DOp::Copy, to, place.address);  // the value in a register is the address
    return;
  }
  if (place.type->is_string()) {
    uint8_t most = new_integer(statement_at_);
    constant_into(place.type->bytes, most);
    emit(DOp::ScratchText, to, place.address, 0, most);
    return;
  }
  emit(DOp::Load, to, place.address, 0,
       place.type->bytes | (place.type->is_integer() && place.type->is_signed ? kSignedWidth : 0));
  if (place.bits != 0) load_bits(place, to);
}

/// A jump that is taken if an address lies in scratch: a variable of the program's pointer type may have such a one.
/// Signed, so that the kernel's addresses count as the program's, where they fault.
size_t DCompiler::jump_if_here(uint8_t address) {
  Mark before = mark();
  uint8_t is_there = new_integer(statement_at_);
  constant_into(static_cast<int64_t>(kDScratchBase), is_there);
  emit(DOp::LessSigned, is_there, address, is_there);
  release(before);
  return emit(DOp::JumpZero, is_there);
}

/// The address becomes that of a copy of the program's memory there.
void DCompiler::bring_in(uint8_t address, uint32_t bytes) {
  Mark before = mark();
  size_t is_here = jump_if_here(address);
  uint8_t count = new_integer(statement_at_);
  constant_into(bytes, count);
  emit(DOp::CopyIn, address, address, count);
  patch(is_here);
  release(before);
}

/// The bits of the integer in `to`, extended as its type says.
void DCompiler::load_bits(const Place& place, uint8_t to) {
  uint8_t by = new_integer(statement_at_);
  constant_into(64 - place.bits - place.first_bit, by);
  emit(DOp::ShiftLeft, to, to, by);
  constant_into(64 - place.bits, by);
  emit(place.type->is_signed ? DOp::ShiftRightSigned : DOp::ShiftRightUnsigned, to, to, by);
}

/// The other bits of the integer stay.
void DCompiler::store_bits(const Place& place, uint8_t from) {
  uint64_t mask = (place.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << place.bits) - 1) << place.first_bit;
  uint8_t whole = new_integer(statement_at_), part = new_integer(statement_at_), other = new_integer(statement_at_);
  emit(DOp::Load, whole, place.address, 0, place.type->bytes);
  constant_into(static_cast<int64_t>(~mask), other);
  emit(DOp::And, whole, whole, other);
  constant_into(place.first_bit, other);
  emit(DOp::ShiftLeft, part, from, other);
  constant_into(static_cast<int64_t>(mask), other);
  emit(DOp::And, part, part, other);
  emit(DOp::Or, whole, whole, part);
  emit(DOp::Store, place.address, whole, 0, place.type->bytes);
}

void DCompiler::store_in_memory(const Place& place, uint8_t from) {
  if (place.bits != 0) return store_bits(place, from);
  bool is_string = place.type->is_string();
  if (!is_string && !place.type->is_in_memory()) {
    emit(DOp::Store, place.address, from, 0, place.type->bytes);
    return;
  }
  uint8_t bytes = new_integer(statement_at_);
  constant_into(place.type->bytes, bytes);
  if (is_string) emit(DOp::ScratchStore, place.address, from, 0, bytes);
  else emit(DOp::ScratchCopy, from, place.address, bytes);
}

void DCompiler::store(const Place& place, uint8_t from) {
  if (place.kind == Place::Kind::Memory) {
    store_in_memory(place, from);
    if (place.string == nullptr) return;
    uint8_t changed = new_text(statement_at_), most = new_integer(statement_at_);
    constant_into(static_cast<int64_t>(program_.settings.strsize), most);
    emit(DOp::ScratchText, changed, place.copy, 0, most);
    return store(*place.string, changed);
  }
  if (place.kind == Place::Kind::Element) set_keys(place.keys);
  const Access& access = kAccess[static_cast<size_t>(place.kind)];
  emit(place.type->is_string() ? access.store_text : access.store, from, 0, 0, place.variable);
}

/// Evaluates the children from `first` on as keys of these shapes.
std::vector<DCompiler::KeyRegister> DCompiler::key_registers(const DExpression& e, size_t first,
                                                             const std::vector<DShape>& shapes) {
  std::vector<KeyRegister> keys;
  for (size_t i = first; i < e.children.size(); i++) keys.push_back(key_register(e.child(i), shapes[i - first]));
  return keys;
}

DCompiler::KeyRegister DCompiler::key_register(const DExpression& e, const DShape& shape) {
  KeyRegister key{shape};
  if (shape.kind == DShape::Kind::Text) {
    key.number = text(e);
    return key;
  }
  key.number = new_integer(e.at);
  if (shape.is_stack()) constant_into(frames_of(e), key.number);
  else if (shape.is_address()) number_into(e.child(0), key.number);
  else if (shape.kind == DShape::Kind::Bytes) number_into(e, key.number);  // the value's address
  else number_as(e, key.number, *types_.integer(shape.bytes, shape.is_signed));
  return key;
}

void DCompiler::set_keys(const std::vector<KeyRegister>& keys) {
  for (size_t i = 0; i < keys.size(); i++) {
    auto slot = static_cast<int64_t>(i);
    const KeyRegister& key = keys[i];
    switch (key.shape.kind) {
      case DShape::Kind::Text: emit(DOp::KeyText, key.number, 0, 0, slot); break;
      case DShape::Kind::Bytes:
        emit(DOp::KeyBytes, key.number, 0, 0, slot | int64_t{key.shape.bytes} << kDKeyBits);
        break;
      case DShape::Kind::UserStack: emit(DOp::KeyUserStack, 0, key.number, 0, slot); break;
      case DShape::Kind::KernelStack: emit(DOp::KeyKernelStack, 0, key.number, 0, slot); break;
      case DShape::Kind::Integer: emit(DOp::Key, key.number, 0, 0, slot); break;
      default:
        emit(key.shape.is_kernel_address() ? DOp::KeyKernelAddress : DOp::KeyAddress, key.number, 0, 0, slot);
        break;
    }
  }
}

/// The address of an expression in memory: *p, p->m, s.m, p[i], a variable that lies there.
void DCompiler::address_into(const DExpression& e, uint8_t to, For use) {
  Mark before = mark();
  if (e.meaning.kind == DMeaning::Kind::Variable) {
    variable_address_into(e, to, use);
  } else if (e.meaning.kind == DMeaning::Kind::Program) {
    emit(DOp::ProgramVariable, to, 0, 0, e.meaning.index);
  } else if (e.kind == Kind::Unary) {
    number_into(e.child(0), to);
  } else if (e.kind == Kind::Member) {
    if (e.op == DWord::Arrow) number_into(e.child(0), to);
    else address_into(e.child(0), to, use);
    uint8_t offset = new_integer(e.at);
    constant_into(static_cast<int64_t>(e.integer), offset);
    emit(DOp::Add, to, to, offset);
  } else if (e.kind == Kind::Index) {
    if (e.child(0).type->is_in_memory()) address_into(e.child(0), to, use);
    else number_into(e.child(0), to);
    uint8_t offset = number(e.child(1));
    scale(offset, e.type->bytes, e.at);
    emit(DOp::Add, to, to, offset);
  } else {
    number_into(e, to);  // a structure's value is its address
  }
  release(before);
}

void DCompiler::variable_address_into(const DExpression& e, uint8_t to, For use) {
  const DVariable& variable = program_.variables[e.meaning.index];
  unsigned writing = use == For::Writing ? 1 : 0;
  if (variable.address != 0) {
    constant_into(static_cast<int64_t>(variable.address), to);
  } else if (e.kind == Kind::Index) {
    set_keys(element_keys(e, variable));
    emit(DOp::AddressElement, to, 0, writing, e.meaning.index);
  } else {
    emit(DOp::AddressThread, to, 0, writing, e.meaning.index);
  }
}

void DCompiler::string_address_into(const DExpression& e, uint8_t to) {
  Mark before = mark();
  copy_to_scratch(text(e), to);
  release(before);
}

/// `to` gets the address: there is room for as many bytes as strsize says, with zeros behind the string's end.
void DCompiler::copy_to_scratch(uint8_t text, uint8_t to) {
  uint8_t bytes = new_integer(statement_at_);
  constant_into(static_cast<int64_t>(program_.settings.strsize), bytes);
  emit(DOp::Allocate, to, bytes);
  emit(DOp::ScratchStore, to, text, 0, bytes);
}

}  // namespace strut
