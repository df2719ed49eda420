// Translators of the program: a member of a translated structure is the expression that defines it.
#include <algorithm>

#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/tree_copy.hpp"

namespace strut {
namespace {

bool holds(const DType& member, const DType& value) {
  bool texts = (member.is_string() || is_characters(member)) && (value.is_string() || is_characters(value));
  if (texts) return true;
  if (member.is_scalar()) return value.is_scalar();
  return &member == &value;
}

}  // namespace

const DTranslator* DChecker::find_translator(const DType* to, const DType* from) const {
  auto at = std::ranges::find_if(translators_, [&](const DTranslator* translator) {
    return translator->to == to && is_same(*translator->from, *from);
  });
  return at == translators_.end() ? nullptr : *at;
}

void DChecker::translator(const DTranslator& translator) {
  if (translator.to->kind != DType::Kind::Struct || !translator.to->is_complete)
    reject(DTag::XLATE_SOU, translator.at, "translator output type must be a struct or union");
  if (find_translator(translator.to, translator.from) != nullptr)
    reject(DTag::XLATE_REDECL, translator.at,
           "translator from " + translator.from->name + " to " + translator.to->name + " has already been declared");
  for (const DTranslation& member : translator.members) translation(translator, member);
  translators_.push_back(&translator);
}

void DChecker::translation(const DTranslator& translator, const DTranslation& definition) {
  std::optional<DMember> member = find_member(*translator.to, definition.member);
  if (!member)
    reject(DTag::XLATE_MEMB, definition.at,
           "translator member " + definition.member + " is not a member of " + translator.to->name);
  bool of_scalar = translator.from->is_scalar() || translator.from->kind == DType::Kind::Struct;
  if (!of_scalar) return;
  DExpressionPtr instead = stand_in(*translator.from, types_, definition.at);
  DExpressionPtr value = copied(*definition.value, {{translator.parameter, instead.get()}}, room_for_copies_);
  const DType* type = expression(*value);
  if (!holds(*member->type, *type))
    reject(DTag::XLATE_INCOMPAT, definition.at,
           "translator member " + definition.member + " definition uses incompatible types: " +
               quoted_source(member->type->name) + " = " + quoted_source(type->name));
}

/// xlate <to> (operand)->member: the expression takes the member's place.
const DType* DChecker::translated_by_program(DExpression& e) {
  DExpression& xlate = *e.children[0];
  const DType* named = xlate.named_type;
  bool arrow = e.op == DWord::Arrow;
  if (arrow != (named->kind == DType::Kind::Pointer))
    reject(DTag::OP_PTR, e.at,
           arrow ? "operator -> must be applied to a pointer" : "operator . must not be applied to a pointer");
  const DType* to = arrow ? named->target : named;
  DExpressionPtr unchecked = copied(xlate.child(0), {}, room_for_copies_);
  const DType* from = expression(*xlate.children[0]);
  const DTranslator* translator = find_translator(to, from);
  if (translator == nullptr)
    reject(DTag::XLATE_NONE, xlate.at,
           "cannot translate from " + quoted_source(from->name) + " to " + quoted_source(named->name));
  auto definition = std::ranges::find(translator->members, e.text, &DTranslation::member);
  auto member = find_member(*to, e.text);
  if (!member) reject(DTag::TYPE_MEMBER, e.at, e.text + " is not a member of " + to->name);
  if (definition == translator->members.end())
    reject(DTag::XLATE_NOCONV, e.at, "translator does not define conversion for member: " + e.text);
  DExpressionPtr value = copied(*definition->value, {{translator->parameter, unchecked.get()}}, room_for_copies_);
  bool text = member->type->is_string() || is_characters(*member->type);
  bool whole = !member->type->is_scalar() && !text;
  e.kind = Kind::Cast;
  e.named_type = text && member->type->kind != DType::Kind::Pointer ? types_.string() : member->type;
  e.children.clear();
  e.children.push_back(std::move(value));
  return whole ? expression(*e.children[0]) : cast(e);
}

}  // namespace strut
