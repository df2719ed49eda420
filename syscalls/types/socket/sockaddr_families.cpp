#include "syscalls/types/socket/sockaddr_families.hpp"

#include <algorithm>

#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/mac_address.hpp"
#include "syscalls/types/socket/sockaddr_inet.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

// <linux/tipc.h>
constexpr Constant kTipcTypeNames[] = {{1, "TIPC_SERVICE_RANGE"}, {2, "TIPC_SERVICE_ADDR"}, {3, "TIPC_SOCKET_ADDR"}};
constexpr Constant kTipcScopeNames[] = {{2, "TIPC_CLUSTER_SCOPE"}, {3, "TIPC_NODE_SCOPE"}};
constinit const ConstantSet kTipcTypes = enumeration("TIPC_???", kTipcTypeNames);
constinit const ConstantSet kTipcScopes = enumeration("TIPC_???_SCOPE", kTipcScopeNames);

// <linux/if_alg.h>, CRYPTO_ALG_KERN_DRIVER_ONLY of the kernel's <linux/crypto.h>
constexpr Constant kAlgFlagNames[] = {{0x1000, "CRYPTO_ALG_KERN_DRIVER_ONLY"}};
constinit const ConstantSet kAlgFlags = flag_set("CRYPTO_ALG_???", kAlgFlagNames);
constexpr size_t kAlgNameAt = 24, kAlgNameMost = 104;  // the room in sockaddr_storage for salg_name

// <linux/nfc.h>, and the well-known access points of the kernel's net/nfc/llcp
constexpr Constant kNfcProtocolNames[] = {
    {1, "NFC_PROTO_JEWEL"}, {2, "NFC_PROTO_MIFARE"}, {3, "NFC_PROTO_FELICA"}, {4, "NFC_PROTO_ISO14443"},
    {5, "NFC_PROTO_NFC_DEP"}, {6, "NFC_PROTO_ISO14443_B"}, {7, "NFC_PROTO_ISO15693"},
};
constexpr Constant kAccessPointNames[] = {
    {1, "LLCP_SAP_SDP"}, {2, "LLCP_SAP_IP"}, {3, "LLCP_SAP_OBEX"}, {4, "LLCP_SAP_SNEP"}, {255, "LLCP_SAP_MAX"},
};
constinit const ConstantSet kNfcProtocols = enumeration("NFC_PROTO_???", kNfcProtocolNames);
constinit const ConstantSet kAccessPoints = enumeration(nullptr, kAccessPointNames);
constexpr size_t kNfcBytes = 16, kNfcLlcpBytes = 96, kServiceNameBytes = 63;

// <linux/if_xdp.h>
constexpr Constant kXdpFlagNames[] = {
    {1, "XDP_SHARED_UMEM"}, {2, "XDP_COPY"}, {4, "XDP_ZEROCOPY"}, {8, "XDP_USE_NEED_WAKEUP"}, {16, "XDP_USE_SG"},
};
constinit const ConstantSet kXdpFlags = flag_set("XDP_???", kXdpFlagNames);

// <linux/rxrpc.h>: services of AFS
constexpr Constant kRxrpcServiceNames[] = {
    {1, "CM_SERVICE"}, {2500, "YFS_FS_SERVICE"}, {2501, "YFS_CM_SERVICE"}, {2503, "YFS_VL_SERVICE"},
};
constinit const ConstantSet kRxrpcServices = enumeration("???_SERVICE", kRxrpcServiceNames);
constexpr size_t kRxrpcBytes = 36, kTransportAt = 8;

