#include "core/types/netlink.hpp"

#include <algorithm>

#include "core/decoder.hpp"
#include "core/types/iovec.hpp"

namespace strut {
namespace {

using namespace strut::notation;

}  // namespace

Value decode_sent_data(Decoder& decoder, uint64_t pointer, size_t) {
  return decoder.buffer(Addr{pointer}, decoder.arg(2));
}
// With MSG_TRUNC the result is how long the message was, which may be more than the buffer holds.
Value decode_received_data(Decoder& decoder, uint64_t pointer, size_t) {
  uint64_t bytes = std::min(static_cast<uint64_t>(decoder.call().result), decoder.arg(2));
  return decoder.buffer(Addr{pointer}, bytes);
}

Value decode_message_buffers(Decoder& decoder, Addr at, uint64_t count, uint64_t most) {
  return decode_iovecs(decoder, at, count, most);
}

}  // namespace strut
