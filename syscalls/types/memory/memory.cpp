#include "syscalls/types/memory/memory.hpp"

#include <array>

#include "syscalls/call.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kProtectionNames[] = {
    {0, "PROT_NONE"}, {1, "PROT_READ"}, {2, "PROT_WRITE"},           {4, "PROT_EXEC"},
    {8, "PROT_SEM"},  {0x1000000, "PROT_GROWSDOWN"}, {0x2000000, "PROT_GROWSUP"},
};

constexpr uint64_t kTypeMask = 0xf;  // MAP_TYPE
constexpr Constant kMapTypeNames[] = {
    {0, "MAP_FILE"}, {1, "MAP_SHARED"}, {2, "MAP_PRIVATE"}, {3, "MAP_SHARED_VALIDATE"}, {8, "MAP_DROPPABLE"}};
constexpr ConstantSet kMapTypes = enumeration("MAP_???", kMapTypeNames);
constexpr Constant kMapFlagNames[] = {
    {0x10, "MAP_FIXED"},         {0x20, "MAP_ANONYMOUS"},   {0x40, "MAP_32BIT"},     {0x80, "MAP_ABOVE4G"},
    {0x4000, "MAP_NORESERVE"},   {0x8000, "MAP_POPULATE"},  {0x10000, "MAP_NONBLOCK"}, {0x100, "MAP_GROWSDOWN"},
    {0x800, "MAP_DENYWRITE"},    {0x1000, "MAP_EXECUTABLE"}, {0x2000, "MAP_LOCKED"}, {0x20000, "MAP_STACK"},
    {0x40000, "MAP_HUGETLB"},    {0x80000, "MAP_SYNC"},     {0x100000, "MAP_FIXED_NOREPLACE"},
};
constexpr ConstantSet kMapOtherFlags = flag_set(nullptr, kMapFlagNames);
constexpr Type kMapType = named(kMapTypes), kMapFlag = named(kMapOtherFlags);
constexpr Type kMapHugePages =
    shown_by([](Decoder& decoder, uint64_t bits) { return huge_page_shift(decoder, bits, "MAP_HUGE_SHIFT"); });
// The kernel looks at 32 bits of the word; all of it is the number.
constexpr WordPart kMapParts[] = {
    part(kTypeMask, kMapType),
    part_if_any(0xffffffff & ~kTypeMask & ~kHugePageBits, kMapFlag),
    shifted(kHugePageShift, part_if_any(kHugePageBits, kMapHugePages)),
};

constexpr Constant kRemapNames[] = {{1, "MREMAP_MAYMOVE"}, {2, "MREMAP_FIXED"}, {4, "MREMAP_DONTUNMAP"}};
constexpr Constant kMsyncNames[] = {{4, "MS_SYNC"}, {1, "MS_ASYNC"}, {2, "MS_INVALIDATE"}};
constexpr Constant kAdviceNames[] = {
    {0, "MADV_NORMAL"},          {1, "MADV_RANDOM"},         {2, "MADV_SEQUENTIAL"},
    {3, "MADV_WILLNEED"},        {4, "MADV_DONTNEED"},       {8, "MADV_FREE"},
    {9, "MADV_REMOVE"},          {10, "MADV_DONTFORK"},      {11, "MADV_DOFORK"},
    {12, "MADV_MERGEABLE"},      {13, "MADV_UNMERGEABLE"},   {14, "MADV_HUGEPAGE"},
    {15, "MADV_NOHUGEPAGE"},     {16, "MADV_DONTDUMP"},      {17, "MADV_DODUMP"},
    {18, "MADV_WIPEONFORK"},     {19, "MADV_KEEPONFORK"},    {20, "MADV_COLD"},
    {21, "MADV_PAGEOUT"},        {22, "MADV_POPULATE_READ"}, {23, "MADV_POPULATE_WRITE"},
    {24, "MADV_DONTNEED_LOCKED"}, {25, "MADV_COLLAPSE"},     {100, "MADV_HWPOISON"},
    {101, "MADV_SOFT_OFFLINE"},  {102, "MADV_GUARD_INSTALL"}, {103, "MADV_GUARD_REMOVE"},
};
// Advice that one process gives for another.
constexpr Constant kProcessAdviceNames[] = {
    {0, "MADV_NORMAL"},          {1, "MADV_RANDOM"},         {2, "MADV_SEQUENTIAL"},
    {3, "MADV_WILLNEED"},        {4, "MADV_DONTNEED"},       {8, "MADV_FREE"},
    {9, "MADV_REMOVE"},          {10, "MADV_DONTFORK"},      {11, "MADV_DOFORK"},
    {20, "MADV_COLD"},           {21, "MADV_PAGEOUT"},       {22, "MADV_POPULATE_READ"},
    {23, "MADV_POPULATE_WRITE"}, {24, "MADV_DONTNEED_LOCKED"}, {100, "MADV_HWPOISON"},
    {101, "MADV_SOFT_OFFLINE"},  {102, "MADV_GUARD_INSTALL"}, {103, "MADV_GUARD_REMOVE"},
};
constexpr Constant kLockNames[] = {{1, "MLOCK_ONFAULT"}};
constexpr Constant kLockAllNames[] = {{1, "MCL_CURRENT"}, {2, "MCL_FUTURE"}, {4, "MCL_ONFAULT"}};
constexpr Constant kPkeyNames[] = {
    {0, "PKEY_UNRESTRICTED"}, {1, "PKEY_DISABLE_ACCESS"}, {2, "PKEY_DISABLE_WRITE"}, {4, "PKEY_DISABLE_EXECUTE"}};
