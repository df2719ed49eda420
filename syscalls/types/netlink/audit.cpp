#include "syscalls/types/netlink/audit.hpp"

#include "syscalls/syscall.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

constexpr Constant kAuditArchEntries[] = {
    {0x2, "AUDIT_ARCH_SPARC"}, {0x4, "AUDIT_ARCH_M68K"}, {0x8, "AUDIT_ARCH_MIPS"}, {0xf, "AUDIT_ARCH_PARISC"},
    {0x14, "AUDIT_ARCH_PPC"}, {0x16, "AUDIT_ARCH_S390"}, {0x28, "AUDIT_ARCH_ARMEB"}, {0x2a, "AUDIT_ARCH_SH"},
    {0x2e, "AUDIT_ARCH_H8300"}, {0x58, "AUDIT_ARCH_M32R"}, {0x5c, "AUDIT_ARCH_OPENRISC"},
    {0x5d, "AUDIT_ARCH_ARCOMPACTBE"}, {0x5e, "AUDIT_ARCH_XTENSA"}, {0x8c, "AUDIT_ARCH_C6XBE"},
    {0xa4, "AUDIT_ARCH_HEXAGON"}, {0xa7, "AUDIT_ARCH_NDS32BE"}, {0xbd, "AUDIT_ARCH_MICROBLAZE"},
    {0xc3, "AUDIT_ARCH_ARCV2BE"}, {0x5441, "AUDIT_ARCH_FRV"}, {0x40000003, "AUDIT_ARCH_I386"},
    {0x40000008, "AUDIT_ARCH_MIPSEL"}, {0x40000028, "AUDIT_ARCH_ARM"}, {0x4000002a, "AUDIT_ARCH_SHEL"},
    {0x4000004c, "AUDIT_ARCH_CRIS"}, {0x4000005d, "AUDIT_ARCH_ARCOMPACT"}, {0x4000006e, "AUDIT_ARCH_UNICORE"},
    {0x40000071, "AUDIT_ARCH_NIOS2"}, {0x4000008c, "AUDIT_ARCH_C6X"}, {0x400000a7, "AUDIT_ARCH_NDS32"},
    {0x400000bc, "AUDIT_ARCH_TILEPRO"}, {0x400000bf, "AUDIT_ARCH_TILEGX32"}, {0x400000c3, "AUDIT_ARCH_ARCV2"},
    {0x400000f3, "AUDIT_ARCH_RISCV32"}, {0x400000fc, "AUDIT_ARCH_CSKY"}, {0x40000102, "AUDIT_ARCH_LOONGARCH32"},
    {0x80000008, "AUDIT_ARCH_MIPS64"}, {0x8000000f, "AUDIT_ARCH_PARISC64"}, {0x80000015, "AUDIT_ARCH_PPC64"},
    {0x80000016, "AUDIT_ARCH_S390X"}, {0x8000002a, "AUDIT_ARCH_SH64"}, {0x8000002b, "AUDIT_ARCH_SPARC64"},
    {0xa0000008, "AUDIT_ARCH_MIPS64N32"}, {0xc0000008, "AUDIT_ARCH_MIPSEL64"}, {0xc0000015, "AUDIT_ARCH_PPC64LE"},
    {0xc000002a, "AUDIT_ARCH_SHEL64"}, {0xc0000032, "AUDIT_ARCH_IA64"}, {0xc000003e, "AUDIT_ARCH_X86_64"},
    {0xc00000b7, "AUDIT_ARCH_AARCH64"}, {0xc00000bf, "AUDIT_ARCH_TILEGX"}, {0xc00000f3, "AUDIT_ARCH_RISCV64"},
    {0xc0000102, "AUDIT_ARCH_LOONGARCH64"}, {0xc0009026, "AUDIT_ARCH_ALPHA"}, {0xe0000008, "AUDIT_ARCH_MIPSEL64N32"},
};

}  // namespace

constinit const ConstantSet kAuditArch = enumeration("AUDIT_ARCH_???", kAuditArchEntries);

Value system_call_value(Arena& arena, uint64_t nr, uint32_t arch, Abi own) {
  Abi of = arch == kAuditArchI386 ? Abi::I386 : nr & kX32Bit ? Abi::X32 : Abi::X86_64;
  bool known_arch = arch == kAuditArchI386 || arch == kAuditArchX86_64;
  uint64_t index = of == Abi::X32 ? nr & ~uint64_t{kX32Bit} : nr;
  const SyscallDesc* desc =
      known_arch && index < kSyscallLimit ? find_syscall(of, static_cast<uint32_t>(index)) : nullptr;
  if (!desc) return {Number{nr, Show::Unsigned, 8}, {}};
  if (of != own) return remarked(arena, nr, desc->name, 8);
  const Constant* name = arena.make(Constant{nr, joined(arena, {"__NR_", desc->name})});
  return {Named{nr, arena.make(enumeration(nullptr, {name, 1}, NumberBase::Unsigned)), 8}, {}};
}

}  // namespace strut
