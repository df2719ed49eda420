#include "pid-provider/placement.hpp"

#include <algorithm>
#include <array>

namespace strut {
namespace {

/// Bits of the opcodes 0 to 255 (of the one-byte table) that uprobes refuse.
constexpr std::array<uint8_t, 32> refused_opcodes() {
  std::array<uint8_t, 32> bits{};
  for (uint8_t opcode : {0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x26, 0x27, 0x2e, 0x2f, 0x36, 0x37, 0x3e, 0x3f, 0x60,
                         0x61, 0x62, 0x6c, 0x6d, 0x6e, 0x6f, 0x82, 0x9a, 0xc4, 0xc5, 0xcc, 0xcd, 0xce, 0xcf, 0xd4, 0xd6,
                         0xe4, 0xe5, 0xe6, 0xe7, 0xea, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xfa, 0xfb})
    bits[opcode / 8] |= static_cast<uint8_t>(1 << opcode % 8);
  return bits;
}

/// FMA4, of some of AMD's processors: the kernel's decoder does not know it. A link of a thousand points with one of
/// them takes ten tries to find it.
bool is_fma4(const Instruction& i) {
  if (i.encoding != Encoding::Vex || i.map != OpcodeMap::ThreeEA) return false;
  return (i.opcode >= 0x5c && i.opcode <= 0x5f) || (i.opcode >= 0x68 && i.opcode <= 0x6f) || i.opcode >> 3 == 0x78 >> 3;
}

/// Kernels before 6.18 take AMD's XOP for a pop: they would not adjust %rip-relative operands.
bool is_xop_by_ip(const Instruction& i) { return i.encoding == Encoding::Xop && i.is_rip_relative(); }

/// The kernel looks a VEX or EVEX instruction's opcode up in the one-byte table, too, whatever its map is.
bool is_refused_opcode(const Instruction& i) {
  static constexpr auto kRefused = refused_opcodes();
  bool by_first_byte = i.encoding != Encoding::Legacy || i.map == OpcodeMap::One;
  if (by_first_byte && (kRefused[i.opcode / 8] >> i.opcode % 8 & 1)) return true;
  bool to_stack_segment = i.is_legacy(OpcodeMap::One, 0x8e) && (i.modrm >> 3 & 7) == 2;
  return to_stack_segment || is_fma4(i) || is_xop_by_ip(i);
}

bool is_relative_branch(const Instruction& i) {
  return i.flow == Flow::Jump || i.flow == Flow::JumpIf || i.flow == Flow::Call;
}

/// For VEX and EVEX the opcode alone decides whether the kernel takes it for a jump, call or nop.
bool is_misread(const Instruction& i) {
  if (i.encoding == Encoding::Legacy) return i.is_legacy(OpcodeMap::One, 0x90) && (i.rex & 1);
  return i.opcode >> 4 == 7 || i.opcode == 0xe8 || i.opcode == 0xe9 || i.opcode == 0xeb || i.opcode == 0x90;
}

bool has_refused_prefix(const Instruction& i) {
  bool segment = i.segment != 0 && i.segment != 0x64 && i.segment != 0x65;
  return i.lock || segment || (i.operand_size && is_relative_branch(i));
}

/// From 6.18 on the kernel replaces it by a call, whatever its prefixes, when it is first hit. The called page is not
/// inherited by a child of fork(2): the child dies there, unless it had uprobes of its own before it ran. The call
/// writes below the stack pointer, too.
bool is_optimised(const Instruction& i) { return i.length == 5 && i.operation == Operation::Nop; }

/// push of a register without prefixes, or with REX.B alone; branches that are relative; nops. Long nops are stepped
/// before 6.18, which costs time and nothing else.
bool is_emulated(const Instruction& i) {
  if (i.encoding != Encoding::Legacy) return false;
  if (i.map == OpcodeMap::One && i.opcode >> 3 == 0x50 >> 3) return i.length == 1 || (i.length == 2 && i.rex == 0x41);
  if (i.flow == Flow::JumpIf) return condition_of(i) != kNoCondition;
  return is_relative_branch(i) || i.is_legacy(OpcodeMap::One, 0x90) || i.operation == Operation::Nop;
}

/// Registers that carry arguments (System V psABI). %al carries the count of vector registers: code that overwrites it
/// does not use that.
bool carries_argument(uint8_t reg) {
  return reg == Gpr::kRdi || reg == Gpr::kRsi || reg == Gpr::kRdx || reg == Gpr::kRcx || reg == Gpr::kR8 ||
         reg == Gpr::kR9;
}

/// True if all that an instruction does is to fill a vector register from another register, as AVX-512 code begins that
/// the kernel misreads: vpbroadcast, vmovd, vmovq, vpxor, vxorps. A uprobe does not see vector registers.
bool fills_vector_only(const Instruction& i) {
  if (i.encoding == Encoding::Legacy || !i.has_modrm || i.has_memory) return false;
  if (i.map == OpcodeMap::ThreeE8)
    return i.opcode == 0x58 || i.opcode == 0x59 || (i.opcode >= 0x78 && i.opcode <= 0x7c);
  return i.map == OpcodeMap::Two && (i.opcode == 0x6e || i.opcode == 0xef || i.opcode == 0x57);
}

/// True if an entry probe may as well sit behind this instruction.
bool may_pass(const Instruction& i) {
  if (fills_vector_only(i)) return true;
  auto reg = only_written(i);
  return reg && *reg != Gpr::kRsp && !carries_argument(*reg);
}

/// True if the stack pointer or its memory is used in a way that exposes the return address. push and pop do not: they
/// see only the function's own values.
bool looks_at_stack(const Instruction& i) {
  if (i.has_memory && i.memory.base == Gpr::kRsp) return true;
  auto names_it = [](const Operand& operand) { return operand.is_register(Gpr::kRsp); };
  bool adjusts = (i.operation == Operation::Add || i.operation == Operation::Subtract) &&
                 i.operands[1].kind == Operand::Kind::Constant;
  return std::ranges::any_of(i.operands, names_it) && !adjusts;
}

bool is_leaf(const DecodedFunction& code) {
  return !code.has_call && !code.has_system_call && !code.has_unknown_jump && code.doubts.empty() &&
         code.parts.size() == 1 &&
         std::ranges::none_of(code.returns,
                              [](const ReturnSite& site) { return site.kind != ReturnSite::Kind::Return; }) &&
         std::ranges::none_of(code.instructions, looks_at_stack);
}

}  // namespace

std::string_view why(UprobeRefusal refusal) {
  switch (refusal) {
    case UprobeRefusal::Prefix: return "the kernel takes no probe on an instruction with this prefix";
    case UprobeRefusal::Opcode: return "the kernel takes no probe on this instruction";
    case UprobeRefusal::Misread: return "the kernel mistakes this instruction for another and would not execute it";
    case UprobeRefusal::TrapFlag: return "the target would see that this instruction is stepped";
    case UprobeRefusal::OptimisedNop: return "a probe on a five-byte nop may kill children of the process";
    case UprobeRefusal::SystemCall: return "a thread that begins at a system call under a probe would crash";
    case UprobeRefusal::Transaction: break;
  }
  return "a transaction cannot be begun out of line";
}

std::expected<UprobeCost, UprobeRefusal> uprobe_on(const Instruction& i) {
  if (has_refused_prefix(i)) return std::unexpected(UprobeRefusal::Prefix);
  if (is_refused_opcode(i)) return std::unexpected(UprobeRefusal::Opcode);
  if (is_misread(i)) return std::unexpected(UprobeRefusal::Misread);
  if (i.operation == Operation::PushFlags) return std::unexpected(UprobeRefusal::TrapFlag);
  if (i.operation == Operation::SystemCall) return std::unexpected(UprobeRefusal::SystemCall);
  if (i.operation == Operation::Transaction) return std::unexpected(UprobeRefusal::Transaction);
  if (is_optimised(i)) return std::unexpected(UprobeRefusal::OptimisedNop);
  return is_emulated(i) ? UprobeCost::Emulated : UprobeCost::Stepped;
}

std::expected<UprobePlace, UprobeRefusal> place_on(const Instruction& i) {
  auto cost = uprobe_on(i);
  if (!cost) return std::unexpected(cost.error());
  return UprobePlace{i.address, *cost};
}

bool ends_entry_search(const Instruction& i) { return uprobe_on(i) == UprobeCost::Emulated || !may_pass(i); }

std::expected<UprobePlace, UprobeRefusal> uprobe_entry(const DecodedFunction& code) {
  uint64_t entry = code.parts.front().begin;
  const Instruction* i = code.at(entry);
  if (!i) return std::unexpected(UprobeRefusal::Opcode);
  auto first = uprobe_on(*i);
  std::optional<uint64_t> stepped;
  for (; i; i = code.at(i->end())) {
    if (i->address != entry && code.is_target(i->address)) break;
    auto cost = i->address == entry ? first : uprobe_on(*i);
    if (cost && *cost == UprobeCost::Emulated) return UprobePlace{i->address, UprobeCost::Emulated};
    if (cost && !stepped) stepped = i->address;
    // A loop back to the entry would pass a probe behind it as often as one on it: nothing is lost.
    if (ends_entry_search(*i)) break;
  }
  if (stepped) return UprobePlace{*stepped, UprobeCost::Stepped};
  return std::unexpected(first ? UprobeRefusal::Opcode : first.error());
}

ReturnChoice return_strategy(const DecodedFunction& code, const ProcessTraits& process) {
  if (code.returns.empty()) return {ReturnStrategy::None, "it never returns, as far as its code says"};
  bool leaf = is_leaf(code);
  if (leaf && !process.has_seccomp_filter && !process.moves_stacks)
    return {ReturnStrategy::Uretprobe, "it calls no function and never looks at its return address"};
  auto refused = [&](const ReturnSite& site) {
    const Instruction* i = code.at(site.address);
    return !i || !uprobe_on(*i);
  };
  if (std::ranges::none_of(code.returns, refused)) {
    if (leaf)
      return {ReturnStrategy::Instructions,
              process.has_seccomp_filter ? "the process is in a sandbox" : "the process moves its stacks"};
    return {ReturnStrategy::Instructions, "something may look at its return address"};
  }
  return {ReturnStrategy::None, "one of its returns takes no probe"};
}

}  // namespace strut
