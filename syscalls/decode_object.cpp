// The part of Decoder that follows descriptions: scalars, objects behind pointers, structures and arrays.
#include <algorithm>
#include <string>

#include "syscalls/decoder.hpp"
#include "syscalls/layout_plan.hpp"

namespace strut {

namespace {

constexpr uint8_t kMaxDepth = 16;         // pointers behind pointers
constexpr uint64_t kMaxItems = 1u << 20;  // -v shows whole arrays: RLIMIT_NOFILE's usual ceiling bounds poll's
constexpr size_t kFirstItems = 32;        // room for items at first; -s says 32 too
constexpr size_t kWindowBytes = 2048;     // read ahead of an array, and structures that fit on the stack

uint8_t set_bytes(const Type& set) {
  return set.length.from == LengthFrom::Fixed ? static_cast<uint8_t>(set.length.fixed) : sizeof(uint64_t);
}

bool is_text(const Type& type) { return type.kind == Kind::Bytes || type.kind == Kind::CString; }

bool is_scalar(const Type& type) {
  switch (type.kind) {
    case Kind::Number:
    case Kind::Named:
    case Kind::Word:
    case Kind::Look:
    case Kind::Fd:
    case Kind::DirFd:
    case Kind::ProcessId:
    case Kind::Signal:
    case Kind::WaitStatus:
    case Kind::Address:
    case Kind::Pointer: return true;
    default: return false;
  }
}

}  // namespace

/// Marks a recursive structure as being expanded until it ends.
class Decoder::ExpansionScope {
 public:
  ExpansionScope(Decoder& decoder, const StructLayout& layout, Addr at)
      : decoder_(decoder), outer_(decoder.expansion_) {
    if (layout.recursive) decoder.expansion_ = decoder.arena().make(Expansion{&layout, at, outer_});
  }
  ~ExpansionScope() { decoder_.expansion_ = outer_; }
  ExpansionScope(const ExpansionScope&) = delete;

