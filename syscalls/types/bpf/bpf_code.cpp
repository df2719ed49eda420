#include "syscalls/types/bpf/bpf_code.hpp"

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

// <linux/bpf_common.h>, <linux/bpf.h>.
constexpr Constant kClassNames[] = {
    {0, "BPF_LD"}, {1, "BPF_LDX"}, {2, "BPF_ST"}, {3, "BPF_STX"},
    {4, "BPF_ALU"}, {5, "BPF_JMP"}, {6, "BPF_RET"}, {7, "BPF_MISC"},
};
constexpr Constant kExtendedClassNames[] = {
    {0, "BPF_LD"}, {1, "BPF_LDX"}, {2, "BPF_ST"}, {3, "BPF_STX"},
    {4, "BPF_ALU"}, {5, "BPF_JMP"}, {6, "BPF_JMP32"}, {7, "BPF_ALU64"},
};
constexpr Constant kSizeNames[] = {{0, "BPF_W"}, {8, "BPF_H"}, {0x10, "BPF_B"}, {0x18, "BPF_DW"}};
constexpr Constant kModeNames[] = {
    {0, "BPF_IMM"}, {0x20, "BPF_ABS"}, {0x40, "BPF_IND"}, {0x60, "BPF_MEM"},
    {0x80, "BPF_LEN"}, {0xa0, "BPF_MSH"}, {0xc0, "BPF_XADD"},
};
constexpr Constant kExtendedModeNames[] = {
    {0, "BPF_IMM"}, {0x20, "BPF_ABS"}, {0x40, "BPF_IND"}, {0x60, "BPF_MEM"}, {0x80, "BPF_MEMSX"}, {0xc0, "BPF_ATOMIC"},
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

constexpr const char* kUnknown = "BPF_???";
constinit const ConstantSet kClasses = enumeration(kUnknown, kClassNames);
constinit const ConstantSet kExtendedClasses = enumeration(kUnknown, kExtendedClassNames);
constinit const ConstantSet kSizes = enumeration(kUnknown, kSizeNames);
constinit const ConstantSet kModes = enumeration(kUnknown, kModeNames);
constinit const ConstantSet kExtendedModes = enumeration(kUnknown, kExtendedModeNames);
constinit const ConstantSet kSources = enumeration(kUnknown, kSourceNames);
constinit const ConstantSet kReturns = enumeration(kUnknown, kReturnNames);
constinit const ConstantSet kMisc = enumeration(kUnknown, kMiscNames);
constinit const ConstantSet kAlu = enumeration(kUnknown, kAluNames);
constinit const ConstantSet kJumps = enumeration(kUnknown, kJumpNames);

enum Class : uint16_t { kLd, kLdx, kSt, kStx, kAluClass, kJmp, kRetOrJmp32, kMiscOrAlu64 };
constexpr uint16_t kClassBits = 7, kSizeBits = 0x18, kModeBits = 0xe0, kSourceBit = 8, kOperationBits = 0xf0;

class CodeParts {
 public:
  explicit CodeParts(Decoder& decoder) : parts_(decoder.arena().array<Value>(3)) {}

  Value classic(uint16_t code) {
    add(code & kClassBits, kClasses);
    switch (code & kClassBits) {
      case kLd:
      case kLdx: add_load(code, kModes); break;
      case kSt:
      case kStx: add_rest(code & ~kClassBits); break;
      case kAluClass: add_operation(code, kAlu); break;
      case kJmp: add_operation(code, kJumps); break;
      case kRetOrJmp32: add(code & 0x18, kReturns); add_rest(code & ~0x1f); break;
      default: add(code & 0xf8, kMisc); add_rest(code & ~0xff);
    }
    return value();
  }

  Value extended(uint16_t code) {
    add(code & kClassBits, kExtendedClasses);
    switch (code & kClassBits) {
      case kAluClass:
      case kMiscOrAlu64: add_operation(code, kAlu); break;
      case kJmp: add_operation(code, kJumps); break;
      case kRetOrJmp32: add_rest(code & ~kClassBits); break;
      default: add_load(code, kExtendedModes);
    }
    return value();
  }

 private:
  Value value() const { return {Union{.parts = parts_.first(count_), .apart = true}, {}}; }
  void add(uint64_t bits, const ConstantSet& set) { parts_[count_++] = Decoder::named(bits, set, 2); }
  void add_load(uint16_t code, const ConstantSet& modes) {
    add(code & kSizeBits, kSizes);
    add(code & kModeBits, modes);
  }
  void add_operation(uint16_t code, const ConstantSet& operations) {
    add(code & kSourceBit, kSources);
    add(code & kOperationBits, operations);
  }
  void add_rest(uint16_t bits) {
    if (bits == 0) return;
    parts_[count_] = Decoder::number(bits, Show::Hex, 2);
    parts_[count_++].comment = kUnknown;
  }

  std::span<Value> parts_;
  size_t count_ = 0;
};

}  // namespace

Value bpf_code(Decoder& decoder, uint16_t code, BpfDialect dialect) {
  CodeParts parts(decoder);
  return dialect == BpfDialect::Classic ? parts.classic(code) : parts.extended(code);
}

}  // namespace strut