// <net/bluetooth/l2cap.h>, <net/bluetooth/hci_sock.h>, <net/bluetooth/bluetooth.h> of the kernel
constexpr Constant kPsmNames[] = {
    {1, "L2CAP_PSM_SDP"}, {3, "L2CAP_PSM_RFCOMM"}, {33, "L2CAP_PSM_3DSP"}, {35, "L2CAP_PSM_IPSP"},
    {0x80, "L2CAP_PSM_LE_DYN_START"}, {0xff, "L2CAP_PSM_LE_DYN_END"}, {0x1001, "L2CAP_PSM_DYN_START"},
    {0xffff, "L2CAP_PSM_DYN_END"},
};
constexpr Constant kCidNames[] = {
    {1, "L2CAP_CID_SIGNALING"}, {2, "L2CAP_CID_CONN_LESS"}, {3, "L2CAP_CID_A2MP"}, {4, "L2CAP_CID_ATT"},
    {5, "L2CAP_CID_LE_SIGNALING"}, {6, "L2CAP_CID_SMP"}, {7, "L2CAP_CID_SMP_BREDR"}, {64, "L2CAP_CID_DYN_START"},
    {0xffff, "L2CAP_CID_DYN_END"},
};
constexpr Constant kBdaddrTypeNames[] = {{0, "BDADDR_BREDR"}, {1, "BDADDR_LE_PUBLIC"}, {2, "BDADDR_LE_RANDOM"}};
constexpr Constant kHciChannelNames[] = {
    {0, "HCI_CHANNEL_RAW"}, {1, "HCI_CHANNEL_USER"}, {2, "HCI_CHANNEL_MONITOR"}, {3, "HCI_CHANNEL_CONTROL"},
    {4, "HCI_CHANNEL_LOGGING"},
};
constinit const ConstantSet kPsms = enumeration("L2CAP_PSM_???", kPsmNames);
constinit const ConstantSet kCids = enumeration("L2CAP_CID_???", kCidNames);
constinit const ConstantSet kBdaddrTypes = enumeration("BDADDR_???", kBdaddrTypeNames);
constinit const ConstantSet kHciChannels = enumeration("HCI_CHANNEL_???", kHciChannelNames);

Value text_of(std::string_view bytes, bool cut = false) { return {Text{bytes, TextKind::Path, cut, false}, {}}; }

/// A char array of which `held` bytes are there: up to its NUL, or without its last byte and cut.
Value char_array_of(std::string_view bytes) {
  size_t length = strnlen(bytes.data(), bytes.size());
  bool cut = length == bytes.size();
  return text_of(bytes.substr(0, cut ? length - 1 : length), cut);
}

Value form_of(Decoder& decoder, std::string_view name, const Value& arg) {
  return {Form{name, decoder.arena().copy(std::span(&arg, 1)), nullptr}, {}};
}

/// A number in a range that is named by its start: L2CAP_CID_DYN_START+5.
Value in_range(Decoder& decoder, uint16_t number, const ConstantSet& set, uint16_t start, uint16_t end) {
  if (number <= start || number >= end) return Decoder::named(number, set, 2);
  char offset[8];
  char* to = offset + sizeof offset;
  for (unsigned rest = number - start; rest != 0; rest /= 10) *--to = static_cast<char>('0' + rest % 10);
  const char* name =
      joined(decoder.arena(), {set.name_of(start), "+", {to, static_cast<size_t>(offset + sizeof offset - to)}});
  return {Alias{name, decoder.arena().make(Decoder::number(number, Show::Hex, 2))}, {}};
}

Value l2cap_psm(Decoder& decoder, uint16_t psm) {
  Value number =
      psm < 0x1000 ? in_range(decoder, psm, kPsms, 0x80, 0xff) : in_range(decoder, psm, kPsms, 0x1001, 0xffff);
  return form_of(decoder, "htobs", number);
}

}  // namespace

bool add_ipx(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < 16) return false;
  fields.add("sipx_port", address.number<uint16_t>(2, Show::NetPort));
  Value network = Decoder::number(__builtin_bswap32(address.get<uint32_t>(4)), Show::Hex, 4);
  fields.add("sipx_network", form_of(decoder, "htonl", network));
  fields.add("sipx_node", address.octets(decoder, 8, 6, Show::HexPadded));
  fields.add("sipx_type", address.number<uint8_t>(14, Show::HexPadded));
  if (address.get<uint8_t>(15) != 0) fields.add("sipx_zero", address.number<uint8_t>(15, Show::HexPadded));
  return true;
}

bool add_x25(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < 18) return false;
  const FieldValue inner[] = {{"x25_addr", char_array_of(address.text(2, 16))}};
  fields.add("sx25_addr", decoder.fields(inner));
  return true;
}

