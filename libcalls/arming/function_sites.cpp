#include "libcalls/arming/function_sites.hpp"

#include "pid-provider/points.hpp"

namespace strut {

namespace {

uint64_t offset_of(const CallModule& module, uint64_t address) {
  return module.elf().offset_of_address(address).value_or(0);
}

std::optional<uint64_t> uprobe_offset(const CallModule& module, const Instruction& instruction) {
  return uprobe_on(instruction) ? std::optional(offset_of(module, instruction.address)) : std::nullopt;
}

JumpOut jump_out(const CallModule& module, const Instruction& instruction) {
  if (instruction.flow == Flow::JumpIndirect) {
    const Import* import = instruction.is_rip_relative() ? module.import_at(instruction.rip_target()) : nullptr;
    return {0, import};
  }
  if (const Import* import = module.stub_at(instruction.target())) return {0, import};
  return {instruction.target(), nullptr};
}

void add_way_out(const CallModule& module, const ReturnSite& way, const Instruction& instruction, FunctionSites& to) {
  bool returns = way.kind == ReturnSite::Kind::Return;
  FunctionSite site;
  site.kind = returns ? FunctionSite::Kind::Return : FunctionSite::Kind::Jump;
  site.condition = way.condition;
  site.file_offset = offset_of(module, way.address);
  site.uprobe_offset = uprobe_offset(module, instruction);
  to.ways_out.push_back(site);
  if (!returns) to.jumps.push_back(jump_out(module, instruction));
}

}  // namespace

std::optional<FunctionSites> sites_of(const CallModule& module, uint64_t address) {
  const ModuleFunctions& functions = module.functions();
  auto range = functions.beginning_at(address);
  if (!range) return std::nullopt;
  DecodedFunction code = decode_function(functions, *range);
  if (!code.at(address)) return std::nullopt;
  FunctionSites sites;
  uint64_t entry = entry_of(functions, code);
  sites.entry.file_offset = offset_of(module, entry);
  auto place = uprobe_entry_among(functions, code);
  if (place) sites.entry.uprobe_offset = offset_of(module, place->address);
  sites.is_entry_dear = !place || place->cost == UprobeCost::Stepped;
  sites.runs_out = code.runs_out;
  sites.is_looped_to = entry == address && code.is_target(address);
  sites.is_leaf = return_strategy(code, {.moves_stacks = module.is_go()}).strategy == ReturnStrategy::Uretprobe;
  sites.is_described = functions.is_described(address);
  for (const ReturnSite& way : code.returns)
    if (const Instruction* instruction = code.at(way.address)) add_way_out(module, way, *instruction, sites);
  return sites;
}

std::optional<FunctionSite> site_on(const CallModule& module, uint64_t address, FunctionSite::Kind kind) {
  auto instruction = decode(module.elf().at_address(address), address);
  if (!instruction) return std::nullopt;
  FunctionSite site;
  site.kind = kind;
  if (kind != FunctionSite::Kind::Behind) site.condition = condition_of(*instruction);
  site.file_offset = offset_of(module, address);
  site.uprobe_offset = uprobe_offset(module, *instruction);
  return site;
}

}  // namespace strut
