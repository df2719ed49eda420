// The words in which system-call rows and structure fields are written. Included by tables only, which say
// `using namespace strut::notation;` — everything here is constexpr data, nothing runs.
#pragma once

#include <initializer_list>

#include "syscalls/syscall.hpp"
#include "syscalls/type.hpp"

namespace strut::notation {

// -- scalar types -------------------------------------------------------------------------------
constexpr Type number(Width width, Show show, bool is_signed = false) {
  Type type;
  type.kind = Kind::Number;
  type.width = width;
  type.show = show;
  type.is_signed = is_signed;
  return type;
}
inline constexpr Type kInt = number(Width::B4, Show::Signed, true);
inline constexpr Type kUInt = number(Width::B4, Show::Unsigned);
inline constexpr Type kHex32 = number(Width::B4, Show::Hex);
inline constexpr Type kHex64 = number(Width::B8, Show::Hex);
inline constexpr Type kHexLong = number(Width::Long, Show::Hex);
inline constexpr Type kS8 = number(Width::B1, Show::Signed, true);
inline constexpr Type kU8 = number(Width::B1, Show::Unsigned);
inline constexpr Type kS16 = number(Width::B2, Show::Signed, true);
inline constexpr Type kU16 = number(Width::B2, Show::Unsigned);
inline constexpr Type kS64 = number(Width::B8, Show::Signed, true);
inline constexpr Type kU64 = number(Width::B8, Show::Unsigned);
inline constexpr Type kLong = number(Width::Long, Show::Signed, true);
inline constexpr Type kULong = number(Width::Long, Show::Unsigned);
inline constexpr Type kKernelLong = number(Width::KernelLong, Show::Signed, true);
inline constexpr Type kKernelULong = number(Width::KernelLong, Show::Unsigned);
/// A register that 32-bit programs pass without a sign, shown as if it had one.
inline constexpr Type kPlainLong = number(Width::Long, Show::Signed);
inline constexpr Type kSize = number(Width::Long, Show::Unsigned);
inline constexpr Type kPermissions = number(Width::B4, Show::Permissions);
/// umode_t, the type of every mode argument.
inline constexpr Type kMode = number(Width::B2, Show::Permissions);
/// For a mode that also has the kind of the new file.
inline constexpr Type kNodeMode = number(Width::B2, Show::FileMode);
inline constexpr Type kId = number(Width::B4, Show::Id);
/// old_uid_t, old_gid_t: ids of i386's oldest calls.
inline constexpr Type kId16 = number(Width::B2, Show::Id);
inline constexpr Type kDevice32 = number(Width::B4, Show::Device);
inline constexpr Type kDevice = number(Width::KernelLong, Show::Device);

constexpr Type of_kind(Kind kind) {
  Type type;
  type.kind = kind;
  type.width = Width::B4;
  type.is_signed = true;
  return type;
}
inline constexpr Type kFd = of_kind(Kind::Fd);
inline constexpr Type kDirFd = of_kind(Kind::DirFd);
inline constexpr Type kPid = of_kind(Kind::ProcessId);
inline constexpr Type kSignal = of_kind(Kind::Signal);
constexpr Type address_of(Width width) {
  Type type = of_kind(Kind::Address);
  type.width = width;
  return type;
}
inline constexpr Type kAddress = address_of(Width::Long);
inline constexpr Type kKernelAddress = address_of(Width::KernelLong);
inline constexpr Type kWaitStatus = of_kind(Kind::WaitStatus);
inline constexpr Type kInet6 = of_kind(Kind::Inet6);
inline constexpr Type kSigset = of_kind(Kind::SignalSet);

/// An enumeration or flag word.
constexpr Type named(const ConstantSet& set, Width width = Width::B4) {
  Type type;
  type.kind = Kind::Named;
  type.width = width;
  type.constants = &set;
  return type;
}

/// A number that a function shows, which reads no memory.
constexpr Type shown_by(NumberLook look, Width width = Width::Long) {
  Type type;
  type.kind = Kind::Look;
  type.width = width;
  type.look = look;
  return type;
}
/// A number with a name, as a remark where names are wanted …
constexpr Type numbered(Type name) {
  name.numbered = true;
  return name;
}
/// … or in every style.
constexpr Type remarked_with(const ConstantSet& set, Type number) {
  number.constants = &set;
  return number;
}
/// A scalar that stands without brackets where it is behind a pointer.
constexpr Type unboxed(Type scalar) {
  scalar.unboxed = true;
  return scalar;
}
/// A descriptor of another process, an id of no process: what it stands for is not looked up.
constexpr Type unnamed(Type type) {
  type.unnamed = true;
  return type;
}
/// A time with its date as a remark.
constexpr Type dated(Type time, Dated how = Dated::Seconds) {
  time.dated = how;
  return time;
}

// -- words of several parts: A|B|3, FORM(A, 3) ------------------------------------------------------
constexpr WordPart part(uint64_t mask, const Type& type) { return {mask, &type}; }
/// Shown unless it is zero.
constexpr WordPart part_if_any(uint64_t mask, const Type& type) { return {mask, &type, WordPart::When::IfAny}; }
/// Shown unless it is zero, and where no other part is.
constexpr WordPart part_or_alone(uint64_t mask, const Type& type) {
  return {mask, &type, WordPart::When::IfAnyOrAlone};
}
/// In the lowest bits once it is shifted by so many.
constexpr WordPart shifted(uint8_t by, WordPart part) {
  part.shift = by;
  return part;
}
/// Shown as what is shifted: A<<16. The distance may have a name, and a remark may stand for that of the part.
constexpr WordPart with_shift(uint8_t by, WordPart part, std::string_view place = {}, std::string_view unnamed = {},
                              NumberBase base = NumberBase::Decimal) {
  part = shifted(by, part);
  part.shows_shift = true;
  part.place = place;
  part.unnamed = unnamed;
  part.base = base;
  return part;
}
constexpr Type word(const WordLayout& layout, Width width = Width::B4) {
  Type type;
  type.kind = Kind::Word;
  type.width = width;
  type.word = &layout;
  return type;
}

/// Some bits of a word, as a number.
template <uint8_t kFrom, uint8_t kCount>
inline constexpr WordPart kBitField[] = {shifted(kFrom, part(((1ull << kCount) - 1) << kFrom, kUInt))};
template <uint8_t kFrom, uint8_t kCount>
inline constexpr WordLayout kBitFieldWord = {.parts = kBitField<kFrom, kCount>, .one_is_plain = true};
template <uint8_t kFrom, uint8_t kCount = 1>
constexpr Type bit_field(Width width = Width::B4) { return word(kBitFieldWord<kFrom, kCount>, width); }

/// The type with negative numbers.
constexpr Type signed_type(Type type) {
  type.is_signed = true;
  return type;
}

// -- lengths --------------------------------------------------------------------------------------
constexpr Length by_arg(uint8_t index) { return {LengthFrom::Arg, index}; }
constexpr Length by_result() { return {LengthFrom::Result}; }
/// As the result says, no more than the argument does: calls whose result may be more than there was room for.
constexpr Length by_result_within(int8_t argument) { return {.from = LengthFrom::Result, .within = argument}; }
constexpr Length pointed_by(uint8_t index) { return {LengthFrom::PointedBy, index}; }
constexpr Length by_field(uint8_t index) { return {LengthFrom::Field, index}; }
constexpr Length by_arg_bits(uint8_t index) { return {LengthFrom::ArgBits, index}; }
constexpr Length by_arg_pages(uint8_t index) { return {LengthFrom::ArgPages, index}; }
constexpr Length fixed(uint32_t count) { return {.from = LengthFrom::Fixed, .fixed = count}; }
/// No more than so many, whatever the length says …
constexpr Length at_most(uint32_t most, Length length) {
  length.most = most;
  return length;
}
/// … and further ones are cut.
constexpr Length cut_at(uint32_t most, Length length) {
  length = at_most(most, length);
  length.cuts = true;
  return length;
}
/// As the structure's member says, which has room for so many.
constexpr Length by_field_in(uint8_t index, uint32_t room) {
  Length length = at_most(room, by_field(index));
  length.fixed = room;
  return length;
}
/// So many times as much as the length says, and so many besides.
constexpr Length times(uint8_t factor, Length length, uint8_t besides = 0) {
  length.times = factor;
  length.besides = besides;
  return length;
}
/// A length in bytes, of elements of so many.
constexpr Length in_bytes(Length length, uint8_t element_bytes) {
  length.divisor = element_bytes;
  return length;
}

// -- objects in memory ------------------------------------------------------------------------------
constexpr Type structure(const StructLayout& layout) {
  Type type;
  type.kind = Kind::Struct;
  type.layout = &layout;
  return type;
}
constexpr Type array_of(const Type& element, uint32_t count) {
  Type type;
  type.kind = Kind::Array;
  type.element = &element;
  type.length = fixed(count);
  return type;
}
/// A char array member holding a NUL-terminated string.
constexpr Type char_array(uint32_t bytes) {
  Type type;
  type.kind = Kind::CString;
  type.length = fixed(bytes);
  return type;
}
constexpr Type bytes(Length length, TextKind text = TextKind::Text) {
  Type type;
  type.kind = Kind::Bytes;
  type.length = length;
  type.text = text;
  return type;
}
inline constexpr Type kBytes = bytes({});
inline constexpr Type kBinary = bytes({}, TextKind::Binary);
constexpr Type c_string(TextKind text) {
  Type type;
  type.kind = Kind::CString;
  type.text = text;
  return type;
}
inline constexpr Type kString = c_string(TextKind::Text);
inline constexpr Type kPath = c_string(TextKind::Path);
/// A structure of the size that the caller passes: with the bytes behind its known part where any of them is not zero.
/// An address where it is smaller than `least`, or larger than `most`.
constexpr Type extensible(const StructLayout& layout, Length size, uint32_t least, uint32_t most = 0) {
  Type type = structure(layout);
  type.length = size;
  type.length.fixed = least;
  type.length.most = most;
  return type;
}
/// A structure whose members stand in an array, without names or with them as indices.
constexpr Type listed(const StructLayout& layout) {
  Type type = structure(layout);
  type.members = Members::Listed;
  return type;
}
constexpr Type indexed(const StructLayout& layout) {
  Type type = structure(layout);
  type.members = Members::Indexed;
  return type;
}
/// Elements in a structure: as many as its member says, in their place or behind it.
constexpr Type counted(const Type& element, Length length) {
  Type type;
  type.kind = Kind::Array;
  type.element = &element;
  type.length = length;
  return type;
}
/// All of an array or of bytes, or nothing of it, whatever -s says.
constexpr Type whole(Type type) {
  type.whole = true;
  return type;
}
/// The numbers of the bits that are set in so many bytes.
constexpr Type bit_set(const Type& number, Length bytes) {
  Type type;
  type.kind = Kind::BitSet;
  type.element = &number;
  type.length = bytes;
  return type;
}
/// Either type: the first where the condition holds.
template <FieldCondition kWhen, const Type& kThen, const Type& kElse>
inline constexpr Choice kChoice = {kWhen, &kThen, &kElse};
constexpr Type either(const Choice& choice) {
  Type type;
  type.kind = Kind::Either;
  type.choice = &choice;
  return type;
}
template <FieldCondition kWhen, const Type& kThen, const Type& kElse>
inline constexpr Type kEither = either(kChoice<kWhen, kThen, kElse>);
/// Decoded by a function. As a register: bits is the register. In memory: bits is the address; bytes steps over it.
constexpr Type custom(CustomDecode decode, uint32_t bytes_in_memory = 0, Width alignment = Width::Long) {
  Type type;
  type.kind = Kind::Custom;
  type.width = alignment;
  type.custom = decode;
  type.custom_bytes = bytes_in_memory;
  return type;
}
/// The type, with the memory that its decoder reads, without custom words: for a register a pointer, else the object.
constexpr Type reading(Type type, const Type& reads) {
  type.reads = &reads;
  return type;
}
/// For `reads`: bytes of which up to `most` are looked at, whatever -s says.
constexpr Type whole_bytes(uint32_t most, Length length) {
  Type type;
  type.kind = Kind::Bytes;
  type.length = length;
  type.whole_bytes = most;
  return type;
}
/// For `reads`: bytes with descriptors or ids in them.
constexpr Type holding(Type bytes, Type::Holds what) {
  bytes.holds = what;
  return bytes;
}
/// For `reads`: elements up to one that is zero.
constexpr Type until_zero(const Type& element) {
  Type type;
  type.kind = Kind::Array;
  type.element = &element;
  return type;
}
constexpr Type pointer_to(const Type& element, Length length = {}) {
  Type type;
  type.kind = Kind::Pointer;
  type.element = &element;
  type.length = length;
  return type;
}
inline constexpr Type kStringPointer = pointer_to(kString);
/// A member of 64 bits in every ABI that holds an address (__aligned_u64).
constexpr Type wide(Type pointer) {
  pointer.width = Width::B8;
  return pointer;
}
inline constexpr Type kWideAddress = address_of(Width::B8);

// -- fields -----------------------------------------------------------------------------------------
constexpr FieldType field(const char* name, const Type& type, FieldCondition when = nullptr) {
  FieldType result;
  result.name = name;
  result.type = type;
  result.when = when;
  return result;
}
/// Shown only in full (-v).
constexpr FieldType detail(const char* name, const Type& type, FieldCondition when = nullptr) {
  FieldType result = field(name, type, when);
  result.detail = true;
  return result;
}
constexpr FieldType padding(const Type& type) { return field(nullptr, type); }
/// Bytes that are never shown: gaps and reserved members.
constexpr FieldType padding_bytes(uint32_t count) { return padding(bytes(fixed(count))); }
/// At this offset in every ABI: for members that are shown in another order than they have in memory.
constexpr FieldType at(int16_t offset, FieldType member) {
  member.offset = offset;
  return member;
}
/// A union member: starts where the previous field starts.
constexpr FieldType overlapping(FieldType member) {
  member.overlaps = true;
  return member;
}

// -- arguments --------------------------------------------------------------------------------------
constexpr ArgType arg(const char* name, const Type& type, Direction direction = Direction::In) {
  ArgType result;
  result.name = name;
  result.type = type;
  result.direction = direction;
  return result;
}
constexpr ArgType fd(const char* name) { return arg(name, kFd); }
constexpr ArgType dirfd(const char* name) { return arg(name, kDirFd); }
constexpr ArgType pid(const char* name) { return arg(name, kPid); }
constexpr ArgType signal(const char* name) { return arg(name, kSignal); }
constexpr ArgType integer(const char* name) { return arg(name, kInt); }
constexpr ArgType uinteger(const char* name) { return arg(name, kUInt); }
constexpr ArgType slong(const char* name) { return arg(name, kLong); }
constexpr ArgType ulong(const char* name) { return arg(name, kULong); }
constexpr ArgType size(const char* name) { return arg(name, kSize); }
/// A 64-bit integer: one register, on i386 two (low, high).
constexpr ArgType loff(const char* name) { return arg(name, kS64); }
constexpr ArgType u64(const char* name) { return arg(name, kU64); }
constexpr ArgType hex(const char* name) { return arg(name, kHexLong); }
constexpr ArgType hex32(const char* name) { return arg(name, kHex32); }
constexpr ArgType id(const char* name) { return arg(name, kId); }
constexpr ArgType permissions(const char* name) { return arg(name, kMode); }
constexpr ArgType device(const char* name) { return arg(name, kDevice32); }
constexpr ArgType address(const char* name) { return arg(name, kAddress); }
/// An enumeration or flags; the set says which.
constexpr ArgType flags(const char* name, const ConstantSet& set, Width width = Width::B4) {
  return arg(name, named(set, width));
}
constexpr ArgType path(const char* name) { return arg(name, pointer_to(kPath)); }
constexpr ArgType string(const char* name) { return arg(name, pointer_to(kString)); }
constexpr ArgType bytes_in(const char* name, Length length, const Type& element = kBytes) {
  return arg(name, pointer_to(element, length));
}
constexpr ArgType bytes_out(const char* name, Length length, const Type& element = kBytes) {
  return arg(name, pointer_to(element, length), Direction::Out);
}
/// A pointer to one object.
constexpr ArgType in(const char* name, const Type& object) { return arg(name, pointer_to(object)); }
constexpr ArgType out(const char* name, const Type& object) { return arg(name, pointer_to(object), Direction::Out); }
constexpr ArgType inout(const char* name, const Type& object) {
  return arg(name, pointer_to(object), Direction::InOut);
}
/// A pointer to several.
constexpr ArgType array_in(const char* name, const Type& element, Length length) {
  return arg(name, pointer_to(element, length));
}
constexpr ArgType array_out(const char* name, const Type& element, Length length) {
  return arg(name, pointer_to(element, length), Direction::Out);
}

// -- further parts of a row -----------------------------------------------------------------------
constexpr ArgType when(ArgCondition condition, ArgType argument) {
  argument.when = condition;
  return argument;
}
constexpr ArgType labelled(ArgType argument) {
  argument.labelled = true;
  return argument;
}
constexpr ArgType even_on_failure(ArgType argument) {
  argument.on_failure = true;
  return argument;
}
/// The value at enter is kept for the decoders of the exit.
constexpr ArgType remembered(ArgType argument) {
  argument.remembered = true;
  return argument;
}
constexpr ArgType late_comma(ArgType argument) {
  argument.late_comma = true;
  return argument;
}
constexpr ArgType from_register(int8_t reg, ArgType argument) {
  argument.reg = reg;
  return argument;
}

// -- results ------------------------------------------------------------------------------------------
/// A long without a sign: a result below zero that is no error was injected, or is an offset (lseek of /proc/PID/mem).
inline constexpr Type kUnsignedResult = number(Width::Long, Show::Unsigned);
inline constexpr Type kHexResult = kHexLong;
inline constexpr Type kOctalResult = number(Width::Long, Show::Permissions);
inline constexpr Type kFdResult = kFd;
inline constexpr Type kPidResult = kPid;

// -- rows ------------------------------------------------------------------------------------------------- The
// possible parts of a row besides its arguments, each of a type of its own.
struct ByCommand {
  const CommandTable* table;
};
struct WithAux {
  AuxDecode decode;
};
struct WithCustomArgs {
  ArgsDecode decode;
};
constexpr ByCommand by_command(const CommandTable& table) { return {&table}; }
constexpr WithAux aux(AuxDecode decode) { return {decode}; }
constexpr WithCustomArgs custom_args(ArgsDecode decode) { return {decode}; }

constexpr void add(SyscallDesc& row, const ArgType& argument) { row.args[row.count++] = argument; }
constexpr void add(SyscallDesc& row, ByCommand extra) { row.commands = extra.table; }
constexpr void add(SyscallDesc& row, WithAux extra) { row.aux = extra.decode; }
constexpr void add(SyscallDesc& row, WithCustomArgs extra) { row.custom = extra.decode; }

// Effects (syscalls/effects.hpp), each a part of its own.
struct WithFlags {
  uint32_t flags;
};
struct WithProgram {
  int8_t argument;
};
struct WithoutSearch {
  uint8_t arguments;  ///< bits
};
constexpr WithFlags does(uint32_t flags) { return {flags}; }
constexpr Makes makes_process(Makes what) { return what; }
constexpr WithProgram replaces_program(int8_t path_argument) { return {path_argument}; }
constexpr AfterStop after_stop(AfterStop how) { return how; }
constexpr MaskUse cpu_mask(MaskUse use) { return use; }
constexpr Transfer reads(Transfer::Shape shape) { return {Transfer::Way::Read, shape}; }
constexpr Transfer writes(Transfer::Shape shape) { return {Transfer::Way::Write, shape}; }
constexpr SignalArguments signals(SignalArguments arguments) { return arguments; }
template <typename... Indices>
constexpr WithoutSearch not_searched(Indices... arguments) {
  return {static_cast<uint8_t>(((1u << arguments) | ...))};
}

constexpr void add(SyscallDesc& row, WithFlags extra) { row.effects.flags = extra.flags; }
constexpr void add(SyscallDesc& row, Makes extra) { row.effects.makes = extra; }
constexpr void add(SyscallDesc& row, WithProgram extra) { row.effects.program = extra.argument; }
constexpr void add(SyscallDesc& row, AfterStop extra) { row.effects.after_stop = extra; }
constexpr void add(SyscallDesc& row, MaskUse extra) { row.effects.cpu_mask = extra; }
constexpr void add(SyscallDesc& row, Transfer extra) { row.effects.transfer = extra; }
constexpr void add(SyscallDesc& row, SignalArguments extra) { row.effects.signal = extra; }
constexpr void add(SyscallDesc& row, WithoutSearch extra) { row.effects.not_searched = extra.arguments; }

/// SYSCALL(nr, name, classes, result, arguments and other parts …) of syscalls.inc expands to this.
template <typename... Parts>
constexpr SyscallDesc row(const char* name, uint32_t classes, const Type& result, const Parts&... parts) {
  SyscallDesc desc{name, classes, result, 0, {}, nullptr, nullptr, nullptr, {}};
  (add(desc, parts), ...);
  return desc;
}
template <typename... Args>
constexpr CommandRow command(uint64_t value, const Type& result, const Args&... args) {
  return {value, result, sizeof...(Args), {args...}};
}

}  // namespace strut::notation
