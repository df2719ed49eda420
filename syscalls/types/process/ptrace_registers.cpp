#include "syscalls/types/process/ptrace_registers.hpp"

#include <algorithm>
#include <charconv>

#include <sys/user.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/hex.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <sys/reg.h>, <sys/user.h>: ascending; an offset between two names counts from the first.
constexpr Constant kOffsetNames[] = {
    {0, "8*R15"}, {8, "8*R14"}, {16, "8*R13"}, {24, "8*R12"}, {32, "8*RBP"}, {40, "8*RBX"}, {48, "8*R11"},
    {56, "8*R10"}, {64, "8*R9"}, {72, "8*R8"}, {80, "8*RAX"}, {88, "8*RCX"}, {96, "8*RDX"}, {104, "8*RSI"},
    {112, "8*RDI"}, {120, "8*ORIG_RAX"}, {128, "8*RIP"}, {136, "8*CS"}, {144, "8*EFL"}, {152, "8*RSP"}, {160, "8*SS"},
    {216, "offsetof(struct user, u_fpvalid)"}, {224, "offsetof(struct user, i387)"},
    {736, "offsetof(struct user, u_tsize)"}, {744, "offsetof(struct user, u_dsize)"},
    {752, "offsetof(struct user, u_ssize)"}, {760, "offsetof(struct user, start_code)"},
    {768, "offsetof(struct user, start_stack)"}, {776, "offsetof(struct user, signal)"},
    {784, "offsetof(struct user, reserved)"}, {792, "offsetof(struct user, u_ar0)"},
    {800, "offsetof(struct user, u_fpstate)"}, {808, "offsetof(struct user, magic)"},
    {816, "offsetof(struct user, u_comm)"}, {848, "offsetof(struct user, u_debugreg)"}, {912, "sizeof(struct user)"},
};

// <linux/elf.h>.
constexpr Constant kRegsetNames[] = {
    {0x1, "NT_PRSTATUS"}, {0x2, "NT_FPREGSET"}, {0x3, "NT_PRPSINFO"}, {0x4, "NT_PRXREG"}, {0x5, "NT_PLATFORM"},
    {0x6, "NT_AUXV"}, {0x100, "NT_PPC_VMX"}, {0x101, "NT_PPC_SPE"}, {0x102, "NT_PPC_VSX"}, {0x103, "NT_PPC_TAR"},
    {0x104, "NT_PPC_PPR"}, {0x105, "NT_PPC_DSCR"}, {0x106, "NT_PPC_EBB"}, {0x107, "NT_PPC_PMU"},
    {0x108, "NT_PPC_TM_CGPR"}, {0x109, "NT_PPC_TM_CFPR"}, {0x10a, "NT_PPC_TM_CVMX"}, {0x10b, "NT_PPC_TM_CVSX"},
    {0x10c, "NT_PPC_TM_SPR"}, {0x10d, "NT_PPC_TM_CTAR"}, {0x10e, "NT_PPC_TM_CPPR"}, {0x10f, "NT_PPC_TM_CDSCR"},
    {0x110, "NT_PPC_PKEY"}, {0x111, "NT_PPC_DEXCR"}, {0x112, "NT_PPC_HASHKEYR"}, {0x200, "NT_386_TLS"},
    {0x201, "NT_386_IOPERM"}, {0x202, "NT_X86_XSTATE"}, {0x204, "NT_X86_SHSTK"}, {0x205, "NT_X86_XSAVE_LAYOUT"},
    {0x300, "NT_S390_HIGH_GPRS"}, {0x301, "NT_S390_TIMER"}, {0x302, "NT_S390_TODCMP"}, {0x303, "NT_S390_TODPREG"},
    {0x304, "NT_S390_CTRS"}, {0x305, "NT_S390_PREFIX"}, {0x306, "NT_S390_LAST_BREAK"}, {0x307, "NT_S390_SYSTEM_CALL"},
    {0x308, "NT_S390_TDB"}, {0x309, "NT_S390_VXRS_LOW"}, {0x30a, "NT_S390_VXRS_HIGH"}, {0x30b, "NT_S390_GS_CB"},
    {0x30c, "NT_S390_GS_BC"}, {0x30d, "NT_S390_RI_CB"}, {0x30e, "NT_S390_PV_CPU_DATA"}, {0x400, "NT_ARM_VFP"},
    {0x401, "NT_ARM_TLS"}, {0x402, "NT_ARM_HW_BREAK"}, {0x403, "NT_ARM_HW_WATCH"}, {0x404, "NT_ARM_SYSTEM_CALL"},
    {0x405, "NT_ARM_SVE"}, {0x406, "NT_ARM_PAC_MASK"}, {0x407, "NT_ARM_PACA_KEYS"}, {0x408, "NT_ARM_PACG_KEYS"},
    {0x409, "NT_ARM_TAGGED_ADDR_CTRL"}, {0x40a, "NT_ARM_PAC_ENABLED_KEYS"}, {0x40b, "NT_ARM_SSVE"},
    {0x40c, "NT_ARM_ZA"}, {0x40d, "NT_ARM_ZT"}, {0x40e, "NT_ARM_FPMR"}, {0x40f, "NT_ARM_POE"}, {0x410, "NT_ARM_GCS"},
    {0x600, "NT_ARC_V2"}, {0x700, "NT_VMCOREDD"}, {0x800, "NT_MIPS_DSP"}, {0x801, "NT_MIPS_FP_MODE"},
    {0x802, "NT_MIPS_MSA"}, {0x900, "NT_RISCV_CSR"}, {0x901, "NT_RISCV_VECTOR"}, {0x902, "NT_RISCV_TAGGED_ADDR_CTRL"},
    {0x903, "NT_RISCV_USER_CFI"}, {0xa00, "NT_LOONGARCH_CPUCFG"}, {0xa01, "NT_LOONGARCH_CSR"},
    {0xa02, "NT_LOONGARCH_LSX"}, {0xa03, "NT_LOONGARCH_LASX"}, {0xa04, "NT_LOONGARCH_LBT"}, {0x46494c45, "NT_FILE"},
    {0x46e62b7f, "NT_PRXFPREG"}, {0x53494749, "NT_SIGINFO"},
};

