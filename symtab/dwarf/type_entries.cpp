// Types from their entries (DWARF 5, chapter 5).
#include <algorithm>

#include "symtab/dwarf/debug_information.hpp"
#include "symtab/dwarf/prototypes.hpp"
#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

using Kind = CType::Kind;

CTypeRef target_of(const Die& die) {
  auto target = die.follow(DW_AT_type);
  return target ? CTypeRef{target->file, target->entry.addr} : CTypeRef{};
}

uint64_t number_of(const Die& die, unsigned attribute) { return die.number(attribute).value_or(0); }

Kind kind_of_base(const Die& die) {
  switch (number_of(die, DW_AT_encoding)) {
    case DW_ATE_boolean: return Kind::Bool;
    case DW_ATE_complex_float: return Kind::Complex;
    case DW_ATE_float: return Kind::Float;
    case DW_ATE_signed: return Kind::Signed;
    case DW_ATE_unsigned: return Kind::Unsigned;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return Kind::Char;
    default: return Kind::Unknown;
  }
}

Kind kind_of(const Die& die) {
  switch (die.tag()) {
    case DW_TAG_base_type: return kind_of_base(die);
    case DW_TAG_pointer_type:
    case DW_TAG_ptr_to_member_type: return Kind::Pointer;
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return Kind::Reference;
    case DW_TAG_array_type: return Kind::Array;
    case DW_TAG_structure_type:
    case DW_TAG_class_type: return Kind::Struct;
    case DW_TAG_union_type: return Kind::Union;
    case DW_TAG_enumeration_type: return Kind::Enum;
    case DW_TAG_subroutine_type: return Kind::Function;
    default: return Kind::Unknown;
  }
}

/// Where a member lies, in bytes. DWARF 2 wrote an expression: DW_OP_plus_uconst and a number.
uint64_t location_of(const Die& member) {
  if (std::optional<uint64_t> offset = member.number(DW_AT_data_member_location)) return *offset;
  ByteReader reader(member.block(DW_AT_data_member_location));
  return reader.take<uint8_t>() == DW_OP_plus_uconst ? reader.take_uleb() : 0;
}

CField field_of(const Die& member) {
  CField field{member.text(DW_AT_name), target_of(member), location_of(member) * 8, 0};
  field.bits = static_cast<uint32_t>(number_of(member, DW_AT_bit_size));
  if (field.bits == 0) return field;
  if (std::optional<uint64_t> at = member.number(DW_AT_data_bit_offset)) {
    field.bit_offset = *at;
  } else if (std::optional<uint64_t> from_top = member.number(DW_AT_bit_offset)) {
    // Before DWARF 4: from the highest bit of the storage; the member or its type has the size.
    uint64_t storage = number_of(member, DW_AT_byte_size);
    auto type = member.follow(DW_AT_type);
    if (storage == 0 && type) storage = number_of(*type, DW_AT_byte_size);
    field.bit_offset += storage * 8 - *from_top - field.bits;
  }
  return field;
}

CEnumerator enumerator_of(const Die& die) {
  return {die.text(DW_AT_name), static_cast<int64_t>(number_of(die, DW_AT_const_value))};
}

uint64_t count_of(const Die& subrange) {
  if (std::optional<uint64_t> count = subrange.number(DW_AT_count)) return *count;
  std::optional<uint64_t> last = subrange.number(DW_AT_upper_bound);
  return last ? *last + 1 : 0;
}

/// X(const X&) or X(X&&): one parameter besides `this`, a reference to the class.
bool copies(const Die& constructor, const Die& in) {
  std::vector<CTypeRef> given;
  constructor.walk([&](const Die& child, int depth) {
    if (depth == 0) return Descend::Into;
    if (child.tag() == DW_TAG_formal_parameter && !child.has(DW_AT_artificial)) given.push_back(target_of(child));
    return Descend::Over;
  });
  if (given.size() != 1 || given[0].is_void()) return false;
  auto reference = die_at(*given[0].file, given[0].entry);
  if (!reference || kind_of(*reference) != Kind::Reference) return false;
  auto target = reference->follow(DW_AT_type);
  if (target && target->tag() == DW_TAG_const_type) target = target->follow(DW_AT_type);
  return target && target->entry.addr == in.entry.addr;
}

/// A destructor, or a constructor that copies or moves, which the program's code has: neither made by the compiler nor
/// defaulted or deleted in the class.
bool is_own_copying(const Die& member, const Die& in) {
  if (member.has(DW_AT_artificial) || member.has(DW_AT_deleted)) return false;
  if (member.number(DW_AT_defaulted).value_or(DW_DEFAULTED_no) == DW_DEFAULTED_in_class) return false;
  std::string_view name = member.text(DW_AT_name), type = in.text(DW_AT_name);
  return name.starts_with('~') || (name == type.substr(0, type.find('<')) && !name.empty() && copies(member, in));
}

