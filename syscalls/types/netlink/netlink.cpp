#include "syscalls/types/netlink/netlink.hpp"

#include <algorithm>

#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/signed_number.hpp"
#include "syscalls/types/io/iovec.hpp"
#include "syscalls/types/netlink/generic_netlink.hpp"
#include "syscalls/types/netlink/netfilter.hpp"
#include "syscalls/types/netlink/netlink_attributes.hpp"
#include "syscalls/types/netlink/netlink_bytes.hpp"
#include "syscalls/types/netlink/netlink_crypto.hpp"
#include "syscalls/types/netlink/netlink_names.hpp"
#include "syscalls/types/netlink/rtnetlink.hpp"
#include "syscalls/types/netlink/rtnetlink_names.hpp"
#include "syscalls/types/netlink/sock_diag.hpp"
#include "syscalls/types/netlink/uevent.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr size_t kMessageHeaderBytes = 16;  // struct nlmsghdr of <linux/netlink.h>
constexpr uint16_t kDone = 3;
constexpr uint16_t kRequest = 1;            // NLM_F_REQUEST
constexpr uint16_t kCapped = 0x100;         // NLM_F_CAPPED
constexpr size_t kPageBytes = 4096;
constexpr size_t kMaxBytes = 1u << 22;       // for one buffer

// -- the bytes --------------------------------------------------------------------------------------------

/// As much of the buffer as can be read: memory ends where a page does.
NetlinkBytes readable(Decoder& decoder, Addr at, uint64_t bytes) {
  size_t size = std::min<uint64_t>(bytes, kMaxBytes);
  if (auto all = decoder.all_bytes(at, size)) return {at, size, *all};
  size_t held = 0;
  while (held < size) {
    size_t more = std::min(size - held, kPageBytes - (raw(at) + held) % kPageBytes);
    if (!decoder.all_bytes(at + held, more)) break;
    held += more;
  }
  auto part = held == 0 ? std::optional<std::string_view>(std::string_view{}) : decoder.all_bytes(at, held);
  return {at, size, part.value_or(std::string_view{})};
}

// -- messages ---------------------------------------------------------------------------------------------

/// Which protocol's messages these are, and in how many error messages this one is quoted.
struct Talk {
  int protocol;
  int depth = 0;
};
constexpr int kMaxMessageDepth = 4;

struct Header {
  uint32_t length;
  uint16_t type;
  uint16_t flags;
  uint32_t sequence;
  int32_t port;
};

Value message_type(Decoder& decoder, uint16_t type, int protocol) {
  if (type >= kFirstOfProtocol && protocol == kNetlinkNetfilter) return netfilter_message_type(decoder, type);
  if (type >= kFirstOfProtocol && protocol == kNetlinkGeneric) return generic_message_type(decoder, type);
  return Decoder::named(type, netlink_message_names(protocol, type), 2);
}

Value message_header(Decoder& decoder, const Header& header, Talk talk) {
  const FieldValue fields[] = {
      {"nlmsg_len", Decoder::number(header.length, Show::Unsigned, 4)},
      {"nlmsg_type", message_type(decoder, header.type, talk.protocol)},
      {"nlmsg_flags", Decoder::named(header.flags, netlink_flags(talk.protocol, header.type), 2)},
      {"nlmsg_seq", Decoder::number(header.sequence, Show::Unsigned, 4)},
      {"nlmsg_pid", decoder.process_id(header.port)},
  };
  return decoder.fields(fields);
}

Value message_value(Decoder& decoder, const NetlinkBytes& bytes, const Header& header, Talk talk);

Value error_number(Decoder& decoder, int32_t error) {
  const char* name = error < 0 ? kErrnoNames.name_of(static_cast<uint64_t>(-int64_t{error})) : nullptr;
  if (!name || error < -133) return signed_number(error);
  std::string text = std::string("-") + name;
  return {Alias{decoder.arena().copy(std::string_view(text)), decoder.arena().make(signed_number(error))}, {}};
}

Value cookie(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  std::span<Value> items = decoder.arena().array<Value>(data.bytes.size());
  for (size_t i = 0; i < items.size(); i++) items[i] = Decoder::number(data.get<uint8_t>(i), Show::Unsigned, 1);
  return {Array{items, ArrayStyle::List, false, {}}, {}};
}
constexpr Attribute kErrorList[] = {{1, attribute_text}, {2, attribute_u32}, {3, cookie}};
constinit const AttributeSet kErrorAttributeSet = {&kErrorAttributes, kErrorList};

/// struct nlmsgerr: an error, the message it answers, which may be only its header, and attributes.
Value error_payload(Decoder& decoder, const NetlinkBytes& payload, const Header& header, Talk talk) {
  if (payload.size < 4 + kMessageHeaderBytes) return payload.binary(decoder);
  if (!payload.holds(4 + kMessageHeaderBytes)) return Decoder::address(raw(payload.at));
  NetlinkBytes asked = payload.from(4);
  auto original = asked.get<Header>();
  size_t used = header.flags & kCapped
                    ? kMessageHeaderBytes
                    : std::clamp<size_t>(original.length, kMessageHeaderBytes, asked.size);
  const FieldValue fields[] = {
      {"error", error_number(decoder, payload.get<int32_t>())},
      {"msg", message_value(decoder, asked.first(used), original, {talk.protocol, talk.depth + 1})},
  };
  Value error = decoder.fields(fields);
  NetlinkBytes rest = asked.from(used);
  if (rest.size == 0) return error;
  const Value pair[] = {error, decode_netlink_attributes(decoder, rest, kErrorAttributeSet, {})};
  return list_of(decoder, pair);
}

