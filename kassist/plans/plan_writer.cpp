#include "kassist/plans/plan_writer.hpp"

#include <algorithm>

#include "syscalls/layout_plan.hpp"

namespace strut {

namespace {

constexpr uint32_t kPathBytes = 4096;     // PATH_MAX of <linux/limits.h>
constexpr uint32_t kGuessedBytes = 256;   // for an object with a size that only its decoder knows
constexpr uint64_t kMaxBytes = 4u << 20;  // in one piece, whatever -s says: a quarter of the ring
constexpr uint64_t kMaxItemBytes = 1u << 20;
constexpr uint64_t kLargestStructure = 4096;  // a page: the kernel takes no larger one (copy_struct_from_user)
constexpr uint64_t kMaxMessageBytes = 1u << 20;
constexpr uint8_t kWordsAhead =
    128;  // for a vector: it is read in pieces that end at page boundaries (syscalls/types/process/exec.cpp)
constexpr uint32_t kMaxVectorWords = 4096;  // for a vector that ends with a zero
constexpr size_t kMaxOps = 200;             // for one phase
constexpr uint32_t kMaxUnrolled = 4;        // items of an array of fixed size

size_t pointer_width(const Type& type, Abi abi) { return type.width == Width::B8 ? 8 : pointer_bytes(abi); }

/// Bytes of one item of an array in memory.
size_t item_bytes_of(const Type& type, Abi abi) {
  if (type.kind == Kind::Pointer) return pointer_width(type, abi);
  return type.kind == Kind::Struct ? plan_of(*type.layout, abi).bytes : size_of(type, abi);
}

bool leads_on(const Type& type) { return type.kind == Kind::Pointer || type.kind == Kind::Struct; }

}  // namespace

const Type& plain(const Type& type) {
  if (type.reads) return plain(*type.reads);
  if (type.kind != Kind::Either) return type;
  const Type &then = plain(*type.choice->then), &otherwise = plain(*type.choice->otherwise);
  return leads_on(otherwise) && !leads_on(then) ? otherwise : then;
}

/// Slots taken while this lives.
class PlanWriter::FreeSlots {
 public:
  explicit FreeSlots(PlanWriter& writer) : writer_(writer), first_(writer.next_slot_) {}
  ~FreeSlots() { writer_.next_slot_ = first_; }
  FreeSlots(const FreeSlots&) = delete;
  /// WIRE_SLOTS: none is left.
  uint8_t take() { return writer_.next_slot_ < WIRE_SLOTS ? writer_.next_slot_++ : uint8_t{WIRE_SLOTS}; }

