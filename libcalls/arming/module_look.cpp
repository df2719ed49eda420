#include "libcalls/arming/module_look.hpp"

#include <algorithm>

namespace strut {

namespace {

/// More functions than those of a library with names that are looked up: a library that a lookup is not likely to be
/// for.
constexpr size_t kMaxOffers = 4096;

/// False: it is linked statically, whatever IFUNCs of its own it has.
bool calls_libraries(const CallModule& module) {
  return std::ranges::any_of(module.imports(), [](const Import& import) { return import.by != Import::By::Irelative; });
}

}  // namespace

void ModuleLook::look_at(CataloguedProcess& process, Scope& scope) {
  const std::vector<PlacedModule>& modules = scope.modules();
  context_.scope = &scope;
  returns_.follow_waiting_jumps();
  for (const PlacedModule& placed : modules) look_at_first(*placed.module);
  stubs_.begin_look();
  for (const PlacedModule& placed : modules) {
    look_at_program(*placed.module);
    if (placed.module->is_main() && !context_.hits_cost_alike) calls_.look_for_pointers(*placed.module);
  }
  for (const PlacedModule& placed : modules) look_inside(*placed.module);
  for (const PlacedModule& placed : modules) look_for_imports(process, placed);
  for (const PlacedModule& placed : modules) look_at_offers(*placed.module);
  for (const PlacedModule& placed : modules) returns_.look_for_jumps(*placed.module);
  calls_.decide();
  returns_.follow_found_jumps();
  for (const PlacedModule& placed : modules) returns_.look_behind_calls(*placed.module);
  context_.scope = nullptr;
}

void ModuleLook::look_at_first(const CallModule& module) {
  if (seen_.insert(&module).second && refers_to(module.elf(), "pthread_cancel")) context_.may_be_cancelled = true;
}

void ModuleLook::look_at_program(const CallModule& module) {
  FilteredModule names = module.names();
  if (!names.is_main || module.inode() == 0 || calls_libraries(module) || !context_.choice.calls_from(names) ||
      context_.choice.looks_into(names))
    return;
  context_.complaints.add(
      std::string(names.soname) +
      (module.functions().all().empty()
           ? ": it is linked statically and has no symbols: only its system calls can be traced"
           : ": it is linked statically: it calls no library, and its own functions have to be asked for"));
}

bool ModuleLook::programs_import_nothing() const {
  auto is_program = [](const CallModule* module) { return module->is_main(); };
  return std::ranges::any_of(seen_, is_program) && std::ranges::none_of(seen_, [&](const CallModule* module) {
           return is_program(module) && !module->imports().empty();
         });
}

// -- functions where they are ---------------------------------------------------------------------------

/// Nearly all libraries are stripped: that is said of those that a choice names, if it finds too little in them.
void ModuleLook::note_what_is_hidden(const CallModule& module) {
  FilteredModule names = module.names();
  std::string line(names.soname);
  if (module.functions().all().empty())
    return context_.complaints.add(
        line + (calls_libraries(module)
                    ? ": it has no symbols: only functions that it imports can be traced"
                    : ": it has no symbols and imports nothing: only its system calls can be traced"));
  bool is_named = !context_.choice.looks_into({});
  if (!(names.is_main || is_named) || !module.file().is_stripped()) return;
  line += ": it is stripped: of its own functions only those that it offers to others can be traced";
  if (names.is_main && is_named) context_.complaints.add(std::move(line));
  else context_.complaints.add_hidden(std::move(line));
}

void ModuleLook::look_inside(const CallModule& module) {
  FilteredModule names = module.names();
  if (module.inode() == 0 || !context_.choice.looks_into(names) || !looked_inside_.insert(&module).second) return;
  note_what_is_hidden(module);
  auto wanted = [&](const Function& function) { return context_.choice.defined(function.name, names); };
  if (auto count = std::ranges::count_if(module.functions().misplaced(), wanted); count != 0)
    context_.complaints.add(misplaced_text(static_cast<size_t>(count), names.soname));
  for (const Function& function : module.functions().all())
    if (function.kind != Function::Kind::ColdPart && wanted(function)) look_for(function, module);
}

void ModuleLook::look_for(const Function& function, const CallModule& module) {
  SymbolType type = function.kind == Function::Kind::Ifunc ? SymbolType::Ifunc : SymbolType::Function;
  Symbol symbol{function.name, {}, true, function.range.begin, 0, type, Binding::Global};
  for (const Definition& definition : context_.scope->definitions(module, symbol)) {
    TracedCode* code = definition.module ? context_.sites.code_at(*definition.module, definition.address) : nullptr;
    if (!code) continue;
    code->is_wanted_itself = true;
    wanted_.want(*code, function.name, nullptr);
  }
}

// -- functions that modules import ------------------------------------------------------------------------

void ModuleLook::look_for_imports(CataloguedProcess& process, const PlacedModule& importer) {
  const CallModule& module = *importer.module;
  if (!context_.choice.calls_from(module.names())) return;
  auto [unresolved, is_new] = process.unresolved.try_emplace(&module);
  if (is_new)
    for (const Import& import : module.imports()) unresolved->second.push_back(&import);
  std::erase_if(unresolved->second, [&](const Import* import) {
    std::vector<Definition> definitions = context_.scope->definitions(importer, *import);
    if (!definitions.empty()) take(importer, *import, definitions);
    return !definitions.empty();
  });
}

void ModuleLook::take(const PlacedModule& importer, const Import& import, std::span<const Definition> definitions) {
  if (importer.module->name_of(import).empty()) return;
  if (TracedCode* stub = stubs_.stand_in(importer, import, definitions))
    return wanted_.mean(*importer.module, import, *stub);
  if (!calls_.take(importer, import, definitions)) wanted_.take_where_it_is(importer, import, definitions);
}

// -- functions that libraries offer -------------------------------------------------------------------------

// A pointer from dlsym(3) may be to any function that the library offers.
void ModuleLook::look_at_offers(const CallModule& module) {
  if (context_.scope->is_needed(module) || !offers_taken_.insert(&module).second) return;
  std::vector<const CallModule*> callers;
  for (const PlacedModule& placed : context_.scope->modules())
    if (placed.module != &module && context_.choice.calls_from(placed.module->names()))
      callers.push_back(placed.module);
  if (callers.empty()) return;
  if (module.exports().all().size() > kMaxOffers)
    return context_.complaints.add(std::string(module.names().soname) + ": it was opened by name and offers " +
                                   std::to_string(module.exports().all().size()) +
                                   " functions: their calls through pointers are not traced; name functions to trace "
                                   "with -x");
  // Of a function's names the one that a caller has among its strings is the best.
  for (bool is_in_strings : {true, false})
    for (const Symbol& symbol : module.exports().all())
      for (const CallModule* caller : callers)
        if (caller->names(symbol.name) == is_in_strings) look_at_offer(module, symbol, *caller);
}

void ModuleLook::look_at_offer(const CallModule& module, const Symbol& symbol, const CallModule& caller) {
  FilteredModule from = caller.names();
  if (!context_.choice.label(symbol.name, module.names(), &from, CallWay::Pointer)) return;
  for (const Definition& definition : context_.scope->definitions(module, symbol))
    if (TracedCode* code = definition.module ? context_.sites.code_at(*definition.module, definition.address) : nullptr)
      wanted_.want(*code, symbol.name, &caller);
}

}  // namespace strut
