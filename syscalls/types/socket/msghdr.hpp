// Messages of sockets: struct msghdr and mmsghdr of sendmsg(2), recvmsg(2), sendmmsg(2), recvmmsg(2).
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;

// The memory that is read of a message, and of one with its length after it.
extern const Type kMessageRead;
extern const Type kCountedMessageRead;

Value decode_sent_message(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSentMessage = notation::reading(
    notation::custom(decode_sent_message), kReadsOne<kMessageRead>);  ///< a pointer to a message that the call reads
Value decode_received_message(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kReceivedMessage = notation::reading(
    notation::custom(decode_received_message),
    kReadsOne<kMessageRead>);  ///< a pointer to a message that the call fills in; remembered, even on failure
/// Pointers to as many messages as argument 2 says.
Value decode_sent_messages(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSentMessages = notation::reading(notation::custom(decode_sent_messages),
                                                        kReadsByArg<kCountedMessageRead, 2>);  ///< even on failure
Value decode_received_messages(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kReceivedMessages =
    notation::reading(notation::custom(decode_received_messages), kReadsByArg<kCountedMessageRead, 2>);  ///< remembered

/// recvmmsg(2): no message came, or the remaining time of argument 4.
Value decode_recvmmsg_result(Decoder& decoder);

}  // namespace strut
