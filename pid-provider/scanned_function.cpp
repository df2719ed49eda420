#include "pid-provider/scanned_function.hpp"

#include <algorithm>

#include "pid-provider/placement.hpp"
#include "x86/scanner.hpp"

namespace strut {
namespace {

bool is_jump(const Scanned& i) { return i.flow == Flow::Jump || i.flow == Flow::JumpIf; }

/// A jump to code that is no function's beginning may come back, from a cold part.
bool shows_all_targets(const ModuleFunctions& functions, const ScannedFunction& scanned) {
  auto begins = [&](uint64_t address) { return functions.begins(address); };
  return !scanned.has_indirect_jump && std::ranges::all_of(scanned.jumps_out, begins);
}

}  // namespace

std::optional<ScannedFunction> scan_function(const ElfFile& file, const CodeRange& range) {
  auto code = file.at_address(range.begin);
  code = code.first(std::min<size_t>(code.size(), range.end - range.begin));
  ScannedFunction made{range, std::vector<uint8_t>(code.size()), {}, {}, false};
  auto is_inside = [&](uint64_t address) { return address - range.begin < code.size(); };
  for (size_t at = 0; at < code.size();) {
    auto scanned = scan(code.subspan(at), range.begin + at);
    if (!scanned || (scanned->is_rip_relative && is_inside(scanned->rip_target))) return std::nullopt;
    if (is_jump(*scanned)) (is_inside(scanned->target) ? made.targets : made.jumps_out).push_back(scanned->target);
    if (scanned->flow == Flow::JumpIndirect) made.has_indirect_jump = true;
    made.lengths[at] = scanned->length;
    at += scanned->length;
  }
  auto is_start = [&](uint64_t address) { return made.lengths[address - range.begin] != 0; };
  if (!std::ranges::all_of(made.targets, is_start)) return std::nullopt;
  std::ranges::sort(made.targets);
  made.targets.erase(std::ranges::unique(made.targets).begin(), made.targets.end());
  return made;
}

DecodedFunction decode_entry(const ModuleFunctions& functions, const CodeRange& range) {
  auto scanned = functions.is_go() ? std::nullopt : scan_function(functions.file(), range);
  if (!scanned || !shows_all_targets(functions, *scanned)) return decode_function(functions, range);
  DecodedFunction made;
  made.parts.push_back({range.begin, range.begin + scanned->lengths.size()});
  made.targets = std::move(scanned->targets);
  for (uint64_t at = range.begin; at < made.parts[0].end;) {
    auto instruction = decode(functions.file().at_address(at), at);
    if (!instruction) break;
    made.instructions.push_back(*instruction);
    if (ends_entry_search(*instruction)) break;
    at = instruction->end();
  }
  return made;
}

InstructionStarts::InstructionStarts(const ModuleFunctions& functions, const CodeRange& range)
    : range_(range), scanned_(scan_function(functions.file(), range)) {
  if (!scanned_) decoded_ = decode_function(functions, range);
}

uint8_t InstructionStarts::length_at(uint64_t address) const {
  if (scanned_)
    return address - range_.begin < scanned_->lengths.size() ? scanned_->lengths[address - range_.begin] : 0;
  const Instruction* instruction = decoded_.at(address);
  return instruction ? instruction->length : 0;
}

const InstructionStarts* SurroundingFunction::around(uint64_t address) {
  auto range = functions_.range_around(address);
  if (!range) return nullptr;
  if (*range != last_.range()) last_ = InstructionStarts(functions_, *range);
  return &last_;
}

}  // namespace strut
