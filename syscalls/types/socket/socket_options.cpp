#include "syscalls/types/socket/socket_options.hpp"

#include <algorithm>
#include <cstring>

#include "syscalls/types/bpf/bpf_filter.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/signed_number.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/mac_address.hpp"
#include "syscalls/types/socket/sockaddr.hpp"
#include "syscalls/types/socket/socket.hpp"
#include "syscalls/types/socket/socket_option_values.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/socket.h>, <linux/tipc.h>, <linux/if_packet.h>
constexpr Constant kTxrehashNames[] = {
    {0, "SOCK_TXREHASH_DISABLED"}, {1, "SOCK_TXREHASH_ENABLED"}, {255, "SOCK_TXREHASH_DEFAULT"},
};
constexpr Constant kImportanceNames[] = {
    {0, "TIPC_LOW_IMPORTANCE"}, {1, "TIPC_MEDIUM_IMPORTANCE"}, {2, "TIPC_HIGH_IMPORTANCE"},
    {3, "TIPC_CRITICAL_IMPORTANCE"},
};
constexpr Constant kMembershipNames[] = {
    {0, "PACKET_MR_MULTICAST"}, {1, "PACKET_MR_PROMISC"}, {2, "PACKET_MR_ALLMULTI"}, {3, "PACKET_MR_UNICAST"},
};
constinit const ConstantSet kTxrehash = enumeration("SOCK_TXREHASH_???", kTxrehashNames, NumberBase::Decimal);
constinit const ConstantSet kImportances = enumeration("TIPC_???_IMPORTANCE", kImportanceNames);
constinit const ConstantSet kMemberships = enumeration("PACKET_MR_???", kMembershipNames);

Value boxed_value(Decoder& decoder, const Value& value) {
  return {Array{decoder.arena().copy(std::span(&value, 1)), ArrayStyle::Boxed, false, {}}, {}};
}

Value boxed_int(Decoder& decoder, Addr at) {
  auto bits = decoder.read_number(at, Width::B4);
  return bits ? boxed_value(decoder, signed_number(static_cast<int32_t>(*bits))) : decoder.missing(at);
}

Value boxed_name(Decoder& decoder, Addr at, const ConstantSet& set) {
  auto bits = decoder.read_number(at, Width::B4, set.base == NumberBase::Decimal);
  return bits ? boxed_value(decoder, Decoder::named(*bits, set)) : decoder.missing(at);
}

/// All bytes of a short value, as binary text.
Value binary(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes > 0 ? decoder.buffer(at, static_cast<uint64_t>(bytes), TextKind::Binary) : Decoder::address(raw(at));
}

/// A structure of 32-bit members of which only `bytes` bytes are there: a piece of one is binary text.
struct Member {
  const char* name;
  Type type;
};
Value members(Decoder& decoder, Addr at, int64_t bytes, std::span<const Member> all) {
  if (bytes <= 0) return Decoder::address(raw(at));
  auto held = std::min<uint64_t>(static_cast<uint64_t>(bytes), 4 * all.size());
  if (!decoder.all_bytes(at, held)) return decoder.missing(at);
  FieldList fields;
  for (size_t i = 0; i < all.size() && bytes > 0; i++, bytes -= 4, at = at + 4) {
    Value value = bytes >= 4 ? decoder.object(all[i].type, at) : binary(decoder, at, bytes);
    fields.add(all[i].name, value);
  }
  return fields.structure(decoder);
}

constexpr Member kLinger[] = {{"l_onoff", kInt}, {"l_linger", kInt}};
constexpr Member kUcred[] = {{"pid", kPid}, {"uid", kId}, {"gid", kId}};
constexpr Member kPacketStatistics[] = {{"tp_packets", kUInt}, {"tp_drops", kUInt}, {"tp_freeze_q_cnt", kUInt}};

// -- the values of options ------------------------------------------------------------------------------

Value set_int(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 4 ? Decoder::address(raw(at)) : boxed_int(decoder, at);
}
Value got_int(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 4 ? binary(decoder, at, bytes) : boxed_int(decoder, at);
}
Value set_linger(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 8 ? Decoder::address(raw(at)) : members(decoder, at, 8, kLinger);
}
Value got_linger(Decoder& decoder, Addr at, int64_t bytes) { return members(decoder, at, bytes, kLinger); }
Value got_ucred(Decoder& decoder, Addr at, int64_t bytes) { return members(decoder, at, bytes, kUcred); }
Value got_statistics(Decoder& decoder, Addr at, int64_t bytes) {
  return members(decoder, at, bytes, kPacketStatistics);
}

