// Calls on memory: <asm-generic/mman.h>, <asm/mman.h>, mmap(2) and its kin.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

struct DecodedCall;

extern const ConstantSet kProtections;         ///< PROT_…
extern const ConstantSet kRemapFlags;          ///< mremap
extern const ConstantSet kMsyncFlags;
extern const ConstantSet kMemoryAdvice;        ///< madvise
extern const ConstantSet kProcessAdvice;       ///< process_madvise
extern const ConstantSet kLockFlags;           ///< mlock2
extern const ConstantSet kLockAllFlags;        ///< mlockall
extern const ConstantSet kPkeyRights;          ///< pkey_alloc
extern const ConstantSet kShadowStackFlags;    ///< map_shadow_stack
extern const ConstantSet kUserfaultfdFlags;

/// MAP_…: a type, flags, and the binary logarithm of a huge page's size.
extern const WordLayout kMapFlagWord;
inline constexpr Type kMapFlags = notation::word(kMapFlagWord, Width::Long);
/// mincore(2)'s vector has one for every page.
extern const Type kResident;
/// i386 mmap: all six arguments stand in memory (struct mmap_arg_struct).
void decode_old_mmap(Decoder& decoder, DecodedCall& out);

/// mremap(2): a new address is passed only with these flags.
bool remap_names_address(const Call& call);

extern const Type kCachestatRange;  ///< cachestat(2)
extern const Type kCachestat;

/// The part of a word of flags that is the binary logarithm of a huge page's size (MAP_HUGE_MASK, MFD_HUGE_MASK), and
/// what it looks like: `21<<MAP_HUGE_SHIFT`.
inline constexpr uint8_t kHugePageShift = 26;
inline constexpr uint64_t kHugePageBits = 0xfc000000;
Value huge_page_shift(Decoder& decoder, uint64_t logarithm, const char* name);

}  // namespace strut
