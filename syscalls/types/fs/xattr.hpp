// Extended attributes: xattr(7), <linux/xattr.h>, setxattr(2) and its kin.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kXattrFlags;

inline constexpr uint64_t kXattrMaxBytes = 65536;  // XATTR_SIZE_MAX, XATTR_LIST_MAX of <linux/limits.h>
inline constexpr Type kXattrBytes = notation::bytes({}, TextKind::Ended);
/// A value that is set: as many bytes as argument 3 says.
inline constexpr Type kXattrGiven = notation::pointer_to(kXattrBytes, notation::by_arg(3));
inline constexpr Type kXattrSet = notation::kEither<arg_within<3, kXattrMaxBytes>, kXattrGiven, notation::kAddress>;
/// A value or a list of names that was got: as many bytes as the result says; argument kSize is the size asked for.
template <size_t kSize>
inline constexpr FieldCondition kXattrIsGot = both<unless<arg_is<kSize, 0>>, result_within<kXattrMaxBytes>>;
inline constexpr Type kXattrTaken = notation::pointer_to(kXattrBytes, notation::by_result());
inline constexpr Type kXattrGot = notation::kEither<kXattrIsGot<3>, kXattrTaken, notation::kAddress>;
inline constexpr Type kXattrNames = notation::pointer_to(notation::kBytes, notation::by_result());
template <size_t kSize>
inline constexpr Type kXattrList = notation::kEither<arg_is<kSize, 0>, notation::kAddress, kXattrNames>;
/// struct xattr_args of setxattrat (at enter) and getxattrat (at exit); its size is argument 5.
extern const Type kXattrArgs;

}  // namespace strut
