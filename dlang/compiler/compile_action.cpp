// Actions become records: which action, then its items in the order of their shapes.
#include <algorithm>

#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/compiler.hpp"
#include "dlang/machine/record.hpp"

namespace strut {
namespace {

struct ActionName {
  std::string_view name;
  DAction::Kind kind;
};
constexpr ActionName kActionNames[] = {
    {"trace", DAction::Kind::Trace},         {"tracemem", DAction::Kind::Tracemem},
    {"printf", DAction::Kind::Printf},       {"printa", DAction::Kind::Printa},
    {"stack", DAction::Kind::Stack},         {"ustack", DAction::Kind::Stack},
    {"jstack", DAction::Kind::Stack},        {"exit", DAction::Kind::Exit},
    {"clear", DAction::Kind::Clear},         {"trunc", DAction::Kind::Trunc},
    {"normalize", DAction::Kind::Normalize}, {"denormalize", DAction::Kind::Denormalize},
    {"system", DAction::Kind::System},       {"freopen", DAction::Kind::Freopen},
    {"ftruncate", DAction::Kind::Ftruncate}, {"setopt", DAction::Kind::Setopt},
    {"speculate", DAction::Kind::Speculate}, {"commit", DAction::Kind::Commit},
    {"discard", DAction::Kind::Discard},
};

/// usym() and the others that are not listed.
DAction::Kind kind_of(std::string_view name) {
  for (const ActionName& row : kActionNames)
    if (row.name == name) return row.kind;
  return DAction::Kind::Symbol;
}

}  // namespace

void DCompiler::action(const DExpression& e) {
  if (e.text == "print") return print_action(e);
  DAction::Kind kind = kind_of(e.text);
  switch (kind) {
    case DAction::Kind::Printf:
    case DAction::Kind::System:
    case DAction::Kind::Freopen: return printf_action(e, kind);
    case DAction::Kind::Printa: return printa_action(e);
    case DAction::Kind::Tracemem: return tracemem_action(e);
    case DAction::Kind::Clear:
    case DAction::Kind::Trunc:
    case DAction::Kind::Normalize:
    case DAction::Kind::Denormalize: return aggregation_action(e, kind);
    case DAction::Kind::Speculate:
    case DAction::Kind::Commit:
    case DAction::Kind::Discard: return speculation_action(e, kind);
    default: break;
  }
  uint32_t index = add_action(kind, &e);
  if (kind == DAction::Kind::Stack || kind == DAction::Kind::Symbol) {
    DShape shape = shape_of(*e.type);
    program_.actions[index].items.push_back(shape);
    return put(e, shape);
  }
  for (const DExpressionPtr& child : e.children) record(index, *child, recorded_shape(*child, '\0'));
  if (kind == DAction::Kind::Exit) emit(DOp::Exit, number(e.child(0)));
}

/// The shape that records a value for a conversion's letter.
DShape DCompiler::recorded_shape(const DExpression& e, char letter) const {
  DShape shape = shape_of(*e.type);
  if (is_decoded_by(e, letter)) return {DShape::Kind::CallArgument};
  if (is_characters(*e.type) && (letter == 's' || letter == 'S')) return {DShape::Kind::Text};
  // trace(p->name) of a char array is its bytes, which may be shown as text; of a pointer it is the pointer.
  if (letter == '\0' && e.type->kind == DType::Kind::Array && is_characters(*e.type)) return {DShape::Kind::Bytes, 1};
  if (letter == '\0' && e.type->is_in_memory()) return {DShape::Kind::Bytes};
  if (shape.kind == DShape::Kind::Integer && letter == 'A') return {DShape::Kind::UserAddress};
  if (shape.kind == DShape::Kind::Integer && letter == 'a') return {DShape::Kind::KernelAddress};
  return shape;
}

uint32_t DCompiler::frames_of(const DExpression& e) const {
  if (!e.children.empty()) return static_cast<uint32_t>(constant_value(e.child(0)).value_or(0));
  const DSettings& settings = program_.settings;
  uint64_t frames = e.text == "stack"    ? settings.stackframes
                    : e.text == "jstack" ? settings.jstackframes
                                         : settings.ustackframes;
  if (settings.maxframes != 0) frames = std::min(frames, settings.maxframes);
  return static_cast<uint32_t>(frames);
}

/// A DCallArgument and memory at the argument, put together in scratch memory.
void DCompiler::put_call_argument(const DExpression& e) {
  uint8_t from = new_integer(e.at), at = new_integer(e.at), value = new_integer(e.at), step = new_integer(e.at);
  constant_into(sizeof(DCallArgument) + kDCallMemoryBytes, value);
  emit(DOp::Allocate, from, value);
  emit(DOp::Copy, at, from);
  constant_into(sizeof(uint64_t), step);
  auto store = [&] {
    emit(DOp::Store, at, value, 0, sizeof(uint64_t));
    emit(DOp::Add, at, at, step);
  };
  constant_into(e.meaning.index, value);
  store();
  emit(DOp::Builtin, value, 0, 0, static_cast<int64_t>(DBuiltin::CallAbi));
  store();
  for (int64_t i = 0; i < 6; i++) {
    emit(DOp::Argument, value, 0, 0, i);
    store();
  }
  constant_into(0, value);
  if (e.type->bytes == sizeof(uint64_t)) {  // a shorter value is no address
    constant_into(kDCallMemoryBytes, step);
    emit(DOp::Argument, value, 0, 0, e.meaning.index);
    emit(DOp::CopyInPart, value, value, at, step);
  }
  emit(DOp::Subtract, at, at, from);
  emit(DOp::Add, value, value, at);
  emit(DOp::PutBytes, from, value);
}

/// All of a value that lies in memory.
void DCompiler::put_bytes(const DExpression& e) {
  uint8_t address = number(e), bytes = new_integer(e.at);
  constant_into(e.type->bytes, bytes);
  emit(DOp::PutBytes, address, bytes);
}

/// Records a value as one item.
void DCompiler::put(const DExpression& e, const DShape& shape) {
  if (shape.kind == DShape::Kind::CallArgument) return put_call_argument(e);
  if (shape.kind == DShape::Kind::Bytes) return put_bytes(e);
  if (shape.kind == DShape::Kind::Text) {
    emit(DOp::PutText, text(e));
    return;
  }
  uint8_t value = new_integer(e.at);
  if (shape.is_stack()) {
    constant_into(frames_of(e), value);
    emit(shape.kind == DShape::Kind::UserStack ? DOp::PutUserStack : DOp::PutKernelStack, value);
  } else if (shape.is_address()) {
    number_into(e.type->kind == DType::Kind::Special ? e.child(0) : e, value);
    emit(shape.is_kernel_address() ? DOp::PutKernelAddress : DOp::PutAddress, value);
  } else {
    number_as(e, value, *e.type);
    emit(DOp::PutInteger, value);
  }
}

/// The action's next item.
void DCompiler::record(uint32_t action, const DExpression& given, const DShape& shape) {
  program_.actions[action].items.push_back(shape);
  Mark before = mark();
  put(given, shape);
  release(before);
}

/// A type and a value: printf() of them.
void DCompiler::print_action(const DExpression& e) {
  const DExpression& given = e.child(0);
  if (is_call_argument(given))
    return record(add_action(DAction::Kind::Trace, nullptr), given, {DShape::Kind::CallArgument});
  if (given.type->is_in_memory() && !is_characters(*given.type)) {
    uint32_t action = add_action(DAction::Kind::Print, nullptr);
    program_.actions[action].printed_type = printed_type(*given.type);
    return record(action, given, {DShape::Kind::Bytes});
  }
  bool is_text = given.type->is_string() || (given.type->kind == DType::Kind::Array && is_characters(*given.type));
  uint32_t index = add_action(DAction::Kind::Printf, nullptr);
  program_.actions[index].format = *parse_format(given.type->name + (is_text ? " \"%S\"" : " 0x%x"));
  record(index, given, recorded_shape(given, is_text ? 'S' : 'x'));
}

void DCompiler::printf_action(const DExpression& e, DAction::Kind kind) {
  uint32_t index = add_action(kind, nullptr);
  DFormat format = *parse_format(e.child(0).text);
  size_t next = 1;
  auto take = [&](char letter) {
    const DExpression& given = e.child(next++);
    record(index, given, recorded_shape(given, letter));
  };
  for (size_t i = 0; i + 1 < format.conversions.size(); i++) {
    const DConversion& conversion = format.conversions[i];
    if (conversion.width_is_item) take('d');
    if (conversion.precision_is_item) take('d');
    take(conversion.letter);
  }
  program_.actions[index].format = std::move(format);
}

void DCompiler::printa_action(const DExpression& e) {
  uint32_t index = add_action(DAction::Kind::Printa, &e);
  if (e.child(0).kind == Kind::Text) program_.actions[index].format = *parse_format(e.child(0).text);
}

/// tracemem(address, most, count): records `count` of at most `most` bytes.
void DCompiler::tracemem_action(const DExpression& e) {
  uint32_t index = add_action(DAction::Kind::Tracemem, nullptr);
  program_.actions[index].items.push_back({DShape::Kind::Bytes});
  uint8_t address = number(e.child(0)), bytes = number(e.child(1));
  if (e.children.size() > 2) {
    uint8_t wanted = number(e.child(2)), less = new_integer(e.at);
    emit(DOp::LessUnsigned, less, wanted, bytes);
    size_t all = emit(DOp::JumpZero, less);
    emit(DOp::Copy, bytes, wanted);
    patch(all);
  }
  emit(DOp::PutBytes, address, bytes);
}

void DCompiler::aggregation_action(const DExpression& e, DAction::Kind kind) {
  uint32_t index = add_action(kind, &e);
  if (e.children.size() < 2) return;
  program_.actions[index].items.push_back({DShape::Kind::Integer, 8, true});
  emit(DOp::PutInteger, number(e.child(1)));
}

/// A clause ends at a speculate() of a speculation that takes no records.
void DCompiler::speculation_action(const DExpression& e, DAction::Kind kind) {
  bool begins = kind == DAction::Kind::Speculate;
  uint8_t id = number(e.child(0)), is_open = new_integer(e.at);
  emit(begins ? DOp::Speculate : DOp::EndSpeculation, is_open, id);
  size_t otherwise = emit(DOp::JumpZero, is_open);
  uint32_t index = add_action(kind, nullptr);
  program_.actions[index].items.push_back({DShape::Kind::Integer, 4, true});
  emit(DOp::PutInteger, id);
  if (begins) ends_clause_.push_back(otherwise);
  else patch(otherwise);
}

void DCompiler::aggregate(const DExpression& e) {
  const DExpression &left = e.child(0), &call = e.child(1);
  const DAggregation& aggregation = program_.aggregations[left.meaning.index];
  uint8_t value = new_integer(call.at);
  if (call.children.empty()) constant_into(1, value);
  else number_into(call.child(0), value);
  size_t weight_at = aggregation.aggregate.function == DAggregate::Function::Quantize    ? 1
                     : aggregation.aggregate.function == DAggregate::Function::Lquantize ? 4
                                                                                         : 5;
  uint8_t weight = kNoRegister;
  if (call.children.size() > weight_at) weight = number(call.child(weight_at));
  set_keys(key_registers(left, 0, aggregation.keys));
  emit(DOp::Aggregate, weight, value, 0, left.meaning.index);
}

}  // namespace strut
