// The notation for a system call's arguments: kinds, structures, lengths and directions, as constexpr data.
//
// A Type describes a scalar in a register or an object in memory. Decoding, capture plans (what BPF must copy),
// help and JSON keys are all computed from these descriptions; no call has code of its own unless it has a Custom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "syscalls/abi.hpp"
#include "syscalls/constants.hpp"
#include "syscalls/value.hpp"

namespace strut {

class Decoder;
struct Call;
struct Type;
struct FieldType;
struct LayoutPlan;

/// How many bytes a scalar takes, possibly depending on the ABI.
enum class Width : uint8_t {
  B1,
  B2,
  B4,
  B8,
  Long,        ///< long, size_t, pointers: 8, on i386 and x32 4
  KernelLong,  ///< __kernel_long_t: 8 on x86-64 and x32, 4 on i386
};
constexpr size_t bytes_of(Width width, Abi abi) {
  switch (width) {
    case Width::B1: return 1;
    case Width::B2: return 2;
    case Width::B4: return 4;
    case Width::B8: return 8;
    case Width::Long: return abi == Abi::X86_64 ? 8 : 4;
    case Width::KernelLong: return abi == Abi::I386 ? 4 : 8;
  }
  return 0;
}

enum class Kind : uint8_t {
  // scalars
  Number,     ///< show, width
  Named,      ///< constants, width
  Fd,         ///< a descriptor
  DirFd,      ///< a descriptor or AT_FDCWD
  ProcessId,  ///< pid, tid, pgid or sid
  Signal,     ///< a signal number
  Address,    ///< an address that is never followed
  Word,       ///< a number of several parts, each of a type of its own: `word`, width
  Look,       ///< a number that a function shows: `look`, width
  // memory behind a pointer
  Pointer,  ///< element has the target; length has the number (arrays, buffers)
  // objects in memory
  Struct,      ///< layout
  Array,       ///< length.fixed elements in place
  Bytes,       ///< length bytes, as Text (text kind in `text`)
  CString,     ///< NUL-terminated, as Text
  SignalSet,   ///< sigset_t of 8 bytes, or as many as length says
  WaitStatus,  ///< int
  Inet6,       ///< 16 bytes
  BitSet,      ///< length bytes of bits; the number of each bit that is set is an `element`
  // one of two types
  Either,  ///< `choice`
  // types that no row can express
  Custom,  ///< `custom` decodes it
};

/// Numbers of which Type::width says how wide they are.
constexpr bool has_width(Kind kind) {
  return kind == Kind::Number || kind == Kind::Named || kind == Kind::Word || kind == Kind::Look;
}

/// Where a count comes from.
enum class LengthFrom : uint8_t {
  None,       ///< one object, or until NUL
  Fixed,      ///< `fixed`
  Arg,        ///< the value of argument `index`
  Result,     ///< the result of the call
  PointedBy,  ///< the unsigned 32-bit integer that argument `index` points to (socklen_t*)
  Field,      ///< the structure's field number `index`
  ArgBits,    ///< argument `index` counts bits of whole words: bytes (fd_set)
  ArgPages,   ///< argument `index` counts bytes: one for each page of them (mincore)
};
struct Length {
  LengthFrom from = LengthFrom::None;
  uint8_t index = 0;
  /// Elements end before the first that is all zeros, at the latest after so many (None: no limit).
  bool until_zero = false;
  bool cuts = false;    ///< elements beyond `most` exist
  int8_t within = -1;   ///< no more than this argument says
  uint8_t divisor = 1;  ///< of the count: bytes of an element
  uint8_t times = 1, besides = 0;
  /// Fixed: the count. Field: what the structure has room for, 0: they are behind it. Struct: the smallest size.
  uint32_t fixed = 0;
  uint32_t most = 0;  ///< no more than so many; 0: no limit
};

/// How a number is shown that no table of names can say. It reads no memory.
using NumberLook = Value (*)(Decoder&, uint64_t bits);

/// Says whether a member is shown, or which of two types something has. `at`: the structure that it is a member of,
/// else where it stands in memory, else its bits. A structure is copied before its fields are decoded: Decoder::read of
/// any part of it costs a copy of those bytes, not a read of the target.
using FieldCondition = bool (*)(Decoder&, Addr at);

/// One of two types.
struct Choice {
  FieldCondition when;
  const Type* then;
  const Type* otherwise;
};

/// A part of a word: the bits of `mask`, of a type.
struct WordPart {
  enum class When : uint8_t {
    Always,
    IfAny,         ///< unless it is zero
    IfAnyOrAlone,  ///< it is also shown if no other part is
    IfNamed,       ///< unless it is zero or has no name; its bits are then left to the parts behind it
  };
  uint64_t mask;
  const Type* type;
  When when = When::Always;
  uint8_t shift = 0;
  bool shows_shift = false;               ///< LOW|HIGH<<16
  std::string_view place{};               ///< Shifted::place …
  std::string_view unnamed{};             ///< … ::unnamed
  NumberBase base = NumberBase::Decimal;  ///< … ::base
};
/// How the parts of a word are put together: joined by '|', or as the arguments of a form.
struct WordLayout {
  std::span<const WordPart> parts;
  bool one_is_plain = false;  ///< a part that is the only one stands for itself
  bool apart = true;          ///< Union::apart …
  bool one_if_raw = false;    ///< … ::one_if_raw
  bool glued = false;         ///< … ::glued, unless a flag of the first part has a name
  const char* form = nullptr;   ///< Form::name: QCMD(Q_GETQUOTA, USRQUOTA) …
  const Type* plain = nullptr;  ///< … ::plain: the type of the whole word
  bool styled = false;          ///< … ::styled
};

/// A remark behind a time: the date.
enum class Dated : uint8_t {
  No,
  Seconds,          ///< a number of seconds
  SecondsTo2106,    ///< those of 32 bits count as unsigned
  SecondsOfPair,    ///< nanoseconds of the same width follow it
  Nanoseconds,      ///< a structure of seconds and nanoseconds
};

/// How a structure's members are shown: by name, as the items of an array, or as such with their names as indices.
enum class Members : uint8_t { Named, Listed, Indexed };

/// Decodes an object that no description can say. `bits` is the register's or field's value; for an object in memory
/// (Kind::Custom below a pointer or in a structure) its address. `bytes`: how much of it there is, 0 if unknown.
using CustomDecode = Value (*)(Decoder&, uint64_t bits, size_t bytes);

/// The description of one argument, field, element or result.
struct Type {
  /// Bytes in `reads`: they hold descriptors or ids otherwise than as fields.
  enum class Holds : uint8_t { Nothing, FdSet, ControlMessages };

