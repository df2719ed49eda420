#include "pid-provider/usdt_sites.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <elf.h>

#include "symtab/elf/usdt.hpp"
#include "symtab/elf/usdt_arguments.hpp"
#include "x86/instruction.hpp"

namespace strut {
namespace {

/// dtrace(1), "Statically Defined Tracing for User Applications": two underscores are a dash.
std::string name_in_d(std::string_view name) {
  std::string text;
  for (size_t i = 0; i < name.size(); i++) {
    bool is_dash = name.substr(i).starts_with("__");
    text += is_dash ? '-' : name[i];
    if (is_dash) i++;
  }
  return text;
}

bool field_fits(std::string_view pattern, std::string_view text) {
  return pattern.empty() || glob_matches(pattern, text);
}

const Segment* segment_of(const ElfFile& elf, uint64_t address) {
  auto has = [&](const Segment& s) { return address >= s.address && address - s.address < s.memory_bytes; };
  auto found = std::ranges::find_if(elf.segments(), has);
  return found == elf.segments().end() ? nullptr : &*found;
}

/// False: it is no general register of 64 bits.
bool take_address_register(std::string_view name, uint8_t& into) {
  if (name.empty()) return true;
  auto part = register_named(name);
  if (!part || part->bytes != 8) return false;
  into = part->place;
  return true;
}

/// An address of the file, from %rip at the site: no load bias is needed.
bool take_symbol(const ModuleFile& module, std::string_view symbol, uint64_t site, SiteOperand& into) {
  auto named = module.symbols().named(symbol);
  std::erase_if(named, [](const Symbol* one) { return one->type == SymbolType::Tls; });
  bool has_register = into.base != SiteOperand::kNoRegister && into.base != register_named("rip")->place;
  if (named.empty() || has_register) return false;
  into.base = register_named("rip")->place;
  into.displacement += static_cast<int64_t>(named.front()->address - site);
  return true;
}

SiteOperand operand_of(const ModuleFile& module, const UsdtArgument& argument, uint64_t site) {
  SiteOperand operand{.bytes = argument.bytes, .is_signed = argument.is_signed};
  operand.displacement = argument.displacement;
  operand.scale = argument.scale;
  bool is_size = argument.bytes == 1 || argument.bytes == 2 || argument.bytes == 4 || argument.bytes == 8;
  if (!is_size || argument.place == UsdtArgument::Place::Unknown) return {};
  if (argument.place == UsdtArgument::Place::Register) {
    auto part = register_named(argument.base);
    if (!part) return {};
    operand.place = SiteOperand::Place::Register;
    operand.base = part->place;
    operand.skip = part->skip;
    return operand;
  }
  bool is_memory = argument.place == UsdtArgument::Place::Memory;
  operand.place = is_memory ? SiteOperand::Place::Memory : SiteOperand::Place::Constant;
  bool is_known = take_address_register(argument.base, operand.base) &&
                  take_address_register(argument.index, operand.index) &&
                  (argument.symbol.empty() || take_symbol(module, argument.symbol, site, operand));
  return is_known ? operand : SiteOperand{};
}

std::optional<SiteSemaphore> semaphore_of(const ElfFile& elf, const UsdtProbe& probe) {
  if (probe.semaphore == 0) return std::nullopt;
  const Segment* segment = segment_of(elf, probe.semaphore);
  bool is_in_file = segment && segment->writable && probe.semaphore - segment->address + 2 <= segment->file_bytes;
  SiteSemaphore semaphore{std::nullopt, static_cast<int64_t>(probe.semaphore - probe.address)};
  if (is_in_file) semaphore.file_offset = segment->offset + (probe.semaphore - segment->address);
  return semaphore;
}

void take_arguments(const ModuleFile& module, const UsdtProbe& probe, UsdtSite& site) {
  for (const UsdtArgument& argument : usdt_arguments(probe.arguments)) {
    site.arguments.push_back(operand_of(module, argument, probe.address));
    if (site.arguments.back().place != SiteOperand::Place::Unknown) continue;
    site.unknown += (site.unknown.empty() ? "" : " ") + std::string(argument.text);
  }
}

std::optional<UsdtSite> site_of(const ModuleFile& module, const UsdtProbe& probe) {
  const ElfFile& elf = module.elf();
  const Segment* segment = segment_of(elf, probe.address);
  auto offset = elf.offset_of_address(probe.address);
  auto instruction = decode(elf.at_address(probe.address), probe.address);
  if (!segment || !segment->executable || !offset || !instruction) return std::nullopt;
  UsdtSite site;
  site.provider = probe.provider;
  site.name = name_in_d(probe.name);
  if (auto symbol = module.symbols().at(probe.address)) site.function = symbol->symbol->name;
  site.file_offset = *offset;
  site.uprobe = uprobe_on(*instruction);
  site.semaphore = semaphore_of(elf, probe);
  take_arguments(module, probe, site);
  return site;
}

}  // namespace

bool fits(const PidPattern& pattern, const UsdtSite& site) {
  return field_fits(pattern.usdt_provider, site.provider) && field_fits(pattern.name, site.name) &&
         field_fits(pattern.function, site.function);
}

std::vector<UsdtSite> usdt_sites(const ModuleFile& module) {
  std::vector<UsdtSite> sites;
  if (!module.elf().is_64() || module.elf().machine() != EM_X86_64) return sites;
  std::set<std::tuple<std::string_view, std::string_view, uint64_t>> seen;
  for (const UsdtProbe& probe : usdt_probes(module.elf())) {
    if (!seen.insert({probe.provider, probe.name, probe.address}).second) continue;
    if (auto site = site_of(module, probe)) sites.push_back(*std::move(site));
  }
  return sites;
}

}  // namespace strut
