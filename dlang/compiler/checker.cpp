#include "dlang/compiler/checker.hpp"

#include <algorithm>

namespace strut {

void DChecker::check(std::vector<DItemTree>& items, uint32_t source) {
  source_ = source;
  for (DItemTree& item : items) {
    if (item.declaration) declare(*item.declaration);
    if (item.translator) translator(*item.translator);
    if (item.clause) clause(*item.clause);
  }
}

namespace {

bool assigns(const DExpression& e) {
  return e.kind == DExpression::Kind::Assign || e.kind == DExpression::Kind::Update ||
         std::ranges::any_of(e.children, [](const DExpressionPtr& child) { return assigns(*child); });
}

void refuse_type_of_variable(const std::string& name, const DType& type, DPosition at) {
  if (type.kind == DType::Kind::Void)
    reject(DTag::DECL_VOIDOBJ, at, "cannot have void object: " + name, "a type that has values");
  if (!type.is_complete)
    reject(DTag::DECL_INCOMPLETE, at, "incomplete struct/union/enum " + type.name + ": " + name,
           "its definition above");
  if (type.kind == DType::Kind::Special || type.kind == DType::Kind::Translated)
    reject(DTag::DECL_DYNOBJ, at, "a variable cannot have type " + quoted_source(type.name),
           "an integer, a pointer, a structure, an array or string");
  if (type.is_dynamic())
    reject(DTag::DECL_DYNOBJ, at, "a variable cannot have type " + quoted_source(type.name) + ": it has no address");
}

}  // namespace

/// The message about a name that is taken; `known`: by that variable.
std::string DChecker::redeclaration(const DDeclaration& declaration, const uint32_t* known) const {
  bool is_inline = inlines_.contains(declaration.name);
  auto kind = [](bool has_keys) { return has_keys ? std::string("associative array") : std::string("scalar"); };
  std::string previous = known != nullptr ? kind(!variable_keys_[*known].empty()) + ' ' + variable_types_[*known]->name
                         : is_inline      ? kind(false) + " inline definition"
                         : find_function(declaration.name)                ? "function"
                         : types_.enumerator(declaration.name) != nullptr ? "enumerator"
                                                                          : kind(false);
  if (declaration.inlined != nullptr)
    return "identifier redefined: " + declaration.name + "\n\t current: inline definition\n\tprevious: " + previous;
  return "identifier redeclared: " + declaration.name + "\n\t current: " + kind(!declaration.keys.empty()) + ' ' +
         declaration.type->name + "\n\tprevious: " + previous;
}

/// Whether it repeats an earlier declaration, which C permits.
bool DChecker::is_declared_alike(const DDeclaration& declaration) const {
  bool taken = declaration.scope == DScope::Global &&
               (find_builtin(declaration.name) || find_function(declaration.name) ||
                types_.enumerator(declaration.name) != nullptr || inlines_.contains(declaration.name));
  const uint32_t* known = find_variable(declaration.name, declaration.scope);
  if (known != nullptr && !taken && declaration.inlined == nullptr &&
      is_same(*variable_types_[*known], *declaration.type) &&
      std::ranges::equal(variable_keys_[*known], declaration.keys,
                         [](const DType* a, const DType* b) { return is_same(*a, *b); }))
    return true;
  DScope other = declaration.scope == DScope::Thread ? DScope::Clause : DScope::Thread;
  if (declaration.scope != DScope::Global && known == nullptr) known = find_variable(declaration.name, other);
  if (!taken && known == nullptr) return false;
  reject(DTag::DECL_IDRED, declaration.at, redeclaration(declaration, known), "another name");
}

void DChecker::declare(DDeclaration& declaration) {
  if (is_declared_alike(declaration)) return;
  if (declaration.inlined != nullptr) return inline_definition(declaration);
  if (declaration.scope == DScope::Clause && !declaration.keys.empty())
    reject(DTag::DECL_LOCASSC, declaration.at, "cannot declare local associative array: " + declaration.name);
  add_variable(declaration.name, declaration.scope, declaration.type, declaration.keys, declaration.at);
}

const uint32_t* DChecker::find_variable(const std::string& name, DScope scope) const {
  auto at = variables_.find({scope, name});
  return at == variables_.end() ? nullptr : &at->second;
}

uint32_t DChecker::add_variable(const std::string& name, DScope scope, const DType* type,
                                const std::vector<const DType*>& keys, DPosition at) {
  refuse_type_of_variable(name, *type, at);
  DVariable variable{.name = name, .scope = scope, .shape = shape_of(*type)};
  add_keys(variable, keys, at);
  auto index = static_cast<uint32_t>(program_.variables.size());
  if (type->is_in_memory()) place_in_memory(variable, *type, at);
  program_.variables.push_back(std::move(variable));
  variable_types_.push_back(type);
  variable_keys_.push_back(keys);
  variables_[{scope, name}] = index;
  return index;
}

/// A thread-local array is a global array with the thread as its first key.
void DChecker::add_keys(DVariable& variable, const std::vector<const DType*>& keys, DPosition at) {
  if (!keys.empty() && variable.scope == DScope::Thread) {
    variable.scope = DScope::Global;
    variable.keys.push_back({DShape::Kind::Integer, 8, true});
  }
  for (const DType* key : keys) {
    variable.keys.push_back(key_shape_of(*key));
    if (!is_key(*key))
      reject(DTag::KEY_TYPE, at, "type " + quoted_source(key->name) + " may not be used as a key",
             std::string(kKeyTypes));
  }
  if (keys.size() > program_.settings.tregs || variable.keys.size() > kDKeys)
    reject(
        DTag::NONE, at, "Insufficient tuple registers to generate code",
        "at most " + std::to_string(std::min<uint64_t>(program_.settings.tregs, kDKeys - 1)) + " keys, see -x tregs");
}

/// Global variables and those of clauses have fixed places.
void DChecker::place_in_memory(DVariable& variable, const DType& type, DPosition at) {
  variable.shape = {DShape::Kind::Bytes};
  variable.bytes = type.bytes;
  if (!variable.keys.empty() || variable.scope == DScope::Thread) return;
  bool global = variable.scope == DScope::Global;
  uint32_t& used = global ? program_.global_bytes : program_.clause_bytes;
  uint64_t from = (used + uint64_t{15}) / 16 * 16, most = global ? kDMostGlobalBytes : kDMostClauseBytes;
  if (from + type.bytes > most)
    reject(DTag::DECL_ARRBIG, at, "variables take more than " + std::to_string(most) + " bytes of memory",
           "smaller arrays");
  variable.address = (global ? kDGlobalBase : kDScratchBase) + from;
  used = static_cast<uint32_t>((from + type.bytes + 7) / 8 * 8);
}

/// Statements first, as DTrace does: a predicate may read a variable that its own clause is the first to assign. Where
/// the predicate assigns, its statements may read that.
void DChecker::clause(DClauseTree& clause) {
  clause_ = &clause;
  so_far_ = {};
  conditions(clause);
  bool predicate_first = clause.predicate && assigns(*clause.predicate);
  if (predicate_first) predicate(*clause.predicate);
  region_ = Diagnostic::Region::Actions;
  statements(clause.statements);
  if (clause.predicate && !predicate_first) predicate(*clause.predicate);
  region_ = Diagnostic::Region::None;
  clause_ = nullptr;
}

namespace {

/// Checked by DTrace when it makes code of a clause.
bool is_of_code(DTag tag) {
  static constexpr std::string_view kBeginnings[] = {"D_PRINT", "D_AGG_",       "D_COMM_",  "D_SPEC_",   "D_DREC_",
                                                     "D_ACT_",  "D_EXIT_",      "D_TRACE",  "D_STACK_",  "D_USTACK_",
                                                     "D_CLEAR", "D_NORMALIZE_", "D_TRUNC_", "D_LQUANT_", "D_LLQUANT_",
                                                     "D_QUANT", "D_FREOPEN_",   "D_CG_"};
  return std::ranges::any_of(kBeginnings,
                             [name = name_of(tag)](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace

Diagnostic::Region DChecker::region(DTag tag) const {
  return is_of_code(tag) && tag != DTag::AGG_MDIM ? Diagnostic::Region::None : region_;
}

void DChecker::predicate(DExpression& e) {
  region_ = Diagnostic::Region::Predicate;
  expression(e);
  if (!e.type->is_scalar()) reject(DTag::PRED_SCALAR, e.at, "predicate result must be of scalar type");
}

void DChecker::statements(std::vector<DStatement>& list) {
  for (DStatement& one : list) statement(one);
}

namespace {

bool is_destructive(const DExpression& call) {
  static constexpr std::string_view kOthers[] = {"system", "freopen"};
  return functions()[call.meaning.index].kind == DFunction::Kind::Destructive ||
         std::ranges::count(kOthers, call.text) != 0;
}

bool is_subroutine(const DExpression& call) {
  return functions()[call.meaning.index].kind == DFunction::Kind::Subroutine;
}

}  // namespace

void DChecker::follows_nothing(const DExpression& e, bool before, DTag tag, std::string_view what) const {
  if (before) reject(tag, e.at, std::string(what), "another clause");
}

/// DTrace's rules for the order of statements in a clause: records go to one buffer, or to the speculation's.
/// `e` is an aggregation's assignment or a call.
void DChecker::follow_speculation(const DExpression& e) {
  bool aggregates = e.kind != Kind::Call;
  if (e.text == "commit" && !aggregates) {
    follows_nothing(e, so_far_.records, DTag::COMM_DREC, "commit( ) may not follow data-recording action(s)");
    so_far_.commits = true;
  } else if (e.text == "speculate" && !aggregates) {
    follows_nothing(e, so_far_.speculates, DTag::SPEC_SPEC, "speculate( ) may not follow speculate( )");
    follows_nothing(e, so_far_.commits, DTag::SPEC_COMM, "speculate( ) may not follow commit( )");
    follows_nothing(e, so_far_.records, DTag::SPEC_DREC, "speculate( ) may not follow data-recording action(s)");
    so_far_.speculates = true;
  } else if (aggregates) {
    follows_nothing(e, so_far_.commits, DTag::AGG_COMM, "aggregating actions may not follow commit( )");
    follows_nothing(e, so_far_.speculates, DTag::AGG_SPEC, "aggregating actions may not follow speculate( )");
    so_far_.records = true;
  } else if (is_destructive(e)) {
    follows_nothing(e, so_far_.speculates, DTag::ACT_SPEC, "destructive actions may not follow speculate( )");
  } else if (!is_subroutine(e) && e.text != "discard") {
    bool exits = e.text == "exit";
    follows_nothing(e, exits && so_far_.speculates, DTag::EXIT_SPEC, "exit( ) may not follow speculate( )");
    follows_nothing(e, so_far_.commits, DTag::DREC_COMM, "data-recording actions may not follow commit( )");
    so_far_.records |= !so_far_.speculates;
  }
}

void DChecker::statement(DStatement& statement) {
  DExpression& e = *statement.expression;
  if (statement.kind == DStatement::Kind::If) {
    condition(e, "if");
    statements(statement.then);
    statements(statement.otherwise);
    return;
  }
  if (e.kind == Kind::Assign && e.child(0).kind == Kind::Aggregation) {
    aggregate(e);
    return follow_speculation(e);
  }
  if (e.kind == Kind::Aggregation)
    reject(DTag::AGG_NULL, e.at, "expression has null effect: @" + e.text, "= and an aggregating function");
  if (e.kind == Kind::Call) {
    in_record_ = true;
    e.type = call(e);
    in_record_ = false;
    return follow_speculation(e);
  }
  expression(e);
}

}  // namespace strut