constexpr FieldType kRegs64[] = {
    field("r15", kHex64), field("r14", kHex64), field("r13", kHex64), field("r12", kHex64), field("rbp", kHex64),
    field("rbx", kHex64), field("r11", kHex64), field("r10", kHex64), field("r9", kHex64), field("r8", kHex64),
    field("rax", kHex64), field("rcx", kHex64), field("rdx", kHex64), field("rsi", kHex64), field("rdi", kHex64),
    field("orig_rax", kHex64), field("rip", kHex64), field("cs", kHex64), field("eflags", kHex64),
    field("rsp", kHex64), field("ss", kHex64), field("fs_base", kHex64), field("gs_base", kHex64),
    field("ds", kHex64), field("es", kHex64), field("fs", kHex64), field("gs", kHex64),
};
constexpr FieldType kRegs32[] = {
    field("ebx", kHex32), field("ecx", kHex32), field("edx", kHex32), field("esi", kHex32), field("edi", kHex32),
    field("ebp", kHex32), field("eax", kHex32), field("xds", kHex32), field("xes", kHex32), field("xfs", kHex32),
    field("xgs", kHex32), field("orig_eax", kHex32), field("eip", kHex32), field("xcs", kHex32),
    field("eflags", kHex32), field("esp", kHex32), field("xss", kHex32),
};
constexpr StructLayout kRegsLayout = {"user_regs_struct", kRegs64, false, kRegs32, std::size(kRegs32)};
static_assert(size_of(kRegsLayout, Abi::X86_64) == sizeof(user_regs_struct) && size_of(kRegsLayout, Abi::I386) == 68);

constexpr FieldType kFpRegs64[] = {
    field("cwd", kHex16), field("swd", kHex16), field("ftw", kHex16), field("fop", kHex16), field("rip", kHex64),
    field("rdp", kHex64), field("mxcsr", kHex32), field("mxcr_mask", kHex32), field("st_space", array_of(kHex32, 32)),
    field("xmm_space", array_of(kHex32, 64)), field("padding", array_of(kHex32, 24)),
};
constexpr FieldType kFpRegs32[] = {
    field("cwd", kHex32), field("swd", kHex32), field("twd", kHex32), field("fip", kHex32),
    field("fcs", kHex32), field("foo", kHex32), field("fos", kHex32), field("st_space", array_of(kHex32, 20)),
};
constexpr StructLayout kFpRegsLayout = {"user_fpregs_struct", kFpRegs64, false, kFpRegs32, std::size(kFpRegs32)};
static_assert(size_of(kFpRegsLayout, Abi::X86_64) == sizeof(user_fpregs_struct));
static_assert(size_of(kFpRegsLayout, Abi::I386) == 108);

/// The iovec of a regset request.
struct Regset {
  uint64_t base = 0, bytes = 0;
};
std::optional<Regset> read_regset(Decoder& decoder, Addr at) {
  auto base = decoder.read_number(at, Width::Long);
  auto bytes = decoder.read_number(at + pointer_bytes(decoder.abi()), Width::Long);
  return base && bytes ? std::optional(Regset{*base, *bytes}) : std::nullopt;
}

constexpr FieldType kRegsetReadFields[] = {field("iov_base", pointer_to(kWhole<1024>, by_field(1))),
                                           field("iov_len", kSize)};
constexpr StructLayout kRegsetReadLayout = {"iovec", kRegsetReadFields};

const StructLayout* regset_layout(uint64_t type) {
  switch (type) {
    case 1: return &kRegsLayout;    // NT_PRSTATUS
    case 2: return &kFpRegsLayout;  // NT_FPREGSET
    default: return nullptr;
  }
}

