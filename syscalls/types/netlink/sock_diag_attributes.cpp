#include "syscalls/types/netlink/sock_diag_attributes.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/unix_diag.h>

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/bpf/bpf_filter.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/extensible.hpp"
#include "syscalls/types/netlink/sock_diag_names.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/sockaddr.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- attributes of several families ------------------------------------------------------------------------

constexpr AttributeDecode kMemory = attribute_indexed<uint32_t, kSocketMemory>;
constexpr Type kWord = kUInt;

Value shutdown_with_names(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kLongest = 8;
  if (data.size > kLongest || !data.holds(1)) return data.binary(decoder);
  return number_with_names(decoder.arena(), data.get<uint8_t>(), kShutdownFlags, 1);
}

// -- inet -------------------------------------------------------------------------------------------------

constexpr FieldType kMemoryFields[] = {
    field("idiag_rmem", kUInt), field("idiag_wmem", kUInt), field("idiag_fmem", kUInt), field("idiag_tmem", kUInt),
};
constexpr FieldType kVegasFields[] = {
    field("tcpv_enabled", kUInt), field("tcpv_rttcnt", kUInt), field("tcpv_rtt", kUInt), field("tcpv_minrtt", kUInt),
};
constexpr FieldType kDctcpFields[] = {
    field("dctcp_enabled", kU16), field("dctcp_ce_state", kU16), field("dctcp_alpha", kUInt),
    field("dctcp_ab_ecn", kUInt), field("dctcp_ab_tot", kUInt),
};
constexpr FieldType kBbrFields[] = {
    field("bbr_bw_lo", kHex32), field("bbr_bw_hi", kHex32), field("bbr_min_rtt", kUInt),
    field("bbr_pacing_gain", kUInt), field("bbr_cwnd_gain", kUInt),
};
constexpr StructLayout kMemoryInfo = {"inet_diag_meminfo", kMemoryFields};
constexpr StructLayout kVegas = {"tcpvegas_info", kVegasFields};
constexpr StructLayout kDctcp = {"tcp_dctcp_info", kDctcpFields};
constexpr StructLayout kBbr = {"tcp_bbr_info", kBbrFields};
static_assert(size_of(kBbr, Abi::X86_64) == sizeof(tcp_bbr_info) &&
              size_of(kDctcp, Abi::X86_64) == sizeof(tcp_dctcp_info));

// struct sockaddr_storage
constexpr Type kStorage = custom(decode_sockaddr_in, 128, Width::B1);

/// struct tcp_diag_md5sig of <linux/tcp.h>.
constexpr FieldType kSignatureFields[] = {
    field("tcpm_family", named(kAddressFamilies, Width::B1)),
    field("tcpm_prefixlen", kU8),
    field("tcpm_keylen", kU16),
    at(4, field("tcpm_addr", kAddressOf16<number_at_is<Width::B1, 0, kAfInet>, number_at_is<Width::B1, 0, kAfInet6>>)),
    at(20, field("tcpm_key", whole(bytes(by_field_in(2, 80), TextKind::Binary)))),
};
constexpr StructLayout kSignatureLayout = {"tcp_diag_md5sig", kSignatureFields};
constexpr Type kSignature = structure(kSignatureLayout);
static_assert(size_of(kSignatureLayout, Abi::X86_64) == 100);

/// struct inet_diag_sockopt: a word of bits.
constexpr size_t kOptionBytes = 2;
Value socket_options(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  static constexpr const char* kBits[] = {"recverr",         "is_icsk",      "freebind",
                                          "hdrincl",         "mc_loop",      "transparent",
                                          "mc_all",          "nodefrag",     "bind_address_no_port",
                                          "recverr_rfc4884", "defer_connect"};
  if (!data.holds(kOptionBytes)) return data.binary(decoder);
  auto bits = data.get<uint16_t>();
  bool all = decoder.full();
  FieldList fields;
  for (size_t i = 0; i < std::size(kBits); i++)
    if (unsigned bit = bits >> i & 1; bit != 0 || all) fields.add(kBits[i], Decoder::number(bit, Show::Unsigned, 1));
  Value unused = Decoder::number(bits >> std::size(kBits), Show::Hex, 1);
  unused.comment = "bits 3..8";
  if (bits >> std::size(kBits) != 0 || all) fields.add("unused", unused);
  return fields.structure(decoder);
}
Value behind_options(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return data.size > kOptionBytes ? decode_excess(decoder, data.at, kOptionBytes, data.size) : Value{};
}

