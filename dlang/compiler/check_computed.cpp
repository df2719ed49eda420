// Arguments and conditions of probes that their provider gives as expressions in D.
#include <algorithm>

#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

/// An error in the tree is reported for the program's own expression.
void place_at(DExpression& e, DPosition at) {
  e.at = at;
  for (DExpressionPtr& child : e.children) place_at(*child, at);
}

}  // namespace

/// The tree of a provider's expression.
DExpressionPtr DChecker::computed(const std::string& text, DPosition at) {
  std::vector<DOption> options;
  MacrosUsed used;
  auto items = parse_d({.text = "inline int64_t computed = " + text + ";"}, {}, types_, used, options);
  DExpressionPtr tree = std::move(items.at(0).declaration->inlined->children[0]);
  place_at(*tree, at);
  return tree;
}

bool DChecker::is_computed_argument(const DExpression& e) const {
  return e.kind == Kind::Index && e.child(0).kind == Kind::Name && e.child(0).scope == DScope::Global &&
         e.child(0).text == "args" && find_variable("args", DScope::Global) == nullptr;
}

/// args[N], before its member is looked for: the translation takes its place if that is its value.
void DChecker::computed_translation(DExpressionPtr& e) {
  if (!is_computed_argument(*e) || is_of_program()) return;
  DArgumentType type = argument_type(*e);
  if (type.kind != DArgumentType::Kind::Computed) return;
  DExpressionPtr tree = computed(type.value, e->at);
  if (tree->kind == Kind::Xlate) e = std::move(tree);
}

const DType* DChecker::computed_argument(DExpression& e, const DArgumentType& type) {
  DExpressionPtr tree = computed(type.value, e.at);
  if (tree->kind == Kind::Xlate)
    reject(DTag::OP_DYN, e.at, "translated data may only be used by its members", "-> and a member");
  e.kind = Kind::Cast;
  e.meaning = {};
  e.named_type = types_.spelled(type.type);
  e.children.clear();
  e.children.push_back(std::move(tree));
  return cast(e);
}

/// The clause's predicate is asked where the conditions of its probes hold.
void DChecker::conditions(DClauseTree& clause) {
  if (request_.types == nullptr) return;
  for (const ProbeDescription& probe : clause.probes) {
    std::string condition = request_.types->condition(probe);
    if (condition.empty()) continue;
    DExpressionPtr tree = computed(condition, clause.at);
    if (clause.predicate != nullptr) {
      auto both = std::make_unique<DExpression>();
      both->kind = Kind::Binary;
      both->op = DWord::LogicalAnd;
      both->at = clause.predicate->at;
      both->depth = std::max(tree->depth, clause.predicate->depth) + 1;
      both->children.push_back(std::move(tree));
      both->children.push_back(std::move(clause.predicate));
      tree = std::move(both);
    }
    clause.predicate = std::move(tree);
  }
}

}  // namespace strut
