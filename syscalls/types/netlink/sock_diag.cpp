#include "syscalls/types/netlink/sock_diag.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink_diag.h>
#include <linux/packet_diag.h>
#include <linux/unix_diag.h>

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/hex.hpp"
#include "syscalls/types/netlink/netlink_family.hpp"
#include "syscalls/types/netlink/sock_diag_attributes.hpp"
#include "syscalls/types/netlink/sock_diag_names.hpp"
#include "syscalls/types/netlink/sock_diag_smc.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint16_t kAskedByProtocol = 18, kAskedByProtocolLast = 19;  // TCPDIAG_GETSOCK, DCCPDIAG_GETSOCK
constexpr uint8_t kAfSmc = 43;

/// struct inet_diag_sockid; its addresses are of the family that the message's first byte says, `kBefore` bytes in
/// front of it. Those of SMC sockets are IPv4's.
template <int16_t kBefore>
constexpr const Type& kSocketAddress =
    kAddressOf16<number_at_is<Width::B1, -kBefore, kAfInet, kAfSmc>, number_at_is<Width::B1, -kBefore, kAfInet6>>;
constexpr Type kNetPort = number(Width::B2, Show::NetPort);
constexpr Type kWholeCookie = whole(array_of(kUInt, 2));
template <int16_t kBefore>
constexpr FieldType kSocketIdFields[] = {
    at(0, field("idiag_sport", kNetPort)),
    at(2, field("idiag_dport", kNetPort)),
    at(4, field("idiag_src", kSocketAddress<kBefore>)),
    at(20, field("idiag_dst", kSocketAddress<kBefore>)),
    at(36, field("idiag_if", kInterfaceIndex)),
    at(40, field("idiag_cookie", kWholeCookie)),
};
template <int16_t kBefore>
constexpr StructLayout kSocketIdLayout = {"inet_diag_sockid", kSocketIdFields<kBefore>};
template <int16_t kBefore>
constexpr Type kSocketId = structure(kSocketIdLayout<kBefore>);
static_assert(size_of(kSocketIdLayout<4>, Abi::X86_64) == sizeof(inet_diag_sockid));

constexpr Type kDiagState = named(kTcpStates, Width::B1);
constexpr Type kCookie = array_of(kUInt, 2);

// -- requests ---------------------------------------------------------------------------------------------

constexpr FieldType kInetRequestFields[] = {
    field("sdiag_family", kFamilyByte),
    field("sdiag_protocol", named(kIpProtocols, Width::B1)),
    field("idiag_ext", named(kInetDiagExtensions, Width::B1)),
    padding(kU8),
    field("idiag_states", named(kTcpStateBits)),
    field("id", kSocketId<8>),
};
constexpr FieldType kOldInetRequestFields[] = {
    field("idiag_family", kFamilyByte), field("idiag_src_len", kU8), field("idiag_dst_len", kU8),
    field("idiag_ext", named(kInetDiagExtensions, Width::B1)), field("id", kSocketId<4>),
    field("idiag_states", named(kTcpStateBits)), field("idiag_dbs", kUInt),
};
constexpr FieldType kUnixRequestFields[] = {
    field("sdiag_family", kFamilyByte),
    field("sdiag_protocol", kU8),
    padding(kU16),
    field("udiag_states", named(kTcpStateBits)),
    field("udiag_ino", kUInt),
    field("udiag_show", named(kUnixDiagShow)),
    field("udiag_cookie", kCookie),
};
constexpr FieldType kNetlinkRequestFields[] = {
    field("sdiag_family", kFamilyByte), field("sdiag_protocol", named(kNetlinkDiagProtocols, Width::B1)), padding(kU16),
    field("ndiag_ino", kUInt), field("ndiag_show", named(kNetlinkDiagShow)), field("ndiag_cookie", kCookie),
};
constexpr FieldType kPacketRequestFields[] = {
    field("sdiag_family", kFamilyByte), field("sdiag_protocol", kHex8), padding(kU16), field("pdiag_ino", kUInt),
    field("pdiag_show", named(kPacketDiagShow)), field("pdiag_cookie", kCookie),
};
constexpr FieldType kSmcRequestFields[] = {
    field("diag_family", kFamilyByte), padding_bytes(2), field("diag_ext", named(kSmcDiagExtensions, Width::B1)),
    field("id", kSocketId<4>),
};
constexpr StructLayout kInetRequest = {"inet_diag_req_v2", kInetRequestFields};
constexpr StructLayout kOldInetRequest = {"inet_diag_req", kOldInetRequestFields};
constexpr StructLayout kUnixRequest = {"unix_diag_req", kUnixRequestFields};
constexpr StructLayout kNetlinkRequest = {"netlink_diag_req", kNetlinkRequestFields};
constexpr StructLayout kPacketRequest = {"packet_diag_req", kPacketRequestFields};
constexpr StructLayout kSmcRequest = {"smc_diag_req", kSmcRequestFields};
static_assert(size_of(kInetRequest, Abi::X86_64) == sizeof(inet_diag_req_v2));
static_assert(size_of(kOldInetRequest, Abi::X86_64) == sizeof(inet_diag_req));
static_assert(size_of(kUnixRequest, Abi::X86_64) == sizeof(unix_diag_req));
static_assert(size_of(kNetlinkRequest, Abi::X86_64) == sizeof(netlink_diag_req));
static_assert(size_of(kPacketRequest, Abi::X86_64) == sizeof(packet_diag_req));

