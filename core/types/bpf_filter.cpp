#include "core/types/bpf_filter.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/decoder.hpp"
#include "core/types/remark.hpp"
#include "core/types/seccomp.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/bpf_common.h>, <linux/bpf.h>, <linux/filter.h>.
constexpr Constant kClassNames[] = {
    {0, "BPF_LD"}, {1, "BPF_LDX"}, {2, "BPF_ST"}, {3, "BPF_STX"},
    {4, "BPF_ALU"}, {5, "BPF_JMP"}, {6, "BPF_RET"}, {7, "BPF_MISC"},
};
constexpr Constant kSizeNames[] = {{0, "BPF_W"}, {8, "BPF_H"}, {0x10, "BPF_B"}, {0x18, "BPF_DW"}};
constexpr Constant kModeNames[] = {
    {0, "BPF_IMM"}, {0x20, "BPF_ABS"}, {0x40, "BPF_IND"}, {0x60, "BPF_MEM"},
    {0x80, "BPF_LEN"}, {0xa0, "BPF_MSH"}, {0xc0, "BPF_XADD"},
};
constexpr Constant kSourceNames[] = {{0, "BPF_K"}, {8, "BPF_X"}};
constexpr Constant kReturnNames[] = {{0, "BPF_K"}, {8, "BPF_X"}, {0x10, "BPF_A"}};
constexpr Constant kMiscNames[] = {{0, "BPF_TAX"}, {0x80, "BPF_TXA"}};
constexpr Constant kAluNames[] = {
    {0, "BPF_ADD"}, {0x10, "BPF_SUB"}, {0x20, "BPF_MUL"}, {0x30, "BPF_DIV"}, {0x40, "BPF_OR"},
    {0x50, "BPF_AND"}, {0x60, "BPF_LSH"}, {0x70, "BPF_RSH"}, {0x80, "BPF_NEG"}, {0x90, "BPF_MOD"},
    {0xa0, "BPF_XOR"}, {0xb0, "BPF_MOV"}, {0xc0, "BPF_ARSH"}, {0xd0, "BPF_END"},
};
constexpr Constant kJumpNames[] = {
    {0, "BPF_JA"}, {0x10, "BPF_JEQ"}, {0x20, "BPF_JGT"}, {0x30, "BPF_JGE"}, {0x40, "BPF_JSET"},
    {0x50, "BPF_JNE"}, {0x60, "BPF_JSGT"}, {0x70, "BPF_JSGE"}, {0x80, "BPF_CALL"}, {0x90, "BPF_EXIT"},
    {0xa0, "BPF_JLT"}, {0xb0, "BPF_JLE"}, {0xc0, "BPF_JSLT"}, {0xd0, "BPF_JSLE"}, {0xe0, "BPF_JCOND"},
};
constexpr const char* kAncillaryNames[] = {
    "SKF_AD_PROTOCOL", "SKF_AD_PKTTYPE", "SKF_AD_IFINDEX", "SKF_AD_NLATTR", "SKF_AD_NLATTR_NEST", "SKF_AD_MARK",
    "SKF_AD_QUEUE", "SKF_AD_HATYPE", "SKF_AD_RXHASH", "SKF_AD_CPU", "SKF_AD_ALU_XOR_X", "SKF_AD_VLAN_TAG",
    "SKF_AD_VLAN_TAG_PRESENT", "SKF_AD_PAY_OFFSET", "SKF_AD_RANDOM", "SKF_AD_VLAN_TPID",
};
constexpr const char* kUnknown = "BPF_???";
constinit const ConstantSet kClasses = enumeration(kUnknown, kClassNames);
constinit const ConstantSet kSizes = enumeration(kUnknown, kSizeNames);
constinit const ConstantSet kModes = enumeration(kUnknown, kModeNames);
constinit const ConstantSet kSources = enumeration(kUnknown, kSourceNames);
constinit const ConstantSet kReturns = enumeration(kUnknown, kReturnNames);
constinit const ConstantSet kMisc = enumeration(kUnknown, kMiscNames);
constinit const ConstantSet kAlu = enumeration(kUnknown, kAluNames);
constinit const ConstantSet kJumps = enumeration(kUnknown, kJumpNames);

/// struct sock_filter.
struct Instruction {
  uint16_t code;
  uint8_t jump_true, jump_false;
  uint32_t k;
};
constexpr uint64_t kMaxInstructions = 4096;  // BPF_MAXINSNS