 private:
  PlanWriter& writer_;
  uint8_t first_;
};

void PlanWriter::argument(size_t index, uint8_t flags) {
  const PlannedArg& arg = args_.args[index];
  pointed(arg.type->type, arg.reg, flags);
}

void PlanWriter::pointed(const Type& described, uint8_t slot, uint8_t flags) {
  flags_ = flags;
  const Type& type = plain(described);
  if (type.kind == Kind::Pointer) pointer(type, slot, {});
  else number(described, slot, flags);
  flags_ = 0;
}

void PlanWriter::counted_by(const Type& type, uint8_t slot, uint8_t counter) {
  const Type& element = plain(*type.element);
  Count count{true, counter, 0, 0};
  if (element.kind == Kind::Bytes) counted_bytes({slot}, count, most_bytes(element));
  else items(*type.element, {slot}, count);
}

void PlanWriter::text(uint8_t slot, uint64_t most, uint8_t flags) {
  string({slot}, std::min(most, kMaxBytes));
  ops_.back().flags |= flags;
}

void PlanWriter::narrow_or_wide(uint8_t slot, uint64_t most) {
  text(slot, most, WIRE_OP_MAY_END);
  ops_.back().element = static_cast<uint32_t>(std::min<uint64_t>(most * sizeof(wchar_t), WIRE_CHUNK_MAX));
}

void PlanWriter::narrow_or_wide_at(uint8_t at, uint16_t offset, uint64_t most) {
  FreeSlots free(*this);
  Count word = loaded({at, offset}, sizeof(uint64_t));
  if (word.counted) narrow_or_wide(word.slot, most);
}

void PlanWriter::bytes_behind(uint8_t at, uint16_t offset, uint32_t most) {
  FreeSlots free(*this);
  Count word = loaded({at, offset}, sizeof(uint64_t));
  if (word.counted) bytes(word.slot, most, WIRE_OP_MAY_END);
}

uint8_t PlanWriter::loaded_number(uint8_t at, uint16_t offset, size_t bytes) {
  Count number = loaded({at, offset}, bytes);
  return number.counted ? number.slot : uint8_t{WIRE_SLOTS};
}

void PlanWriter::leave_out(uint8_t slot) {
  if (slot < WIRE_SLOTS) next_slot_ = std::max<uint8_t>(next_slot_, slot + 1);
}

void PlanWriter::number(const Type& described, uint8_t at, uint8_t flags) {
  if (!limits_.contents) return;
  uint32_t looked = 0;
  each_meaning(described, [&](Kind meaning) {
    uint8_t kind = op_behind(meaning, limits_.around);
    if (kind == 0 || (looked >> kind & 1)) return;
    looked |= 1u << kind;
    wire_op look = op(static_cast<wire_op_kind>(kind), {at});
    look.flags = flags;
    add(look);
  });
}

void PlanWriter::file_behind(uint8_t at) {
  FreeSlots free(*this);
  Count number = loaded({at}, sizeof(int32_t));
  if (number.counted) add(op(WIRE_OP_FD, {number.slot}));
}

/// A number that is one thing or another is looked behind as both.
bool PlanWriter::is_looked_behind(const Type& described) const {
  bool looked = false;
  each_meaning(described, [&](Kind kind) { looked = looked || op_behind(kind, limits_.around) != 0; });
  return looked && limits_.contents;
}

void PlanWriter::bytes(uint8_t at, uint32_t bytes, uint8_t flags, uint16_t offset) {
  wire_op copy = op(WIRE_OP_BYTES, {at, offset});
  copy.max = bytes;
  copy.flags |= flags;
  add(copy);
}

wire_op PlanWriter::op(wire_op_kind kind, Place place) const {
  wire_op op{};
  op.kind = kind;
  op.at = place.slot;
  op.offset = place.offset;
  op.flags = flags_;
  op.element = 1;
  return op;
}

// -- pointers -------------------------------------------------------------------------------------------

// A value in memory that is copied anyway: only the memory that it points to is still to be copied.
void PlanWriter::value(const Type& described, Place place, Enclosing inside) {
  const Type& type = plain(described);
  if (type.kind == Kind::Struct) return fields(*type.layout, place);
  bool behind = is_looked_behind(described);
  if ((type.kind != Kind::Pointer && !behind) || !limits_.contents) return;
  FreeSlots free(*this);
  uint8_t slot = free.take();
  if (slot == WIRE_SLOTS) return;
  wire_op load = op(WIRE_OP_LOAD, place);
  load.to = slot;
  load.element = behind ? sizeof(int32_t) : static_cast<uint32_t>(pointer_width(type, abi_));
  add(load);
  if (behind) number(described, slot, flags_);
  else pointer(type, slot, inside);
}

void PlanWriter::pointer(const Type& type, uint8_t slot, Enclosing inside) {
  if (ops_.size() > kMaxOps) return;
  const Type& element = plain(*type.element);
  bool until_zero = type.length.until_zero && plain(*type.element).kind == Kind::Pointer;
  if (type.length.from == LengthFrom::None && until_zero) return words(*type.element, {slot});
  if (type.length.from == LengthFrom::None) return object(*type.element, {slot}, inside);
  FreeSlots free(*this);
  Count count = count_of(type.length, inside);
  if (element.length.from == LengthFrom::ArgBits) count.flags |= WIRE_OP_BITS;
  if (element.only_netlink) return socket_data({slot}, count);
  if (element.holds != Type::Holds::Nothing) numbers_in(element, slot, count);
  if (element.kind == Kind::Bytes) return counted_bytes({slot}, count, most_bytes(element));
  if (element.kind == Kind::CString) return string({slot}, std::min<uint64_t>(count.fixed, most_bytes(element)));
  if (element.kind == Kind::SignalSet) return counted_bytes({slot}, count, sizeof(uint64_t));
  if (element.kind == Kind::Custom && element.custom_bytes == 0) return counted_bytes({slot}, count, kGuessedBytes);
  items(*type.element, {slot}, count, type.length.most);
}

/// The count of an fd_set is of bits, though bytes are copied.
void PlanWriter::numbers_in(const Type& bytes, uint8_t slot, const Count& count) {
  bool set = bytes.holds == Type::Holds::FdSet;
  bool wanted = (limits_.around & WIRE_AROUND_FILES) || (!set && (limits_.around & WIRE_AROUND_IDS));
  if (!count.counted || !limits_.contents || !wanted) return;
  wire_op_kind kind = set ? WIRE_OP_FD_SET : WIRE_OP_CONTROL;
  wire_op search = op(kind, {slot});
  search.count = count.slot;
  search.flags |= count.flags & WIRE_OP_HALF;
  add(search);
}

void PlanWriter::object(const Type& described, Place place, Enclosing inside) {
  const Type& type = plain(described);
  switch (type.kind) {
    case Kind::Struct: return structure(type, place);
    case Kind::CString:
      if (type.length.from == LengthFrom::Fixed) return bytes(place.slot, type.length.fixed, 0, place.offset);
      return string(place, type.text == TextKind::Path ? kPathBytes : most_bytes(type));
    case Kind::Bytes: {
      FreeSlots free(*this);
      return counted_bytes(place, count_of(type.length, inside), most_bytes(type),
                           type.whole_bytes ? uint8_t{WIRE_OP_MAY_END} : uint8_t{0});
    }
    case Kind::Array:
      if (type.length.from == LengthFrom::None) return words(*type.element, place);
      return counted_items(type, place, inside);
    case Kind::BitSet:
    case Kind::Custom:
      return bytes(place.slot, std::max(type.custom_bytes, kGuessedBytes), WIRE_OP_MAY_END, place.offset);
    case Kind::Pointer:
      bytes(place.slot, static_cast<uint32_t>(pointer_width(type, abi_)), 0, place.offset);
      return value(type, place, inside);
    default:
      bytes(place.slot, static_cast<uint32_t>(size_of(type, abi_)), 0, place.offset);
      return value(type, place, inside);
  }
}

// -- structures and arrays --------------------------------------------------------------------------------

// One of the caller's size is looked at as far as the kernel does.
void PlanWriter::structure(const Type& type, Place place) {
  uint32_t size = plan_of(*type.layout, abi_).bytes;
  if (type.length.from != LengthFrom::None)
    counted_bytes(place, count_of(type.length, {}), kLargestStructure, WIRE_OP_MAY_END);
  else if (size != 0) bytes(place.slot, size, 0, place.offset);
  fields(*type.layout, place);
}

void PlanWriter::counted_items(const Type& array, Place place, Enclosing inside) {
  if (array.whole) return bytes(place.slot, static_cast<uint32_t>(size_of(array, abi_)), 0, place.offset);
  FreeSlots free(*this);
  Count count = count_of(array.length, inside);
  items(*array.element, place, count, array.length.most);
}

// Fields that have bytes of their own were copied with the structure.
void PlanWriter::fields(const StructLayout& layout, Place place) {
  std::span<const FieldType> all = layout.fields_of(abi_);
  for (size_t i = 0; i < all.size(); i++) {
    if (all[i].detail && !limits_.details) continue;
    Place at{place.slot, static_cast<uint16_t>(place.offset + plan_of(layout, abi_).places[i].at)};
    const Type& type = plain(all[i].type);
    bool beyond = size_of(type, abi_) == 0 || (type.kind == Kind::Array && type.length.from == LengthFrom::None) ||
                  (type.kind == Kind::Bytes && type.length.fixed == 0);
    if (beyond) object(all[i].type, at, {&layout, place});
    else value(all[i].type, at, {&layout, place});
  }
}

bool PlanWriter::points_on(const Type& described) const {
  const Type& type = plain(described);
  if (type.kind == Kind::Pointer || is_looked_behind(described)) return true;
  if (type.kind != Kind::Struct) return false;
  std::span<const FieldType> all = type.layout->fields_of(abi_);
  return std::any_of(all.begin(), all.end(), [&](const FieldType& field) {
    return (limits_.details || !field.detail) && points_on(field.type);
  });
}

void PlanWriter::items(const Type& element, Place place, const Count& count, uint32_t limit) {
  size_t item_bytes = item_bytes_of(plain(element), abi_);
  if (item_bytes == 0) return;
  wire_op copy = op(WIRE_OP_BYTES, place);
  uint32_t most = most_items(item_bytes);
  if (limit != 0) most = std::min(most, limit);
  copy.element = static_cast<uint32_t>(item_bytes * count.times / count.divisor);
  if (count.counted) {
    copy.flags |= WIRE_OP_COUNTED | count.flags;
    copy.count = count.slot;
  }
  copy.max = static_cast<uint32_t>((count.counted ? most : std::min<uint64_t>(count.fixed, most)) * item_bytes);
  add(copy);
  if (points_on(element) && limits_.contents) each(place, count, item_bytes, most, element);
}

// A vector of words: those up to the zero are counted first.
void PlanWriter::words(const Type& element, Place place) {
  FreeSlots free(*this);
  uint8_t slot = free.take();
  if (slot == WIRE_SLOTS) return;
  wire_op counting = op(WIRE_OP_WORDS, place);
  counting.to = slot;
  counting.element = static_cast<uint32_t>(item_bytes_of(element, abi_));
  counting.max = kMaxVectorWords;
  add(counting);
  Count count{true, slot, 0, 0};
  counted_bytes(place, count, uint64_t{kMaxVectorWords} * counting.element, WIRE_OP_MAY_END);
  ops_.back().element = counting.element;
  ops_.back().body = kWordsAhead;
  if (points_on(element)) each(place, count, counting.element, limits_.items, element);
}

void PlanWriter::each(Place place, const Count& count, size_t item_bytes, uint64_t most, const Type& element) {
  if (!count.counted) {
    for (uint32_t i = 0; i < std::min(count.fixed, kMaxUnrolled); i++)
      value(element, {place.slot, static_cast<uint16_t>(place.offset + i * item_bytes)}, {});
    return;
  }
  FreeSlots free(*this);
  uint8_t item = free.take();
  if (item == WIRE_SLOTS) return;  // no description has so many
  wire_op loop = op(WIRE_OP_EACH, place);
  loop.to = item;
  loop.element = static_cast<uint32_t>(item_bytes);
  loop.count = count.slot;
  loop.flags |= count.flags;
  loop.max = static_cast<uint32_t>(most);
  add(loop);
  size_t before = ops_.size();
  value(element, {item}, {});
  ops_[before - 1].body = static_cast<uint8_t>(ops_.size() - before);
}

// -- bytes ----------------------------------------------------------------------------------------------

uint64_t PlanWriter::most_bytes(const Type& type) const {
  if (type.kind == Kind::CString && type.text == TextKind::Path) return kPathBytes;
  return std::min(std::max<uint64_t>(limits_.text_bytes, type.whole_bytes), kMaxBytes);
}

uint32_t PlanWriter::most_items(size_t item_bytes) const {
  return static_cast<uint32_t>(std::max<uint64_t>(1, std::min(limits_.items, kMaxItemBytes / item_bytes)));
}

void PlanWriter::counted_bytes(Place place, const Count& count, uint64_t most, uint8_t flags) {
  wire_op copy = op(WIRE_OP_BYTES, place);
  copy.flags |= flags;
  copy.element = count.times;
  if (count.counted) {
    copy.flags |= WIRE_OP_COUNTED | count.flags;
    copy.count = count.slot;
  }
  copy.max = static_cast<uint32_t>(count.counted ? most : std::min<uint64_t>(count.fixed, most));
  add(copy);
}

// Messages are read whole; the data of other sockets only as far as -s goes.
void PlanWriter::socket_data(Place place, const Count& count) {
  counted_bytes(place, count, kMaxMessageBytes);
  ops_.back().flags |= WIRE_OP_MESSAGES;
  ops_.back().element = static_cast<uint32_t>(std::min(limits_.text_bytes, kMaxBytes));
}

void PlanWriter::string(Place place, uint64_t most) {
  wire_op copy = op(WIRE_OP_STRING, place);
  copy.max = static_cast<uint32_t>(most);
  add(copy);
}

// -- counts ---------------------------------------------------------------------------------------------

PlanWriter::Count PlanWriter::count_of(const Length& length, Enclosing inside) {
  Count count = plain_count(length, inside);
  count.times = length.times;
  count.divisor = length.divisor;
  return count;
}

PlanWriter::Count PlanWriter::plain_count(const Length& length, Enclosing inside) {
  auto argument = [&](uint8_t flags) {
    if (length.index >= args_.count) return Count{};
    const PlannedArg& arg = args_.args[length.index];
    if (arg.reg >= WIRE_SLOTS) return Count{};
    if (arg.type->type.width == Width::B4) flags |= WIRE_OP_HALF;
    return Count{true, arg.reg, flags, ~0u};
  };
  switch (length.from) {
    case LengthFrom::None: return {};
    case LengthFrom::Fixed: return {.fixed = length.fixed};
    case LengthFrom::Arg: return argument(0);
    case LengthFrom::ArgBits: return argument(WIRE_OP_BITS);
    case LengthFrom::ArgPages: return argument(WIRE_OP_PAGES);
    case LengthFrom::Result: return {true, WIRE_RESULT, 0, ~0u};
    case LengthFrom::PointedBy: return length.index < args_.count ? loaded({args_.args[length.index].reg}, 4) : Count{};
    case LengthFrom::Field: {
      if (!inside.layout || length.index >= inside.layout->fields_of(abi_).size()) return {};
      const FieldPlace& field = plan_of(*inside.layout, abi_).places[length.index];
      return loaded({inside.at.slot, static_cast<uint16_t>(inside.at.offset + field.at)}, field.end - field.at);
    }
  }
  return {};
}

PlanWriter::Count PlanWriter::loaded(Place place, size_t bytes) {
  if (next_slot_ >= WIRE_SLOTS) return {};
  wire_op load = op(WIRE_OP_LOAD, place);
  load.to = next_slot_++;
  load.element = static_cast<uint32_t>(bytes);
  add(load);
  return {true, load.to, 0, ~0u};
}

}  // namespace strut
