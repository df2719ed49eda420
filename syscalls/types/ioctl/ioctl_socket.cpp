#include "syscalls/types/ioctl/ioctl_socket.hpp"

#include <net/if.h>

#include <cstdio>
#include <cstring>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/hex.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/shown_bytes.hpp"
#include "syscalls/types/netlink/rtnetlink_names.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/mac_address.hpp"
#include "syscalls/types/socket/sockaddr.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Type kSocketName = char_array(IFNAMSIZ);
constexpr size_t kAddressBytes = 16;  // struct sockaddr

// -- members of struct ifreq's union ------------------------------------------------------------------
constexpr Type kAddressMember = custom(decode_sockaddr_in, kAddressBytes, Width::B2);

/// struct sockaddr with a type of hardware, and as many bytes as its addresses have.
Value show_hardware_address(Decoder& decoder, std::string_view address) {
  uint16_t type = 0;
  std::memcpy(&type, address.data(), sizeof type);
  std::string_view all = address.substr(sizeof type);
  Value value = mac_address(decoder, all.substr(0, hardware_address_bytes(type).value_or(all.size())));
  if (Alias* alias = std::get_if<Alias>(&value.is))
    alias->plain = decoder.arena().make(decoder.text(all, TextKind::Binary));
  FieldValue fields[] = {{"sa_family", Decoder::named(type, kHardwareTypes, 2)}, {"sa_data", value}};
  return decoder.fields(fields);
}
constexpr Type kHardwareMember = kBytesShownBy<show_hardware_address, kAddressBytes, Width::B2>;

constexpr FieldType kSocketMapFields[] = {field("mem_start", kHexLong), field("mem_end", kHexLong),
                                    field("base_addr", kHex16),   field("irq", kHex8),
                                    field("dma", kHex8),          field("port", kHex8)};
constexpr StructLayout kSocketMapLayout = {"ifmap", kSocketMapFields};
constexpr Type kMapMember = structure(kSocketMapLayout);
static_assert(size_of(kSocketMapLayout, Abi::X86_64) == sizeof(struct ifmap));

constexpr FieldType kIfAddress = field("ifr_addr", kAddressMember), kPeer = field("ifr_dstaddr", kAddressMember);
constexpr FieldType kBroadcast = field("ifr_broadaddr", kAddressMember), kMask = field("ifr_netmask", kAddressMember);
constexpr FieldType kHardware = field("ifr_hwaddr", kHardwareMember), kSocketMap = field("ifr_map", kMapMember);
constexpr FieldType kSocketFlags = field("ifr_flags", named(kInterfaceFlags, Width::B2));
constexpr FieldType kIndex = field("ifr_ifindex", kInt);
constexpr FieldType kMetric = field("ifr_metric", kInt), kMtu = field("ifr_mtu", kInt),
                    kQueue = field("ifr_qlen", kInt);
constexpr FieldType kSlave = field("ifr_slave", kSocketName), kNewName = field("ifr_newname", kSocketName);

/// struct ifreq with one member of its union, which is there from the start or the call's answer.
template <const FieldType& kMember>
struct Ifreq {
  static constexpr FieldType kGivenFields[] = {field("ifr_name", kSocketName), padding(kMapMember),
                                               overlapping(kMember)};
  static constexpr FieldType kAskedFields[] = {field("ifr_name", kSocketName), padding(kMapMember),
                                               overlapping(answer(kMember))};
  static constexpr StructLayout kGivenLayout = {"ifreq", kGivenFields}, kAskedLayout = {"ifreq", kAskedFields};
  static constexpr Type kGiven = structure(kGivenLayout), kAsked = structure(kAskedLayout);
};
static_assert(size_of(Ifreq<kSocketFlags>::kGivenLayout, Abi::X86_64) == sizeof(struct ifreq));
static_assert(size_of(Ifreq<kSocketFlags>::kGivenLayout, Abi::I386) == 32);

constexpr FieldType kNamedFields[] = {at(16, field("ifr_ifindex", kInt)), at(16, padding(kMapMember)),
                                      at(0, answer(field("ifr_name", kSocketName)))};
constexpr StructLayout kNamedLayout = {"ifreq", kNamedFields};
constexpr Type kSocketNamed = structure(kNamedLayout);

// -- struct ifconf ----------------------------------------------------------------------------------------
/// Bytes, and how many struct ifreq they are where they are whole ones.
Value length_value(Decoder& decoder, int32_t bytes) {
  auto one = static_cast<int32_t>(size_of(Ifreq<kIfAddress>::kGivenLayout, decoder.abi()));
  auto bits = static_cast<uint64_t>(int64_t{bytes});
  Value value = Decoder::number(bits, Show::Signed, 4);
  if (bytes <= 0 || bytes % one != 0) return value;
  char remark[48];
  int length = std::snprintf(remark, sizeof remark, "%d * sizeof(struct ifreq)", bytes / one);
  value.comment = joined(decoder.arena(), {std::string_view(remark, static_cast<size_t>(length))});
  return value;
}

