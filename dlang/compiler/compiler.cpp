#include "dlang/compiler/compiler.hpp"

#include <algorithm>
#include <deque>
#include <iterator>

#include "base/result.hpp"
#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

/// raise() and stop() are actions: a clause of nothing else has a row. copyout() and the like are subroutines.
bool makes_row(const DFunction& function) { return function.op == DOp::Raise || function.op == DOp::Stop; }

}  // namespace

size_t DCompiler::emit(DOp op, unsigned a, unsigned b, unsigned c, int64_t imm) {
  if (program_.code.size() == kDMostCode)
    reject(DTag::CG_EXPR, statement_at_,
           "program is too large: it makes more than " + std::to_string(kDMostCode) + " instructions",
           "fewer statements, or inline definitions that use one another less often");
  program_.code.push_back(
      {op, static_cast<uint8_t>(a), static_cast<uint8_t>(b), static_cast<uint8_t>(c), static_cast<int32_t>(imm)});
  return program_.code.size() - 1;
}

/// All jumps continue at the next instruction.
void DCompiler::patch(const Jumps& jumps) {
  for (size_t jump : jumps) program_.code[jump].imm = static_cast<int32_t>(program_.code.size() - jump);
}

uint8_t DCompiler::new_integer(DPosition at) {
  if (integers_ >= program_.settings.iregs)
    reject(DTag::NONE, at, "Insufficient registers to generate code", "a simpler expression, or more of -x iregs");
  if (integers_ == kDIntegerRegisters)
    reject(DTag::CG_EXPR, at, "expression is too complex: it needs too many registers");
  most_integers_ = std::max(most_integers_, integers_ + 1);
  return static_cast<uint8_t>(integers_++);
}

uint8_t DCompiler::new_text(DPosition at) {
  if (texts_ == kDTextRegisters)
    reject(DTag::CG_EXPR, at,
           "expression is too complex: it needs more than " + std::to_string(kDTextRegisters) + " strings at once");
  most_texts_ = std::max(most_texts_, texts_ + 1);
  return static_cast<uint8_t>(texts_++);
}

void DCompiler::constant_into(int64_t value, uint8_t to) {
  if (value == static_cast<int32_t>(value)) {
    emit(DOp::Immediate, to, 0, 0, value);
    return;
  }
  auto [at, fresh] =
      constants_known_.try_emplace(static_cast<uint64_t>(value), static_cast<int64_t>(program_.constants.size()));
  if (fresh) program_.constants.push_back(static_cast<uint64_t>(value));
  emit(DOp::Constant, to, 0, 0, at->second);
}

int64_t DCompiler::text_index(const std::string& text) {
  auto [at, fresh] = texts_known_.try_emplace(text, static_cast<int64_t>(program_.texts.size()));
  if (fresh) program_.texts.push_back(text);
  return at->second;
}

uint32_t DCompiler::add_action(DAction::Kind kind, const DExpression* e) {
  DAction action{.kind = kind, .clause = static_cast<uint32_t>(program_.clauses.size()), .number = statement_};
  for (size_t i = 0; e != nullptr && i < e->children.size(); i++)
    if (e->child(i).meaning.kind == DMeaning::Kind::Aggregation)
      action.aggregations.push_back(e->child(i).meaning.index);
  program_.actions.push_back(std::move(action));
  auto index = static_cast<uint32_t>(program_.actions.size() - 1);
  emit(DOp::Record, 0, 0, 0, index);
  return index;
}

