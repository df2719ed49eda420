#include "symtab/dwarf/prototypes.hpp"

#include <algorithm>
#include <array>

#include "symtab/dwarf/debug_information.hpp"

namespace strut {

namespace {

CTypeRef ref_to(const std::optional<Die>& die) { return die ? CTypeRef{die->file, die->entry.addr} : CTypeRef{}; }

/// The entry that an attribute refers to, searched in the entries that this one was made from, too.
std::optional<Die> type_of(const Die& die) {
  constexpr int kMaxSteps = 8;
  std::optional<Die> at = die;
  for (int step = 0; at && step < kMaxSteps; step++) {
    if (auto type = at->follow(DW_AT_type)) return type;
    auto origin = at->follow(DW_AT_abstract_origin);
    at = origin ? origin : at->follow(DW_AT_specification);
  }
  return std::nullopt;
}

std::string_view name_in(const Die& die) {
  if (std::string_view name = die.text(DW_AT_name); !name.empty()) return name;
  auto origin = die.follow(DW_AT_abstract_origin);
  return origin ? origin->text(DW_AT_name) : std::string_view();
}

/// The entry that has the parameters: where a body has none, the one that it was made from.
Die with_parameters(const Die& function) {
  bool any = false;
  function.walk([&](const Die& die, int depth) {
    any |= die.tag() == DW_TAG_formal_parameter || die.tag() == DW_TAG_unspecified_parameters;
    return depth == 0 ? Descend::Into : any ? Descend::Stop : Descend::Over;
  });
  if (any) return function;
  auto origin = function.follow(DW_AT_abstract_origin);
  if (!origin) origin = function.follow(DW_AT_specification);
  return origin.value_or(function);
}

/// True if a unit gives no type of any function. Then it was made for lines only (-g1, -gline-tables-only), and its
/// functions only seem to have no arguments and no result.
bool has_no_types(const Die& function) {
  bool any = false;
  function.root().walk([&](const Die& die, int depth) {
    constexpr std::array kTypes = {DW_TAG_base_type,  DW_TAG_pointer_type,    DW_TAG_structure_type,
                                   DW_TAG_class_type, DW_TAG_typedef,         DW_TAG_enumeration_type,
                                   DW_TAG_union_type, DW_TAG_subroutine_type, DW_TAG_const_type,
                                   DW_TAG_array_type, DW_TAG_namespace,       DW_TAG_unspecified_type};
    any |= std::ranges::find(kTypes, die.tag()) != kTypes.end();
    return any ? Descend::Stop : depth == 0 ? Descend::Into : Descend::Over;
  });
  return !any;
}

bool is_in_one_register(const std::optional<Die>& type) {
  constexpr int kMaxSteps = 8;
  std::optional<Die> at = type;
  for (int step = 0; at && step < kMaxSteps; step++) {
    unsigned tag = at->tag();
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type ||
        tag == DW_TAG_enumeration_type)
      return true;
    if (tag == DW_TAG_base_type) {
      uint64_t encoding = at->number(DW_AT_encoding).value_or(0), bytes = at->number(DW_AT_byte_size).value_or(0);
      return encoding != DW_ATE_float && encoding != DW_ATE_complex_float && bytes <= sizeof(uint64_t);
    }
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type && tag != DW_TAG_restrict_type)
      return false;
    at = at->follow(DW_AT_type);
  }
  return false;
}

/// Whether arguments are elsewhere than the ABI has them: one is a constant that is not passed, or in a register that
/// it would not be in. `function`: the entry that has the code.
bool is_altered(const Die& function) {
  if (function.number(DW_AT_calling_convention) == DW_CC_nocall) return true;
  constexpr std::array<uint8_t, 6> kPassedIn = {5, 4, 1,
                                                2, 8, 9};  // %rdi, %rsi, %rdx, %rcx, %r8, %r9 by DWARF's numbers
  std::optional<Die> result = type_of(function);
  bool may_take_a_place = result && !is_in_one_register(result) && result->tag() != DW_TAG_base_type;
  size_t passed = may_take_a_place ? kPassedIn.size() : 0;
  bool is_altered = false;
  function.walk([&](const Die& die, int depth) {
    if (depth == 0) return Descend::Into;
    if (die.tag() != DW_TAG_formal_parameter) return Descend::Over;
    std::span<const std::byte> place = die.block(DW_AT_location);
    auto operation = place.size() == 1 ? std::to_integer<uint8_t>(place[0]) : uint8_t{0};
    if (!is_in_one_register(type_of(die))) passed = kPassedIn.size();
    bool is_checked = passed < kPassedIn.size() && operation >= DW_OP_reg0 && operation <= DW_OP_reg31;
    is_altered = die.has(DW_AT_const_value) || (is_checked && operation - DW_OP_reg0 != kPassedIn[passed]);
    passed++;
    return is_altered ? Descend::Stop : Descend::Over;
  });
  return is_altered;
}

