#include "libcalls/prototypes/dwarf_prototypes.hpp"

#include <algorithm>

#include "libcalls/prototypes/library_types.hpp"
#include "libcalls/prototypes/rust_passing.hpp"

namespace strut {

namespace {

using namespace notation;

constexpr int kLevels = 3;                      // pointers that are followed from an argument
constexpr uint64_t kMaxStructureBytes = 32767;  // for a structure whose members have places of their own
constexpr size_t kMaxFields = 256;
constexpr uint32_t kMaxOfRange = 32;  // elements that are looked at where only the end says how many there are

Width width_of(uint64_t bytes) {
  return bytes == 1 ? Width::B1 : bytes == 2 ? Width::B2 : bytes <= 4 ? Width::B4 : Width::B8;
}

bool is_object(CType::Kind kind) {
  return kind != CType::Kind::Void && kind != CType::Kind::Unknown && kind != CType::Kind::Function;
}

/// C has wchar_t by a typedef, C++ as a type.
bool is_wide_character(const CType& type) {
  bool is_type = type.kind == CType::Kind::Char || (type.kind == CType::Kind::Signed && type.alias == "wchar_t");
  return is_type && type.bytes == sizeof(wchar_t);
}

}  // namespace

const FunctionDesc* DwarfPrototypes::named(std::string_view name) {
  if (const FunctionDesc* known = store_.find(name)) return known;
  std::optional<Prototype> prototype = prototypes_.named(name);
  return prototype ? described(name, *prototype) : nullptr;
}

const FunctionDesc* DwarfPrototypes::at(uint64_t file_address, std::string_view name) {
  if (const FunctionDesc* known = store_.find(name)) return known;
  // For a copy that GCC made for some callers, the places of all arguments are unknown.
  if (name.contains(".constprop.") || name.contains(".isra.") || name.contains(".part.")) return nullptr;
  std::optional<Prototype> prototype = prototypes_.at(file_address);
  return prototype && !prototype->is_altered ? described(name, *prototype) : nullptr;
}

const FunctionDesc* DwarfPrototypes::described(std::string_view name, const Prototype& prototype) {
  FunctionDesc desc;
  desc.result = prototype.result.is_void() ? kVoid : result_of(prototype.result);
  std::vector<ArgType> args;
  bool is_place_known = true;
  for (const CParameter& parameter : prototype.parameters) {
    if (args.size() == kMaxDecodedArgs) break;
    is_place_known = is_place_known && rust_passing(prototypes_, parameter.type) != RustPassing::Unknown;
    args.push_back(is_place_known ? argument(parameter) : arg(store_.keep(parameter.name), kUnseenArgument));
  }
  // The further arguments of a variadic function are known only where the last name is that of a format.
  std::string_view last = prototype.parameters.empty() ? std::string_view{} : prototype.parameters.back().name;
  bool is_format = last == "format" || last == "fmt";
  if (prototype.is_variadic && is_format && args.size() == prototype.parameters.size()) desc.varargs = Varargs::Printf;
  return &store_.add(desc, name, std::move(args));
}

ArgType DwarfPrototypes::argument(const CParameter& parameter) {
  ArgType arg;
  arg.name = store_.keep(parameter.name);
  arg.type = type_of(parameter.type, kLevels);
  RustPassing passing = rust_passing(prototypes_, parameter.type);
  if (passing == RustPassing::Pair) {
    arg.type = pair_in_registers(parameter.type);
    return arg;
  }
  if (passing == RustPassing::Address || prototypes_.is_passed_by_address(parameter.type)) {
    arg.type = pointer_to(store_.keep(arg.type));
    return arg;
  }
  if (arg.type.kind != Kind::Pointer || arg.type.element->kind == Kind::CString || is_wide_string(arg.type)) return arg;
  const CType& pointer = prototypes_.type(parameter.type);
  if (!prototypes_.type(pointer.target).is_const) arg.direction = Direction::InOut;
  return arg;
}

// Registers are read as if they were words of memory.
Type DwarfPrototypes::pair_in_registers(CTypeRef ref) {
  const CType& type = prototypes_.type(ref);
  std::vector<FieldType> fields;
  for (const CField& member : type.fields) {
    if (prototypes_.type(member.type).bytes == 0) continue;
    auto register_at = static_cast<int16_t>(member.bit_offset == 0 ? 0 : sizeof(uint64_t));
    Type in_register = type_of(member.type, kLevels);
    fields.push_back(notation::at(register_at, field(store_.keep(member.name), in_register)));
  }
  StructLayout& layout = store_.declare_structure(type.name);
  store_.define_structure(layout, std::move(fields));
  return structure(layout);
}

Type DwarfPrototypes::result_of(CTypeRef ref) {
  return rust_passing(prototypes_, ref) == RustPassing::Pair ? pair_in_registers(ref) : type_of(ref, kLevels);
}

Type DwarfPrototypes::type_of(CTypeRef ref, int levels) {
  constexpr int kMaxNested = 64;
  if (nested_ == kMaxNested) return kGuess;
  nested_++;
  Type type = known_type(ref, levels);
  nested_--;
  return type;
}

Type DwarfPrototypes::known_type(CTypeRef ref, int levels) {
  const CType& type = prototypes_.type(ref);
  if (is_wide_character(type)) return kWideChar;
  switch (type.kind) {
    case CType::Kind::Bool: return kBool;
    case CType::Kind::Char: return type.bytes <= 1 ? kChar : kWideChar;
    case CType::Kind::Signed:
      return type.bytes == sizeof(__int128) ? kInt128 : number(width_of(type.bytes), Show::Signed, true);
    case CType::Kind::Unsigned:
      return type.bytes == sizeof(__int128) ? kUnsigned128 : number(width_of(type.bytes), Show::Unsigned);
    case CType::Kind::Float:
      return type.bytes == sizeof(float) ? kFloat : type.bytes == sizeof(double) ? kDouble : kLongDouble;
    case CType::Kind::Complex:
      return type.bytes == 2 * sizeof(float)    ? kComplexFloat
             : type.bytes == 2 * sizeof(double) ? kComplexDouble
                                                : kGuess;
    case CType::Kind::Enum: return enumeration_of(type);
    case CType::Kind::Pointer:
    case CType::Kind::Reference: return pointer_to_type(type, levels);
    case CType::Kind::Array: return array(type, 0, levels);
    case CType::Kind::Struct:
    case CType::Kind::Union:
      return structure_of(ref, levels)
          .value_or(bytes(fixed(static_cast<uint32_t>(std::min(type.bytes, kMaxStructureBytes)))));
    default: return kGuess;
  }
}

Type DwarfPrototypes::pointer_to_type(const CType& pointer, int levels) {
  const CType& target = prototypes_.type(pointer.target);
  if (target.kind == CType::Kind::Function) return kCode;
  if (target.kind == CType::Kind::Char && target.bytes == 1) return pointer_to(kString);
  if (is_wide_character(target)) return kWideString;
  if (target.name == "_IO_FILE") return kStream;
  if (levels == 0 || target.is_incomplete || !is_object(target.kind)) return kAddress;
  Type element = type_of(pointer.target, levels - 1);
  return element.kind == Kind::Bytes || element.kind == Kind::Array ? kAddress : pointer_to(store_.keep(element));
}

Type DwarfPrototypes::array(const CType& type, size_t dimension, int levels) {
  uint64_t count = dimension < type.counts.size() ? std::min(type.counts[dimension], kMaxStructureBytes) : 0;
  const CType& target = prototypes_.type(type.target);
  bool is_last = dimension + 1 >= type.counts.size();
  if (is_last && target.kind == CType::Kind::Char && target.bytes == 1) return char_array(static_cast<uint32_t>(count));
  Type element = is_last ? type_of(type.target, levels) : array(type, dimension + 1, levels);
  if (count * size_of(element, Abi::X86_64) > kMaxStructureBytes) return bytes(fixed(0));
  return array_of(store_.keep(element), static_cast<uint32_t>(count));
}

Type DwarfPrototypes::enumeration_of(const CType& type) {
  std::vector<Constant> names;
  for (const CEnumerator& enumerator : type.enumerators)
    names.push_back({static_cast<uint64_t>(enumerator.value), store_.keep(enumerator.name)});
  return signed_type(
      notation::named(store_.keep_enumeration(std::move(names)), width_of(type.bytes == 0 ? 4 : type.bytes)));
}

std::vector<FieldType> DwarfPrototypes::fields_of(const CType& type, int levels) {
  std::vector<FieldType> fields;
  bool is_union = type.kind == CType::Kind::Union;
  for (const CField& member : type.fields) {
    if (member.bits != 0 || (is_union && !fields.empty())) continue;
    uint64_t place = member.bit_offset / 8;
    Type member_type = type_of(member.type, levels);
    if (place + size_of(member_type, Abi::X86_64) > type.bytes) continue;
    fields.push_back(notation::at(static_cast<int16_t>(place), field(store_.keep(member.name), member_type)));
  }
  return fields;
}

// Converting::of_known() takes members in this order.
std::vector<FieldType> DwarfPrototypes::fields_of(const KnownStructure& known, int levels) {
  auto member = [](uint64_t at, const Type& type) { return notation::at(static_cast<int16_t>(at), field("", type)); };
  auto element = [&](int deep) -> const Type& { return store_.keep(type_of(known.element, deep)); };
  switch (known.form) {
    case KnownForm::Text: return {member(known.other, kULong), member(known.pointer, pointer_to(kBytes, by_field(0)))};
    case KnownForm::Counted:
      return {member(known.other, kULong), member(known.pointer, pointer_to(element(levels - 1), by_field(0)))};
    case KnownForm::Range:
      return {member(known.pointer, kHexLong), member(known.other, kHexLong),
              member(known.pointer, pointer_to(element(levels - 1), fixed(kMaxOfRange)))};
    case KnownForm::Optional: return {member(known.other, kBool), member(known.pointer, element(levels))};
    case KnownForm::Owner: return {member(known.pointer, element(levels))};
  }
  return {};
}

// nullopt: it is too large for places of its own, or nothing is known of its members.
std::optional<Type> DwarfPrototypes::structure_of(CTypeRef ref, int levels) {
  const CType& type = prototypes_.type(ref);
  auto [layout_of, is_new] = layouts_.try_emplace({ref, levels}, nullptr);
  if (!is_new) return layout_of->second ? std::optional(structure(*layout_of->second)) : std::nullopt;
  if (type.fields.empty() || type.bytes > kMaxStructureBytes || type.fields.size() > kMaxFields) return std::nullopt;
  std::optional<KnownStructure> known = levels > 0 ? known_structure(prototypes_, ref) : std::nullopt;
  std::vector<FieldType> fields = known ? fields_of(*known, levels) : fields_of(type, levels);
  // Members that were left out count for its size.
  StructLayout measured{"", fields};
  if (type.bytes > 0 && size_of(measured, Abi::X86_64) < type.bytes)
    fields.push_back(notation::at(static_cast<int16_t>(type.bytes - 1), padding_bytes(1)));
  StructLayout& layout = store_.declare_structure(known ? name_of(known->form) : type.name);
  store_.define_structure(layout, std::move(fields));
  layouts_[{ref, levels}] = &layout;
  return structure(layout);
}

}  // namespace strut
