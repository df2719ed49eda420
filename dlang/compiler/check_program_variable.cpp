// Variables of the program that is probed, `count and a.out`count, and args[] of its functions.
#include <algorithm>

#include "dlang/compiler/checker.hpp"
#include "pid-provider/pid_pattern.hpp"

namespace strut {
namespace {

/// Whether an address, or an array that is no copy, leads into the program's memory.
bool leads_into_program(const DExpression& e) {
  return e.type->kind == DType::Kind::Array ? is_in_program(e) : e.type->leads_into_program;
}

}  // namespace

bool is_in_program(const DExpression& e) {
  using Kind = DExpression::Kind;
  if (e.meaning.kind == DMeaning::Kind::Program) return e.meaning.is_address;
  if (e.meaning.kind != DMeaning::Kind::None) return false;
  switch (e.kind) {
    case Kind::Unary: return e.op == DWord::Multiply && leads_into_program(e.child(0));
    case Kind::Index: return leads_into_program(e.child(0));
    case Kind::Member: return e.op == DWord::Arrow ? leads_into_program(e.child(0)) : is_in_program(e.child(0));
    default: return false;
  }
}

/// Whether args[] are those of the program's functions.
bool DChecker::is_of_program() const {
  return clause_ != nullptr && request_.types != nullptr &&
         std::ranges::all_of(clause_->probes,
                             [](const ProbeDescription& probe) { return is_pid_provider(probe.provider); });
}

/// A variable has one type at all probes of the clause.
const DType* DChecker::program_variable(DExpression& e, const std::string& name) {
  auto unresolved = [&](const std::string& why) {
    reject(DTag::IDENT_UNDEF, e.at, "failed to resolve " + name + ": " + why);
  };
  if (clause_ == nullptr || request_.types == nullptr) unresolved("Unknown symbol name");
  std::optional<DProgramVariableType> found;
  for (const ProbeDescription& probe : clause_->probes) {
    auto its = request_.types->variable(probe, name, types_);
    if (!its) unresolved(its.error());
    if (found && (!is_same(*found->type, *its->type) || found->is_address != its->is_address))
      unresolved("it has different types at the probes of the clause");
    found = *its;
  }
  if (!found) unresolved("Unknown symbol name");
  types_.complete_from_source(found->type);
  e.meaning = {.kind = DMeaning::Kind::Program,
               .index = program_variable_number(name, found->is_address),
               .is_address = found->is_address};
  return found->type;
}

uint32_t DChecker::program_variable_number(const std::string& name, bool is_address) {
  auto& all = program_.program_variables;
  auto known = std::ranges::find_if(
      all, [&](const DProgramVariable& one) { return one.name == name && one.is_address == is_address; });
  if (known == all.end()) known = all.insert(known, {name, is_address});
  return static_cast<uint32_t>(known - all.begin());
}

}  // namespace strut
