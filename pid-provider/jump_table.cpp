#include "pid-provider/jump_table.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace strut {
namespace {

constexpr size_t kMaxEntries = 4096;
constexpr size_t kNear = 48;  ///< instructions between a table's address and the jump, where nothing was hoisted

/// lea TABLE(%rip),%reg
bool takes_address(const Instruction& i) { return i.operation == Operation::LoadAddress && i.is_rip_relative(); }

template <typename Entry>
std::vector<uint64_t> read_table(const ElfFile& file, uint64_t table, uint64_t base, const IsOwnCode& is_own) {
  std::vector<uint64_t> targets;
  auto bytes = file.at_address(table);
  for (size_t i = 0; i < kMaxEntries && (i + 1) * sizeof(Entry) <= bytes.size(); i++) {
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

/// TABLE(,%reg,SCALE): the table's address is in the instruction. A table at a register's address may hold any
/// pointers: tables of a switch that are addressed by registers hold distances, which are added.
bool reads_absolute_table(const Instruction& i) {
  return i.has_memory && i.memory.base == Gpr::kNone && i.memory.index != Gpr::kNone;
}

/// jmp *TABLE(,%reg,8)
bool is_absolute_table(const Instruction& jump) { return reads_absolute_table(jump) && jump.memory.scale == 8; }

/// A value's way back to where it was read.
struct Origin {
  std::optional<bool> is_pointer;  ///< nullopt: it is in `reg` before
  uint8_t reg = Gpr::kNone;
};

/// The source, before an instruction, of the value that `reg` has after it.
Origin origin_of(const Instruction& i, uint8_t reg) {
  bool is_left = i.flow == Flow::Jump || i.flow == Flow::JumpIndirect || i.flow == Flow::Return ||
                 i.flow == Flow::Far || i.flow == Flow::Stop;
  if (is_left) return {false, reg};
  if (i.flow == Flow::Call || i.flow == Flow::CallIndirect) {
    bool is_kept = reg == 3 || reg == 5 || reg >= 12;  // %rbx, %rbp, %r12 …: System V ABI
    return is_kept ? Origin{std::nullopt, reg} : Origin{reg == Gpr::kRax, reg};
  }
  if (!i.writes(reg)) return {std::nullopt, reg};
  const Operand& from = i.operands[1];
  if (i.operation != Operation::Move || !i.operands[0].is_register(reg) || from.bytes != 8) return {false, reg};
  if (from.kind == Operand::Kind::Register) return {std::nullopt, from.reg};
  return {from.kind == Operand::Kind::Memory && !reads_absolute_table(i), reg};
}

}  // namespace

bool jumps_through_pointer(std::span<const Instruction> code, size_t at) {
  constexpr uint8_t kNotrack = 0x3e;  // the prefix that compilers write for jumps by tables, to targets without endbr64
  const Instruction& jump = code[at];
  if (jump.segment == kNotrack) return false;
  if (jump.has_memory) return !reads_absolute_table(jump);
  uint8_t reg = jump.operands[0].reg;
  for (size_t i = at; i-- > 0;) {
    Origin origin = origin_of(code[i], reg);
    if (origin.is_pointer) return *origin.is_pointer;
    reg = origin.reg;
  }
  return true;  // not written: an argument
}

std::vector<uint64_t> jump_targets(const ElfFile& file, std::span<const Instruction> code, size_t at,
                                   const IsOwnCode& is_own) {
  if (is_absolute_table(code[at]))
    return read_table<uint64_t>(file, static_cast<uint64_t>(code[at].memory.displacement), 0, is_own);
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
