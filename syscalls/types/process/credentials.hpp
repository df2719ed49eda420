// User and group ids, capabilities: getgroups(2), capget(2).
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

inline constexpr uint64_t kMaxGroups = 65536;  // NGROUPS_MAX
/// setgroups(2)'s list: argument 0 says how many; more than the kernel takes are not looked at. For i386's first call:
/// 16-bit ids.
template <const Type& kItem>
inline constexpr Type kGroupsGiven = notation::pointer_to(kItem, notation::by_arg(0));
template <const Type& kItem>
inline constexpr Type kGroupsOf = notation::kEither<arg_within<0, kMaxGroups>, kGroupsGiven<kItem>, notation::kAddress>;
inline constexpr Type kGroups = kGroupsOf<notation::kId>, kGroups16 = kGroupsOf<notation::kId16>;
/// getgroups(2)'s list: as many as the result says.
template <const Type& kItem>
inline constexpr Type kGroupsTaken = notation::pointer_to(kItem, notation::by_result());
template <const Type& kItem>
inline constexpr Type kTakenGroupsOf =
    notation::kEither<result_within<kMaxGroups>, kGroupsTaken<kItem>, notation::kAddress>;
inline constexpr Type kTakenGroups = kTakenGroupsOf<notation::kId>, kTakenGroups16 = kTakenGroupsOf<notation::kId16>;

extern const ConstantSet kCapabilities;  ///< CAP_*, by number

/// struct __user_cap_header_struct, and the sets behind argument 1 by the header's version.
extern const Type kCapHeader;
Value decode_cap_data(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kCapData = notation::custom(decode_cap_data, 12, Width::B4);

}  // namespace strut
