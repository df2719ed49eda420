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

DCompiler::Place DCompiler::place_of(const DExpression& e) {
  Place place{.type = e.type};
  if (e.meaning.kind != DMeaning::Kind::Variable) {
    place.kind = Place::Kind::Memory;
    place.address = new_integer(e.at);
    address_into(e, place.address);
    return place;
  }
  place.variable = e.meaning.index;
  const DVariable& variable = program_.variables[place.variable];
  if (e.kind != Kind::Index) {
    place.kind = static_cast<Place::Kind>(variable.scope);
    return place;
  }
  place.kind = Place::Kind::Element;
  bool of_thread = e.child(0).scope == DScope::Thread;
  std::vector<DShape> shapes(variable.keys.begin() + (of_thread ? 1 : 0), variable.keys.end());
  place.keys = key_registers(e, 1, shapes);
  if (!of_thread) return place;
  KeyRegister thread{variable.keys[0], new_integer(e.at)};
  emit(DOp::Builtin, thread.number, 0, 0, static_cast<int64_t>(DBuiltin::Tid));
  place.keys.insert(place.keys.begin(), thread);
  return place;
}

void DCompiler::load(const Place& place, uint8_t to) {
  if (place.kind == Place::Kind::Memory) {
    if (place.type->kind == DType::Kind::Array) {
      emit(DOp::Copy, to, place.address);  // an array is its address
      return;
    }
    emit(DOp::Load, to, place.address, 0,
         place.type->bytes | (place.type->is_integer() && place.type->is_signed ? kSignedWidth : 0));
    return;
  }
  if (place.kind == Place::Kind::Element) set_keys(place.keys);
  const Access& access = kAccess[static_cast<size_t>(place.kind)];
  emit(place.type->is_string() ? access.load_text : access.load, to, 0, 0, place.variable);
}

void DCompiler::store(const Place& place, uint8_t from) {
  if (place.kind == Place::Kind::Memory) {
    emit(DOp::Store, place.address, from, 0, place.type->bytes);
    return;
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
  else number_as(e, key.number, *types_.integer(shape.bytes, shape.is_signed));
  return key;
}

void DCompiler::set_keys(const std::vector<KeyRegister>& keys) {
  for (size_t i = 0; i < keys.size(); i++) {
    auto slot = static_cast<int64_t>(i);
    const KeyRegister& key = keys[i];
    switch (key.shape.kind) {
      case DShape::Kind::Text: emit(DOp::KeyText, key.number, 0, 0, slot); break;
      case DShape::Kind::UserStack: emit(DOp::KeyUserStack, 0, key.number, 0, slot); break;
      case DShape::Kind::KernelStack: emit(DOp::KeyKernelStack, 0, key.number, 0, slot); break;
      case DShape::Kind::Integer: emit(DOp::Key, key.number, 0, 0, slot); break;
      default:
        emit(key.shape.is_kernel_address() ? DOp::KeyKernelAddress : DOp::KeyAddress, key.number, 0, 0, slot);
        break;
    }
  }
}

/// The address of an expression in memory: *p, p->m, s.m, p[i].
void DCompiler::address_into(const DExpression& e, uint8_t to) {
  Mark before = mark();
  if (e.kind == Kind::Unary) {
    number_into(e.child(0), to);
  } else if (e.kind == Kind::Member) {
    if (e.op == DWord::Arrow) number_into(e.child(0), to);
    else address_into(e.child(0), to);
    uint8_t offset = new_integer(e.at);
    constant_into(static_cast<int64_t>(e.integer), offset);
    emit(DOp::Add, to, to, offset);
  } else {
    number_into(e.child(0), to);
    uint8_t offset = new_integer(e.at);
    number_into(e.child(1), offset);
    scale(offset, e.type->bytes, e.at);
    emit(DOp::Add, to, to, offset);
  }
  release(before);
}

}  // namespace strut