Value got_error(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 4 ? binary(decoder, at, bytes) : boxed_name(decoder, at, kErrnoNames);
}
Value set_txrehash(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 4 ? Decoder::address(raw(at)) : boxed_name(decoder, at, kTxrehash);
}
Value got_txrehash(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 4 ? binary(decoder, at, bytes) : boxed_name(decoder, at, kTxrehash);
}
Value importance(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes == 4 ? boxed_name(decoder, at, kImportances) : decode_option_by_size(decoder, at, bytes);
}
Value got_protocol(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 4 ? binary(decoder, at, bytes) : boxed_name(decoder, at, kIpProtocols);
}

Value got_pidfd(Decoder& decoder, Addr at, int64_t bytes) {
  if (bytes < 4) return binary(decoder, at, bytes);
  auto bits = decoder.read_number(at, Width::B4);
  return bits ? boxed_value(decoder, decoder.fd(static_cast<int32_t>(*bits))) : decoder.missing(at);
}

Value set_program(Decoder& decoder, Addr at, int64_t bytes) {
  bool whole = bytes == static_cast<int64_t>(2 * pointer_bytes(decoder.abi()));
  return whole ? decoder.object(kSocketProgram, at) : Decoder::address(raw(at));
}
Value got_program(Decoder& decoder, Addr at, int64_t instructions) {
  if (!decoder.full() || instructions <= 0) return Decoder::address(raw(at));
  return socket_instructions(decoder, at, static_cast<uint64_t>(instructions));
}

/// The groups of a netlink socket that it is a member of, 32 in each word.
constexpr Type kGroups = kUInt;
Value got_groups(Decoder& decoder, Addr at, int64_t bytes) {
  return decoder.array(kGroups, at, bytes > 0 ? static_cast<uint64_t>(bytes) / 4 : 0);
}

/// The lower and upper limit, 0 for none: `0x50000 /* ..5 */`.
Value port_range(Decoder& decoder, Addr at, int64_t bytes) {
  if (bytes != 4) return binary(decoder, at, bytes);
  auto bits = decoder.read_number(at, Width::B4);
  if (!bits) return decoder.missing(at);
  Value range = Decoder::number(*bits, Show::Hex, 4);
  auto low = static_cast<unsigned>(*bits & 0xffff), high = static_cast<unsigned>(*bits >> 16);
  char text[16];
  int length = 0;
  if (low && high && low <= high) length = std::snprintf(text, sizeof text, "%u..%u", low, high);
  else if (low && !high) length = std::snprintf(text, sizeof text, "%u..", low);
  else if (high && !low) length = std::snprintf(text, sizeof text, "..%u", high);
  if (length > 0) range = remarked(decoder.arena(), *bits, joined(decoder.arena(), {text}), 4, NumberBase::Hex);
  return boxed_value(decoder, range);
}

constexpr FieldType kMreqFields[] = {
    field("imr_multiaddr", number(Width::B4, Show::Inet4)),
    field("imr_interface", number(Width::B4, Show::Inet4)),
};
constexpr StructLayout kMreqLayout = {"ip_mreq", kMreqFields};

Value membership(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes < 8 ? Decoder::address(raw(at)) : decoder.structure(kMreqLayout, at);
}

Value membership6(Decoder& decoder, Addr at, int64_t bytes) {
  constexpr size_t kBytes = 20;  // struct ipv6_mreq of <linux/in6.h>
  if (bytes < static_cast<int64_t>(kBytes)) return Decoder::address(raw(at));
  struct {
    Inet6 group;
    uint32_t interface;
  } request;
  if (!decoder.read(at, request)) return decoder.missing(at);
  const FieldValue fields[] = {
      {"ipv6mr_multiaddr", {request.group, {}}},
      {"ipv6mr_interface", interface_index(decoder, request.interface)},
  };
  return decoder.fields(fields);
}

Value group_membership(Decoder& decoder, Addr at, int64_t bytes) {
  const size_t group_at = decoder.abi() == Abi::X86_64 ? 8 : 4;  // sockaddr_storage is aligned like a long
  constexpr size_t kStorageBytes = 128;
  if (bytes < static_cast<int64_t>(group_at + kStorageBytes)) return Decoder::address(raw(at));
  auto interface = decoder.read_number(at, Width::B4);
  if (!interface) return decoder.missing(at);
  const FieldValue fields[] = {
      {"gr_interface", interface_index(decoder, *interface)},
      {"gr_group", decode_sockaddr(decoder, at + group_at, kStorageBytes)},
  };
  return decoder.fields(fields);
}

