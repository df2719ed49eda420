// User and group ids, capabilities: getgroups(2), capget(2).
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

/// setgroups(2)'s list: argument 0 says how many; more than the kernel takes are not looked at.
Value decode_groups(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kGroups = notation::reading(notation::custom(decode_groups), kReadsByArg<notation::kId, 0>);
/// For i386's first call: 16-bit ids.
Value decode_groups16(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kGroups16 = notation::reading(notation::custom(decode_groups16), kReadsByArg<notation::kId16, 0>);
/// getgroups(2)'s list: as many as the result says.
Value decode_taken_groups(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kTakenGroups =
    notation::reading(notation::custom(decode_taken_groups), kReadsByResult<notation::kId>);
Value decode_taken_groups16(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kTakenGroups16 =
    notation::reading(notation::custom(decode_taken_groups16), kReadsByResult<notation::kId16>);

extern const ConstantSet kCapabilities;  ///< CAP_*, by number

/// struct __user_cap_header_struct, and the sets behind argument 1 by the header's version.
extern const Type kCapHeader;
Value decode_cap_data(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kCapData = notation::custom(decode_cap_data, 12, Width::B4);

}  // namespace strut
