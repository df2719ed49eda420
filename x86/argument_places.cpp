#include "x86/argument_places.hpp"

#include <algorithm>

namespace strut {

namespace {

constexpr size_t kIntegerRegisters = 6;   // %rdi, %rsi, %rdx, %rcx, %r8, %r9
constexpr size_t kFloatingRegisters = 8;  // %xmm0 to %xmm7
constexpr size_t kEightbyte = 8;
constexpr size_t kMaxInRegisters = 2 * kEightbyte;

bool is_floating(const Type& type) {
  return type.kind == Kind::Number && (type.show == Show::Float || type.show == Show::FloatHex);
}

bool is_aggregate(const Type& type) {
  return type.kind == Kind::Struct || type.kind == Kind::Array || type.kind == Kind::CString ||
         type.kind == Kind::Bytes;
}

/// The type that stands for this one: for an object that a decoder reads, its words.
const Type& plain(const Type& type) {
  return type.kind == Kind::Custom && type.custom_bytes != 0 && type.reads ? *type.reads : type;
}

/// Custom types of more than a register are objects in memory: long double.
bool is_memory(const Type& type) {
  if (type.kind == Kind::Custom) return type.custom_bytes > kEightbyte;
  return is_aggregate(type) && size_of(type, Abi::X86_64) > kMaxInRegisters;
}

/// Which eightbytes of a structure hold anything that is no floating-point number.
void mark_integers(const Type& type, size_t at, std::array<bool, 2>& integer) {
  if (type.kind == Kind::Struct) {
    std::span<const FieldType> fields = type.layout->fields_of(Abi::X86_64);
    for (size_t i = 0; i < fields.size(); i++)
      mark_integers(fields[i].type, at + offset_of(*type.layout, i, Abi::X86_64), integer);
  } else if (type.kind == Kind::Array) {
    size_t bytes = size_of(*type.element, Abi::X86_64);
    for (uint32_t i = 0; i < type.length.fixed && at + i * bytes < kMaxInRegisters; i++)
      mark_integers(*type.element, at + i * bytes, integer);
  } else if (!is_floating(type)) {
    size_t bytes = std::max<size_t>(size_of(type, Abi::X86_64), 1);
    for (size_t byte = at; byte < at + bytes && byte < kMaxInRegisters; byte++) integer[byte / kEightbyte] = true;
  }
}

/// Objects of 16 bytes (long double, __int128) are aligned to that, and so are structures that contain one.
size_t align_on_stack(const Type& type) {
  if (type.kind == Kind::Custom && type.custom_bytes == kMaxInRegisters) return kMaxInRegisters;
  if (type.kind == Kind::Array) return align_on_stack(*type.element);
  size_t align = std::max(align_of(type, Abi::X86_64), kEightbyte);
  if (type.kind != Kind::Struct) return align;
  for (const FieldType& field : type.layout->fields_of(Abi::X86_64))
    align = std::max(align, align_on_stack(field.type));
  return align;
}

class Assignment {
 public:
  explicit Assignment(uint8_t first_integer) : integers_(first_integer) {}
  /// The target controls the content of a list.
  explicit Assignment(const ArgumentList& list)
      : integers_(static_cast<uint8_t>(std::min<size_t>(list.integers_end / kEightbyte, kIntegerRegisters))),
        floatings_(taken_floatings(list.floatings_end)),
        misaligned_(raw(list.on_stack) % kMaxInRegisters) {}

  ArgumentPlace place(const Type& described) {
    const Type& type = plain(described);
    if (is_memory(type)) return on_stack(type, ArgumentPlace::In::Memory);
    if (is_aggregate(type)) return aggregate(type, described);
    if (is_floating(type)) {
      if (floatings_ == kFloatingRegisters) return on_stack(type, ArgumentPlace::In::Stack);
      return {ArgumentPlace::In::Floating, floatings_++, 0, 8, {}};
    }
    if (integers_ == kIntegerRegisters) return on_stack(type, ArgumentPlace::In::Stack);
    return {ArgumentPlace::In::Integer, integers_++, 0, 8, {}};
  }