constexpr Attribute kTlsList[] = {
    names_short(1, kTlsVersions, 2), names_short(2, kTlsCiphers, 2), names_short(3, kTlsConfigurations, 2),
    names_short(4, kTlsConfigurations, 2),
};
constinit const AttributeSet kTls = {&kTlsAttributeNames, kTlsList};
constexpr Attribute kSubflowList[] = {
    holds(1, attribute_x32), holds(2, attribute_x32), holds(3, attribute_u32), holds(4, attribute_u64),
    holds(5, attribute_u32), holds(6, attribute_u32), holds(7, attribute_u16), names_short(8, kSubflowFlags, 4),
    holds(9, attribute_u8), holds(10, attribute_u8),
};
constinit const AttributeSet kSubflow = {&kSubflowAttributeNames, kSubflowList};
constexpr Attribute kUlpList[] = {holds(1, attribute_text), nests(2, kTls), nests(3, kSubflow)};
constinit const AttributeSet kUlp = {&kUlpAttributeNames, kUlpList};

/// A value of a map; only the map has the size: a number where it may be one.
Value map_value(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  uint64_t bits = 0;
  if (data.size > sizeof bits || !data.holds(data.size)) return data.binary(decoder);
  std::memcpy(&bits, data.bytes.data(), data.size);
  return Decoder::number(bits, Show::Hex, 8);
}
constexpr Attribute kStorageItemList[] = {holds(2, attribute_u32), holds(3, map_value)};
constinit const AttributeSet kStorageItem = {&kStorageNames, kStorageItemList};
constexpr Attribute kStoragesList[] = {nests(1, kStorageItem)};
constinit const AttributeSet kStorages = {&kStorageListNames, kStoragesList};

constexpr Attribute kInetDiagList[] = {
    is(1, kMemoryInfo), is(3, kVegas), holds(4, attribute_text), holds(5, attribute_u8), holds(6, attribute_u8),
    holds(7, kMemory), holds(8, shutdown_with_names), is(9, kDctcp), names_all(10, kIpProtocols, 1),
    holds(11, attribute_u8), holds(12, attribute_array<kStorage>), holds(13, attribute_array<kStorage>),
    holds(15, attribute_u32), is(16, kBbr), holds(17, attribute_u32), holds(18, attribute_array<kSignature>),
    nests(19, kUlp), nests(20, kStorages), holds(21, attribute_u64), holds_both(22, socket_options, behind_options),
};

// -- the filter that a request of inet sockets carries ----------------------------------------------------

constexpr FieldType kOperationFields[] = {
    field("code", named(kInetDiagCodes, Width::B1)), field("yes", kU8), field("no", kU16),
};
constexpr StructLayout kDiagAttributeOperation = {"inet_diag_bc_op", kOperationFields};
constexpr FieldType kMarkFields[] = {field("mark", kUInt), field("mask", kUInt)};
constexpr StructLayout kMark = {"inet_diag_markcond", kMarkFields};
constexpr size_t kOperationBytes = sizeof(inet_diag_bc_op);

Value operation(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return data.holds(kOperationBytes) ? decoder.structure(kDiagAttributeOperation, data.at) : data.binary(decoder);
}

/// struct inet_diag_hostcond, and as much of an address as there is.
Value host_condition(Decoder& decoder, const NetlinkBytes& data) {
  constexpr size_t kAddressAt = sizeof(inet_diag_hostcond);
  if (!data.holds(kAddressAt)) return data.binary(decoder);
  auto family = data.get<uint8_t>();
  FieldList fields;
  fields.add("family", Decoder::named(family, kAddressFamilies, 1));
  fields.add("prefix_len", Decoder::number(data.get<uint8_t>(1), Show::Unsigned, 1));
  fields.add("port", Decoder::number(data.get<uint32_t>(4), Show::Unsigned, 4));
  NetlinkBytes address = data.from(kAddressAt);
  if (address.size > 0) fields.add("addr", attribute_address(decoder, address, {family}));
  return fields.structure(decoder);
}

/// The operand of an operation, by its code; of jumps only the bytes are shown.
Value operand(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (data.size <= kOperationBytes || !data.holds(kOperationBytes)) return {};
  NetlinkBytes rest = data.from(kOperationBytes);
  switch (data.get<uint8_t>()) {
    case INET_DIAG_BC_S_COND:
    case INET_DIAG_BC_D_COND: return host_condition(decoder, rest);
    case INET_DIAG_BC_DEV_COND: return attribute_interface(decoder, rest, {});
    case INET_DIAG_BC_S_GE:
    case INET_DIAG_BC_S_LE:
    case INET_DIAG_BC_D_GE:
    case INET_DIAG_BC_D_LE: return operation(decoder, rest, {});
    case INET_DIAG_BC_MARK_COND:
      return rest.holds(size_of(kMark, decoder.abi())) ? decoder.structure(kMark, rest.at) : rest.binary(decoder);
    default: return rest.binary(decoder);
  }
}
constexpr Attribute kInetRequestList[] = {holds_both(1, operation, operand), names_all(3, kIpProtocols, 1)};

// -- unix, netlink, packet --------------------------------------------------------------------------------

