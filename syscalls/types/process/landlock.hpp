// Landlock: <linux/landlock.h>, landlock(7).
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kLandlockRulesetFlags;
extern const ConstantSet kLandlockRuleTypes;
extern const ConstantSet kLandlockRuleFlags;
extern const CommandTable kLandlockRuleTable;  ///< by the rule's type

/// struct landlock_ruleset_attr of the size that argument 1 says.
extern const Type kLandlockRuleset;

/// A ruleset's descriptor; with a flag of argument 2 (LANDLOCK_CREATE_RULESET_…) the version or the errata of
/// Landlock.
inline constexpr Type kLandlockResult = notation::kEither<arg_has<2, 3>, notation::kS64, notation::kFd>;

}  // namespace strut