  Kind kind = Kind::Number;
  Width width = Width::Long;  ///< Pointer, Address: how wide it is where it stands in memory
  Show show = Show::Signed;
  TextKind text = TextKind::Text;
  Dated dated = Dated::No;           ///< Number, Struct
  Members members = Members::Named;  ///< Struct
  Holds holds = Holds::Nothing;
  bool is_signed : 1 = false;     ///< Number: sign-extend
  bool numbered : 1 = false;      ///< Named: the number in every style, the name as a remark: 5 /* NAME */
  bool unboxed : 1 = false;       ///< a scalar that stands without brackets where it is behind a pointer
  bool unnamed : 1 = false;       ///< Fd, ProcessId: the file or the comm behind it is not looked up
  bool whole : 1 = false;         ///< Array, Bytes: all of it or nothing, whatever -s says
  bool only_netlink : 1 = false;  ///< Bytes with `whole_bytes`: only if argument 0 is a netlink socket
  Length length{};                ///< Pointer, Array, Bytes, BitSet, SignalSet; Struct: its size, which the caller says
  const ConstantSet* constants = nullptr;       ///< Named; Number: its name is a remark in every style
  const Type* element = nullptr;                ///< Pointer, Array, BitSet
  const struct StructLayout* layout = nullptr;  ///< Struct
  union {
    const Choice* choice = nullptr;  ///< Either
    const WordLayout* word;          ///< Word
    NumberLook look;                 ///< Look
    CustomDecode custom;             ///< Custom
  };
  /// The memory that a decoder reads, for capture plans, where the other members do not describe it: a type without
  /// custom decoders at the same place. nullptr: Custom reads `custom_bytes`, or a guess.
  const Type* reads = nullptr;
  uint32_t custom_bytes = 0;  ///< Custom in memory: bytes to capture and step over, 0 = by length
  uint32_t whole_bytes = 0;   ///< Bytes: so many are looked at, even if -s says less
};

/// One member of a structure. Offsets are computed by C's rules for each ABI unless `offset` is given.
struct FieldType {
  const char* name = "";  ///< empty: the value stands alone; nullptr: padding, never shown
  Type type{};
  bool detail = false;            ///< only in full (-v)
  FieldCondition when = nullptr;  ///< nullptr: always
  int16_t offset = -1;            ///< fixed byte offset in every ABI; -1: computed
  bool overlaps = false;          ///< a union: starts where the previous field starts
};

/// A structure. Sizes and offsets per ABI are computed when asked for and cached by the compiler (constexpr).
struct StructLayout {
  const char* name;  ///< the C name: "timespec"
  std::span<const FieldType> fields;
  bool packed = false;                     ///< __attribute__((packed)): epoll_event on x86-64
  const FieldType* i386_fields = nullptr;  ///< where i386 differs by more than widths and alignment
  uint8_t i386_count = 0;
  /// For layouts that are no static data: their plan, with the same owner; for x86-64 only. nullptr: it is computed.
  const LayoutPlan* plan = nullptr;
  /// Reaches itself through pointers: expanded once, and so many levels deep as arrays are long.
  bool recursive = false;