void DCompiler::compile(const DClauseTree& tree, uint32_t source) {
  DClause clause{.probes = tree.probes,
                 .probe_places = tree.probe_places,
                 .source = source,
                 .at = tree.at,
                 .begin = static_cast<uint32_t>(program_.code.size())};
  integers_ = texts_ = most_integers_ = most_texts_ = statement_ = 0;
  statement_marks_.clear();
  ends_clause_.clear();
  statement_at_ = tree.at;
  Jumps not_fired = hits_outside_limits(clause);
  if (tree.predicate) std::ranges::copy(jump_if_false(*tree.predicate), std::back_inserter(not_fired));
  if (tree.statements.empty()) {
    statement_ = 1;
    add_action(DAction::Kind::Fired, nullptr);
  }
  statements(tree.statements);
  patch(not_fired);
  patch(ends_clause_);
  emit(DOp::End);
  clause.end = static_cast<uint32_t>(program_.code.size());
  clause.integer_registers = static_cast<uint8_t>(most_integers_);
  clause.text_registers = static_cast<uint8_t>(most_texts_);
  clause.statements = std::move(statement_marks_);
  program_.clauses.push_back(std::move(clause));
}

void DCompiler::statements(const std::vector<DStatement>& list) {
  for (const DStatement& one : list) statement(one);
}

void DCompiler::statement(const DStatement& statement) {
  statement_marks_.push_back({static_cast<uint32_t>(program_.code.size()), ++statement_});
  statement_at_ = statement.at;
  const DExpression& e = *statement.expression;
  Mark before = mark();
  if (statement.kind == DStatement::Kind::If) {
    Jumps to_else = jump_if_false(e);
    release(before);
    statements(statement.then);
    Jumps to_end;
    if (!statement.otherwise.empty()) to_end.push_back(emit(DOp::Jump));
    patch(to_else);
    statements(statement.otherwise);
    patch(to_end);
    return;
  }
  bool is_call = e.kind == Kind::Call;
  if (e.kind == Kind::Assign && e.child(0).kind == Kind::Aggregation) {
    aggregate(e);
  } else if (is_call && functions()[e.meaning.index].kind == DFunction::Kind::Action) {
    action(e);
  } else {
    if (is_call && makes_row(functions()[e.meaning.index])) add_action(DAction::Kind::Fired, nullptr);
    discard(e);
  }
  release(before);
}

/// Jumps taken where the condition does not hold.
DCompiler::Jumps DCompiler::jump_if_false(const DExpression& e) {
  if (e.kind == Kind::Binary && e.op == DWord::LogicalAnd) {
    Jumps jumps = jump_if_false(e.child(0));
    for (size_t jump : jump_if_false(e.child(1))) jumps.push_back(jump);
    return jumps;
  }
  Mark before = mark();
  uint8_t condition = new_integer(e.at);
  number_into(e, condition);
  release(before);
  return {emit(DOp::JumpZero, condition)};
}

namespace {

void apply_pragma(DSettings& settings, const DOption& option) {
  Result<void> applied = apply_option(settings, option.name, option.value, OptionFrom::Program);
  if (applied) return;
  std::string to = option.value.empty() ? "" : " to '" + option.value + "'";
  reject(DTag::PRAGMA_OPTSET, option.at, "failed to set option '" + option.name + "'" + to + ": " + applied.error().why,
         applied.error().advice);
}

/// Declarations that every program begins with: the variable of DTrace's library sched.d.
constexpr std::string_view kPrelude =
    "typedef struct { processorid_t cpu_id; psetid_t cpu_pset; chipid_t cpu_chip; lgrp_id_t cpu_lgrp; } "
    "cpuinfo_t;"
    "translator cpuinfo_t < int current > { cpu_id = cpu; cpu_pset = 0; cpu_chip = 0; cpu_lgrp = 0; };"
    "inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (0);";

/// The name of a library's file, which `#pragma D depends_on library` has.
std::string_view file_of(const DSource& library) {
  return std::string_view(library.library).substr(library.library.rfind('/') + 1);
}

/// One run of the compiler. A source that is refused is kept for the error's place.
class Compilation {
 public:
  explicit Compilation(const DCompileRequest& request) : request_(request) {
    program_.settings = request.settings;
    types_.set_source(request.structures);
    if (request.macros != nullptr) macros_ = *request.macros;
  }

