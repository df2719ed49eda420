// Messages of netlink sockets: netlink(7), rtnetlink(7).
#pragma once

#include <cstdint>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;

/// The buffers of a message on the socket that is argument 0, at most `most` bytes of them: netlink messages where it
/// is a netlink socket.
Value decode_message_buffers(Decoder& decoder, Addr at, uint64_t count, uint64_t most);

/// The data of sendto(2) and recvfrom(2) likewise: pointers, argument 2 (or the result) says how much there is.
Value decode_sent_data(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSentData = notation::reading(notation::custom(decode_sent_data), kReadsByArg<kSocketData, 2>);
Value decode_received_data(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kReceivedData =
    notation::reading(notation::custom(decode_received_data), kReadsByResult<kSocketData>);

}  // namespace strut
