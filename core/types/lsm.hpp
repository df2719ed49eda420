// lsm_get_self_attr(2), lsm_set_self_attr(2), lsm_list_modules(2): <linux/lsm.h>.
#pragma once

#include "core/notation.hpp"

namespace strut {

extern const ConstantSet kLsmAttributes;
extern const ConstantSet kLsmFlags;
extern const Type kLsmId;  ///< an LSM_ID_* of 64 bits

/// struct lsm_ctx of as many bytes as argument 2 says.
Value decode_lsm_context(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kLsmContext = notation::custom(decode_lsm_context, 32);
/// The contexts that lsm_get_self_attr stored, one behind the other; with LSM_FLAG_SINGLE also whose was asked for.
Value decode_lsm_contexts(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kLsmContexts = notation::custom(decode_lsm_contexts);

}  // namespace strut
