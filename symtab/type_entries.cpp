// Types from their entries (DWARF 5, chapter 5).
#include <algorithm>
#include <bit>

#include "symtab/dwarf_constants.hpp"
#include "symtab/prototypes.hpp"

namespace strut {

namespace {

using Kind = CType::Kind;

CTypeRef target_of(const Die& die) {
  auto target = die.file->follow(die, dwarf::kType);
  return target ? CTypeRef{target->file, target->offset} : CTypeRef{};
}

uint64_t number_of(const Die& die, uint16_t attribute) {
  AttributeValue value = die.file->attribute(die, attribute);
  return value.is_number() ? value.number : 0;
}

Kind kind_of_base(const Die& die) {
  switch (number_of(die, dwarf::kEncoding)) {
    case dwarf::kBoolean: return Kind::Bool;
    case dwarf::kComplexFloat: return Kind::Complex;
    case dwarf::kFloat: return Kind::Float;
    case dwarf::kSigned: return Kind::Signed;
    case dwarf::kUnsigned: return Kind::Unsigned;
    case dwarf::kSignedChar:
    case dwarf::kUnsignedChar:
    case dwarf::kUtf: return Kind::Char;
    default: return Kind::Unknown;
  }
}

Kind kind_of(const Die& die) {
  switch (die.tag()) {
    case dwarf::kBaseType: return kind_of_base(die);
    case dwarf::kPointerType:
    case dwarf::kPtrToMemberType: return Kind::Pointer;
    case dwarf::kReferenceType:
    case dwarf::kRvalueReferenceType: return Kind::Reference;
    case dwarf::kArrayType: return Kind::Array;
    case dwarf::kStructureType:
    case dwarf::kClassType: return Kind::Struct;
    case dwarf::kUnionType: return Kind::Union;
    case dwarf::kEnumerationType: return Kind::Enum;
    case dwarf::kSubroutineType: return Kind::Function;
    default: return Kind::Unknown;
  }
}

/// Where a member lies, in bytes. DWARF 2 wrote an expression: DW_OP_plus_uconst and a number.
uint64_t location_of(const Die& member) {
  AttributeValue value = member.file->attribute(member, dwarf::kDataMemberLocation);
  if (value.kind != AttributeValue::Kind::Block) return value.is_number() ? value.number : 0;
  ByteReader reader(value.block);
  constexpr uint8_t kPlusConstant = 0x23;
  return reader.take<uint8_t>() == kPlusConstant ? reader.take_uleb() : 0;
}

CField field_of(const Die& member) {
  CField field{member.file->attribute(member, dwarf::kName).text, target_of(member), location_of(member) * 8, 0};
  field.bits = static_cast<uint32_t>(number_of(member, dwarf::kBitSize));
  if (field.bits == 0) return field;
  if (AttributeValue at = member.file->attribute(member, dwarf::kDataBitOffset); at.is_number()) {
    field.bit_offset = at.number;
  } else if (AttributeValue from_top = member.file->attribute(member, dwarf::kBitOffset); from_top.is_number()) {
    // Before DWARF 4: from the highest bit of the storage, whose size the member or its type says.
    uint64_t storage = number_of(member, dwarf::kByteSize);
    auto type = member.file->follow(member, dwarf::kType);
    if (storage == 0 && type) storage = number_of(*type, dwarf::kByteSize);
    field.bit_offset += storage * 8 - from_top.number - field.bits;
  }
  return field;
}

CEnumerator enumerator_of(const Die& die) {
  AttributeValue value = die.file->attribute(die, dwarf::kConstValue);
  return {die.file->attribute(die, dwarf::kName).text, value.is_number() ? static_cast<int64_t>(value.number) : 0};
}

uint64_t count_of(const Die& subrange) {
  if (AttributeValue count = subrange.file->attribute(subrange, dwarf::kCount); count.is_number()) return count.number;
  AttributeValue last = subrange.file->attribute(subrange, dwarf::kUpperBound);
  return last.is_number() ? last.number + 1 : 0;
}

void read_children(const Die& die, CType& type) {
  die.file->walk(die, [&](const Die& child, int depth) {
    if (depth == 0) return Descend::Into;
    switch (child.tag()) {
      case dwarf::kMember:
        // Static members are declarations.
        if (!child.file->has(child, dwarf::kExternal)) type.fields.push_back(field_of(child));
        break;
      case dwarf::kInheritance: type.fields.push_back(field_of(child)); break;
      case dwarf::kEnumerator: type.enumerators.push_back(enumerator_of(child)); break;
      case dwarf::kSubrangeType: type.counts.push_back(count_of(child)); break;
      case dwarf::kFormalParameter: type.parameters.push_back(target_of(child)); break;
      case dwarf::kUnspecifiedParameters: type.is_variadic = true; break;
      default: break;
    }
    return Descend::Over;
  });
}

bool is_qualifier(uint16_t tag) {
  return tag == dwarf::kConstType || tag == dwarf::kVolatileType || tag == dwarf::kRestrictType ||
         tag == dwarf::kAtomicType;
}

/// Goes through typedefs and qualifiers to the type itself. nullopt: void (noted in `type`), or they go round in a
/// circle.
std::optional<Die> bare(Die die, CType& type) {
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps; step++) {
    if (die.tag() == dwarf::kTypedef) {
      if (type.alias.empty()) type.alias = die.file->attribute(die, dwarf::kName).text;
    } else if (is_qualifier(die.tag())) {
      // Of what a typedef hides only the typedef's name is told.
      if (die.tag() == dwarf::kConstType && type.alias.empty()) type.is_const = true;
    } else {
      return die;
    }
    auto next = die.file->follow(die, dwarf::kType);
    if (!next) {
      type.kind = Kind::Void;
      type.name = "void";
      return std::nullopt;
    }
    die = *next;
  }
  return std::nullopt;
}

}  // namespace

const CType& Prototypes::type(CTypeRef ref) const {
  auto [slot, is_new] = types_.try_emplace(ref);
  CType& type = slot->second;
  if (!is_new) return type;
  const DwarfUnit* unit = ref.file ? ref.file->unit_with(ref.offset) : nullptr;
  std::optional<Die> named = unit ? ref.file->die_at(*unit, ref.offset) : std::nullopt;
  if (ref.is_void()) type.kind = Kind::Void, type.name = "void";
  std::optional<Die> die = named ? bare(*named, type) : std::nullopt;
  if (!die) return type;
  // What stands for a type that has a unit of its own.
  if (auto full = die->file->follow(*die, dwarf::kSignature)) die = full;
  type.kind = kind_of(*die);
  type.name = die->file->attribute(*die, dwarf::kName).text;
  type.bytes = number_of(*die, dwarf::kByteSize);
  if (type.bytes == 0 && (type.kind == Kind::Pointer || type.kind == Kind::Reference))
    type.bytes = die->unit->address_bytes;
  type.is_incomplete = die->file->has(*die, dwarf::kDeclaration);
  type.target = target_of(*die);
  if (die->abbreviation->has_children) read_children(*die, type);
  return type;
}

}  // namespace strut
