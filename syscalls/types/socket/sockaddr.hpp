// Socket addresses: struct sockaddr and its families (unix(7), ip(7), ipv6(7), netlink(7), packet(7), vsock(7)).
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;

/// The address of `bytes` bytes at an address, by its family; at most sizeof(struct sockaddr_storage) of them. An
/// address too short for its family is shown as `sa_data`; less than a family as the pointer.
Value decode_sockaddr(Decoder& decoder, Addr at, int64_t bytes);

/// The memory that is read of an address with its length at argument `kLength`.
template <uint8_t kLength>
inline constexpr Type kReadsFilledAddress = notation::pointer_to(kWholeAddress, notation::pointed_by(kLength));

/// An address with a passed length (bind(2), connect(2)): element of a pointer with a length.
Value decode_sockaddr_in(Decoder& decoder, uint64_t at, size_t bytes);
inline constexpr Type kSockaddr = notation::reading(notation::custom(decode_sockaddr_in), kWholeAddress);

/// The address that the kernel fills in, argument `kAddress`, and its length behind it, both pointers: of accept(2),
/// getsockname(2) and getpeername(2), and of recvfrom(2). The length is to be remembered at enter
/// (notation::remembered).
template <size_t kAddress>
Value decode_filled(Decoder& decoder, uint64_t bits, size_t bytes);
template <size_t kAddress>
Value decode_filled_length(Decoder& decoder, uint64_t bits, size_t bytes);
template <size_t kAddress>
inline constexpr Type kFilled =
    notation::reading(notation::custom(decode_filled<kAddress>), kReadsFilledAddress<kAddress + 1>);
template <size_t kAddress>
inline constexpr Type kFilledLength =
    notation::reading(notation::custom(decode_filled_length<kAddress>), kReadsOne<notation::kInt>);
inline constexpr Type kFilledSockaddr = kFilled<1>, kFilledSockaddrLength = kFilledLength<1>;
inline constexpr Type kSenderSockaddr = kFilled<4>, kSenderSockaddrLength = kFilledLength<4>;

}  // namespace strut
