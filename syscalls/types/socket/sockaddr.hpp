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

/// The address that the kernel fills in and its length, both pointers: arguments 1 and 2 of accept(2), getsockname(2)
/// and getpeername(2), 4 and 5 of recvfrom(2). The length is to be remembered at enter: notation::remembered.
Value decode_filled_sockaddr(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kFilledSockaddr =
    notation::reading(notation::custom(decode_filled_sockaddr), kReadsFilledAddress<2>);
Value decode_filled_sockaddr_length(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kFilledSockaddrLength =
    notation::reading(notation::custom(decode_filled_sockaddr_length), kReadsOne<notation::kInt>);
Value decode_sender_sockaddr(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSenderSockaddr =
    notation::reading(notation::custom(decode_sender_sockaddr), kReadsFilledAddress<5>);
Value decode_sender_sockaddr_length(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSenderSockaddrLength =
    notation::reading(notation::custom(decode_sender_sockaddr_length), kReadsOne<notation::kInt>);

}  // namespace strut