/// The caller's offer, as it was remembered at enter; nullopt: it could not be read.
std::optional<int32_t> offered(const Value* value) {
  const Struct* held = value ? std::get_if<Struct>(&value->is) : nullptr;
  const Number* number = held && !held->fields.empty() ? std::get_if<Number>(&held->fields[0].value.is) : nullptr;
  return number ? std::optional(static_cast<int32_t>(number->bits)) : std::nullopt;
}

Value interfaces(Decoder& decoder, uint64_t at, int32_t bytes) {
  if (at == 0 || decoder.call().error != 0) return Decoder::address(at);
  auto count = static_cast<uint32_t>(bytes) / size_of(Ifreq<kIfAddress>::kGivenLayout, decoder.abi());
  return decoder.array(Ifreq<kIfAddress>::kGiven, Addr{at}, count);
}

/// Without a buffer the call says how many bytes there would be. Followed whatever -e verbose says.
Value decode_ifconf(Decoder& decoder, uint64_t pointer, size_t) {
  Addr at{pointer};
  auto length = decoder.read_number(at, Width::B4),
       buffer = decoder.read_number(at + pointer_bytes(decoder.abi()), Width::Long);
  if (pointer == 0) return Decoder::address(pointer);
  if (!length || !buffer) return decoder.missing(at);
  auto now = static_cast<int32_t>(*length);
  FieldList fields;
  if (decoder.phase() == Phase::Enter) return fields.add("ifc_len", length_value(decoder, now)).structure(decoder);
  std::optional<int32_t> before = offered(decoder.at_enter(2));
  Value shown = length_value(decoder, now);
  if (before && *buffer != 0 && *before != now) shown = decoder.change(length_value(decoder, *before), shown);
  return fields.add("ifc_len", shown).add("ifc_buf", interfaces(decoder, *buffer, now)).structure(decoder);
}
constexpr Type kInterfaceBytes = whole_bytes(1 << 14, by_field(0));
constexpr FieldType kConfigurationFields[] = {field("ifc_len", kInt),
                                              field("ifc_buf", pointer_to(kInterfaceBytes, by_field(0)))};
constexpr StructLayout kConfigurationLayout = {"ifconf", kConfigurationFields};
constexpr Type kConfigurationObject = structure(kConfigurationLayout),
               kConfigurationRead = pointer_to(kConfigurationObject);
constexpr Type kIfconf = reading(custom(decode_ifconf), kConfigurationRead);
constexpr CommandRow kConfiguration =
    command(0x8912, kUnsignedResult, even_on_failure(remembered(arg("argp", kIfconf, Direction::Out))));

// -- bridges ------------------------------------------------------------------------------------------------
constexpr FieldType kPortFields[] = {at(16, field("ifr_ifindex", kInterfaceIndex)),
                                     at(16, padding(kMapMember))};
constexpr StructLayout kPortLayout = {"", kPortFields};

/// A bridge's name: no more of it than an interface's has.
constexpr Type kBridge = pointer_to(kString, at_most(IFNAMSIZ, fixed(IFNAMSIZ + 1)));