  constexpr std::span<const FieldType> fields_of(Abi abi) const {
    return abi == Abi::I386 && i386_fields ? std::span(i386_fields, i386_count) : fields;
  }
};

constexpr size_t size_of(const Type& type, Abi abi);
constexpr size_t align_of(const Type& type, Abi abi);

/// Byte offset of field `index` (index == count: the unpadded end).
constexpr size_t offset_of(const StructLayout& layout, size_t index, Abi abi) {
  size_t at = 0, end = 0, start = 0;
  std::span<const FieldType> fields = layout.fields_of(abi);
  for (size_t i = 0; i <= index; i++) {
    if (i == fields.size()) return end;
    const FieldType& field = fields[i];
    size_t align = layout.packed ? 1 : align_of(field.type, abi);
    if (field.offset >= 0) at = static_cast<size_t>(field.offset);
    else if (field.overlaps) at = start;
    else at = (end + align - 1) / align * align;
    start = at;
    size_t field_end = at + size_of(field.type, abi);
    if (field_end > end) end = field_end;
    if (i == index) return at;
  }
  return end;
}
constexpr size_t align_of(const StructLayout& layout, Abi abi) {
  size_t align = 1;
  if (layout.packed) return 1;
  for (const FieldType& field : layout.fields_of(abi))
    if (align_of(field.type, abi) > align) align = align_of(field.type, abi);
  return align;
}
/// sizeof the structure in an ABI, tail padding included.
constexpr size_t size_of(const StructLayout& layout, Abi abi) {
  size_t end = offset_of(layout, layout.fields_of(abi).size(), abi), align = align_of(layout, abi);
  return (end + align - 1) / align * align;
}
constexpr size_t size_of(const Type& type, Abi abi) {
  switch (type.kind) {
    case Kind::Number:
    case Kind::Named:
    case Kind::Word:
    case Kind::Look: return bytes_of(type.width, abi);
    case Kind::Either: return size_of(*type.choice->then, abi);
    case Kind::Fd:
    case Kind::DirFd:
    case Kind::ProcessId:
    case Kind::Signal:
    case Kind::WaitStatus: return 4;
    case Kind::Address:
    case Kind::Pointer: return bytes_of(type.width, abi);
    case Kind::Struct: return size_of(*type.layout, abi);
    case Kind::Array: return type.length.fixed * size_of(*type.element, abi);
    case Kind::Bytes:
    case Kind::BitSet:
    case Kind::CString: return type.length.fixed;
    case Kind::SignalSet: return 8;
    case Kind::Inet6: return 16;
    case Kind::Custom: return type.custom_bytes ? type.custom_bytes : bytes_of(type.width, abi);
  }
  return 0;
}
constexpr size_t align_of(const Type& type, Abi abi) {
  switch (type.kind) {
    case Kind::Struct: return align_of(*type.layout, abi);
    case Kind::Array: return align_of(*type.element, abi);
    case Kind::Either: return align_of(*type.choice->then, abi);
    case Kind::Bytes:
    case Kind::BitSet:
    case Kind::CString: return 1;
    case Kind::Inet6: return 4;
    case Kind::Custom:
      if (type.custom_bytes) return bytes_of(type.width, abi);  // width says the alignment
      [[fallthrough]];
    default: {
      size_t size = size_of(type, abi);
      return abi == Abi::I386 && size > 4 ? 4 : size;  // System V i386 ABI: long long aligns to 4 in structures
    }
  }
}

}  // namespace strut
