// Memory policy and the placement of pages: <linux/mempolicy.h>, set_mempolicy(2), move_pages(2).
#pragma once

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kPolicyModes;      ///< MPOL_… with mode flags, as mbind and set_mempolicy take them
extern const ConstantSet kPolicies;         ///< the modes alone, as get_mempolicy returns them
inline constexpr Type kPolicy = notation::named(kPolicies);
extern const ConstantSet kBindFlags;        ///< mbind
extern const ConstantSet kGetPolicyFlags;   ///< get_mempolicy
extern const ConstantSet kMovePagesFlags;   ///< move_pages

/// The length is in bits.
inline constexpr Type kMaskWords = notation::whole_bytes(1056, notation::by_arg_bits(0));
/// A mask of nodes: as many words as its length, a count of bits, needs.
Value decode_node_mask(Decoder& decoder, uint64_t at, size_t bits);
inline constexpr Type kNodeMask = notation::reading(notation::custom(decode_node_mask), kMaskWords);

/// The result for a page: its node, or a negative error.
extern const Type kPageStatus;

}  // namespace strut