// -- answers ----------------------------------------------------------------------------------------------

constexpr FieldType kInetAnswerFields[] = {
    field("idiag_family", kFamilyByte), field("idiag_state", kDiagState), field("idiag_timer", kU8),
    field("idiag_retrans", kU8),    field("id", kSocketId<4>),    field("idiag_expires", kUInt),
    field("idiag_rqueue", kUInt),   field("idiag_wqueue", kUInt), field("idiag_uid", kUInt),
    field("idiag_inode", kUInt),
};
constexpr FieldType kUnixAnswerFields[] = {
    field("udiag_family", kFamilyByte), field("udiag_type", named(kSocketTypes, Width::B1)),
    field("udiag_state", kDiagState), padding(kU8), field("udiag_ino", kUInt), field("udiag_cookie", kCookie),
};
constexpr FieldType kNetlinkAnswerFields[] = {
    field("ndiag_family", kFamilyByte),
    field("ndiag_type", named(kSocketTypes, Width::B1)),
    field("ndiag_protocol", named(kNetlinkProtocols, Width::B1)),
    field("ndiag_state", named(kNetlinkStates, Width::B1)),
    field("ndiag_portid", kUInt),
    field("ndiag_dst_portid", kUInt),
    field("ndiag_dst_group", kUInt),
    field("ndiag_ino", kUInt),
    field("ndiag_cookie", kCookie),
};
constexpr FieldType kPacketAnswerFields[] = {
    field("pdiag_family", kFamilyByte), field("pdiag_type", named(kSocketTypes, Width::B1)),
    field("pdiag_num", named(kEthernetProtocols, Width::B2)), field("pdiag_ino", kUInt), field("pdiag_cookie", kCookie),
};
constexpr FieldType kSmcAnswerFields[] = {
    field("diag_family", kFamilyByte), field("diag_state", named(kSmcStates, Width::B1)),
    field("diag_fallback", named(kSmcModes, Width::B1)), field("diag_shutdown", kU8), field("id", kSocketId<4>),
    field("diag_uid", kUInt), field("diag_inode", kU64),
};
constexpr StructLayout kInetAnswer = {"inet_diag_msg", kInetAnswerFields};
constexpr StructLayout kUnixAnswer = {"unix_diag_msg", kUnixAnswerFields};
constexpr StructLayout kNetlinkAnswer = {"netlink_diag_msg", kNetlinkAnswerFields};
constexpr StructLayout kPacketAnswer = {"packet_diag_msg", kPacketAnswerFields};
constexpr StructLayout kSmcAnswer = {"smc_diag_msg", kSmcAnswerFields};
static_assert(size_of(kInetAnswer, Abi::X86_64) == sizeof(inet_diag_msg));
static_assert(size_of(kUnixAnswer, Abi::X86_64) == sizeof(unix_diag_msg));
static_assert(size_of(kNetlinkAnswer, Abi::X86_64) == sizeof(netlink_diag_msg));
static_assert(size_of(kPacketAnswer, Abi::X86_64) == sizeof(packet_diag_msg));

struct FamilyRow {
  uint8_t family;
  FamilyForm request, answer;
};
constexpr FamilyForm kInetRequestForm = {&kInetRequest, &kInetRequestAttributes};
constexpr FamilyForm kOldInetRequestForm = {&kOldInetRequest, &kInetRequestAttributes};
constexpr FamilyForm kInetAnswerForm = {&kInetAnswer, &kInetDiagAttributes};
constexpr FamilyRow kDiagFamilies[] = {
    {kAfUnix, {&kUnixRequest, nullptr, true}, {&kUnixAnswer, &kUnixDiagAttributes}},
    {kAfInet, kInetRequestForm, kInetAnswerForm},
    {kAfInet6, kInetRequestForm, kInetAnswerForm},
    {kAfNetlink, {&kNetlinkRequest, nullptr, true}, {&kNetlinkAnswer, &kNetlinkDiagAttributes}},
    {kAfPacket, {&kPacketRequest, nullptr, true}, {&kPacketAnswer, &kPacketDiagAttributes}},
    {kAfSmc, {&kSmcRequest, nullptr, true}, {&kSmcAnswer, &kSmcDiagAttributes}},
};

const FamilyForm* diag_form(uint16_t type, bool asked, uint8_t family) {
  for (const FamilyRow& row : kDiagFamilies) {
    if (row.family != family) continue;
    bool old = type == kAskedByProtocol || type == kAskedByProtocolLast;
    if (asked && old && row.request.fixed == &kInetRequest) return &kOldInetRequestForm;
    return asked ? &row.request : &row.answer;
  }
  return nullptr;
}

}  // namespace

void add_sock_diag_payload(Decoder& decoder, uint16_t type, bool asked, const NetlinkBytes& payload,
                           std::span<Value> items, size_t& held) {
  const FamilyForm* form =
      payload.holds(1) && payload.size > 1 ? diag_form(type, asked, payload.get<uint8_t>()) : nullptr;
  add_family_payload(decoder, form, payload, items, held);
}

}  // namespace strut
