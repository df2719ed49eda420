#include "cli/symbols/list.hpp"

#include <algorithm>
#include <tuple>

#include <fnmatch.h>

#include "base/close_names.hpp"
#include "symtab/elf/demangle.hpp"

namespace strut {

namespace {

/// Names that are kept to suggest some of them.
constexpr size_t kMaxOthers = 1'000'000;

bool same_symbol(const ListedName& a, const ListedName& b) {
  if (a.kind != ListedName::Kind::Symbol || b.kind != a.kind || a.address != b.address || a.name != b.name)
    return false;
  // .dynsym and .symtab name the same functions; the entry without a version is redundant.
  bool same_type = a.symbol->type == b.symbol->type;
  return same_type && (a.symbol->version == b.symbol->version || b.symbol->version.empty());
}

std::string prototype_of(const ListedName& name) {
  bool is_function =
      name.symbol && (name.symbol->type == SymbolType::Function || name.symbol->type == SymbolType::Ifunc);
  if (!is_function) return {};
  const Prototypes& prototypes = name.module->file->prototypes();
  // The code of an IFUNC is its resolver's.
  auto prototype =
      name.symbol->type == SymbolType::Ifunc ? prototypes.named(name.name) : prototypes.at(name.symbol->address);
  return prototype ? prototypes.text(*prototype) : std::string();
}

}  // namespace

SymbolList::SymbolList(const SymbolsOptions& options) : options_(options) {
  if (!options.pattern) return;
  size_t mark = options.pattern->find('`');
  pattern_ = mark == std::string::npos ? *options.pattern : options.pattern->substr(mark + 1);
  if (mark != std::string::npos) module_pattern_ = options.pattern->substr(0, mark);
  if (pattern_.empty()) pattern_ = "*";
}

bool SymbolList::matches(const Module&, std::string_view name) {
  if (pattern_.empty()) return true;
  std::string text = options_.names == NameForm::Demangled ? demangled(name) : std::string(name);
  // A probe may be asked for by its own name alone, as a function by its name without its parameters.
  std::string_view tail = std::string_view(text).substr(text.find(':') == std::string::npos ? 0 : text.find(':') + 1);
  bool found = ::fnmatch(pattern_.c_str(), text.c_str(), 0) == 0;
  found |= options_.names == NameForm::Demangled &&
           ::fnmatch(pattern_.c_str(), text.substr(0, text.find('(')).c_str(), 0) == 0;
  found |= options_.names == NameForm::Mangled && ::fnmatch(pattern_.c_str(), std::string(tail).c_str(), 0) == 0;
  if (!found && others_.size() < kMaxOthers) others_.push_back(std::move(text));
  return found;
}

void SymbolList::add_symbols(const Module& module, std::vector<ListedName>& names) {
  for (const Symbol& symbol : module.file->symbols().all()) {
    if (!matches(module, symbol.name)) continue;
    uint64_t bias = symbol.type == SymbolType::Tls ? 0 : module.bias;
    names.push_back(
        {ListedName::Kind::Symbol, &module, symbol.address + bias, symbol.name, &symbol, nullptr, nullptr, {}, {}});
  }
}

void SymbolList::add_stubs(const Module& module, std::vector<ListedName>& names) {
  if (options_.kinds & kListPlt)
    for (const PltStub& stub : module.file->plt()) {
      std::string_view name = module.file->name_of(stub);
      if (matches(module, name))
        names.push_back(
            {ListedName::Kind::Plt, &module, stub.address + module.bias, name, nullptr, &stub, nullptr, {}, {}});
    }
  if (options_.kinds & kListGot)
    for (const GotSlot& slot : module.file->got()) {
      std::string_view name = module.file->name_of(slot);
      if (matches(module, name))
        names.push_back(
            {ListedName::Kind::Got, &module, slot.got + module.bias, name, nullptr, nullptr, &slot, {}, {}});
    }
}

void SymbolList::add_probes(const Module& module, std::vector<ListedName>& names) {
  for (const UsdtProbe& probe : usdt_probes(module.file->elf())) {
    std::string name = std::string(probe.provider) + ":" + std::string(probe.name);
    if (matches(module, name))
      names.push_back({ListedName::Kind::Usdt,
                       &module,
                       probe.address + module.bias,
                       probe.name,
                       nullptr,
                       nullptr,
                       nullptr,
                       probe,
                       {}});
  }
}

std::vector<ListedName> SymbolList::of(const Module& module) {
  std::vector<ListedName> names;
  if (!module.file) return names;
  bool asked = module_pattern_.empty() ||
               ::fnmatch(module_pattern_.c_str(), std::string(module.name()).c_str(), 0) == 0 ||
               module.is_called(module_pattern_);
  if (!asked) return names;
  if (options_.kinds & kListSymbols) add_symbols(module, names);
  add_stubs(module, names);
  if (options_.kinds & kListUsdt) add_probes(module, names);
  std::ranges::stable_sort(names, {}, [](const ListedName& name) {
    std::string_view version = name.symbol ? name.symbol->version : std::string_view();
    return std::tuple(name.address, name.kind, name.name, version.empty(), version);
  });
  names.erase(std::ranges::unique(names, same_symbol).begin(), names.end());
  if (options_.types)
    for (ListedName& name : names) name.prototype = prototype_of(name);
  return names;
}

std::vector<std::string> SymbolList::close_names() const {
  return strut::close_names(pattern_, std::vector<std::string_view>(others_.begin(), others_.end()));
}

}  // namespace strut