constexpr CommandRow kSocketRows[] = {
    ioctl_sets(0x8901, kInt),                            // FIOSETOWN
    ioctl_sets(0x8902, kInt),                            // SIOCSPGRP
    ioctl_gets(0x8903, kInt),                            // FIOGETOWN
    ioctl_gets(0x8904, kInt),                            // SIOCGPGRP
    ioctl_gets(0x8905, kInt),                            // SIOCATMARK
    ioctl_points(0x8906),                                // SIOCGSTAMP_OLD
    ioctl_points(0x8907),                                // SIOCGSTAMPNS_OLD
    ioctl_points(0x890b),                                // SIOCADDRT
    ioctl_points(0x890c),                                // SIOCDELRT
    ioctl_points(0x890d),                                // SIOCRTMSG
    ioctl_asks(0x8910, kSocketNamed),                          // SIOCGIFNAME
    ioctl_points(0x8911),                                // SIOCSIFLINK
    kConfiguration,                                      // SIOCGIFCONF
    ioctl_asks(0x8913, Ifreq<kSocketFlags>::kAsked),           // SIOCGIFFLAGS
    ioctl_sets(0x8914, Ifreq<kSocketFlags>::kGiven),           // SIOCSIFFLAGS
    ioctl_asks(0x8915, Ifreq<kIfAddress>::kAsked),         // SIOCGIFADDR
    ioctl_sets(0x8916, Ifreq<kIfAddress>::kGiven),         // SIOCSIFADDR
    ioctl_asks(0x8917, Ifreq<kPeer>::kAsked),            // SIOCGIFDSTADDR
    ioctl_sets(0x8918, Ifreq<kPeer>::kGiven),            // SIOCSIFDSTADDR
    ioctl_asks(0x8919, Ifreq<kBroadcast>::kAsked),       // SIOCGIFBRDADDR
    ioctl_sets(0x891a, Ifreq<kBroadcast>::kGiven),       // SIOCSIFBRDADDR
    ioctl_asks(0x891b, Ifreq<kMask>::kAsked),            // SIOCGIFNETMASK
    ioctl_sets(0x891c, Ifreq<kMask>::kGiven),            // SIOCSIFNETMASK
    ioctl_asks(0x891d, Ifreq<kMetric>::kAsked),          // SIOCGIFMETRIC
    ioctl_sets(0x891e, Ifreq<kMetric>::kGiven),          // SIOCSIFMETRIC
    ioctl_points(0x891f),                                // SIOCGIFMEM
    ioctl_points(0x8920),                                // SIOCSIFMEM
    ioctl_asks(0x8921, Ifreq<kMtu>::kAsked),             // SIOCGIFMTU
    ioctl_sets(0x8922, Ifreq<kMtu>::kGiven),             // SIOCSIFMTU
    ioctl_sets(0x8923, Ifreq<kNewName>::kGiven),         // SIOCSIFNAME
    ioctl_sets(0x8924, Ifreq<kHardware>::kGiven),        // SIOCSIFHWADDR
    ioctl_gets(0x8925, kInt),                            // SIOCGIFENCAP
    ioctl_sets(0x8926, kInt),                            // SIOCSIFENCAP
    ioctl_asks(0x8927, Ifreq<kHardware>::kAsked),        // SIOCGIFHWADDR
    ioctl_asks(0x8929, Ifreq<kSlave>::kAsked),           // SIOCGIFSLAVE
    ioctl_sets(0x8930, Ifreq<kSlave>::kGiven),           // SIOCSIFSLAVE
    ioctl_sets(0x8931, Ifreq<kHardware>::kGiven),        // SIOCADDMULTI
    ioctl_sets(0x8932, Ifreq<kHardware>::kGiven),        // SIOCDELMULTI
    ioctl_asks(0x8933, Ifreq<kIndex>::kAsked),           // SIOCGIFINDEX
    ioctl_points(0x8934),                                // SIOCSIFPFLAGS
    ioctl_points(0x8935),                                // SIOCGIFPFLAGS
    ioctl_points(0x8936),                                // SIOCDIFADDR
    ioctl_sets(0x8937, Ifreq<kHardware>::kGiven),        // SIOCSIFHWBROADCAST
    ioctl_points(0x8938),                                // SIOCGIFCOUNT
    ioctl_points(0x8940),                                // SIOCGIFBR
    ioctl_points(0x8941),                                // SIOCSIFBR
    ioctl_asks(0x8942, Ifreq<kQueue>::kAsked),           // SIOCGIFTXQLEN
    ioctl_sets(0x8943, Ifreq<kQueue>::kGiven),           // SIOCSIFTXQLEN
    ioctl_points(0x8946),                                // SIOCETHTOOL
    ioctl_points(0x8947),                                // SIOCGMIIPHY
    ioctl_points(0x8948),                                // SIOCGMIIREG
    ioctl_points(0x8949),                                // SIOCSMIIREG
    ioctl_points(0x894a),                                // SIOCWANDEV
    ioctl_gets(0x894b, kInt),                            // SIOCOUTQNSD
    ioctl_points(0x894c),                                // SIOCGSKNS
    ioctl_points(0x8953),                                // SIOCDARP
    ioctl_points(0x8954),                                // SIOCGARP
    ioctl_points(0x8955),                                // SIOCSARP
    ioctl_points(0x8960),                                // SIOCDRARP
    ioctl_points(0x8961),                                // SIOCGRARP
    ioctl_points(0x8962),                                // SIOCSRARP
    ioctl_asks(0x8970, Ifreq<kSocketMap>::kAsked),             // SIOCGIFMAP
    ioctl_sets(0x8971, Ifreq<kSocketMap>::kGiven),             // SIOCSIFMAP
    ioctl_points(0x8980),                                // SIOCADDDLCI
    ioctl_points(0x8981),                                // SIOCDELDLCI
    ioctl_points(0x8982),                                // SIOCGIFVLAN
    ioctl_points(0x8983),                                // SIOCSIFVLAN
    ioctl_points(0x8990),                                // SIOCBONDENSLAVE
    ioctl_points(0x8991),                                // SIOCBONDRELEASE
    ioctl_points(0x8992),                                // SIOCBONDSETHWADDR
    ioctl_points(0x8993),                                // SIOCBONDSLAVEINFOQUERY
    ioctl_points(0x8994),                                // SIOCBONDINFOQUERY
    ioctl_points(0x8995),                                // SIOCBONDCHANGEACTIVE
    ioctl_takes(0x89a0, kBridge),                        // SIOCBRADDBR
    ioctl_takes(0x89a1, kBridge),                        // SIOCBRDELBR
    ioctl_sets(0x89a2, kStructure<kPortLayout>),          // SIOCBRADDIF
    ioctl_sets(0x89a3, kStructure<kPortLayout>),          // SIOCBRDELIF
    ioctl_points(0x89b0),                                // SIOCSHWTSTAMP
    ioctl_points(0x89b1),                                // SIOCGHWTSTAMP
    ioctl_points(0x80108906),                            // SIOCGSTAMP_NEW
    ioctl_points(0x80108907),                            // SIOCGSTAMPNS_NEW
};

}  // namespace

constinit const IoctlRows kSocketIoctls = {kSocketRows};

}  // namespace strut
