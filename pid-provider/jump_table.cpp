#include "pid-provider/jump_table.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "pid-provider/register_writes.hpp"

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

/// TABLE(,%reg,SCALE): where the table lies is in the instruction. What a register leads to is somebody's pointers: a
/// switch's tables that registers lead to have distances, which are added.
bool reads_absolute_table(const Instruction& i) {
  return i.has_sib() && i.mod() == 0 && (i.sib & 7) == 5 && ((i.sib >> 3 & 7u) | (i.rex & 2u) << 2) != kRsp;
}

/// A value's way back to where it was read.
struct Origin {
  std::optional<bool> is_pointer;  ///< nullopt: it is in `reg` before
  unsigned reg = kNoRegister;
};

/// Before an instruction, what is in `reg` behind it.
Origin origin_of(const Instruction& i, unsigned reg) {
  constexpr unsigned kRax = 0;
  bool is_left = i.flow == Flow::Jump || i.flow == Flow::JumpIndirect || i.flow == Flow::Return ||
                 i.flow == Flow::Far || i.flow == Flow::Stop;
  if (is_left) return {false, reg};
  if (i.flow == Flow::Call || i.flow == Flow::CallIndirect) {
    bool is_kept = reg == 3 || reg == 5 || reg >= 12;  // %rbx, %rbp, %r12 …: System V ABI
    return is_kept ? Origin{std::nullopt, reg} : Origin{reg == kRax, reg};
  }
  if (!may_write(i, reg)) return {std::nullopt, reg};
  if (i.is_legacy(OpcodeMap::One, 0x89) && i.wide() && i.mod() == 3) return {std::nullopt, i.reg()};
  if (!i.is_legacy(OpcodeMap::One, 0x8b) || !i.wide()) return {false, reg};
  if (i.mod() == 3) return {std::nullopt, i.rm()};
  return {!reads_absolute_table(i), reg};
}

}  // namespace

bool jumps_through_pointer(std::span<const Instruction> code, size_t at) {
  constexpr uint8_t kNotrack = 0x3e;  // what compilers write where a table says the target, which has no endbr64
  const Instruction& jump = code[at];
  if (jump.segment == kNotrack) return false;
  if (jump.has_memory()) return !reads_absolute_table(jump);
  unsigned reg = jump.rm();
  for (size_t i = at; i-- > 0;) {
    Origin origin = origin_of(code[i], reg);
    if (origin.is_pointer) return *origin.is_pointer;
    reg = origin.reg;
  }
  return true;  // nobody writes it: an argument
}

std::vector<uint64_t> jump_targets(const ElfFile& file, std::span<const Instruction> code, size_t at,
                                   const IsOwnCode& is_own) {
  if (is_absolute_table(code[at]))
    return read_table<uint64_t>(file, static_cast<uint64_t>(int64_t{code[at].displacement}), 0, is_own);
  if (code[at].is_rip_relative()) return {};  // through one pointer: a call's slot
  size_t nearest = at - std::min(at, kNear);
  for (size_t i = at; i-- > nearest;)
    if (takes_address(code[i]))
      if (auto targets = read_table<int32_t>(file, code[i].rip_target(), code[i].rip_target(), is_own);
          !targets.empty())
        return targets;
  std::vector<uint64_t> all;
  for (const Instruction& i : code) {
    if (!takes_address(i)) continue;
    auto targets = read_table<int32_t>(file, i.rip_target(), i.rip_target(), is_own);
    all.insert(all.end(), targets.begin(), targets.end());
  }
  return all;
}

}  // namespace strut
