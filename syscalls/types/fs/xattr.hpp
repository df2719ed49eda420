// Extended attributes: xattr(7), <linux/xattr.h>, setxattr(2) and its kin.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kXattrFlags;

/// A value that is set: as many bytes as argument 3 says.
Value decode_xattr_set(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kXattrSet =
    notation::reading(notation::custom(decode_xattr_set), kReadsByArg<notation::kBytes, 3>);
/// A value that was got: as many bytes as the result says; the size asked for is argument 3.
Value decode_xattr_got(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kXattrGot =
    notation::reading(notation::custom(decode_xattr_got), kReadsByResult<notation::kBytes>);
/// A list of names that was got; the size asked for is argument kSize.
template <size_t kSize>
Value decode_xattr_list_by(Decoder& decoder, uint64_t at, size_t);
template <size_t kSize>
inline constexpr Type kXattrList =
    notation::reading(notation::custom(decode_xattr_list_by<kSize>), kReadsByResult<notation::kBytes>);

/// struct xattr_args of setxattrat (at enter) and getxattrat (at exit); its size is argument 5.
extern const Type kXattrArgs;

}  // namespace strut