  std::expected<DProgram, Diagnostic> run() {
    try {
      compile({.text = std::string(kPrelude), .library = "the prelude"});
      for (const DSource& library : request_.libraries) compile(library);
      library_.clear();
      for (; source_ < request_.sources.size(); source_++) compile(request_.sources[source_]);
      look_at_all();
      reserve_absent();
    } catch (DError& error) {
      // An error of all sources together is reported for the last one.
      if (source_ == request_.sources.size() && source_ > 0) source_--;
      error.diagnostic.source = source_;
      error.diagnostic.library = library_;
      error.diagnostic.region = checker_.region(error.diagnostic.tag);
      return std::unexpected(std::move(error.diagnostic));
    }
    CHECK_THAT(verify(program_).has_value());
    return std::move(program_);
  }

 private:
  void compile(const DSource& source) {
    library_ = source.library;
    std::vector<DOption> options;
    std::vector<DItemTree>& items = parsed_.emplace_back(parse_d(source, macros_, types_, used_, options));
    for (const DOption& option : options) apply(option);
    macros_.default_arguments |= program_.settings.defaultargs;
    if (!library_.empty()) std::erase_if(items, [](const DItemTree& item) { return item.clause.has_value(); });
    checker_.check(items, source_);
    for (const DItemTree& item : items)
      if (item.clause) compiler_.compile(*item.clause, source_);
  }

  /// Libraries are there in the order of their dependencies, and only those that have all they need.
  void apply(const DOption& option) {
    if (option.kind == DOption::Kind::Option) return apply_pragma(program_.settings, option);
    bool is_library = option.kind == DOption::Kind::Library;
    bool is_there = is_library ? std::ranges::count(request_.libraries, option.name, file_of) != 0
                               : request_.types != nullptr && request_.types->has(option.kind, option.name);
    if (is_there || !library_.empty()) return;
    std::string_view name = is_library ? "library" : option.kind == DOption::Kind::Module ? "module" : "provider";
    reject(DTag::PRAGMA_DEPEND, option.at, "program requires " + std::string(name) + ' ' + option.name);
  }

  void look_at_all() {
    if (program_.clauses.empty() && !program_.settings.empty) {
      source_ = 0;
      reject(DTag::EMPTY, {}, "empty D program translation unit", "a probe's description, /PREDICATE/ and {ACTIONS}");
    }
    for (size_t i = 1; i < macros_.arguments.size() && !macros_.default_arguments && !program_.settings.argref; i++)
      if (i >= used_.size() || !used_[i])
        reject(DTag::MACRO_UNUSED, {},
               "extraneous argument '" + macros_.arguments[i] + "' ($" + std::to_string(i) + " is not referenced)");
  }

  /// Zeros behind the clauses' variables, for an engine that has no other place for a variable of a thread, or an
  /// element, that is absent. Both engines begin a firing with them, so that addresses in scratch are the same.
  void reserve_absent() {
    constexpr uint32_t kAlign = 16;
    auto aligned = [](uint32_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; };
    uint32_t most = 0;
    for (const DVariable& variable : program_.variables)
      if (variable.address == 0) most = std::max(most, variable.bytes);
    uint64_t end = uint64_t{aligned(program_.clause_bytes)} + aligned(most);
    if (most != 0 && end <= kDMostClauseBytes) program_.clause_bytes = static_cast<uint32_t>(end);
  }

  const DCompileRequest& request_;
  DProgram program_;
  DTypes types_;
  DChecker checker_{program_, types_, request_};
  DCompiler compiler_{program_, types_};
  MacrosUsed used_;
  DMacros macros_;
  std::deque<std::vector<DItemTree>> parsed_;  ///< inline definitions are looked at again where they are used
  uint32_t source_ = 0;
  std::string library_;  ///< the path of the one that is compiled; empty: a program is
};

}  // namespace

std::expected<DProgram, Diagnostic> compile_d(const DCompileRequest& request) { return Compilation(request).run(); }

}  // namespace strut
