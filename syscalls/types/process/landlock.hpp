// Landlock: <linux/landlock.h>, landlock(7).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kLandlockRulesetFlags;
extern const ConstantSet kLandlockRuleTypes;
extern const ConstantSet kLandlockRuleFlags;
extern const CommandTable kLandlockRuleTable;  ///< by the rule's type

/// struct landlock_ruleset_attr of the size that argument 1 says.
extern const Type kLandlockRuleset;

/// A ruleset's descriptor; with a flag of argument 2 the version or the errata of Landlock.
Value decode_landlock_result(Decoder& decoder, uint64_t result, size_t);
inline constexpr Type kLandlockResult = notation::reading(notation::custom(decode_landlock_result), notation::kFd);

}  // namespace strut