constexpr FieldType kVfsFields[] = {at(4, field("udiag_vfs_dev", kDevice32)), at(0, field("udiag_vfs_ino", kUInt))};
constexpr StructLayout kVfs = {"unix_diag_vfs", kVfsFields};
constexpr FieldType kDiagAttributeQueueFields[] = {field("udiag_rqueue", kUInt), field("udiag_wqueue", kUInt)};
constexpr StructLayout kQueues = {"unix_diag_rqlen", kDiagAttributeQueueFields};
static_assert(size_of(kVfs, Abi::X86_64) == sizeof(unix_diag_vfs));
constexpr Attribute kUnixDiagList[] = {
    holds(0, attribute_text), is(1, kVfs), holds(2, attribute_u32), holds(3, attribute_array<kWord>), is(4, kQueues),
    holds(5, kMemory), holds(6, attribute_u8), holds(7, attribute_id),
};

constexpr Type kGroupWord = number(Width::Long, Show::HexPadded);
constexpr FieldType kRingFields[] = {
    field("ndr_block_size", kUInt), field("ndr_block_nr", kUInt), field("ndr_frame_size", kUInt),
    field("ndr_frame_nr", kUInt),
};
constexpr StructLayout kRing = {"netlink_diag_ring", kRingFields};
constexpr Attribute kNetlinkDiagList[] = {
    holds(0, kMemory), holds(1, attribute_array<kGroupWord>), is(2, kRing),
    is(3, kRing),      names(4, kNetlinkDiagFlags, 4),
};

// MAX_ADDR_LEN of the kernel's <linux/netdevice.h>
constexpr Type kMemberAddress = whole(bytes(by_field_in(3, 32), TextKind::Binary));
constexpr FieldType kMemberFields[] = {
    field("pdmc_index", kInterfaceIndex), field("pdmc_count", kUInt), field("pdmc_type", kU16),
    field("pdmc_alen", kU16),
    field("pdmc_addr", kMemberAddress),
};
constexpr StructLayout kMemberLayout = {"packet_diag_mclist", kMemberFields};
constexpr Type kMember = structure(kMemberLayout);

constexpr FieldType kPacketFields[] = {
    field("pdi_index", kInterfaceIndex), field("pdi_version", named(kPacketVersions)), field("pdi_reserve", kUInt),
    field("pdi_copy_thresh", kUInt), field("pdi_tstamp", kUInt), field("pdi_flags", named(kPacketDiagFlags)),
};
constexpr FieldType kPacketRingFields[] = {
    field("pdr_block_size", kUInt), field("pdr_block_nr", kUInt), field("pdr_frame_size", kUInt),
    field("pdr_frame_nr", kUInt), field("pdr_retire_tmo", kUInt), field("pdr_sizeof_priv", kUInt),
    field("pdr_features", kUInt),
};
constexpr StructLayout kPacket = {"packet_diag_info", kPacketFields};
constexpr StructLayout kPacketRing = {"packet_diag_ring", kPacketRingFields};

Value filter(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kInstructionBytes = 8;
  if (data.size < kInstructionBytes) return data.binary(decoder);
  if (!decoder.full()) return Decoder::address(raw(data.at));
  return socket_instructions(decoder, data.at, data.size / kInstructionBytes);
}
constexpr Attribute kPacketDiagList[] = {
    is(0, kPacket), holds(1, attribute_array<kMember>), is(2, kPacketRing), is(3, kPacketRing), holds(4, attribute_u32),
    holds(5, attribute_id), holds(6, kMemory), holds(7, filter),
};

}  // namespace

Value inet_of_16(Decoder& decoder, std::string_view bytes) {
  char text[INET_ADDRSTRLEN];
  std::span<Value> args = decoder.arena().array<Value>(1);
  args[0] = decoder.text(inet_ntop(AF_INET, bytes.data(), text, sizeof text), TextKind::Path);
  return {Form{"inet_addr", args, decoder.arena().make(decoder.text(bytes, TextKind::Binary))}, {}};
}

Value sixteen_byte_address(Decoder& decoder, const NetlinkBytes& bytes, uint8_t family) {
  if (family == kAfInet6 && bytes.holds(16)) return {bytes.get<Inet6>(), {}};
  bool is_inet = family == kAfInet && bytes.holds(4);
  return is_inet ? inet_of_16(decoder, bytes.bytes) : decoder.text(bytes.bytes, TextKind::Binary);
}

constinit const AttributeSet kInetRequestAttributes = {&kInetDiagRequestNames, kInetRequestList};
constinit const AttributeSet kInetDiagAttributes = {&kInetDiagAttributeNames, kInetDiagList};
constinit const AttributeSet kUnixDiagAttributes = {&kUnixDiagAttributeNames, kUnixDiagList};
constinit const AttributeSet kNetlinkDiagAttributes = {&kNetlinkDiagAttributeNames, kNetlinkDiagList};
constinit const AttributeSet kPacketDiagAttributes = {&kPacketDiagAttributeNames, kPacketDiagList};

}  // namespace strut