// <linux/userfaultfd.h>
constexpr Constant kUserfaultfdNames[] = {{0x1, "UFFD_USER_MODE_ONLY"}, {0x800, "O_NONBLOCK"}, {0x80000, "O_CLOEXEC"}};
constexpr Constant kShadowStackNames[] = {{1, "SHADOW_STACK_SET_TOKEN"}};

// <linux/mman.h>
constexpr FieldType kRangeFields[] = {field("off", kHex64), field("len", kU64)};
constexpr StructLayout kRangeLayout = {"cachestat_range", kRangeFields};
constexpr FieldType kCachestatFields[] = {
    field("nr_cache", kU64),     field("nr_dirty", kU64),           field("nr_writeback", kU64),
    field("nr_evicted", kU64), field("nr_recently_evicted", kU64),
};
constexpr StructLayout kCachestatLayout = {"cachestat", kCachestatFields};

}  // namespace

constinit const ConstantSet kProtections = flag_set("PROT_???", kProtectionNames);
constinit const ConstantSet kRemapFlags = flag_set("MREMAP_???", kRemapNames);
constinit const ConstantSet kMsyncFlags = flag_set("MS_???", kMsyncNames);
constinit const ConstantSet kMemoryAdvice = enumeration("MADV_???", kAdviceNames);
constinit const ConstantSet kProcessAdvice = enumeration("MADV_???", kProcessAdviceNames);
constinit const ConstantSet kLockFlags = flag_set("MLOCK_???", kLockNames);
constinit const ConstantSet kLockAllFlags = flag_set("MCL_???", kLockAllNames);
constinit const ConstantSet kPkeyRights = flag_set("PKEY_???", kPkeyNames);
constinit const ConstantSet kUserfaultfdFlags = flag_set("UFFD_???", kUserfaultfdNames);
constinit const ConstantSet kShadowStackFlags = flag_set("SHADOW_STACK_???", kShadowStackNames);
constinit const Type kCachestatRange = structure(kRangeLayout);
constinit const Type kCachestat = structure(kCachestatLayout);
constinit const Type kResident = bit_field<0>(Width::B1);  // the other bits are undefined
constinit const WordLayout kMapFlagWord = {.parts = kMapParts, .apart = false};

Value huge_page_shift(Decoder& decoder, uint64_t logarithm, const char* name) {
  char digits[] = {static_cast<char>('0' + logarithm / 10), static_cast<char>('0' + logarithm % 10)};
  std::string_view number = logarithm < 10 ? std::string_view(digits + 1, 1) : std::string_view(digits, 2);
  return Decoder::bare(joined(decoder.arena(), {number, "<<", name}));
}

void decode_old_mmap(Decoder& decoder, DecodedCall& out) {
  if (decoder.phase() == Phase::Exit) return;
  static constexpr ArgType kPointer = address("addr");
  static constexpr std::array<ArgType, 6> kArgs = {
      address("addr"), size("length"), flags("prot", kProtections), arg("flags", kMapFlags), fd("fd"), hex("offset")};
  Addr at{decoder.call().regs[0]};
  uint32_t words[kArgs.size()];
  if (!decoder.read(at, words)) {
    out.args[0] = {&kPointer, Decoder::address(raw(at))};
    out.count = out.ready = 1;
    return;
  }
  for (size_t i = 0; i < kArgs.size(); i++) out.args[i] = {&kArgs[i], decoder.scalar(kArgs[i].type, words[i])};
  out.count = out.ready = kArgs.size();
}

bool remap_names_address(const Call& call) {
  constexpr uint64_t kMayMove = 1, kFixed = 2, kDontUnmap = 4;
  return (call.regs[3] & kMayMove) && (call.regs[3] & (kFixed | kDontUnmap));
}

}  // namespace strut
