#include "pid-provider/jump_table.hpp"

#include <algorithm>
#include <cstring>

namespace strut {
namespace {

constexpr size_t kMostEntries = 4096;
constexpr size_t kNear = 48;  ///< instructions between a table's address and the jump, where nothing was hoisted

/// lea TABLE(%rip),%reg
bool takes_address(const Instruction& i) { return i.is_legacy(OpcodeMap::One, 0x8d) && i.is_rip_relative(); }

template <typename Entry>
std::vector<uint64_t> read_table(const ElfFile& file, uint64_t table, uint64_t base, const IsOwnCode& is_own) {
  std::vector<uint64_t> targets;
  auto bytes = file.at_address(table);
  for (size_t i = 0; i < kMostEntries && (i + 1) * sizeof(Entry) <= bytes.size(); i++) {
    Entry entry;
    std::memcpy(&entry, bytes.data() + i * sizeof(Entry), sizeof(Entry));
    uint64_t target = base + static_cast<uint64_t>(static_cast<int64_t>(entry));
    if (!is_own(target)) break;
    targets.push_back(target);
  }
  std::ranges::sort(targets);
  targets.erase(std::ranges::unique(targets).begin(), targets.end());
  return targets;
}

/// jmp *TABLE(,%reg,8)
bool is_absolute_table(const Instruction& jump) {
  return jump.has_sib() && jump.mod() == 0 && (jump.sib & 7) == 5 && jump.sib >> 6 == 3 && (jump.sib >> 3 & 7) != 4;
}

}  // namespace

std::vector<uint64_t> jump_targets(const ElfFile& file, std::span<const Instruction> code, size_t at, const IsOwnCode& is_own) {
  if (is_absolute_table(code[at])) return read_table<uint64_t>(file, static_cast<uint64_t>(int64_t{code[at].displacement}), 0, is_own);
  if (code[at].is_rip_relative()) return {};  // through one pointer: a call's slot
  size_t nearest = at - std::min(at, kNear);
  for (size_t i = at; i-- > nearest;)
    if (takes_address(code[i]))
      if (auto targets = read_table<int32_t>(file, code[i].rip_target(), code[i].rip_target(), is_own); !targets.empty()) return targets;
  std::vector<uint64_t> all;
  for (const Instruction& i : code) {
    if (!takes_address(i)) continue;
    auto targets = read_table<int32_t>(file, i.rip_target(), i.rip_target(), is_own);
    all.insert(all.end(), targets.begin(), targets.end());
  }
  return all;
}

}  // namespace strut