Value packet_membership(Decoder& decoder, Addr at, int64_t bytes) {
  constexpr size_t kAddressAt = 8, kAddressBytes = 8;  // struct packet_mreq of <linux/if_packet.h>
  if (bytes != kAddressAt + kAddressBytes) return Decoder::address(raw(at));
  std::optional<std::string_view> request = decoder.all_bytes(at, kAddressAt + kAddressBytes);
  if (!request) return decoder.missing(at);
  uint32_t interface;
  uint16_t type, length;
  std::memcpy(&interface, request->data(), 4);
  std::memcpy(&type, request->data() + 4, 2);
  std::memcpy(&length, request->data() + 6, 2);
  std::string_view address = request->substr(kAddressAt, std::min<size_t>(length, kAddressBytes));
  const FieldValue fields[] = {
      {"mr_ifindex", interface_index(decoder, interface)},
      {"mr_type", Decoder::named(type, kMemberships, 2)},
      {"mr_alen", Decoder::number(length, Show::Unsigned, 2)},
      {"mr_address", address.empty() ? decoder.text("", TextKind::Path) : mac_address(decoder, address)},
  };
  return decoder.fields(fields);
}

constexpr FieldType kRingFields[] = {
    field("tp_block_size", kUInt), field("tp_block_nr", kUInt), field("tp_frame_size", kUInt),
    field("tp_frame_nr", kUInt),
};
constexpr StructLayout kRingLayout = {"tpacket_req", kRingFields};

Value packet_ring(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes == 16 ? decoder.structure(kRingLayout, at) : Decoder::address(raw(at));
}

// -- options and their values ---------------------------------------------------------------------------

using OptionDecode = Value (*)(Decoder&, Addr at, int64_t bytes);

struct Option {
  uint32_t level, name;
  OptionDecode set, got;
};
constexpr uint32_t kIp = 0, kSocket = 1, kIpv6 = 41, kRaw = 255, kPacket = 263, kNetlink = 270, kTipc = 271;
constexpr Option kOptions[] = {
    {kSocket, 4, nullptr, got_error},                // SO_ERROR
    {kSocket, 13, set_linger, got_linger},           // SO_LINGER
    {kSocket, 17, nullptr, got_ucred},               // SO_PEERCRED
    {kSocket, 26, set_program, got_program},         // SO_ATTACH_FILTER, SO_GET_FILTER
    {kSocket, 51, set_program, nullptr},             // SO_ATTACH_REUSEPORT_CBPF
    {kSocket, 74, set_txrehash, got_txrehash},       // SO_TXREHASH
    {kSocket, 77, nullptr, got_pidfd},               // SO_PEERPIDFD
    {kIp, 35, membership, nullptr},                  // IP_ADD_MEMBERSHIP
    {kIp, 36, membership, nullptr},                  // IP_DROP_MEMBERSHIP
    {kIp, 42, group_membership, nullptr},            // MCAST_JOIN_GROUP
    {kIp, 45, group_membership, nullptr},            // MCAST_LEAVE_GROUP
    {kIp, 51, port_range, port_range},               // IP_LOCAL_PORT_RANGE
    {kIp, 52, nullptr, got_protocol},                // IP_PROTOCOL
    {kIpv6, 20, membership6, nullptr},               // IPV6_ADD_MEMBERSHIP
    {kIpv6, 21, membership6, nullptr},               // IPV6_DROP_MEMBERSHIP
    {kIpv6, 27, membership6, nullptr},               // IPV6_JOIN_ANYCAST
    {kIpv6, 28, membership6, nullptr},               // IPV6_LEAVE_ANYCAST
    {kIpv6, 42, group_membership, nullptr},
    {kIpv6, 45, group_membership, nullptr},
    {kRaw, 1, decode_icmp_filter, decode_icmp_filter},
    {kPacket, 1, packet_membership, nullptr},        // PACKET_ADD_MEMBERSHIP
    {kPacket, 2, packet_membership, nullptr},        // PACKET_DROP_MEMBERSHIP
    {kPacket, 5, packet_ring, nullptr},              // PACKET_RX_RING
    {kPacket, 6, nullptr, got_statistics},           // PACKET_STATISTICS
    {kPacket, 13, packet_ring, nullptr},             // PACKET_TX_RING
    {kNetlink, 9, nullptr, got_groups},              // NETLINK_LIST_MEMBERSHIPS
    {kTipc, 127, importance, importance},            // TIPC_IMPORTANCE
};

/// Options of SOL_SOCKET that are an int, whatever the length says; some can only be asked for.
constexpr uint8_t kSocketInts[] = {
    1,  2,  5,  6,  7,  8,  9,  10, 11, 12, 14, 15, 16, 18, 19, 27, 29, 30, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44,
    45, 46, 49, 53, 54, 56, 58, 60, 63, 64, 65, 68, 69, 70, 73, 75, 76, 78, 79, 81, 82, 83, 84, 85, 86, 87, 88, 89,
};