bool add_tipc(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < 16) return false;
  auto number = [&](size_t at, Show show) { return address.number<uint32_t>(at, show); };
  auto scope = address.get<uint8_t>(3), type = address.get<uint8_t>(2);
  fields.add("addrtype", Decoder::named(type, kTipcTypes, 1));
  fields.add("scope", Decoder::named(scope, kTipcScopes, 1));
  const FieldValue range[] = {{"type", number(4, Show::Unsigned)}, {"lower", number(8, Show::Unsigned)},
                              {"upper", number(12, Show::Unsigned)}};
  const FieldValue service[] = {{"type", range[0].value}, {"instance", range[1].value}};
  const FieldValue name[] = {{"name", decoder.fields(service)}, {"domain", number(12, Show::Hex)}};
  const FieldValue port[] = {{"ref", range[0].value}, {"node", number(8, Show::Hex)}};
  const FieldValue one = type == 1   ? FieldValue{"nameseq", decoder.fields(range)}
                         : type == 2 ? FieldValue{"name", decoder.fields(name)}
                                     : FieldValue{"id", decoder.fields(port)};
  bool known = type >= 1 && type <= 3;
  fields.add("addr", known ? decoder.fields(std::span(&one, 1)) : text_of(address.text(4, 12)));
  return true;
}

bool add_bluetooth(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  auto htobs = [&](size_t at) { return form_of(decoder, "htobs", address.number<uint16_t>(at, Show::Unsigned)); };
  auto bdaddr = [&](size_t at) { return mac_address(decoder, address.text(at, 6)); };
  switch (address.size) {
    case 6:
    case 4:
      fields.add("hci_dev", htobs(2));
      if (address.size == 6) fields.add("hci_channel", Decoder::named(address.get<uint16_t>(4), kHciChannels, 2));
      return true;
    case 8: fields.add("sco_bdaddr", bdaddr(2)); return true;
    case 10:
      fields.add("rc_bdaddr", bdaddr(2));
      fields.add("rc_channel", address.number<uint8_t>(8, Show::Unsigned));
      return true;
    case 12:
    case 14:
      fields.add("l2_psm", l2cap_psm(decoder, address.get<uint16_t>(2)));
      fields.add("l2_bdaddr", bdaddr(4));
      fields.add("l2_cid",
                 form_of(decoder, "htobs", in_range(decoder, address.get<uint16_t>(10), kCids, 0x40, 0xffff)));
      if (address.size == 14) fields.add("l2_bdaddr_type", Decoder::named(address.get<uint8_t>(12), kBdaddrTypes, 1));
      return true;
    default: return false;
  }
}

bool add_rxrpc(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < kRxrpcBytes) return false;
  uint16_t named = address.get<uint16_t>(6), family = address.get<uint16_t>(kTransportAt);
  fields.add("srx_service", number_with_names(decoder.arena(), address.get<uint16_t>(2), kRxrpcServices, 2));
  fields.add("transport_type", Decoder::named(address.get<uint16_t>(4), kSocketTypes, 2));
  fields.add("transport_len", address.number<uint16_t>(6, Show::Unsigned));
  SockaddrBytes inner;
  inner.bytes = address.bytes.subspan(kTransportAt);
  inner.size = std::clamp<size_t>(named, 2, address.size - kTransportAt);
  bool inet = family == kAfInet, inet6 = family == kAfInet6;
  FieldList members;
  members.add(inet ? "sin_family" : inet6 ? "sin6_family" : "family", Decoder::named(family, kAddressFamilies, 2));
  bool known = (inet && add_inet(decoder, inner, members)) || (inet6 && add_inet6(decoder, inner, members));
  if (!known && inner.size > 2) members.add("", text_of(inner.text(2, inner.size - 2)));
  const FieldValue wrapped[] = {{inet ? "sin" : "sin6", members.structure(decoder)}};
  fields.add("transport", inet || inet6 ? decoder.fields(wrapped) : members.structure(decoder));
  return true;
}

bool add_alg(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size <= kAlgNameAt) return false;
  size_t named = std::min(address.size - kAlgNameAt, kAlgNameMost);
  fields.add("salg_type", char_array_of(address.text(2, 14)));
  fields.add("salg_feat", number_with_names(decoder.arena(), address.get<uint32_t>(16), kAlgFlags, 4));
  fields.add("salg_mask", number_with_names(decoder.arena(), address.get<uint32_t>(20), kAlgFlags, 4));
  fields.add("salg_name", char_array_of(address.text(kAlgNameAt, named)));
  return true;
}

// struct sockaddr_ieee802154, which no header of the kernel's interface has: net/af_ieee802154.h of the kernel.
constexpr Constant kNodeNames[] = {
    {0, "IEEE802154_ADDR_NONE"}, {2, "IEEE802154_ADDR_SHORT"}, {3, "IEEE802154_ADDR_LONG"}};
