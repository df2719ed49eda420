#include "syscalls/types/memory/memfd.hpp"

#include "syscalls/decoder.hpp"
#include "syscalls/types/memory/memory.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kFlagNames[] = {{0x1, "MFD_CLOEXEC"},
                                   {0x2, "MFD_ALLOW_SEALING"},
                                   {0x4, "MFD_HUGETLB"},
                                   {0x8, "MFD_NOEXEC_SEAL"},
                                   {0x10, "MFD_EXEC"}};
constexpr Type kHugePages =
    shown_by([](Decoder& decoder, uint64_t bits) { return huge_page_shift(decoder, bits, "MFD_HUGE_SHIFT"); });
constexpr WordPart kFlagParts[] = {
    part_if_any(~kHugePageBits, kMemfdFlagsAlone),
    shifted(kHugePageShift, part_if_any(kHugePageBits, kHugePages)),
};

}  // namespace

constinit const ConstantSet kMemfdFlagSet = flag_set("MFD_???", kFlagNames);
constinit const WordLayout kMemfdFlagWord = {.parts = kFlagParts, .apart = false};

}  // namespace strut
