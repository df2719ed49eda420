#include "libcalls/arming/call_attribution.hpp"

#include <algorithm>

#include "symtab/elf/demangle.hpp"

namespace strut {

size_t CallAttribution::VerdictHash::operator()(const VerdictKey& key) const {
  uint64_t mixed = (key.at ^ reinterpret_cast<uintptr_t>(key.caller)) * 0x9e3779b97f4a7c15ull + key.index;
  return mixed ^ mixed >> 32;
}

void CallAttribution::note(const Import& import, TracedCode& code) {
  std::vector<TracedCode*>& meanings = meanings_[&import];
  if (std::ranges::find(meanings, &code) == meanings.end()) meanings.push_back(&code);
}

std::span<TracedCode* const> CallAttribution::meanings(const Import& import) const {
  auto found = meanings_.find(&import);
  return found != meanings_.end() ? std::span<TracedCode* const>(found->second) : std::span<TracedCode* const>{};
}

bool CallAttribution::means(const Import& import, const CallModule& caller, const TracedCode& code) const {
  auto known = meanings(import);
  if (!known.empty()) return std::ranges::find(known, &code) != known.end();
  // This module's calls were not requested: then by name.
  std::string_view name = caller.name_of(import);
  if (std::ranges::find(code.names, name) != code.names.end()) return true;
  const auto& [module, address] = code.function();
  const Symbol* symbol = module->exports().find(name, import.version);
  return symbol && symbol->address == address;
}

// Several owners of one function have different callers: the first with this caller reports.
bool CallAttribution::reports(const CodeOwner& owner, const CallModule* caller) const {
  for (uint32_t index : owner.code->reported) {
    const CodeOwner& one = sites_.owner(index);
    if (one.has_caller(caller)) return &one == &owner;
  }
  return false;
}

CallVerdict CallAttribution::verdict(const CodeOwner& owner, std::string_view symbol, const CallModule* caller,
                                     CallWay way) {
  const TracedCode& code = *owner.code;
  const auto& [module, address] = code.function();
  FilteredModule callee = module->names();
  std::optional<FilteredModule> from = caller ? std::optional(caller->names()) : std::nullopt;
  auto label = choice_.label(symbol, callee, from ? &*from : nullptr, way);
  // By this name it does not count; the function may be wanted itself by another of its names.
  for (size_t i = 0; !label && way != CallWay::Direct && i < code.names.size(); i++) {
    symbol = code.names[i];
    label = choice_.label(symbol, callee, from ? &*from : nullptr, CallWay::Direct);
  }
  CallVerdict made;
  if (!label || !reports(owner, caller)) return made;
  made.reported = true;
  made.symbol = shown(symbol);
  made.module = code.callee;
  if (caller) made.caller = caller->names().soname;
  made.label = *label;
  made.desc = prototypes_.of(symbol, *module, address);
  return made;
}

// The linker searches the program first: a library's call of a name that the program exports reaches the program's
// function. nullptr: it does not, or it does not leave through a pointer, which is not seen.
const CallModule* CallAttribution::jumping_program(const CallModule* program, const CallModule& caller,
                                                   const Import& import) const {
  if (!program || program == &caller || !choice_.calls_from(program->names())) return nullptr;
  const Symbol* own = program->exports().find(caller.name_of(import), import.version);
  bool jumps = own && own->type == SymbolType::Function && program->jumps_through_pointers(own->address);
  return jumps ? program : nullptr;
}

CallVerdict CallAttribution::judge(const CodeOwner& owner, const PlacedModule& caller, const CallModule* program,
                                   uint64_t return_address) {
  const TracedCode& code = *owner.code;
  std::string_view best = code.names.front();
  if (!caller.module) return verdict(owner, best, nullptr, CallWay::Pointer);
  CalledThere there = caller.module->called_before(return_address - caller.bias);
  switch (there.what) {
    case CalledThere::What::Import:
      if (means(*there.import, *caller.module, code))
        return verdict(owner, caller.module->name_of(*there.import), caller.module, CallWay::Import);
      if (const CallModule* jumper = jumping_program(program, *caller.module, *there.import))
        return verdict(owner, best, jumper, CallWay::Pointer);
      break;
    case CalledThere::What::Address:
      if (caller.module == code.module && there.address == code.address)
        return verdict(owner, best, caller.module, CallWay::Direct);
      if (caller.module->jumps_through_pointers(there.address))
        return verdict(owner, best, caller.module, CallWay::Pointer);
      break;
    case CalledThere::What::Indirect: return verdict(owner, best, caller.module, CallWay::Pointer);
  }
  // Something else was called there, which jumped here.
  return verdict(owner, best, nullptr, CallWay::Direct);
}

const CallVerdict& CallAttribution::called(uint32_t index, const PlacedModule& caller, const CallModule* program,
                                           uint64_t return_address) {
  VerdictKey key{index, caller.module, caller.module ? return_address - caller.bias : 0, program};
  auto [known, is_new] = verdicts_.try_emplace(key);
  if (is_new) known->second = judge(sites_.owner(index), caller, program, return_address);
  return known->second;
}

const CallVerdict& CallAttribution::called_by_jump(uint32_t index, uint32_t outward) {
  const CodeOwner &owner = sites_.owner(index), &from = sites_.owner(outward);
  auto [known, is_new] = verdicts_.try_emplace({index, from.outward_from, ~uint64_t{outward}});
  if (!is_new || !from.import) return known->second;
  bool is_meant = means(*from.import, *from.outward_from, *owner.code);
  if (is_meant)
    known->second = verdict(owner, from.outward_from->name_of(*from.import), from.outward_from, CallWay::Import);
  else known->second = verdict(owner, owner.code->names.front(), nullptr, CallWay::Direct);
  return known->second;
}

const CallVerdict& CallAttribution::jumped_to(uint32_t index) {
  const CodeOwner& owner = sites_.owner(index);
  auto [known, is_new] = verdicts_.try_emplace({index, nullptr, ~uint64_t{0}});
  if (is_new) known->second = verdict(owner, owner.code->names.front(), nullptr, CallWay::Direct);
  return known->second;
}

bool CallAttribution::is_called_there(const TracedCode& code, const PlacedModule& caller,
                                      uint64_t return_address) const {
  if (!caller.module) return false;
  CalledThere there = caller.module->called_before(return_address - caller.bias);
  if (there.what == CalledThere::What::Import) return means(*there.import, *caller.module, code);
  return there.what == CalledThere::What::Address && caller.module == code.module && there.address == code.address;
}

std::string_view CallAttribution::shown(std::string_view symbol) {
  if (style_ == SymbolStyle::Raw) return symbol;
  auto [known, is_new] = shown_.try_emplace(symbol);
  if (is_new) known->second = texts_.emplace_back(demangled(symbol));
  return known->second;
}

}  // namespace strut
