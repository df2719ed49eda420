// Messages of sockets: struct msghdr and mmsghdr of sendmsg(2), recvmsg(2), sendmmsg(2), recvmmsg(2).
#pragma once

#include "core/notation.hpp"

namespace strut {

class Decoder;

Value decode_sent_message(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSentMessage = notation::custom(decode_sent_message);       ///< a pointer to a message that the call reads
Value decode_received_message(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kReceivedMessage = notation::custom(decode_received_message);   ///< a pointer to a message that the call fills in; remembered, even on failure
/// Pointers to as many messages as argument 2 says.
Value decode_sent_messages(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSentMessages = notation::custom(decode_sent_messages);      ///< even on failure
Value decode_received_messages(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kReceivedMessages = notation::custom(decode_received_messages);  ///< remembered

/// recvmmsg(2): no message came, or what is left of the time that argument 4 points to.
Value decode_recvmmsg_result(Decoder& decoder);

}  // namespace strut
