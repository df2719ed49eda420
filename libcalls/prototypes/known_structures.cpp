#include "libcalls/prototypes/known_structures.hpp"

#include <algorithm>
#include <array>

namespace strut {

namespace {

constexpr std::array<std::string_view, 5> kNames = {"<text>", "<counted>", "<range>", "<optional>", "<owner>"};

/// One row: structures of this name, or of a template with it, have these members, however deep.
struct Row {
  std::string_view name;  ///< of a template or a slice: the beginning
  KnownForm form;
  std::string_view pointer, other;
  bool is_rust = false;

  bool is_of(const CType& type) const {
    bool is_beginning = name.ends_with(',') || name.ends_with('<') || name.ends_with('[');
    return is_rust == type.is_rust && (is_beginning ? type.name.starts_with(name) : type.name == name);
  }
};
constexpr Row kStructureRows[] = {
    {"basic_string<char,", KnownForm::Text, "_M_p", "_M_string_length"},
    {"basic_string_view<char,", KnownForm::Text, "_M_str", "_M_len"},
    {"vector<", KnownForm::Range, "_M_start", "_M_finish"},
    {"optional<", KnownForm::Optional, "_M_value", "_M_engaged"},
    {"unique_ptr<", KnownForm::Owner, "_M_head_impl", ""},
    {"shared_ptr<", KnownForm::Owner, "_M_ptr", ""},
    {"&str", KnownForm::Text, "data_ptr", "length", true},
    {"&mut str", KnownForm::Text, "data_ptr", "length", true},
    {"&[", KnownForm::Counted, "data_ptr", "length", true},
    {"&mut [", KnownForm::Counted, "data_ptr", "length", true},
    {"String", KnownForm::Text, "pointer", "len", true},
    {"Vec<", KnownForm::Counted, "pointer", "len", true},
};

struct Member {
  uint64_t at = 0;
  CTypeRef type;
};

/// The first member of this name, of this structure or of those that it consists of. `wants_pointer`: a pointer.
std::optional<Member> member(const Prototypes& prototypes, CTypeRef ref, std::string_view name, bool wants_pointer,
                             int depth = 0) {
  constexpr int kMaxDepth = 10;
  const CType& type = prototypes.type(ref);
  if (depth == kMaxDepth || (type.kind != CType::Kind::Struct && type.kind != CType::Kind::Union)) return std::nullopt;
  for (const CField& field : type.fields) {
    uint64_t at = field.bit_offset / 8;
    bool is_pointer = prototypes.type(field.type).kind == CType::Kind::Pointer;
    if (field.name == name && (is_pointer || !wants_pointer)) return Member{at, field.type};
    if (auto found = member(prototypes, field.type, name, wants_pointer, depth + 1))
      return Member{at + found->at, found->type};
  }
  return std::nullopt;
}

/// Rust's String has one member. Names here are without their crates: other crates may have structures of this name.
bool is_foreign_string(const Prototypes& prototypes, const CType& type) {
  if (!type.is_rust || type.name != "String") return false;
  return type.fields.size() != 1 || !prototypes.type(type.fields[0].type).name.starts_with("Vec<u8");
}

bool is_list(KnownForm form) { return form == KnownForm::Range || form == KnownForm::Counted; }

}  // namespace

std::string_view name_of(KnownForm form) { return kNames[static_cast<size_t>(form)]; }

std::optional<KnownForm> form_named(std::string_view name) {
  auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<KnownForm>(found - kNames.begin());
}

std::optional<KnownStructure> known_structure(const Prototypes& prototypes, CTypeRef ref) {
  const CType& type = prototypes.type(ref);
  if (type.kind != CType::Kind::Struct || type.name.starts_with("vector<bool")) return std::nullopt;
  auto row = std::ranges::find_if(kStructureRows, [&](const Row& one) { return one.is_of(type); });
  if (row == std::end(kStructureRows) || is_foreign_string(prototypes, type)) return std::nullopt;
  auto pointer = member(prototypes, ref, row->pointer, row->form != KnownForm::Optional);
  auto other = row->other.empty() ? pointer : member(prototypes, ref, row->other, false);
  if (!pointer || !other) return std::nullopt;
  KnownStructure known{row->form, pointer->at, other->at, pointer->type};
  if (is_list(row->form)) known.element = prototypes.type(pointer->type).target;
  // A Vec points to bytes, whatever it has.
  if (is_list(row->form) && !type.template_types.empty()) known.element = type.template_types.front();
  return known;
}

}  // namespace strut