/// As much of a member as lies in the `room` bytes that there are: arrays may be cut.
Value member(Decoder& decoder, const Type& type, Addr at, size_t room) {
  if (type.kind != Kind::Array || size_of(type, decoder.abi()) <= room) return decoder.object(type, at);
  return decoder.array(*type.element, at, room / size_of(*type.element, decoder.abi()));
}

/// Registers in the first `bytes` bytes of their structure: whole words, else the kernel refuses them.
Value registers(Decoder& decoder, const StructLayout* layout, Addr at, uint64_t bytes) {
  size_t known = layout ? size_of(*layout, decoder.abi()) : 0, held = std::min<uint64_t>(bytes, known);
  if (held == 0 || raw(at) == 0 || bytes % pointer_bytes(decoder.abi()) != 0 || !decoder.dereferences())
    return Decoder::address(raw(at));
  std::span<std::byte> whole = decoder.arena().array<std::byte>(held);
  if (!decoder.read_bytes(at, whole)) return decoder.missing(at);
  std::span<const FieldType> types = layout->fields_of(decoder.abi());
  std::span<FieldValue> fields = decoder.arena().array<FieldValue>(types.size());
  size_t count = 0;
  for (; count < types.size(); count++) {
    size_t offset = offset_of(*layout, count, decoder.abi());
    if (offset >= held) break;
    fields[count] = {types[count].name, member(decoder, types[count].type, at + offset, held - offset)};
  }
  return {Struct{fields.first(count), bytes > known}, {}};
}

constexpr size_t kTypeArg = 2, kDataArg = 3;

/// The length that was offered: the number in the iovec as it was at enter.
std::optional<uint64_t> offered_bytes(const Value* entered) {
  const auto* iovec = entered ? std::get_if<Struct>(&entered->is) : nullptr;
  const auto* length = iovec && iovec->fields.size() == 2 ? std::get_if<Number>(&iovec->fields[1].value.is) : nullptr;
  return length ? std::optional(length->bits) : std::nullopt;
}

/// The length at the return, and in front of it the one that was offered if that was another: iov_len=224 => 216.
Value compared_bytes(Decoder& decoder, const Regset& regset) {
  uint64_t offered = offered_bytes(decoder.at_enter(kDataArg)).value_or(regset.bytes);
  Value bytes = Decoder::number(regset.bytes, Show::Unsigned);
  return offered == regset.bytes ? bytes : decoder.change(Decoder::number(offered, Show::Unsigned), bytes);
}

Value iovec_value(Decoder& decoder, const Value& base, const Value& bytes) {
  FieldValue fields[] = {{"iov_base", base}, {"iov_len", bytes}};
  return decoder.fields(fields);
}

}  // namespace

constinit const Type kRegsetRead = structure(kRegsetReadLayout);
constinit const Type kUserRegs = structure(kRegsLayout);
constinit const Type kUserFpRegs = structure(kFpRegsLayout);
constinit const ConstantSet kRegsetTypes = enumeration("NT_???", kRegsetNames);

Value show_user_offset(Decoder& decoder, uint64_t offset) {
  auto behind = std::upper_bound(std::begin(kOffsetNames), std::end(kOffsetNames), offset,
                                 [](uint64_t wanted, const Constant& name) { return wanted < name.value; });
  const Constant& base = *std::prev(behind);  // the first name is offset 0
  const Value* plain = decoder.arena().make(Decoder::address(offset));
  if (base.value == offset) return {Alias{base.name, plain}, {}};
  if (behind == std::end(kOffsetNames)) return *plain;
  char digits[24];
  char* end = std::to_chars(digits, digits + sizeof digits, offset - base.value).ptr;
  return {Alias{joined(decoder.arena(), {base.name, "+", {digits, end}}), plain}, {}};
}

Value decode_regset_taken(Decoder& decoder, uint64_t at, size_t) {
  std::optional<Regset> regset = read_regset(decoder, Addr{at});
  if (!regset) return decoder.missing(Addr{at});
  Value bytes = Decoder::number(regset->bytes, Show::Unsigned), base = Decoder::address(regset->base);
  if (decoder.phase() == Phase::Enter || decoder.call().error != 0) return iovec_value(decoder, base, bytes);
  bytes = compared_bytes(decoder, *regset);
  base = registers(decoder, regset_layout(decoder.arg(kTypeArg)), Addr{regset->base}, regset->bytes);
  return iovec_value(decoder, base, bytes);
}

Value decode_regset_given(Decoder& decoder, uint64_t at, size_t) {
  std::optional<Regset> regset = read_regset(decoder, Addr{at});
  if (!regset) return decoder.missing(Addr{at});
  const Value* before = decoder.at_enter(kDataArg);
  const Struct* given = before ? std::get_if<Struct>(&before->is) : nullptr;
  if (given) return iovec_value(decoder, given->fields[0].value, compared_bytes(decoder, *regset));
  return iovec_value(decoder,
                     registers(decoder, regset_layout(decoder.arg(kTypeArg)), Addr{regset->base}, regset->bytes),
                     Decoder::number(regset->bytes, Show::Unsigned));
}

}  // namespace strut
