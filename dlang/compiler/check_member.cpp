// Members of structures, and of what D's translators make.
#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/tree_copy.hpp"

namespace strut {
namespace {

/// The structure that psinfo_t and the like are a typedef of.
std::string_view structure_of(DTranslated which) {
  return which == DTranslated::Process  ? "struct psinfo"
         : which == DTranslated::Thread ? "struct lwpsinfo"
                                        : "struct fileinfo";
}

void refuse_unless_members(const DType& structure, const DExpression& e) {
  bool arrow = e.op == DWord::Arrow;
  if (structure.kind != DType::Kind::Struct)
    reject(DTag::OP_SOU, e.at,
           "operator " +
               std::string(arrow ? "-> cannot be applied to pointer to type " : ". cannot be applied to type ") +
               quoted_source(structure.name) + "; must be applied to a struct or union" + (arrow ? " pointer" : ""));
  if (!structure.is_complete)
    reject(DTag::OP_INCOMPLETE, e.at,
           "operator " + std::string(arrow ? "->" : ".") + " cannot be applied to a forward declaration: no " +
               structure.name + " definition is available",
           "its definition above");
}

[[noreturn]] void refuse_member(const DType& structure, const DExpression& e) {
  std::string names;
  for (const DMember& member : structure.members) names += (names.empty() ? "" : ", ") + member.name;
  reject(DTag::TYPE_MEMBER, e.at, e.text + " is not a member of " + structure.name,
         names.empty() ? names : "one of " + names);
}

}  // namespace

const DType* DChecker::member(DExpression& e) {
  computed_translation(e.children[0]);
  if (const DExpression* translation = inlined_translation(e.child(0)))
    e.children[0] = copied(*translation, {}, room_for_copies_);
  if (e.child(0).kind == Kind::Xlate) return translated_by_program(e);
  const DType* type = expression(*e.children[0]);
  bool arrow = e.op == DWord::Arrow;
  if (arrow && !type->is_pointer()) reject(DTag::OP_PTR, e.at, "operator -> must be applied to a pointer");
  const DType* structure = arrow ? type->target : type;
  if (structure->kind == DType::Kind::Translated) return translated_member(e, *structure);
  refuse_unless_members(*structure, e);
  auto member = find_member(*structure, e.text);
  if (!member) refuse_member(*structure, e);
  e.integer = member->offset_bytes;
  e.bits = member->is_bit_field ? member->bits : 0;
  e.first_bit = member->first_bit;
  return member->type;
}

const DType* DChecker::translated_member(DExpression& e, const DType& structure) {
  if (const DConstantMember* constant = find_constant_member(structure.translated, e.text)) {
    e.kind = Kind::Integer;
    e.integer = static_cast<uint64_t>(constant->value);
    e.children.clear();
    return types_.find(constant->type);
  }
  auto found = find_member(structure.translated, e.text);
  if (!found) {
    std::string names;
    for (const DMemberRow& member : translated_members())
      if (member.structure == structure.translated) names += (names.empty() ? "" : ", ") + std::string(member.name);
    reject(DTag::TYPE_MEMBER, e.at, e.text + " is not a member of " + std::string(structure_of(structure.translated)),
           names.empty() ? names : "one of " + names);
  }
  e.meaning = {DMeaning::Kind::Translated, static_cast<uint32_t>(*found)};
  return types_.find(translated_members()[static_cast<size_t>(*found)].type);
}

}  // namespace strut
