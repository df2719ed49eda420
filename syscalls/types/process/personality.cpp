#include "syscalls/types/process/personality.hpp"

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/personality.h>.
constexpr Constant kDomainNames[] = {
    {0x00, "PER_LINUX"}, {0x06, "PER_BSD"}, {0x08, "PER_LINUX32"}, {0x0c, "PER_RISCOS"},
    {0x0f, "PER_OSF4"}, {0x10, "PER_HPUX"}, {0xff, "PER_MASK"},
};
constexpr Constant kPersonalityFlagNames[] = {
    {0x0020000, "UNAME26"}, {0x0040000, "ADDR_NO_RANDOMIZE"}, {0x0080000, "FDPIC_FUNCPTRS"},
    {0x0100000, "MMAP_PAGE_ZERO"}, {0x0200000, "ADDR_COMPAT_LAYOUT"}, {0x0400000, "READ_IMPLIES_EXEC"},
    {0x0800000, "ADDR_LIMIT_32BIT"}, {0x1000000, "SHORT_INODE"}, {0x2000000, "WHOLE_SECONDS"},
    {0x4000000, "STICKY_TIMEOUTS"}, {0x8000000, "ADDR_LIMIT_3GB"},
};
constinit const ConstantSet kDomains = enumeration("PER_???", kDomainNames);
constinit const ConstantSet kDomainFlags = flag_set(nullptr, kPersonalityFlagNames);

constexpr uint32_t kDomainMask = 0xff;  // PER_MASK

// <asm/prctl.h>; the features are the kernel's numbering of XSAVE state components (Intel SDM 1, 13.1).
constexpr Constant kArchNames[] = {
    {0x1001, "ARCH_SET_GS"}, {0x1002, "ARCH_SET_FS"}, {0x1003, "ARCH_GET_FS"}, {0x1004, "ARCH_GET_GS"},
    {0x1011, "ARCH_GET_CPUID"}, {0x1012, "ARCH_SET_CPUID"}, {0x1021, "ARCH_GET_XCOMP_SUPP"},
    {0x1022, "ARCH_GET_XCOMP_PERM"}, {0x1023, "ARCH_REQ_XCOMP_PERM"}, {0x1024, "ARCH_GET_XCOMP_GUEST_PERM"},
    {0x1025, "ARCH_REQ_XCOMP_GUEST_PERM"}, {0x2001, "ARCH_MAP_VDSO_X32"}, {0x2002, "ARCH_MAP_VDSO_32"},
    {0x2003, "ARCH_MAP_VDSO_64"}, {0x4001, "ARCH_GET_UNTAG_MASK"}, {0x4002, "ARCH_ENABLE_TAGGED_ADDR"},
    {0x4003, "ARCH_GET_MAX_TAG_BITS"}, {0x4004, "ARCH_FORCE_TAGGED_SVA"}, {0x5001, "ARCH_SHSTK_ENABLE"},
    {0x5002, "ARCH_SHSTK_DISABLE"}, {0x5003, "ARCH_SHSTK_LOCK"}, {0x5004, "ARCH_SHSTK_UNLOCK"},
    {0x5005, "ARCH_SHSTK_STATUS"},
};
constexpr Constant kFeatureNames[] = {
    {0, "XFEATURE_FP"}, {1, "XFEATURE_SSE"}, {2, "XFEATURE_YMM"}, {3, "XFEATURE_BNDREGS"}, {4, "XFEATURE_BNDCSR"},
    {5, "XFEATURE_OPMASK"}, {6, "XFEATURE_ZMM_Hi256"}, {7, "XFEATURE_Hi16_ZMM"},
    {8, "XFEATURE_PT_UNIMPLEMENTED_SO_FAR"}, {9, "XFEATURE_PKRU"}, {10, "XFEATURE_PASID"}, {15, "XFEATURE_LBR"},
    {17, "XFEATURE_XTILE_CFG"}, {18, "XFEATURE_XTILE_DATA"},
};
constexpr Constant kFeatureMaskNames[] = {
    {0x3, "XFEATURE_MASK_FPSSE"}, {0x1, "XFEATURE_MASK_FP"}, {0x2, "XFEATURE_MASK_SSE"}, {0x4, "XFEATURE_MASK_YMM"},
    {0x8, "XFEATURE_MASK_BNDREGS"}, {0x10, "XFEATURE_MASK_BNDCSR"}, {0xe0, "XFEATURE_MASK_AVX512"},
    {0x20, "XFEATURE_MASK_OPMASK"}, {0x40, "XFEATURE_MASK_ZMM_Hi256"}, {0x80, "XFEATURE_MASK_Hi16_ZMM"},
    {0x100, "XFEATURE_MASK_PT"}, {0x200, "XFEATURE_MASK_PKRU"}, {0x400, "XFEATURE_MASK_PASID"},
    {0x8000, "XFEATURE_MASK_LBR"}, {0x60000, "XFEATURE_MASK_XTILE"}, {0x20000, "XFEATURE_MASK_XTILE_CFG"},
    {0x40000, "XFEATURE_MASK_XTILE_DATA"},
};
constinit const ConstantSet kFeatures = enumeration("XFEATURE_???", kFeatureNames);
constinit const ConstantSet kFeatureMasks = flag_set("XFEATURE_MASK_???", kFeatureMaskNames);

constexpr Type kFeature = numbered(named(kFeatures, Width::Long));
constexpr Type kFeatureNames64 = numbered(named(kFeatureMasks, Width::B8));
constexpr Type kFeatureMask = kEither<not_zero<0, 8>, kFeatureNames64, kHex64>;
constexpr Type kDomain = named(kDomains), kDomainFlag = named(kDomainFlags);
constexpr WordPart kPersonaParts[] = {part(kDomainMask, kDomain), part_if_any(0xffffffff & ~kDomainMask, kDomainFlag)};
constexpr CommandRow kArchRows[] = {
    command(0x1003, kUnsignedResult, out("addr", kKernelAddress)),
    command(0x1004, kUnsignedResult, out("addr", kKernelAddress)),
    command(0x1011, kUnsignedResult),
    command(0x1021, kUnsignedResult, out("addr", kFeatureMask)),
    command(0x1022, kUnsignedResult, out("addr", kFeatureMask)),
    command(0x1023, kHexResult, arg("addr", kFeature)),
    command(0x1024, kUnsignedResult, out("addr", kFeatureMask)),
    command(0x1025, kHexResult, arg("addr", kFeature)),
};

}  // namespace

constinit const ConstantSet kArchPrctlOps = enumeration("ARCH_???", kArchNames);
constinit const CommandTable kArchPrctlCommands = {0, 1, kArchRows};

Value arch_prctl_result(Decoder& decoder) {
  bool requests = decoder.arg(0) == 0x1023 || decoder.arg(0) == 0x1025;
  uint64_t permitted = static_cast<uint64_t>(decoder.call().result);
  return requests && permitted != 0 ? Decoder::named(permitted, kFeatureMasks, 8) : Value{};
}

constinit const WordLayout kPersonaWord = {.parts = kPersonaParts};

Value personality_result(Decoder& decoder) {
  return decoder.scalar(kPersonality, static_cast<uint64_t>(decoder.call().result));
}

}  // namespace strut