 private:
  Decoder& decoder_;
  const Expansion* outer_;
};

Value Decoder::scalar(const Type& type, uint64_t bits) {
  const Abi abi = register_abi(call_.abi);
  switch (type.kind) {
    case Kind::Number: return number(type, narrowed(type, bits, abi));
    case Kind::Named: return named(type, narrowed(type, bits, abi));
    case Kind::Word: return word(type, narrowed(type, bits, abi));
    case Kind::Look: return type.look(*this, narrowed(type, bits, abi));
    case Kind::Either: return scalar(chosen(type, Addr{bits}), bits);
    case Kind::Fd: return fd(static_cast<int32_t>(bits), type.unnamed);
    case Kind::DirFd: return dir_fd(static_cast<int32_t>(bits));
    case Kind::ProcessId: return process_id(static_cast<int32_t>(bits), type.unnamed);
    case Kind::Signal: return {SignalNumber{static_cast<int32_t>(bits)}, {}};
    case Kind::WaitStatus: return {WaitStatus{static_cast<int32_t>(bits)}, {}};
    case Kind::Address: return address(bits);
    case Kind::Pointer: return pointee(type, bits);
    case Kind::SignalSet: return {SignalSet{bits, set_bytes(type)}, {}};
    case Kind::Custom: return type.custom(*this, bits, 0);
    default: return bits == 0 ? address(0) : object(type, Addr{bits});
  }
}

Value Decoder::object(const Type& type, Addr at) { return object(type, at, {}); }

Value Decoder::object(const Type& type, Addr at, Enclosing inside) {
  switch (type.kind) {
    case Kind::Pointer: {
      std::optional<uint64_t> bits = read_number(at, type.width);
      return bits ? pointee(type, *bits, inside) : missing(at);
    }
    case Kind::Struct: return structure(type, at);
    case Kind::Either: return object(chosen(type, inside.layout ? inside.at : at), at, inside);
    case Kind::SignalSet: return signal_set(at, set_bytes(type));
    case Kind::Inet6: {
      Inet6 address6;
      if (!read(at, address6.bytes)) return missing(at);
      return {address6, {}};
    }
    case Kind::Custom: return type.custom(*this, raw(at), type.custom_bytes);
    case Kind::CString:
      if (type.length.from == LengthFrom::Fixed) return char_array(at, type.length.fixed, type.text);
      return c_string(at, type.text);
    case Kind::Bytes:
    case Kind::BitSet:
    case Kind::Array: {
      std::optional<uint64_t> count = length(type.length, inside.at, inside.layout);
      return count ? counted_object(type, at, *count) : address(raw(at));
    }
    default: return read_scalar(type, at);
  }
}

Value Decoder::counted_object(const Type& type, Addr at, uint64_t count) {
  if (type.kind == Kind::BitSet) return bit_set(type, at, count);
  if (type.kind == Kind::Array && type.whole) return whole_array(*type.element, at, count);
  if (type.kind == Kind::Array) return counted_items(type, at, count);
  if (type.length.most != 0) count = std::min<uint64_t>(count, type.length.most);
  return type.whole ? whole_bytes(at, count, type.text) : buffer(at, count, type.text);
}

Value Decoder::read_scalar(const Type& type, Addr at) {
  bool is_number = has_width(type.kind) || type.kind == Kind::Address;
  std::optional<uint64_t> bits = read_number(at, is_number ? type.width : Width::B4);
  if (!bits) return missing(at);
  Value value = scalar(type, *bits);
  if (type.dated != Dated::No) date(type, at, value);
  return value;
}

Value Decoder::pointee(const Type& pointer, uint64_t bits) { return pointee(pointer, bits, {}); }

Value Decoder::pointee(const Type& pointer, uint64_t bits, Enclosing inside) {
  Addr at{call_.abi == Abi::I386 && pointer.width != Width::B8 ? bits & 0xffffffff : bits};
  if (raw(at) == 0 || depth_ == kMaxDepth) return address(raw(at));
  const Type& element = pointer.element->kind == Kind::Either ? chosen(*pointer.element, at) : *pointer.element;
  depth_++;
  Value value;
  if (pointer.length.from != LengthFrom::None || pointer.length.until_zero)
    value = counted_pointee(pointer, at, inside);
  else if (is_text(element)) value = object(element, at, inside);
  else if (!dereferences()) value = address(raw(at));
  else value = is_scalar(element) && !element.unboxed ? boxed(element, at) : object(element, at, inside);
  depth_--;
  return value;
}

Value Decoder::counted_pointee(const Type& pointer, Addr at, Enclosing inside) {
  const Type& element = *pointer.element;
  std::optional<uint64_t> count = length(pointer.length, inside.at, inside.layout);
  if (!count) return address(raw(at));
  if (element.kind == Kind::Bytes) return buffer(at, *count, element.text);
  if (element.kind == Kind::CString) {
    Value text = string_within(at, *count, element.text);
    auto* held = std::get_if<Text>(&text.is);
    if (held && pointer.length.until_zero && held->bytes.size() == *count) held->cut = false;
    if (held && pointer.length.most != 0) held->bytes = held->bytes.substr(0, pointer.length.most);
    return text;
  }
  if (!dereferences() && *count != 0) return address(raw(at));
  // A set has at least a word, and no more signals than the kernel knows.
  bool whole_set = *count >= pointer_bytes(call_.abi) && *count <= sizeof(uint64_t);
  if (element.kind == Kind::SignalSet)
    return whole_set || pointer.length.from == LengthFrom::Fixed ? signal_set(at, *count) : address(raw(at));
  if (element.kind == Kind::Custom && element.custom_bytes == 0) return element.custom(*this, raw(at), *count);
  if (pointer.length.until_zero)
    count = count_until_zero(element, at, pointer.length.from == LengthFrom::None ? kMaxItems : *count);
  return count ? counted_items(pointer, at, *count) : address(raw(at));
}

// Looks at one item more than is shown. array() handles memory that ends before.
std::optional<uint64_t> Decoder::count_until_zero(const Type& element, Addr at, uint64_t most) {
  size_t item_bytes = size_of(element, call_.abi);
  std::byte copy[kWindowBytes];
  if (item_bytes == 0 || item_bytes > sizeof copy) return std::nullopt;
  uint64_t limit = std::min<uint64_t>({most, full() ? kMaxItems : options().most_items() + 1, kMaxItems});
  for (uint64_t held = 0; held < limit;) {
    uint64_t wanted = std::min<uint64_t>(limit - held, sizeof copy / item_bytes);
    size_t whole = read_some(at + held * item_bytes, std::span(copy, wanted * item_bytes)).bytes / item_bytes;
    for (size_t i = 0; i < whole; i++) {
      std::span<const std::byte> item(copy + i * item_bytes, item_bytes);
      if (std::ranges::all_of(item, [](std::byte byte) { return byte == std::byte{}; })) return held + i;
    }
    held += whole;
    if (whole < wanted) return held + 1;
  }
  return limit;
}

Value Decoder::boxed(const Type& type, Addr at) {
  Value value = object(type, at, {});
  if (std::holds_alternative<Unreadable>(value.is) || std::holds_alternative<Unseen>(value.is)) return value;
  std::span<Value> items = arena().array<Value>(1);
  items[0] = value;
  return {Array{items, ArrayStyle::Boxed, false, {}}, {}};
}

// -- arrays -----------------------------------------------------------------------------------------

Value Decoder::counted_items(const Type& counted, Addr at, uint64_t count) {
  uint64_t most = counted.length.most;
  Value value = array(*counted.element, at, most ? std::min(count, most) : count);
  auto* items = std::get_if<Array>(&value.is);
  bool cut = items && counted.length.cuts && count > most && raw(items->unreadable_at) == 0;
  if (cut) items->cut = true;
  return value;
}

Value Decoder::array(const Type& type, Addr at, uint64_t count, ArrayStyle style) {
  if (raw(at) == 0) return address(0);
  if (count == 0) return {Array{{}, style, false, {}}, {}};
  size_t item_bytes = type.kind == Kind::Struct ? plan_of(*type.layout, call_.abi).bytes : size_of(type, call_.abi);
  bool wraps = item_bytes == 0 || count > (~0ull - raw(at)) / item_bytes;
  return wraps ? address(raw(at)) : elements(type, at, count, item_bytes, style);
}

Value Decoder::listed(std::span<const Value> items) {
  size_t shown = full() ? items.size() : std::min(items.size(), options().most_items());
  return {Array{items.first(shown), ArrayStyle::List, shown < items.size(), {}}, {}};
}

// Reads a window full at a time, and one element more than is shown: `...` means that it exists. The element at which
// memory ends is named, even if it only was not captured.
Value Decoder::elements(const Type& type, Addr at, uint64_t count, size_t item_bytes, ArrayStyle style) {
  // -s is held against the low 32 bits of a count, as strace does.
  bool whole = full() || static_cast<uint32_t>(count) <= options().most_items();
  uint64_t shown = std::min<uint64_t>({count, whole ? kMaxItems : options().most_items(), kMaxItems});
  uint64_t looked_at = std::min(count, shown + 1);
  std::byte on_stack[kWindowBytes];
  std::span<std::byte> copy =
      item_bytes <= sizeof on_stack ? std::span(on_stack) : arena().array<std::byte>(item_bytes);
  std::span<Value> items = arena().array<Value>(std::min<uint64_t>(looked_at, kFirstItems));
  uint64_t held = 0;
  while (held < looked_at) {
    uint64_t wanted = std::min<uint64_t>(looked_at - held, copy.size() / item_bytes);
    Addr from = at + held * item_bytes;
    ReadOutcome outcome = read_some(from, copy.first(wanted * item_bytes));
    uint64_t whole = outcome.bytes / item_bytes;
    items = with_room(items, held + whole + 1);
    WindowScope scope(*this, {from, copy.first(whole * item_bytes)});
    for (uint64_t i = 0; i < whole && held + i < shown; i++) items[held + i] = object(type, from + i * item_bytes, {});
    held += whole;
    if (whole == wanted) continue;
    last_unseen_ = outcome.unseen;
    return ended_array(items.first(held + 1), at + held * item_bytes, style);
  }
  return {Array{items.first(shown), style, shown < count, {}}, {}};
}

// The value of an array with an unreadable last item of `items`: that item has no value yet.
Value Decoder::ended_array(std::span<Value> items, Addr missing_at, ArrayStyle style) {
  if (items.size() == 1) return missing(missing_at);
  if (last_unseen_) out_.unseen++;
  return {Array{items.first(items.size() - 1), style, false, missing_at, last_unseen_}, {}};
}

std::span<Value> Decoder::with_room(std::span<Value> items, size_t count) {
  if (count <= items.size()) return items;
  std::span<Value> larger = arena().array<Value>(std::max(count, items.size() * 2));
  std::copy(items.begin(), items.end(), larger.begin());
  return larger;
}

// -- structures -------------------------------------------------------------------------------------

Value Decoder::structure(const StructLayout& layout, Addr at) {
  return structure(layout, at, plan_of(layout, call_.abi).bytes);
}

Value Decoder::structure(const StructLayout& layout, Addr at, uint64_t bytes) {
  if (raw(at) == 0) return address(0);
  if (std::optional<Value> instead = not_expanded(layout, at)) return *instead;
  const LayoutPlan& plan = plan_of(layout, call_.abi);
  size_t held = std::min<uint64_t>(bytes, plan.bytes);
  if (window_.covers(at, held)) return fields_of(layout, plan, at, held);
  std::byte on_stack[kWindowBytes];
  std::byte* copy = held <= sizeof on_stack ? on_stack : static_cast<std::byte*>(arena().allocate(held));
  if (!read_bytes(at, std::span(copy, held))) return missing(at);
  WindowScope scope(*this, {at, std::span(copy, held)});
  return fields_of(layout, plan, at, held);
}

Value Decoder::structure(const StructLayout& layout, Addr at, std::span<const std::byte> copy) {
  WindowScope scope(*this, {at, copy});
  return fields_of(layout, plan_of(layout, call_.abi), at, copy.size());
}

Value Decoder::fields_of(const StructLayout& layout, const LayoutPlan& plan, Addr at, size_t bytes) {
  std::span<const FieldType> types = layout.fields_of(call_.abi);
  std::span<FieldValue> fields = arena().array<FieldValue>(types.size());
  bool details = full();
  ExpansionScope scope(*this, layout, at);
  size_t shown = 0;
  bool cut = false;
  for (size_t i = 0; i < types.size(); i++) {
    const FieldType& field = types[i];
    if (plan.places[i].end > bytes) {
      cut = true;
      continue;
    }
    if (!field.name || (field.when && !field.when(*this, at))) continue;
    FieldValue& value = fields[shown++];
    value.name = field.name;
    value.detail = field.detail;
    if (details || !field.detail) value.value = object(field.type, at + plan.places[i].at, {&layout, at});
  }
  return {Struct{fields.first(shown), cut}, {}};
}

// The text for a structure that contains itself: `recurse^` is the one a level up, `...` one level too many.
std::optional<Value> Decoder::not_expanded(const StructLayout& layout, Addr at) {
  constexpr size_t kMaxExpanded = 4096;
  if (layout.plan && ++expanded_ > kMaxExpanded) return Value{Struct{{}, true}, {}};
  size_t levels = 0, up = 0;
  for (const Expansion* around = expansion_; around; around = around->outer) levels += around->layout == &layout;
  if (levels == 0 || !layout.recursive) return std::nullopt;
  if (levels >= options().most_items()) return Value{Struct{{}, true}, {}};
  for (const Expansion* around = expansion_; around; around = around->outer, up++)
    if (around->layout == &layout && around->at == at) return text("recurse" + std::string(up, '^'), TextKind::Bare);
  return std::nullopt;
}

}  // namespace strut