/// An enum of Rust has its template's arguments at its variants, which all have the same.
void read_variant(const Die& variant, CType& type) {
  if (!type.is_rust || !type.template_types.empty()) return;
  variant.walk([&](const Die& child, int depth) {
    if (depth == 0) return Descend::Into;
    if (child.tag() == DW_TAG_template_type_parameter) type.template_types.push_back(target_of(child));
    return Descend::Over;
  });
}

void read_children(const Die& die, CType& type) {
  die.walk([&](const Die& child, int depth) {
    if (depth == 0) return Descend::Into;
    switch (child.tag()) {
      case DW_TAG_member:
        // Static members are declarations.
        if (!child.has(DW_AT_external)) type.fields.push_back(field_of(child));
        break;
      case DW_TAG_inheritance: type.fields.push_back(field_of(child)); break;
      case DW_TAG_subprogram: type.is_copied_by_code |= is_own_copying(child, die); break;
      case DW_TAG_template_type_parameter: type.template_types.push_back(target_of(child)); break;
      case DW_TAG_structure_type: read_variant(child, type); break;
      case DW_TAG_enumerator: type.enumerators.push_back(enumerator_of(child)); break;
      case DW_TAG_subrange_type: type.counts.push_back(count_of(child)); break;
      case DW_TAG_formal_parameter: type.parameters.push_back(target_of(child)); break;
      case DW_TAG_unspecified_parameters: type.is_variadic = true; break;
      default: break;
    }
    return Descend::Over;
  });
}

bool is_object(const CType& type) { return type.kind == Kind::Struct || type.kind == Kind::Union; }

/// The type itself, or one that it consists of. Types that contain themselves (damaged information) end the search.
bool is_copied_by_code(const Prototypes& prototypes, CTypeRef ref, int depth) {
  constexpr int kMaxDepth = 64;
  const CType& type = prototypes.type(ref);
  if (depth == kMaxDepth) return false;
  if (type.kind == Kind::Array) return is_copied_by_code(prototypes, type.target, depth + 1);
  if (!is_object(type)) return false;
  return type.is_copied_by_code || std::ranges::any_of(type.fields, [&](const CField& field) {
           return field.name.starts_with("_vptr") || is_copied_by_code(prototypes, field.type, depth + 1);
         });
}

bool is_qualifier(unsigned tag) {
  return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
         tag == DW_TAG_atomic_type;
}

/// Goes through typedefs and qualifiers to the type itself. nullopt: void (noted in `type`), or they go round in a
/// circle.
std::optional<Die> bare(Die die, CType& type) {
  constexpr int kMaxSteps = 64;
  for (int step = 0; step < kMaxSteps; step++) {
    if (die.tag() == DW_TAG_typedef) {
      if (type.alias.empty()) type.alias = die.text(DW_AT_name);
    } else if (is_qualifier(die.tag())) {
      // For a type behind a typedef only the typedef's name is shown.
      if (die.tag() == DW_TAG_const_type && type.alias.empty()) type.is_const = true;
    } else {
      return die;
    }
    auto next = die.follow(DW_AT_type);
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
  std::optional<Die> named = ref.file ? die_at(*ref.file, ref.entry) : std::nullopt;
  if (ref.is_void()) type.kind = Kind::Void, type.name = "void";
  std::optional<Die> die = named ? bare(*named, type) : std::nullopt;
  if (!die) return type;
  // The full entry of a type that has a unit of its own.
  if (auto full = die->follow(DW_AT_signature)) die = full;
  type.kind = kind_of(*die);
  type.name = die->text(DW_AT_name);
  type.bytes = number_of(*die, DW_AT_byte_size);
  if (type.bytes == 0 && (type.kind == Kind::Pointer || type.kind == Kind::Reference))
    type.bytes = die->address_bytes();
  type.is_incomplete = die->has(DW_AT_declaration);
  type.target = target_of(*die);
  type.is_rust = die->root().number(DW_AT_language) == DW_LANG_Rust;
  read_children(*die, type);
  // clang writes the rule's outcome down.
  if (auto convention = die->number(DW_AT_calling_convention); convention && is_object(type))
    type.is_copied_by_code = *convention == DW_CC_pass_by_reference;
  return type;
}

bool Prototypes::is_passed_by_address(CTypeRef ref) const {
  constexpr uint64_t kTwoWords = 16;
  const CType& type = this->type(ref);
  if (is_object(type) && type.is_rust) return type.bytes > kTwoWords;
  return is_object(type) && is_copied_by_code(*this, ref, 0);
}

}  // namespace strut
