#include "pid-provider/entry_evidence.hpp"

#include <algorithm>

#include <elf.h>

#include "pid-provider/control_flow.hpp"

namespace strut {
namespace {

/// A table with a beginning that looks like instructions is one run of data.
std::vector<FunctionBounds::Bounds> data_of(const DecodedFunction& code) {
  std::vector<FunctionBounds::Bounds> runs;
  for (const Doubt& doubt : code.doubts) {
    if (doubt.why != Doubt::Why::Data) continue;
    if (!runs.empty() && runs.back().end == doubt.range.begin) runs.back().end = doubt.range.end;
    else runs.push_back({doubt.range.begin, doubt.range.end});
  }
  return runs;
}

/// The last of a list that begins below an address; nullptr: none does.
template <typename T, typename Begin>
const T* last_below(const std::vector<T>& list, uint64_t address, Begin begin) {
  auto at = std::ranges::lower_bound(list, address, {}, begin);
  return at == list.begin() ? nullptr : &*std::prev(at);
}

bool is_outside_code(const ElfFile& file, uint64_t address) {
  for (const Section& section : file.sections())
    if ((section.flags & SHF_ALLOC) && section.type != SHT_NOBITS && address - section.address < section.bytes)
      return !(section.flags & SHF_EXECINSTR);
  return false;
}

}  // namespace

const EntryEvidence::Decoded& EntryEvidence::decoded(const FunctionBounds::Bounds& bounds) {
  if (last_ && last_->bounds.begin == bounds.begin && last_->bounds.end == bounds.end) return *last_;
  DecodedFunction code = decode_function(functions_, {bounds.begin, bounds.end});
  last_ = {bounds, std::move(code.instructions), std::move(code.targets), data_of(code)};
  return *last_;
}

bool EntryEvidence::contradicts(uint64_t address) {
  if (is_outside_code(functions_.file(), address)) return true;
  auto described = bounds_.at(address);
  // A description may be damaged, too. Where it is wrong a function is not armed; where the symbol is
  // wrong and is believed the program dies.
  if (!described) return undescribed_.is_inside_instruction(address);
  if (described->begin == address || described->is_signal_frame) return false;
  const Decoded& code = decoded(*described);
  if (std::ranges::binary_search(code.targets, address)) return false;
  const Instruction* instruction = last_below(code.instructions, address, &Instruction::address);
  if (instruction && address < instruction->end()) return true;
  // The beginning of a run is what the function refers to: a table, or another entry (it takes that address).
  const FunctionBounds::Bounds* data = last_below(code.data, address, &FunctionBounds::Bounds::begin);
  return data && address < data->end;
}

}  // namespace strut