bool is_int(uint32_t level, uint32_t name, OptionUse use) {
  if (level == kNetlink) return true;
  if (level == kSocket && socket_option_names(level, use)->name_of(name) == nullptr) return false;
  return level == kSocket && std::find(std::begin(kSocketInts), std::end(kSocketInts), name) != std::end(kSocketInts);
}

OptionDecode decoder_of(uint32_t level, uint32_t name, OptionUse use) {
  for (const Option& option : kOptions)
    if (option.level == level && option.name == name)
      if (OptionDecode decode = use == OptionUse::Set ? option.set : option.got) return decode;
  if (is_int(level, name, use)) return use == OptionUse::Set ? set_int : got_int;
  return decode_option_by_size;
}

Value decode_value(Decoder& decoder, uint64_t pointer, int64_t bytes, OptionUse use) {
  if (pointer == 0 || !decoder.dereferences()) return Decoder::address(pointer);
  auto level = static_cast<uint32_t>(decoder.arg(1)), name = static_cast<uint32_t>(decoder.arg(2));
  return decoder_of(level, name, use)(decoder, Addr{pointer}, bytes);
}

// -- getsockopt: the length goes in and out -----------------------------------------------------------------

constexpr size_t kLengthArg = 4;
constexpr Type kProgram = pointer_to(kSocketProgram), kInstructions = pointer_to(kSocketInstruction, pointed_by(4));
constexpr OptionMemory kOptionMemory[] = {
    {decode_set_option_value, kSocket, 26, &kProgram},       // SO_ATTACH_FILTER
    {decode_set_option_value, kSocket, 51, &kProgram},       // SO_ATTACH_REUSEPORT_CBPF
    {decode_get_option_value, kSocket, 26, &kInstructions},  // SO_GET_FILTER
};

std::optional<int32_t> length_at_enter(Decoder& decoder) {
  const Value* before = decoder.at_enter(kLengthArg);
  const Array* box = before ? std::get_if<Array>(&before->is) : nullptr;
  const Number* number = box && box->items.size() == 1 ? std::get_if<Number>(&box->items[0].is) : nullptr;
  return number ? std::optional(static_cast<int32_t>(number->bits)) : std::nullopt;
}

}  // namespace

std::span<const OptionMemory> option_memory() { return kOptionMemory; }

Value decode_option_by_size(Decoder& decoder, Addr at, int64_t bytes) {
  return bytes == 4 ? boxed_int(decoder, at) : decoder.buffer(at, static_cast<uint64_t>(bytes));
}

template <OptionUse kUse>
Value option_name(Decoder& decoder, uint64_t bits) {
  const ConstantSet* names = socket_option_names(static_cast<uint32_t>(decoder.arg(1)), kUse);
  bits &= 0xffffffff;
  return names ? Decoder::named(bits, *names) : Decoder::number(bits, Show::Unsigned, 4);
}
template Value option_name<OptionUse::Set>(Decoder&, uint64_t);
template Value option_name<OptionUse::Get>(Decoder&, uint64_t);

Value decode_set_option_value(Decoder& decoder, uint64_t pointer, size_t) {
  return decode_value(decoder, pointer, static_cast<int32_t>(decoder.arg(4)), OptionUse::Set);
}
Value decode_get_option_value(Decoder& decoder, uint64_t pointer, size_t) {
  auto length = decoder.read_number(Addr{decoder.arg(kLengthArg)}, Width::B4, true);
  std::optional<int32_t> before = length_at_enter(decoder);
  if (!length || !before || *before == 0 || static_cast<int32_t>(*length) <= 0) return Decoder::address(pointer);
  return decode_value(decoder, pointer, static_cast<int32_t>(*length), OptionUse::Get);
}
Value decode_get_option_length(Decoder& decoder, uint64_t pointer, size_t) {
  if (decoder.phase() == Phase::Enter)
    return pointer == 0 || !decoder.dereferences() ? Decoder::address(pointer) : boxed_int(decoder, Addr{pointer});
  std::optional<int32_t> before = length_at_enter(decoder);
  auto after = decoder.read_number(Addr{pointer}, Width::B4);
  bool unchanged = !before || !after || decoder.call().error != 0 || *before == static_cast<int32_t>(*after);
  if (unchanged) return *decoder.at_enter(kLengthArg);
  return boxed_value(decoder, decoder.change(signed_number(*before), signed_number(static_cast<int32_t>(*after))));
}

}  // namespace strut
