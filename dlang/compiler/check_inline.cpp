// Inline definitions: a name for an expression, or, with keys, for one with parameters.
#include <algorithm>

#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/tree_copy.hpp"

namespace strut {
namespace {

/// How deep a tree is with the definitions that stand behind its names.
uint32_t whole_depth(const DExpression& e) {
  uint32_t below = e.meaning.inlined != nullptr ? e.meaning.inlined->depth : 0;
  for (const DExpressionPtr& child : e.children) below = std::max(below, whole_depth(*child));
  return below + 1;
}

}  // namespace

/// One of translated data stays as it was parsed: only its members have values.
void DChecker::inline_definition(DDeclaration& declaration) {
  if (!declaration.keys.empty()) inline_with_keys(declaration);
  else if (declaration.inlined->child(0).kind != Kind::Xlate) inline_value(declaration);
  inlines_[declaration.name] = &declaration;
}

/// Definitions may use one another, each several times: a constant is worked out here, once, and whatever walks down
/// from a name may go no deeper than where all were written in one place.
void DChecker::inline_value(DDeclaration& declaration) {
  DExpression& e = *declaration.inlined;
  const DType* type = value(e);
  if (auto constant = constant_value(e)) {
    e.kind = Kind::Integer;
    e.integer = static_cast<uint64_t>(*constant);
    e.type = type;
    e.children.clear();
  }
  e.depth = whole_depth(e);
  if (e.depth > kMaxDepth)
    reject(DTag::SYNTAX, declaration.at,
           "inline definition " + quoted_source(declaration.name) + " is nested too deeply",
           "at most " + std::to_string(kMaxDepth) + " levels, those of the definitions that it uses included");
}

/// The definition is checked with values of its keys' types; its own tree stays as it was parsed, to be copied.
void DChecker::inline_with_keys(const DDeclaration& declaration) {
  std::vector<DExpressionPtr> values;
  std::vector<DReplacement> replacements;
  for (size_t i = 0; i < declaration.keys.size(); i++) {
    values.push_back(stand_in(*declaration.keys[i], types_, declaration.at));
    replacements.push_back({declaration.key_names[i], values.back().get()});
  }
  value(*copied(*declaration.inlined, replacements, room_for_copies_));
}

/// The xlate expression that a name stands for; nullptr: it stands for none.
const DExpression* DChecker::inlined_translation(const DExpression& e) const {
  auto at = e.kind == Kind::Name && e.scope == DScope::Global ? inlines_.find(e.text) : inlines_.end();
  if (at == inlines_.end() || !at->second->keys.empty()) return nullptr;
  const DExpression& definition = *at->second->inlined;
  bool is_translation = definition.kind == Kind::Cast && definition.child(0).kind == Kind::Xlate;
  return is_translation ? &definition.child(0) : nullptr;
}

/// name[keys]: the definition takes its place, with the keys in the places of its parameters.
const DType* DChecker::inline_element(DExpression& e, const DDeclaration& definition) {
  std::vector<DExpressionPtr> values;
  for (size_t i = 1; i < e.children.size() && i <= definition.keys.size(); i++)
    values.push_back(cast_to(definition.keys[i - 1], copied(e.child(i), {}, room_for_copies_)));
  keys(e, definition.name, definition.keys);
  std::vector<DReplacement> replacements;
  for (size_t i = 0; i < values.size(); i++) replacements.push_back({definition.key_names[i], values[i].get()});
  DExpressionPtr whole = copied(*definition.inlined, replacements, room_for_copies_);
  e.kind = Kind::Cast;
  e.named_type = definition.type;
  e.children = std::move(whole->children);
  e.depth = whole->depth;
  if (e.depth > kMaxDepth)
    reject(DTag::SYNTAX, e.at, "expression is nested too deeply", "at most " + std::to_string(kMaxDepth) + " levels");
  return cast(e);
}

}  // namespace strut
