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
Value decode_map_flags(Decoder& decoder, uint64_t flags, size_t);
inline constexpr Type kMapFlags = notation::custom(decode_map_flags);

/// mincore(2)'s vector: a byte for every page of the range that arguments 0 and 1 say.
Value decode_residency(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kResidencyRead = notation::pointer_to(notation::kU8, notation::by_arg_pages(1));
inline constexpr Type kResidency = notation::reading(notation::custom(decode_residency), kResidencyRead);

/// i386 mmap: all six arguments stand in memory (struct mmap_arg_struct).
void decode_old_mmap(Decoder& decoder, DecodedCall& out);

/// mremap(2): a new address is passed only with these flags.
bool remap_names_address(const Call& call);

extern const Type kCachestatRange;  ///< cachestat(2)
extern const Type kCachestat;

/// The part of a word of flags that says the binary logarithm of a huge page's size (MAP_HUGE_SHIFT, MFD_HUGE_SHIFT):
/// `21<<MAP_HUGE_SHIFT`; Absent if it is 0.
Value huge_page_shift(Decoder& decoder, uint64_t flags, const char* name);

}  // namespace strut
