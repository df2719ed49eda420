// The memory that custom decoders read (Type::reads), without custom words: shapes that several of them share.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// A pointer to one object.
template <const Type& kObject>
inline constexpr Type kReadsOne = notation::pointer_to(kObject);
/// A pointer to as many objects (bytes of kBytes) as argument `kIndex` says, or the result.
template <const Type& kObject, uint8_t kIndex>
inline constexpr Type kReadsByArg = notation::pointer_to(kObject, notation::by_arg(kIndex));
template <const Type& kObject>
inline constexpr Type kReadsByResult = notation::pointer_to(kObject, notation::by_result());

/// Bytes whatever -s says: an object of which only its decoder knows the size, a buffer that is decoded whole.
template <uint32_t kMost>
inline constexpr Type kWhole = notation::whole_bytes(kMost, notation::fixed(kMost));
/// A structure of the size in argument `kSize`: bytes after the known ones are read up to a page.
template <uint8_t kSize>
inline constexpr Type kExtensible = notation::whole_bytes(4096, notation::by_arg(kSize));
/// Bytes as far as -s goes.
inline constexpr Type kAsShown = notation::bytes(notation::fixed(1u << 31));
inline constexpr Type kWholeAddress = kWhole<128>;  // struct sockaddr_storage
/// The data that a socket transfers: whole messages for a netlink socket.
inline constexpr Type kSocketData = [] {
  Type type = kWhole<(1u << 20)>;
  type.only_netlink = true;
  return type;
}();

}  // namespace strut