 private:
  ArgumentPlace on_stack(const Type& type, ArgumentPlace::In in) {
    size_t bytes = std::max(size_of(type, Abi::X86_64), kEightbyte), align = align_on_stack(type);
    offset_ = (misaligned_ + offset_ + align - 1) / align * align - misaligned_;
    ArgumentPlace place{in, 0, static_cast<uint32_t>(offset_), 8, {}};
    offset_ += (bytes + kEightbyte - 1) / kEightbyte * kEightbyte;
    return place;
  }

  // All of it in registers or none: "If there are no registers available for any eightbyte of an argument, the whole
  // argument is passed on the stack."
  ArgumentPlace aggregate(const Type& type, const Type& described) {
    size_t bytes = size_of(type, Abi::X86_64), pieces = (bytes + kEightbyte - 1) / kEightbyte;
    std::array<bool, 2> integer{};
    mark_integers(type, 0, integer);
    ArgumentPlace place{ArgumentPlace::In::Registers, 0, 0, static_cast<uint8_t>(bytes), {}};
    uint8_t integers = integers_, floatings = floatings_;
    for (size_t i = 0; i < pieces; i++)
      place.pieces[i] = integer[i] ? RegisterPiece{false, integers++} : RegisterPiece{true, floatings++};
    if (integers > kIntegerRegisters || floatings > kFloatingRegisters)
      return on_stack(described, ArgumentPlace::In::Memory);
    integers_ = integers;
    floatings_ = floatings;
    return place;
  }

  static uint8_t taken_floatings(size_t end) {
    size_t bytes = end < kSavedIntegerBytes ? 0 : end - kSavedIntegerBytes;
    return static_cast<uint8_t>(std::min(bytes / kSavedFloatingBytes, kFloatingRegisters));
  }

  uint8_t integers_;
  uint8_t floatings_ = 0;
  size_t offset_ = 0;
  size_t misaligned_ = 0;  ///< the first stack argument, of 16 bytes
};

ArgumentPlaces places_by(Assignment assignment, std::span<const ArgType> types) {
  ArgumentPlaces places;
  places.count = static_cast<uint8_t>(std::min(types.size(), kMaxDecodedArgs));
  for (size_t i = 0; i < places.count; i++) places.places[i] = assignment.place(types[i].type);
  return places;
}

Assignment assignment_of(const Type& result) { return Assignment(is_memory(result) && is_aggregate(result) ? 1 : 0); }

}  // namespace

ArgumentPlaces places_of(std::span<const ArgType> types, const Type& result) {
  return places_by(assignment_of(result), types);
}

ArgumentPlace place_behind(std::span<const ArgType> types, const Type& result) {
  Assignment assignment = assignment_of(result);
  for (const ArgType& type : types) assignment.place(type.type);
  return assignment.place({});
}

ArgumentPlaces places_in(const ArgumentList& list, std::span<const ArgType> types) {
  return places_by(Assignment(list), types);
}

FloatingUse floating_use(const FunctionDesc& desc) {
  auto is_floating = [](const ArgumentPlace& place) {
    bool has_pieces = place.in == ArgumentPlace::In::Registers;
    return place.in == ArgumentPlace::In::Floating || place.in == ArgumentPlace::In::X87 ||
           (has_pieces && std::ranges::any_of(place.pieces, &RegisterPiece::floating));
  };
  ArgumentPlaces places = places_of(desc.args, desc.result);
  bool takes = std::ranges::any_of(std::span(places.places).first(places.count), is_floating);
  return {takes, !takes && desc.varargs == Varargs::Printf, is_floating(result_place(desc.result))};
}

ArgumentPlace result_place(const Type& described) {
  const Type& result = plain(described);
  if (result.kind == Kind::Custom && is_memory(result)) return {ArgumentPlace::In::X87, 0, 0, 8, {}};
  if (is_memory(result)) return {ArgumentPlace::In::Memory, 0, 0, 8, {}};
  return Assignment(0).place(result);
}

}  // namespace strut
