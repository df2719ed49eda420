// Expressions of strings.
#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/compiler.hpp"

namespace strut {

uint8_t DCompiler::text(const DExpression& e) {
  uint8_t to = new_text(e.at);
  text_into(e, to);
  return to;
}

void DCompiler::text_into(const DExpression& e, uint8_t to) {
  Mark before = mark();
  if (!e.type->is_string()) {
    characters_into(e, to);
    return release(before);
  }
  switch (e.kind) {
    case Kind::Text: emit(DOp::Text, to, 0, 0, text_index(e.text)); break;
    case Kind::Name: text_name_into(e, to); break;
    case Kind::Unary:
      if (e.op == DWord::Multiply) load(place_of(e), to);  // a pointer to a string
      else text_into(e.child(0), to);
      break;
    case Kind::Cast: text_into(e.child(0), to); break;
    case Kind::Assign: text_assign_into(e, to); break;
    case Kind::Conditional: text_conditional_into(e, to); break;
    case Kind::Comma:
      discard(e.child(0));
      release(before);
      text_into(e.child(1), to);
      break;
    case Kind::Index:
      if (e.meaning.kind == DMeaning::Kind::Arguments) emit(DOp::TypedArgumentText, to, 0, 0, e.meaning.index);
      else load(place_of(e), to);
      break;
    case Kind::Member:
      if (e.meaning.kind == DMeaning::Kind::Translated) translated_into(e, to, true);
      else load(place_of(e), to);
      break;
    case Kind::Call: call_into(e, to); break;
    default: break;
  }
  release(before);
}

/// An address where a string is wanted: the bytes there. A constant 0 is NULL.
void DCompiler::characters_into(const DExpression& e, uint8_t to) {
  if (constant_value(e) == 0) {
    emit(DOp::TextNull, to);
    return;
  }
  uint8_t address = number(e);
  if (e.type->leads_into_program) return program_text_into(address, to);
  if (e.type->kind != DType::Kind::Array) {
    emit(DOp::ScratchText, to, address, 0, -1);
    return;
  }
  uint8_t most = new_integer(e.at);
  constant_into(e.type->bytes, most);
  emit(DOp::ScratchText, to, address, 0, most);
}

void DCompiler::program_text_into(uint8_t address, uint8_t to) {
  size_t is_here = jump_if_here(address);
  emit(DOp::CopyInText, to, address, 0, -1);
  size_t end = emit(DOp::Jump);
  patch(is_here);
  emit(DOp::ScratchText, to, address, 0, -1);
  patch(end);
}

void DCompiler::text_name_into(const DExpression& e, uint8_t to) {
  switch (e.meaning.kind) {
    case DMeaning::Kind::Builtin: emit(DOp::BuiltinText, to, 0, 0, e.meaning.index); break;
    case DMeaning::Kind::Inline: text_into(*e.meaning.inlined, to); break;
    default: load(place_of(e), to); break;
  }
}

void DCompiler::text_assign_into(const DExpression& e, uint8_t to) {
  text_into(e.child(1), to);
  store(place_of(e.child(0), For::Writing), to);
}

void DCompiler::text_conditional_into(const DExpression& e, uint8_t to) {
  Mark before = mark();
  Jumps otherwise = jump_if_false(e.child(0));
  release(before);
  text_into(e.child(1), to);
  size_t end = emit(DOp::Jump);
  patch(otherwise);
  text_into(e.child(2), to);
  patch(end);
}

}  // namespace strut
