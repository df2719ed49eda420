// CallPoints: which functions of a process's modules are wanted.
#include <algorithm>
#include <utility>

#include "libcalls/arming/call_points_parts.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/prototypes/function_table.hpp"

namespace strut {

namespace {

/// More functions than those of a library with names that are looked up: a library that a lookup is not likely to be
/// for.
constexpr size_t kMaxOffers = 4096;
/// Functions that jump to each other in turn.
constexpr int kMaxJumps = 8;

/// False: it is linked statically, whatever IFUNCs of its own it has.
bool calls_libraries(const CallModule& module) {
  return std::ranges::any_of(module.imports(), [](const Import& import) { return import.by != Import::By::Irelative; });
}

}  // namespace

void CallPoints::look_at(Process& process, Scope& scope) {
  scope_ = &scope;
  std::vector<JumpToFollow> jumps = std::exchange(jumps_to_come_, {});
  bool all = true;
  for (const JumpToFollow& jump : jumps)
    if (!follow_jump(jump, all)) jumps_to_come_.push_back(jump);
  for (const PlacedModule& placed : scope.modules())
    if (seen_.insert(placed.module).second && refers_to(placed.module->elf(), "pthread_cancel"))
      somebody_cancels_ = true;
  pointed_to_.clear();
  for (const PlacedModule& placed : scope.modules()) {
    look_at_program(*placed.module);
    if (placed.module->is_main() && !takes_stubs_) look_for_pointers(*placed.module);
  }
  for (const PlacedModule& placed : scope.modules()) look_inside(*placed.module, scope);
  for (const PlacedModule& placed : scope.modules()) look_for_imports(process, scope, placed);
  for (const PlacedModule& placed : scope.modules()) look_at_offers(*placed.module, scope);
  for (const PlacedModule& placed : scope.modules()) look_for_jumps(*placed.module);
  decide();
  // When all reported functions are known.
  for (const auto& [code, jumper] : std::exchange(jumpers_, {}))
    leave_unseen(*code, trace_jumps(*code->sites, *code->module, jumper, 0));
  for (const PlacedModule& placed : scope.modules()) look_behind_calls(*placed.module);
  scope_ = nullptr;
}

void CallPoints::look_at_program(const CallModule& module) {
  FilteredModule names = module.names();
  if (!names.is_main || module.inode() == 0 || calls_libraries(module) || !choice_.calls_from(names) ||
      choice_.looks_into(names))
    return;
  complain(std::string(names.soname) +
           (module.functions().all().empty()
                ? ": it is linked statically and has no symbols: only its system calls can be traced"
                : ": it is linked statically: it calls no library, and its own functions have to be asked for"));
}

// -- functions where they are ---------------------------------------------------------------------------

/// Nearly all libraries are stripped: that is said of those that a choice names, if it finds too little in them.
void CallPoints::note_what_is_hidden(const CallModule& module) {
  FilteredModule names = module.names();
  std::string line(names.soname);
  if (module.functions().all().empty())
    return complain(line + (calls_libraries(module)
                                ? ": it has no symbols: only functions that it imports can be traced"
                                : ": it has no symbols and imports nothing: only its system calls can be traced"));
  bool is_named = !choice_.looks_into({});
  if (!(names.is_main || is_named) || !module.file().is_stripped()) return;
  line += ": it is stripped: of its own functions only those that it offers to others can be traced";
  if (names.is_main && is_named) complain(std::move(line));
  else hidden_.push_back(std::move(line));
}

void CallPoints::look_inside(const CallModule& module, const Scope& scope) {
  FilteredModule names = module.names();
  if (module.inode() == 0 || !choice_.looks_into(names) || !looked_inside_.insert(&module).second) return;
  note_what_is_hidden(module);
  auto wanted = [&](const Function& function) { return choice_.defined(function.name, names); };
  if (auto count = std::ranges::count_if(module.functions().misplaced(), wanted); count != 0)
    complain(misplaced_text(static_cast<size_t>(count), names.soname));
  for (const Function& function : module.functions().all()) {
    if (function.kind == Function::Kind::ColdPart || !choice_.defined(function.name, names)) continue;
    Symbol symbol{
        function.name,        {}, true,
        function.range.begin, 0,  function.kind == Function::Kind::Ifunc ? SymbolType::Ifunc : SymbolType::Function,
        Binding::Global};
    for (const Definition& definition : scope.definitions(module, symbol)) {
      Code* code = definition.module ? code_at(*definition.module, definition.address) : nullptr;
      if (!code) continue;
      code->is_wanted_itself = true;
      want(*code, function.name, nullptr);
    }
  }
}

// -- functions that modules import ------------------------------------------------------------------------

void CallPoints::look_for_imports(Process& process, Scope& scope, const PlacedModule& importer) {
  const CallModule& module = *importer.module;
  if (!choice_.calls_from(module.names())) return;
  auto [unresolved, is_new] = process.unresolved.try_emplace(&module);
  if (is_new)
    for (const Import& import : module.imports()) unresolved->second.push_back(&import);
  std::erase_if(unresolved->second, [&](const Import* import) {
    std::vector<Definition> definitions = scope.definitions(importer, *import);
    if (!definitions.empty()) take(importer, *import, definitions);
    return !definitions.empty();
  });
}

void CallPoints::mean(const CallModule& caller, const Import& import, Code& code) {
  std::vector<Code*>& meant = meant_[&import];
  if (std::ranges::find(meant, &code) == meant.end()) meant.push_back(&code);
  want(code, caller.name_of(import), &caller);
}

void CallPoints::take(const PlacedModule& importer, const Import& import, std::span<const Definition> definitions) {
  if (importer.module->name_of(import).empty()) return;
  if (Code* stub = stand_in(importer, import, definitions)) return mean(*importer.module, import, *stub);
  if (has_armed_calls(*importer.module, import, definitions)) return;
  if (may_arm_calls(importer, import, definitions))
    candidates_.push_back({importer, &import, {definitions.begin(), definitions.end()}});
  else take_where_it_is(importer, import, definitions);
}

void CallPoints::take_where_it_is(const PlacedModule& importer, const Import& import,
                                  std::span<const Definition> definitions) {
  const CallModule& caller = *importer.module;
  FilteredModule from = caller.names();
  std::string_view name = caller.name_of(import);
  for (const Definition& definition : definitions) {
    // A module's own address in its own table is no library call.
    bool is_own = definition.module == &caller;
    if (is_own && import.by == Import::By::Word) continue;
    const CallModule& callee = definition.module ? *definition.module : caller;
    if (!choice_.label(name, callee.names(), &from, CallWay::Import)) continue;
    Code* code = definition.module ? code_at(callee, definition.address) : stub_for(importer, import);
    if (!code) continue;
    mean(caller, import, *code);
    watch_stub(caller, import, *code);
  }
}

// A function with a first instruction that takes no uprobe is seen at its caller's PLT.
void CallPoints::watch_stub(const CallModule& caller, const Import& import, Code& code) {
  if (!code.sites || code.is_stub || code.sites->entry.uprobe_offset) return;
  auto stub = caller.stub_of(import);
  auto site = stub ? site_on(caller, *stub, FunctionSite::Kind::Entry) : std::nullopt;
  if (!site || !site->uprobe_offset) return;
  for (uint32_t index : code.reported)
    if (code.stubs.insert({&caller, index}).second) add_site(caller, *site, index);
}

// A pointer from dlsym(3) may be to any function that the library offers.
void CallPoints::look_at_offers(const CallModule& module, const Scope& scope) {
  if (scope.is_needed(module) || !offers_taken_.insert(&module).second) return;
  FilteredModule callee = module.names();
  std::vector<const CallModule*> callers;
  for (const PlacedModule& placed : scope.modules())
    if (placed.module != &module && choice_.calls_from(placed.module->names())) callers.push_back(placed.module);
  if (callers.empty()) return;
  if (module.exports().all().size() > kMaxOffers)
    return complain(std::string(callee.soname) + ": it was opened by name and offers " +
                    std::to_string(module.exports().all().size()) +
                    " functions: their calls through pointers are not traced; name functions to trace with -x");
  // Of a function's names the one that a caller has among its strings is the best.
  for (bool is_in_strings : {true, false})
    for (const Symbol& symbol : module.exports().all())
      for (const CallModule* caller : callers) {
        FilteredModule from = caller->names();
        if (caller->names(symbol.name) != is_in_strings || !choice_.label(symbol.name, callee, &from, CallWay::Pointer))
          continue;
        for (const Definition& definition : scope.definitions(module, symbol))
          if (Code* code = definition.module ? code_at(*definition.module, definition.address) : nullptr)
            want(*code, symbol.name, caller);
      }
}

// -- one function -----------------------------------------------------------------------------------------

CallPoints::Code* CallPoints::code_at(const CallModule& module, uint64_t address) {
  if (module.inode() == 0) return nullptr;
  std::unique_ptr<Code>& code = codes_[{&module, address}];
  if (!code) {
    code = std::make_unique<Code>();
    code->id = codes_.size();
    code->module = &module;
    code->address = address;
    code->functions = {{&module, address}};
    code->callee = module.names().soname;
    code->sites = sites_of(module, address);
  }
  return code.get();
}

// The vdso is in no file: its functions are seen where the caller's PLT goes to them.
CallPoints::Code* CallPoints::stub_for(const PlacedModule& importer, const Import& import) {
  const CallModule& module = *importer.module;
  auto stub = module.stub_of(import);
  if (!stub) {
    complain(std::string(module.name_of(import)) + ": it is in the vdso, and " + std::string(module.names().soname) +
             " calls it without a PLT: not seen");
    return nullptr;
  }
  Definition itself{&module, *stub};
  Code* code = stub_code(module, *stub, {&itself, 1}, "[vdso]");
  if (code->sites) code->sites->is_leaf = true;
  return code;
}

CallPoints::Code* CallPoints::stub_code(const CallModule& importer, uint64_t stub,
                                        std::span<const Definition> functions, std::string_view callee) {
  std::unique_ptr<Code>& code = codes_[{&importer, stub}];
  if (code) return code.get();
  code = std::make_unique<Code>();
  code->id = codes_.size();
  code->module = &importer;
  code->address = stub;
  code->is_stub = true;
  code->functions.assign(functions.begin(), functions.end());
  code->callee = callee;
  if (auto entry = site_on(importer, stub, FunctionSite::Kind::Entry)) code->sites.emplace().entry = *entry;
  return code.get();
}

bool CallPoints::only_program_counts(const CallModule& callee, std::string_view symbol) const {
  FilteredModule other{"", "", false}, names = callee.names();
  return !choice_.calls_from(names) && !choice_.label(symbol, names, &other, CallWay::Pointer);
}

std::vector<CodeFile> CallPoints::callers_of(const CallModule& callee, std::string_view symbol,
                                             const CallModule* caller) const {
  if (options_.follow || !caller || !caller->is_main() || !only_program_counts(callee, symbol)) return {};
  return {{caller->device(), caller->inode()}};
}

void CallPoints::want(Code& code, std::string_view symbol, const CallModule* caller) {
  if (std::ranges::find(code.names, symbol) == code.names.end()) code.names.push_back(symbol);
  std::vector<CodeFile> callers;
  if (!code.is_wanted_itself && code.calls.empty()) callers = callers_of(*code.function().module, symbol, caller);
  for (uint32_t index : code.reported) {
    const Owner& owner = *owners_[index];
    bool has = !callers.empty() && std::ranges::find(owner.callers, callers.front()) != owner.callers.end();
    if (owner.callers.empty() || has) return;
  }
  trace(code, symbol, std::move(callers), caller);
}

void CallPoints::trace(Code& code, std::string_view symbol, std::vector<CodeFile> callers, const CallModule* caller) {
  if (!code.sites)
    return complain(std::string(symbol) + '@' + std::string(code.callee) + ": its code cannot be decoded");
  TracedFunction traced;
  traced.desc = prototypes_.of(symbol, *code.function().module, code.function().address);
  traced.symbol = symbol;
  traced.module = code.callee;
  traced.may_replace_return = code.calls.empty() && may_replace(code, *traced.desc);
  traced.is_go = code.module->is_go_function(code.address);
  Owner owner;
  owner.code = &code;
  owner.callers = std::move(callers);
  uint32_t index = add_owner(owner, traced);
  reported_ += code.reported.empty();
  code.reported.push_back(index);
  for (const FunctionSite& call : code.calls) add_site(*code.module, call, index);
  if (!code.calls.empty()) {
    owners_[index]->returns_behind = true;
    return;
  }
  add_site(*code.module, code.sites->entry, index);
  bool is_dear = !takes_stubs_ && !traced.may_replace_return;
  if (is_dear && !owner.callers.empty() && !code.is_stub) undecided_.push_back({&code, index, caller});
  else take_ways_out(code, index);
}

void CallPoints::take_ways_out(Code& code, uint32_t owner) {
  for (const FunctionSite& site : code.sites->ways_out) add_site(*code.module, site, owner);
  const TracedFunction& traced = function(owner);
  jumpers_.push_back({&code, {code.id, traced.desc, traced.may_replace_return, owners_[owner]->callers}});
}

// A function's jump target returns in its stead: its result is seen there. False: not at all targets.
bool CallPoints::trace_jumps(const FunctionSites& sites, const CallModule& module, const Jumper& jumper, int depth) {
  if (depth == kMaxJumps) return sites.jumps.empty();
  bool all = true;
  for (const JumpOut& jump : sites.jumps) {
    if (jump.target != 0) all = hide(module, jump.target, jumper, depth) && all;
    else if (!jump.import) all = false;
    JumpToFollow through{&module, jump.import, jumper, depth};
    if (jump.import && !follow_jump(through, all)) jumps_to_come_.push_back(through);
  }
  return all;
}

// False: the target of the jump is in no module that is there by now.
bool CallPoints::follow_jump(const JumpToFollow& jump, bool& all) {
  std::vector<Definition> targets;
  auto meant = meant_.find(jump.import);
  if (meant != meant_.end())
    for (const Code* code : meant->second)
      targets.insert(targets.end(), code->functions.begin(), code->functions.end());
  for (const PlacedModule& placed : scope_->modules())
    if (targets.empty() && placed.module == jump.from) targets = scope_->definitions(placed, *jump.import);
  for (const Definition& target : targets)
    all = target.module && hide(*target.module, target.address, jump.jumper, jump.depth) && all;
  return !targets.empty();
}

// A backend that captures memory copies there the memory that the jumper's description asks for. False: not all of its
// returns are seen.
bool CallPoints::hide(const CallModule& module, uint64_t address, const Jumper& jumper, int depth) {
  Code* code = code_at(module, address);
  // A reported function shows its returns itself, and by its return address much cheaper.
  if (!code || !code->sites) return false;
  if (!code->reported.empty()) return !code->sites->is_left_otherwise();
  auto [known, is_new] = code->hidden.try_emplace({jumper.may_replace, jumper.callers.empty(), jumper.desc});
  if (is_new) {
    TracedFunction traced;
    traced.desc = jumper.desc;
    traced.module = code->callee;
    traced.may_replace_return = jumper.may_replace;
    traced.is_go = module.is_go_function(address);
    traced.is_hidden = true;
    Owner owner;
    owner.code = code;
    owner.is_reported = false;
    owner.callers = jumper.callers;
    known->second = add_owner(owner, traced);
    for (const FunctionSite& site : code->sites->ways_out) add_site(module, site, known->second);
  }
  bool is_known = !owners_[known->second]->jumpers.insert(jumper.code).second;
  return (is_known || trace_jumps(*code->sites, module, jumper, depth + 1)) && !code->sites->runs_out;
}

bool CallPoints::may_replace(const Code& code, const FunctionDesc& desc) const {
  if (!code.sites->is_described) return false;
  if (code.sites->is_leaf) return true;
  if (code.module->is_go()) return false;
  if (library_of(desc) != code.callee) return false;
  return desc.frame == FrameUse::Own || (desc.frame == FrameUse::MaybeCancelled && !somebody_cancels_);
}

// -- jumps out of calling modules ----------------------------------------------------------------------------

void CallPoints::look_for_jumps(const CallModule& caller) {
  if (caller.inode() == 0 || !choice_.calls_from(caller.names())) return;
  auto& taken = jumps_taken_[&caller];
  for (const OutwardJump& jump : caller.outward_jumps()) {
    auto meant = meant_.find(jump.import);
    if (meant == meant_.end()) continue;
    for (Code* code : meant->second) code->is_jumped_to = code->is_stub;
    auto site = site_on(caller, jump.address, FunctionSite::Kind::Outward);
    if (!site || !taken.insert(jump.address).second) continue;
    TracedFunction traced;
    traced.desc = &unknown_function();
    traced.symbol = caller.name_of(*jump.import);
    traced.module = caller.names().soname;
    traced.wants_returns = false;
    Owner owner;
    owner.is_reported = false;
    owner.outward_from = &caller;
    owner.import = jump.import;
    add_site(caller, *site, add_owner(owner, traced));
  }
}

}  // namespace strut
