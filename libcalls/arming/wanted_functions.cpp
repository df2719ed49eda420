#include "libcalls/arming/wanted_functions.hpp"

#include <algorithm>

namespace strut {

void WantedFunctions::want(TracedCode& code, std::string_view symbol, const CallModule* caller) {
  if (std::ranges::find(code.names, symbol) == code.names.end()) code.names.push_back(symbol);
  std::vector<CodeFile> callers;
  if (!code.is_wanted_itself && code.calls.empty()) callers = callers_of(*code.function().module, symbol, caller);
  for (uint32_t index : code.reported) {
    const CodeOwner& owner = context_.sites.owner(index);
    bool has = !callers.empty() && std::ranges::find(owner.callers, callers.front()) != owner.callers.end();
    if (owner.callers.empty() || has) return;
  }
  trace(code, symbol, std::move(callers), caller);
}

std::vector<CodeFile> WantedFunctions::callers_of(const CallModule& callee, std::string_view symbol,
                                                  const CallModule* caller) const {
  bool only_program = !context_.options.follow && caller && caller->is_main();
  if (!only_program || !context_.only_program_counts(callee, symbol)) return {};
  return {{caller->device(), caller->inode()}};
}

void WantedFunctions::trace(TracedCode& code, std::string_view symbol, std::vector<CodeFile> callers,
                            const CallModule* caller) {
  if (!code.sites)
    return context_.complaints.add(std::string(symbol) + '@' + std::string(code.callee) +
                                   ": its code cannot be decoded");
  TracedFunction traced;
  traced.desc = context_.prototypes.of(symbol, *code.function().module, code.function().address);
  traced.symbol = symbol;
  traced.module = code.callee;
  traced.may_replace_return = code.calls.empty() && context_.may_replace(code, *traced.desc);
  traced.is_go = code.module->is_go_function(code.address);
  CodeOwner owner;
  owner.code = &code;
  owner.callers = std::move(callers);
  owner.returns_behind = !code.calls.empty();
  uint32_t index = context_.sites.add_reported(code, owner, traced);
  for (const FunctionSite& call : code.calls) context_.sites.add_site(*code.module, call, index);
  if (!code.calls.empty()) return;
  context_.sites.add_site(*code.module, code.sites->entry, index);
  take_returns(code, index, caller);
}

/// At its own exits, or to be decided where those are dear.
void WantedFunctions::take_returns(TracedCode& code, uint32_t owner, const CallModule* caller) {
  bool is_dear = !context_.hits_cost_alike && !context_.sites.function(owner).may_replace_return;
  bool is_of_program = !context_.sites.owner(owner).callers.empty();
  if (is_dear && is_of_program && !code.is_stub) undecided_.push_back({&code, owner, caller});
  else returns_.take_ways_out(code, owner);
}

std::vector<WantedFunctions::Undecided> WantedFunctions::take_undecided(const CallModule& caller) {
  std::vector<Undecided> taken;
  std::erase_if(undecided_,
                [&](const Undecided& one) { return one.caller == &caller && (taken.push_back(one), true); });
  return taken;
}

// -- imports ------------------------------------------------------------------------------------------------

void WantedFunctions::mean(const CallModule& caller, const Import& import, TracedCode& code) {
  context_.calls.note(import, code);
  want(code, caller.name_of(import), &caller);
}

void WantedFunctions::take_where_it_is(const PlacedModule& importer, const Import& import,
                                       std::span<const Definition> definitions) {
  const CallModule& caller = *importer.module;
  FilteredModule from = caller.names();
  std::string_view name = caller.name_of(import);
  for (const Definition& definition : definitions) {
    // A module's own address in its own table is no library call.
    bool is_own = definition.module == &caller;
    if (is_own && import.by == Import::By::Word) continue;
    const CallModule& callee = definition.module ? *definition.module : caller;
    if (!context_.choice.label(name, callee.names(), &from, CallWay::Import)) continue;
    TracedCode* code =
        definition.module ? context_.sites.code_at(callee, definition.address) : vdso_stub(caller, import);
    if (!code) continue;
    mean(caller, import, *code);
    watch_stub(caller, import, *code);
  }
}

// A function with a first instruction that takes no uprobe is seen at its caller's PLT.
void WantedFunctions::watch_stub(const CallModule& caller, const Import& import, TracedCode& code) {
  if (!code.sites || code.is_stub || code.sites->entry.uprobe_offset) return;
  auto stub = caller.stub_of(import);
  auto site = stub ? site_on(caller, *stub, FunctionSite::Kind::Entry) : std::nullopt;
  if (!site || !site->uprobe_offset) return;
  for (uint32_t index : code.reported)
    if (code.stubs.insert({&caller, index}).second) context_.sites.add_site(caller, *site, index);
}

// The vdso is in no file: its functions are seen where the caller's PLT goes to them.
TracedCode* WantedFunctions::vdso_stub(const CallModule& caller, const Import& import) {
  auto stub = caller.stub_of(import);
  if (!stub) {
    context_.complaints.add(std::string(caller.name_of(import)) + ": it is in the vdso, and " +
                            std::string(caller.names().soname) + " calls it without a PLT: not seen");
    return nullptr;
  }
  Definition itself{&caller, *stub};
  TracedCode& code = context_.sites.stub_at(caller, *stub, {&itself, 1}, "[vdso]");
  if (code.sites) code.sites->is_leaf = true;
  return &code;
}

}  // namespace strut
