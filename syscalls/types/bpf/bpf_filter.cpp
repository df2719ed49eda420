#include "syscalls/types/bpf/bpf_filter.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/bpf/bpf_code.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/shown_bytes.hpp"
#include "syscalls/types/process/seccomp.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/filter.h>.
constexpr const char* kAncillaryNames[] = {
    "SKF_AD_PROTOCOL", "SKF_AD_PKTTYPE", "SKF_AD_IFINDEX", "SKF_AD_NLATTR", "SKF_AD_NLATTR_NEST", "SKF_AD_MARK",
    "SKF_AD_QUEUE", "SKF_AD_HATYPE", "SKF_AD_RXHASH", "SKF_AD_CPU", "SKF_AD_ALU_XOR_X", "SKF_AD_VLAN_TAG",
    "SKF_AD_VLAN_TAG_PRESENT", "SKF_AD_PAY_OFFSET", "SKF_AD_RANDOM", "SKF_AD_VLAN_TPID",
};

/// struct sock_filter.
struct Instruction {
  uint16_t code;
  uint8_t jump_true, jump_false;
  uint32_t k;
};

enum class Runner { Seccomp, Socket };

/// SECCOMP_RET_* and its data.
Value action(Decoder& decoder, uint32_t k) {
  constexpr uint32_t kData = 0xffff;  // SECCOMP_RET_DATA
  Value what = Decoder::named(k & ~kData, kSeccompActions);
  if ((k & kData) == 0) return what;
  std::span<Value> parts = decoder.arena().array<Value>(2);
  parts[0] = what;
  parts[1] = Decoder::number(k & kData, Show::Hex);
  return {Union{.parts = parts, .apart = true}, {}};
}

/// Loads from negative offsets read ancillary data of the packet.
Value offset(Decoder& decoder, uint32_t k) {
  constexpr uint32_t kAncillary = 0xfffff000, kNetwork = 0xfff00000, kLink = 0xffe00000;
  Value plain = Decoder::number(k, Show::Hex, 4);
  if (k < kLink) return plain;
  const Value* held = decoder.arena().make(plain);
  if (k < kAncillary) {
    char digits[16];
    char* end = std::to_chars(digits, digits + sizeof digits, k >= kNetwork ? k - kNetwork : k - kLink).ptr;
    const char* base = k >= kNetwork ? "SKF_NET_OFF+" : "SKF_LL_OFF+";
    return {Alias{joined(decoder.arena(), {base, {digits, end}}), held}, {}};
  }
  uint32_t datum = k - kAncillary;
  if (datum % 4 == 0 && datum / 4 < std::size(kAncillaryNames))
    return {Alias{joined(decoder.arena(), {"SKF_AD_OFF+", kAncillaryNames[datum / 4]}), held}, {}};
  char number[16];
  std::snprintf(number, sizeof number, "%#x", datum);
  Value value{Alias{joined(decoder.arena(), {"SKF_AD_OFF+", number}), held}, {}};
  value.comment = "SKF_AD_???";
  return value;
}

Value constant(Decoder& decoder, const Instruction& instruction, Runner runner) {
  bool returns = (instruction.code & 7) == 6;
  if (returns && runner == Runner::Seccomp) return action(decoder, instruction.k);
  bool loads_absolute = (instruction.code & 7) == 0 && (instruction.code & 0xe0) == 0x20;
  if (loads_absolute && runner == Runner::Socket) return offset(decoder, instruction.k);
  return Decoder::number(instruction.k, Show::Hex, 4);
}

template <Runner kRunner>
Value show_instruction(Decoder& decoder, std::string_view bytes) {
  Instruction instruction;
  std::memcpy(&instruction, bytes.data(), sizeof instruction);
  bool jumps = instruction.jump_true != 0 || instruction.jump_false != 0;
  std::span<Value> args = decoder.arena().array<Value>(jumps ? 4 : 2);
  args[0] = bpf_code(decoder, instruction.code, BpfDialect::Classic);
  if (!jumps) {
    args[1] = constant(decoder, instruction, kRunner);
    return {Form{"BPF_STMT", args, nullptr}, {}};
  }
  args[1] = Decoder::number(instruction.k, Show::Hex, 4);
  args[2] = Decoder::number(instruction.jump_true, Show::Hex, 1);
  args[3] = Decoder::number(instruction.jump_false, Show::Hex, 1);
  return {Form{"BPF_JUMP", args, nullptr}, {}};
}

}  // namespace

constinit const Type kSeccompInstruction =
    kBytesShownBy<show_instruction<Runner::Seccomp>, sizeof(Instruction), Width::B4>;
constinit const Type kSocketInstruction =
    kBytesShownBy<show_instruction<Runner::Socket>, sizeof(Instruction), Width::B4>;

namespace {

template <const Type& kInstruction>
constexpr FieldType kProgramFields[] = {
    field("len", kU16),
    detail("filter", pointer_to(kInstruction, cut_at(kMaxBpfInstructions, by_field(0))), in_full),
    overlapping(field("filter", kAddress, unless<in_full>)),
};
template <const Type& kInstruction>
constexpr StructLayout kProgram = {"sock_fprog", kProgramFields<kInstruction>};

}  // namespace

constinit const Type kSeccompProgram = structure(kProgram<kSeccompInstruction>);
constinit const Type kSocketProgram = structure(kProgram<kSocketInstruction>);

Value socket_instructions(Decoder& decoder, Addr at, uint64_t count) {
  return decoder.array(kSocketInstruction, at, std::min<uint64_t>(count, kMaxBpfInstructions));
}

}  // namespace strut