enum class Runner { Seccomp, Socket };

/// The parts of an instruction's code, by its class.
class CodeParts {
 public:
  explicit CodeParts(Decoder& decoder) : parts_(decoder.arena().array<Value>(3)) {}

  Value value(uint16_t code) {
    add(code & 7, kClasses);
    switch (code & 7) {
      case 0:
      case 1: add(code & 0x18, kSizes); add(code & 0xe0, kModes); break;
      case 2:
      case 3: add_rest(code & ~7); break;
      case 4: add(code & 8, kSources); add(code & 0xf0, kAlu); break;
      case 5: add(code & 8, kSources); add(code & 0xf0, kJumps); break;
      case 6: add(code & 0x18, kReturns); add_rest(code & ~0x1f); break;
      default: add(code & 0xf8, kMisc); add_rest(code & ~0xff);
    }
    return {Union{.parts = parts_.first(count_), .apart = true}, {}};
  }

 private:
  void add(uint64_t bits, const ConstantSet& set) { parts_[count_++] = Decoder::named(bits, set, 2); }
  void add_rest(uint16_t bits) {
    if (bits == 0) return;
    parts_[count_] = Decoder::number(bits, Show::Hex, 2);
    parts_[count_++].comment = kUnknown;
  }

  std::span<Value> parts_;
  size_t count_ = 0;
};

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

/// Loads from negative offsets read what belongs to the packet but is not in it.
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
Value decode_instruction(Decoder& decoder, uint64_t at, size_t) {
  Instruction instruction;
  if (!decoder.read(Addr{at}, instruction)) return decoder.missing(Addr{at});
  bool jumps = instruction.jump_true != 0 || instruction.jump_false != 0;
  std::span<Value> args = decoder.arena().array<Value>(jumps ? 4 : 2);
  args[0] = CodeParts(decoder).value(instruction.code);
  if (!jumps) {
    args[1] = constant(decoder, instruction, kRunner);
    return {Form{"BPF_STMT", args, nullptr}, {}};
  }
  args[1] = Decoder::number(instruction.k, Show::Hex, 4);
  args[2] = Decoder::number(instruction.jump_true, Show::Hex, 1);
  args[3] = Decoder::number(instruction.jump_false, Show::Hex, 1);
  return {Form{"BPF_JUMP", args, nullptr}, {}};
}

constexpr Type kSeccompInstruction = custom(decode_instruction<Runner::Seccomp>, sizeof(Instruction), Width::B4);
constexpr Type kSocketInstruction = custom(decode_instruction<Runner::Socket>, sizeof(Instruction), Width::B4);

Value instructions(Decoder& decoder, const Type& instruction, Addr at, uint16_t count) {
  if (!decoder.full() || raw(at) == 0) return Decoder::address(raw(at));
  Value value = decoder.array(instruction, at, std::min<uint64_t>(count, kMaxInstructions));
  if (auto* array = std::get_if<Array>(&value.is); array && count > kMaxInstructions && raw(array->unreadable_at) == 0)
    array->cut = true;
  return value;
}

Value program(Decoder& decoder, const Type& instruction, Addr at) {
  size_t word = pointer_bytes(decoder.abi());
  std::array<std::byte, 16> bytes{};
  if (!decoder.read_bytes(at, std::span(bytes).first(2 * word))) return decoder.missing(at);
  uint16_t count = 0;
  uint64_t filter = 0;
  std::memcpy(&count, bytes.data(), sizeof count);
  std::memcpy(&filter, bytes.data() + word, word);
  FieldValue fields[] = {
      {"len", Decoder::number(count, Show::Unsigned, 2)},
      {"filter", instructions(decoder, instruction, Addr{filter}, count)},
  };
  return decoder.fields(fields);
}

}  // namespace

Value decode_seccomp_program(Decoder& decoder, uint64_t at, size_t) {
  return program(decoder, kSeccompInstruction, Addr{at});
}
Value seccomp_instructions(Decoder& decoder, Addr at, uint64_t count) {
  return decoder.array(kSeccompInstruction, at, std::min(count, kMaxInstructions));
}
Value decode_socket_program(Decoder& decoder, uint64_t at, size_t) {
  return program(decoder, kSocketInstruction, Addr{at});
}
Value decode_socket_instructions(Decoder& decoder, Addr at, uint64_t count) {
  return decoder.array(kSocketInstruction, at, std::min<uint64_t>(count, kMaxInstructions));
}

}  // namespace strut
