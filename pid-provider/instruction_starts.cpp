#include "pid-provider/instruction_starts.hpp"

#include <algorithm>

namespace strut {

InstructionStarts::InstructionStarts(const ModuleFunctions& functions, const CodeRange& range) : range_(range) {
  auto code = functions.file().at_address(range.begin);
  if (!scan_all(code.first(std::min<size_t>(code.size(), range.end - range.begin))))
    decoded_ = decode_function(functions, range);
}

uint8_t InstructionStarts::length_at(uint64_t address) const {
  if (!decoded_) return range_.contains(address) && is_inside(address) ? lengths_[address - range_.begin] : 0;
  const Instruction* instruction = decoded_->at(address);
  return instruction ? instruction->length : 0;
}

bool InstructionStarts::is_inside(uint64_t address) const { return address - range_.begin < lengths_.size(); }

/// False: bytes that are no instruction, or that the function may use as data, or a jump into an instruction's middle.
bool InstructionStarts::scan_all(std::span<const std::byte> code) {
  std::vector<uint64_t> targets;
  lengths_.assign(code.size(), 0);
  for (size_t at = 0; at < code.size();) {
    auto scanned = scan(code.subspan(at), range_.begin + at);
    if (!scanned || (scanned->is_rip_relative && is_inside(scanned->rip_target))) return false;
    bool jumps = scanned->flow == Flow::Jump || scanned->flow == Flow::JumpIf;
    if (jumps && is_inside(scanned->target)) targets.push_back(scanned->target);
    lengths_[at] = scanned->length;
    at += scanned->length;
  }
  return std::ranges::all_of(targets, [&](uint64_t target) { return lengths_[target - range_.begin] != 0; });
}

}  // namespace strut