constexpr Constant kPanNames[] = {{0xffff, "IEEE802154_PANID_BROADCAST"}};
constexpr Constant kShortNames[] = {{0xfffe, "IEEE802154_ADDR_UNDEF"}, {0xffff, "IEEE802154_ADDR_BROADCAST"}};
constinit const ConstantSet kNodes = enumeration("IEEE802154_ADDR_???", kNodeNames);
constinit const ConstantSet kPans = enumeration(nullptr, kPanNames), kShorts = enumeration(nullptr, kShortNames);

bool add_ieee802154(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  constexpr size_t kTypeAt = 4, kPanAt = 8, kNodeAt = 10, kLongBytes = 8, kBytes = 20;
  if (address.size < kBytes) return false;
  auto word = [&](size_t at, const ConstantSet& names) {
    auto bits = address.get<uint16_t>(at);
    return names.name_of(bits) ? number_with_names(decoder.arena(), bits, names, 2)
                               : Decoder::number(bits, Show::Hex, 2);
  };
  auto type = address.get<uint32_t>(kTypeAt);
  FieldList node;
  node.add("addr_type", number_with_names(decoder.arena(), type, kNodes, 4)).add("pan_id", word(kPanAt, kPans));
  if (type == 2) node.add("short_addr", word(kNodeAt, kShorts));
  else if (type != 0) node.add("hwaddr", mac_address(decoder, address.text(kNodeAt, kLongBytes)));
  fields.add("addr", node.structure(decoder));
  return true;
}

bool add_nfc(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < kNfcBytes) return false;
  fields.add("dev_idx", interface_index(decoder, address.get<uint32_t>(4)));
  fields.add("target_idx", address.number<uint32_t>(8, Show::Hex));
  fields.add("nfc_protocol", Decoder::named(address.get<uint32_t>(12), kNfcProtocols));
  address.cut = address.size > kNfcBytes && address.size < kNfcLlcpBytes;
  if (address.size < kNfcLlcpBytes) return true;
  uint64_t named = address.get<uint64_t>(88);
  auto access_point = [&](size_t at) -> Value {
    uint8_t point = address.get<uint8_t>(at);
    if (!kAccessPoints.name_of(point)) return Decoder::number(point, Show::Hex, 1);
    return number_with_names(decoder.arena(), point, kAccessPoints, 1);
  };
  fields.add("dsap", access_point(16));
  fields.add("ssap", access_point(17));
  fields.add("service_name", text_of(address.text(18, std::min<uint64_t>(named, kServiceNameBytes))));
  fields.add("service_name_len", Decoder::number(named, Show::Unsigned, 8));
  return true;
}

bool add_qipcrtr(Decoder&, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < 12) return false;
  fields.add("sq_node", address.number<uint32_t>(4, Show::Hex));
  fields.add("sq_port", address.number<uint32_t>(8, Show::Hex));
  return true;
}

bool add_xdp(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < 16) return false;
  fields.add("sxdp_flags", Decoder::named(address.get<uint16_t>(2), kXdpFlags, 2));
  fields.add("sxdp_ifindex", interface_index(decoder, address.get<uint32_t>(4)));
  fields.add("sxdp_queue_id", address.number<uint32_t>(8, Show::Unsigned));
  constexpr uint16_t kSharedUmem = 1;  // XDP_SHARED_UMEM: else the member is not looked at by the kernel
  uint32_t shared = address.get<uint32_t>(12);
  if (address.get<uint16_t>(2) & kSharedUmem)
    fields.add("sxdp_shared_umem_fd", decoder.fd(static_cast<int32_t>(shared)));
  else if (shared != 0) fields.add("sxdp_shared_umem_fd", Decoder::number(shared, Show::Hex, 4));
  return true;
}

bool add_mctp(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < 12) return false;
  if (address.get<uint16_t>(2) != 0) fields.add("__smctp_pad0", address.number<uint16_t>(2, Show::Hex));
  fields.add("smctp_network", address.number<uint32_t>(4, Show::Hex));
  const FieldValue inner[] = {{"s_addr", address.number<uint8_t>(8, Show::Hex)}};
  fields.add("smctp_addr", decoder.fields(inner));
  fields.add("smctp_type", address.number<uint8_t>(9, Show::Hex));
  fields.add("smctp_tag", address.number<uint8_t>(10, Show::Hex));
  if (address.get<uint8_t>(11) != 0) fields.add("__smctp_pad1", address.number<uint8_t>(11, Show::Hex));
  return true;
}

}  // namespace strut
