#include "libcalls/modules/scope.hpp"

#include <algorithm>
#include <cstring>

#include "libcalls/modules/own_library.hpp"
#include "pid-provider/points.hpp"

namespace strut {

namespace {

constexpr uint64_t kPage = 4096;

void add(std::vector<Definition>& to, const Definition& definition) {
  if (std::ranges::find(to, definition) == to.end()) to.push_back(definition);
}

void add(std::vector<const CallModule*>& to, const CallModule* module) {
  if (module && std::ranges::find(to, module) == to.end()) to.push_back(module);
}

}  // namespace

uint64_t Words::at(uint64_t address) {
  uint64_t start = address / kPage * kPage, value = 0;
  auto [page, is_new] = pages_.try_emplace(start);
  if (is_new) {
    page->second.resize(kPage);
    page->second.resize(memory_.read(Addr{start}, page->second).bytes);
  }
  size_t offset = address - start;
  if (offset + sizeof value <= page->second.size()) std::memcpy(&value, page->second.data() + offset, sizeof value);
  return value;
}

Scope::Scope(std::vector<PlacedModule> modules, const std::vector<LinkedModule>& linked, Memory& memory,
             bool has_tunables)
    : modules_(std::move(modules)), order_(in_order(linked)), words_(memory), has_tunables_(has_tunables) {}

// The linker's own list has the program, preloaded libraries, needed ones, level by level, and those opened later.
std::vector<const CallModule*> Scope::in_order(const std::vector<LinkedModule>& linked) {
  std::vector<const CallModule*> order;
  for (const PlacedModule& placed : modules_)
    if (placed.module->is_main()) add(order, placed.module);
  for (const LinkedModule& link : linked) {
    const PlacedModule* placed = link.name_space == 0 ? placed_as(link) : nullptr;
    if (placed) add(order, placed->module);
  }
  if (linked.size() > 1) loaded_ = order.size();
  for (size_t i = 0; i < order.size(); i++)
    for (std::string_view soname : order[i]->needed()) add(order, called(soname));
  for (const PlacedModule& placed : modules_) add(order, placed.module);
  return order;
}

const PlacedModule* Scope::placed_at(uint64_t address) const {
  auto above = std::ranges::upper_bound(modules_, address, {}, &PlacedModule::start);
  if (above == modules_.begin() || address >= std::prev(above)->end) return nullptr;
  return &*std::prev(above);
}

// A picture that was taken while the linker made relocated memory read-only may lack the segments that it was at.
const PlacedModule* Scope::placed_as(const LinkedModule& link) const {
  if (const PlacedModule* placed = placed_at(link.dynamic)) return placed;
  auto same = std::ranges::find(modules_, link.bias, &PlacedModule::bias);
  return same == modules_.end() ? nullptr : &*same;
}

const CallModule* Scope::called(std::string_view soname) const {
  for (const PlacedModule& placed : modules_)
    if (placed.module->names().soname == soname) return placed.module;
  return nullptr;
}

std::vector<const CallModule*> Scope::closure_of(const CallModule& module) const {
  std::vector<const CallModule*> order{&module};
  for (size_t i = 0; i < order.size(); i++)
    for (std::string_view soname : order[i]->needed()) add(order, called(soname));
  return order;
}

bool Scope::is_needed(const CallModule& module) const {
  if (module.is_main() || module.inode() == 0) return true;
  std::string_view soname = module.names().soname;
  return std::ranges::any_of(modules_, [&](const PlacedModule& placed) {
    if (placed.module == &module) return false;
    const auto& needed = placed.module->needed();
    bool is_interpreter = soname.starts_with("ld-linux");
    return is_interpreter || std::ranges::find(needed, soname) != needed.end();
  });
}

std::vector<Definition> Scope::definitions(const PlacedModule& importer, const Import& import) {
  std::vector<Definition> found = bound(importer, import);
  if (!found.empty()) return found;
  const CallModule& module = *importer.module;
  if (import.by == Import::By::Irelative) {
    auto resolver = module.functions().range_around(import.resolver);
    if (!resolver) return found;
    for (const CodeRange& range : implementations_of(module.functions(), *resolver)) add(found, {&module, range.begin});
    return found;
  }
  find(order_, import, found);
  // A library that was opened for itself may have its own idea.
  if (!module.is_main()) find(closure_of(module), import, found);
  return found;
}

bool Scope::find(const std::vector<const CallModule*>& order, const Import& import, std::vector<Definition>& to) const {
  for (const CallModule* module : order) {
    const Symbol* symbol = module->exports().find(import.name, import.version);
    if (!symbol) continue;
    for (const Definition& definition : definitions(*module, *symbol)) add(to, definition);
    return true;
  }
  return false;
}

std::vector<Definition> Scope::definitions(const CallModule& module, const Symbol& symbol) const {
  if (symbol.type != SymbolType::Ifunc) return {{&module, symbol.address}};
  auto chosen = has_tunables_ ? std::nullopt : chosen_here(module.elf(), symbol.name, symbol.version);
  if (chosen) return {chosen->address ? Definition{&module, *chosen->address} : Definition{nullptr, 0}};
  std::vector<Definition> found;
  auto resolver = module.functions().beginning_at(symbol.address);
  if (!resolver) return found;
  for (const CodeRange& range : implementations_of(module.functions(), *resolver)) add(found, {&module, range.begin});
  return found;
}

// A word that still leads into a PLT is not bound; one that was not relocated leads nowhere.
std::vector<Definition> Scope::bound(const PlacedModule& importer, const Import& import) {
  uint64_t value = words_.at(importer.bias + import.slot);
  const PlacedModule* placed = value ? placed_at(value) : nullptr;
  if (!placed) return {};
  if (placed->module->inode() == 0) return {{nullptr, 0}};
  uint64_t address = value - placed->bias;
  if (import.by == Import::By::Irelative && address == import.resolver) return {};
  if (placed->module->stub_at(address) || !placed->module->functions().beginning_at(address)) return {};
  return {{placed->module, address}};
}

}  // namespace strut