/// <linux/selinux_netlink.h>: of both messages one number.
Value selinux_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload) {
  constexpr uint16_t kEnforcing = 16, kPolicyLoaded = 17;
  if ((type != kEnforcing && type != kPolicyLoaded) || !payload.holds(4)) return payload.binary(decoder);
  FieldValue number = {"val", signed_number(payload.get<int32_t>())};
  if (type == kPolicyLoaded) number = {"seqno", Decoder::number(payload.get<uint32_t>(), Show::Unsigned, 4)};
  return decoder.fields(std::span(&number, 1));
}

void add_payload(Decoder& decoder, const NetlinkBytes& payload, const Header& header, Talk talk,
                 std::span<Value> items, size_t& held) {
  auto add = [&](const Value& value) { items[held++] = value; };
  if (header.type == kDone && payload.size == 4 && payload.holds(4)) return add(signed_number(payload.get<int32_t>()));
  if (header.type == kNetlinkError && talk.depth < kMaxMessageDepth)
    return add(error_payload(decoder, payload, header, talk));
  bool asked = header.flags & kRequest;
  if (header.type >= kFirstOfProtocol) switch (talk.protocol) {
    case kNetlinkRoute: return add_route_payload(decoder, header.type, payload, items, held);
    case kNetlinkSockDiag: return add_sock_diag_payload(decoder, header.type, asked, payload, items, held);
    case kNetlinkNetfilter: return add_netfilter_payload(decoder, header.type, payload, items, held);
    case kNetlinkGeneric: return add_generic_payload(decoder, header.type, payload, items, held);
    case kNetlinkCrypto: return add_crypto_payload(decoder, header.type, payload, items, held);
    case kNetlinkSelinux: return add(selinux_payload(decoder, header.type, payload));
    default: break;
  }
  add(payload.binary(decoder));
}

/// One message: its header, and the rest of it in these bytes.
Value message_value(Decoder& decoder, const NetlinkBytes& bytes, const Header& header, Talk talk) {
  Value items[3] = {message_header(decoder, header, talk)};
  size_t held = 1;
  NetlinkBytes payload = bytes.from(kMessageHeaderBytes);
  if (payload.size > 0) add_payload(decoder, payload, header, talk, items, held);
  return alone_or_array(decoder, std::span(items).first(held));
}

Value messages_value(Decoder& decoder, const NetlinkBytes& all, int protocol) {
  size_t possible = all.size / kMessageHeaderBytes + 1;
  size_t most = decoder.full() ? possible : std::min(possible, decoder.options().max_string_bytes);
  std::span<Value> items = decoder.arena().array<Value>(most);
  size_t held = 0;
  bool cut = false;
  for (NetlinkBytes rest = all; rest.size > 0;) {
    if (cut = held == items.size(); cut) break;
    if (rest.size < kMessageHeaderBytes) {
      items[held++] = rest.binary(decoder);
      break;
    }
    if (!rest.holds(kMessageHeaderBytes)) {
      items[held++] = Decoder::address(raw(rest.at));
      break;
    }
    auto header = rest.get<Header>();
    size_t used = std::clamp<size_t>(header.length, kMessageHeaderBytes, rest.size);
    items[held++] = message_value(decoder, rest.first(used), header, {protocol});
    if (header.length < kMessageHeaderBytes) break;
    rest = rest.from(netlink_aligned(used));
  }
  return alone_or_array(decoder, items.first(held), cut);
}

// -- buffers ----------------------------------------------------------------------------------------------

/// The netlink protocol of the call's socket, argument 0; nullopt: it is no netlink socket.
std::optional<int> protocol_of(Decoder& decoder) {
  auto socket = decoder.around().netlink_socket(static_cast<int32_t>(decoder.arg(0)));
  if (!socket) return std::nullopt;
  return socket->protocol ? int{*socket->protocol} : kNetlinkUnknown;
}

Value buffer_value(Decoder& decoder, Addr at, uint64_t bytes, std::optional<int> protocol) {
  bool follows = protocol && raw(at) != 0 && bytes != 0 && decoder.dereferences();
  if (!follows) return decoder.buffer(at, bytes);
  if (*protocol == kNetlinkUevent) return decode_uevent(decoder, at, bytes);
  NetlinkBytes all = readable(decoder, at, bytes);
  if (!all.holds(std::min(all.size, kMessageHeaderBytes))) return Decoder::address(raw(at));
  return messages_value(decoder, all, *protocol);
}

}  // namespace

Value decode_sent_data(Decoder& decoder, uint64_t pointer, size_t) {
  return buffer_value(decoder, Addr{pointer}, decoder.arg(2), protocol_of(decoder));
}

// With MSG_TRUNC the result is how long the message was, which may be more than the buffer holds.
Value decode_received_data(Decoder& decoder, uint64_t pointer, size_t) {
  uint64_t bytes = std::min(static_cast<uint64_t>(decoder.call().result), decoder.arg(2));
  return buffer_value(decoder, Addr{pointer}, bytes, protocol_of(decoder));
}

Value decode_message_buffers(Decoder& decoder, Addr at, uint64_t count, uint64_t most) {
  std::optional<int> protocol = protocol_of(decoder);
  if (!protocol) return decode_iovecs(decoder, at, count, most);
  return decode_iovecs(decoder, at, count, most,
                       [&](Addr buffer, uint64_t bytes) { return buffer_value(decoder, buffer, bytes, protocol); });
}

}  // namespace strut