std::optional<Prototype> prototype_of(std::optional<Die> function) {
  if (!function) return std::nullopt;
  // An assembler describes functions, too, without knowing more than where they are.
  std::optional<Die> result = type_of(*function);
  if (result && result->tag() == DW_TAG_unspecified_type && name_in(*result).empty()) return std::nullopt;
  Prototype prototype;
  prototype.name = name_of_function(*function);
  prototype.result = ref_to(result);
  Die list = with_parameters(*function);
  list.walk([&](const Die& die, int depth) {
    if (depth == 0) return Descend::Into;
    if (die.tag() == DW_TAG_formal_parameter) prototype.parameters.push_back({name_in(die), ref_to(type_of(die))});
    prototype.is_variadic |= die.tag() == DW_TAG_unspecified_parameters;
    return Descend::Over;
  });
  bool says_nothing = !result && prototype.parameters.empty() && !prototype.is_variadic;
  if (says_nothing && !list.has(DW_AT_prototyped) && has_no_types(list)) return std::nullopt;
  prototype.is_altered = is_altered(*function);
  return prototype;
}

}  // namespace

std::optional<Prototype> Prototypes::at(uint64_t file_address) const {
  return debug_ ? prototype_of(debug_->function_at(file_address)) : std::nullopt;
}

std::optional<Prototype> Prototypes::named(std::string_view name) const {
  return debug_ ? prototype_of(debug_->function_named(name)) : std::nullopt;
}

std::string Prototypes::text(const Prototype& prototype) const {
  std::string list;
  for (const CParameter& parameter : prototype.parameters) list += (list.empty() ? "" : ", ") + text(parameter.type);
  if (prototype.is_variadic) list += list.empty() ? "..." : ", ...";
  return declaration(prototype.result, "(" + (list.empty() ? "void" : list) + ")", 0);
}

std::string Prototypes::text(CTypeRef ref) const { return declaration(ref, {}, 0); }

namespace {

constexpr int kDeepest = 12;
constexpr size_t kLongest = 4096;

std::string word_for(const CType& type) {
  std::string name(type.alias.empty() ? type.name : type.alias);
  if (!type.alias.empty()) return name;
  const char* tag = type.kind == CType::Kind::Struct  ? "struct"
                    : type.kind == CType::Kind::Union ? "union"
                    : type.kind == CType::Kind::Enum  ? "enum"
                                                      : nullptr;
  if (!tag) return name.empty() ? "?" : name;
  return std::string(tag) + (name.empty() ? " {...}" : " " + name);
}

/// C puts a blank between a type and its declarator.
std::string join(const std::string& type, const std::string& inner) {
  return inner.empty() ? type : type + " " + inner;
}

/// The declarator of an array or function must be in parentheses if a pointer leads to it.
std::string bound(const std::string& inner) {
  return inner.starts_with('*') || inner.starts_with('&') ? "(" + inner + ")" : inner;
}

}  // namespace

/// C declares inside out: `inner` is the text around the name so far.
std::string Prototypes::declaration(CTypeRef ref, std::string inner, int depth) const {
  if (ref.is_void()) return join("void", inner);
  const CType& type = this->type(ref);
  std::string qualifier = type.is_const ? "const " : "";
  if (depth > kDeepest || inner.size() > kLongest) return join("...", inner);
  bool is_named = !type.alias.empty();
  if (!is_named && (type.kind == CType::Kind::Pointer || type.kind == CType::Kind::Reference)) {
    std::string star = type.kind == CType::Kind::Pointer ? "*" : "&";
    if (type.is_const) star += inner.empty() ? " const" : " const ";
    return declaration(type.target, star + inner, depth + 1);
  }
  if (!is_named && type.kind == CType::Kind::Array) {
    std::string brackets;
    for (uint64_t count : type.counts) brackets += count ? "[" + std::to_string(count) + "]" : "[]";
    return declaration(type.target, bound(inner) + brackets, depth + 1);
  }
  if (!is_named && type.kind == CType::Kind::Function) {
    std::string list;
    for (CTypeRef parameter : type.parameters) {
      if (list.size() > kLongest) break;
      list += (list.empty() ? "" : ", ") + declaration(parameter, {}, depth + 1);
    }
    if (type.is_variadic) list += list.empty() ? "..." : ", ...";
    return declaration(type.target, bound(inner) + "(" + (list.empty() ? "void" : list) + ")", depth + 1);
  }
  return join(qualifier + word_for(type), inner);
}

}  // namespace strut
