#include "syscalls/types/socket/sockaddr.hpp"

#include <algorithm>
#include <cstring>

#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <sys/un.h>

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/sockaddr_bytes.hpp"
#include "syscalls/types/socket/sockaddr_families.hpp"
#include "syscalls/types/socket/sockaddr_inet.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr size_t kFamilyBytes = 2;

// <linux/vm_sockets.h>
constexpr Constant kContextNames[] = {
    {0, "VMADDR_CID_HYPERVISOR"}, {1, "VMADDR_CID_LOCAL"}, {2, "VMADDR_CID_HOST"}, {0xffffffff, "VMADDR_CID_ANY"},
};
constexpr Constant kVmPortNames[] = {{0xffffffff, "VMADDR_PORT_ANY"}};
constexpr Constant kVmFlagNames[] = {{1, "VMADDR_FLAG_TO_HOST"}};
constinit const ConstantSet kContexts = enumeration(nullptr, kContextNames);
constinit const ConstantSet kVmPorts = enumeration(nullptr, kVmPortNames);
constinit const ConstantSet kVmFlags = flag_set("VMADDR_FLAG_???", kVmFlagNames);

bool add_unix(Decoder&, const SockaddrBytes& address, FieldList& fields) {
  size_t most = std::min(address.size, sizeof(sockaddr_un)) - kFamilyBytes;
  if (most == 0) return true;
  std::string_view path = address.text(kFamilyBytes, most);
  bool abstract = path[0] == '\0';
  path = abstract ? path.substr(1) : path.substr(0, strnlen(path.data(), path.size()));
  fields.add("sun_path", {Text{path, TextKind::Path, false, abstract}, {}});
  return true;
}

bool add_netlink(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < sizeof(sockaddr_nl)) return false;
  if (address.get<uint16_t>(2) != 0) fields.add("nl_pad", address.number<uint16_t>(2, Show::Hex));
  fields.add("nl_pid", decoder.process_id(address.get<int32_t>(4)));
  fields.add("nl_groups", address.number<uint32_t>(8, Show::HexPadded));
  return true;
}

bool add_packet(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < sizeof(sockaddr_ll)) return false;
  constexpr size_t kAddressAt = offsetof(sockaddr_ll, sll_addr);
  fields.add("sll_protocol", swapped_ethernet_protocol(decoder, __builtin_bswap16(address.get<uint16_t>(2))));
  fields.add("sll_ifindex", interface_index(decoder, address.get<uint32_t>(4)));
  fields.add("sll_hatype", Decoder::named(address.get<uint16_t>(8), kHardwareTypes, 2));
  fields.add("sll_pkttype", Decoder::named(address.get<uint8_t>(10), kPacketTypes, 1));
  fields.add("sll_halen", address.number<uint8_t>(11, Show::Unsigned));
  size_t named = address.get<uint8_t>(11), held = std::min(named, address.size - kAddressAt);
  if (named != 0) fields.add("sll_addr", address.octets(decoder, kAddressAt, held, Show::HexPadded, held < named));
  return true;
}

bool add_vsock(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < sizeof(sockaddr_vm)) return false;
  if (address.get<uint16_t>(2) != 0) fields.add("svm_reserved1", address.number<uint16_t>(2, Show::Hex));
  fields.add("svm_cid", Decoder::named(address.get<uint32_t>(8), kContexts));
  fields.add("svm_port", Decoder::named(address.get<uint32_t>(4), kVmPorts));
  fields.add("svm_flags", Decoder::named(address.get<uint8_t>(12), kVmFlags, 1));
  std::string_view zero = address.text(13, 3);
  if (zero != std::string_view("\0\0\0", 3)) fields.add("svm_zero", decoder.text(zero, TextKind::Binary));
  return true;
}

struct Family {
  uint32_t number;
  AddSockaddrFields add;
};
constexpr Family kFamilies[] = {
    {kAfUnix, add_unix},       {kAfInet, add_inet},     {kAfAx25, add_ax25}, {4, add_ipx},
    {9, add_x25},              {kAfInet6, add_inet6},   {kAfNetlink, add_netlink},
    {kAfPacket, add_packet},   {30, add_tipc},          {kAfBluetooth, add_bluetooth},
    {kAfRxrpc, add_rxrpc},     {36, add_ieee802154},    {38, add_alg},       {kAfNfc, add_nfc},   {40, add_vsock},
    {42, add_qipcrtr},         {44, add_xdp},           {45, add_mctp},
};

bool add_by_family(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  uint16_t family = address.get<uint16_t>(0);
  for (const Family& entry : kFamilies)
    if (entry.number == family) return entry.add(decoder, address, fields);
  return false;
}

/// The value that a pointer to a length had at enter; nullopt: it was not read.
std::optional<uint64_t> offered(Decoder& decoder, size_t index) {
  const Value* before = decoder.at_enter(index);
  auto* box = before ? std::get_if<Array>(&before->is) : nullptr;
  auto* number = box && box->items.size() == 1 ? std::get_if<Number>(&box->items[0].is) : nullptr;
  return number ? std::optional(number->bits) : std::nullopt;
}

Value boxed(Decoder& decoder, const Value& value) {
  return {Array{decoder.arena().copy(std::span(&value, 1)), ArrayStyle::Boxed, false, {}}, {}};
}

}  // namespace

Value decode_sockaddr(Decoder& decoder, Addr at, int64_t bytes) {
  if (bytes < static_cast<int64_t>(kFamilyBytes)) return Decoder::address(raw(at));
  SockaddrBytes address;
  address.size = std::min<size_t>(static_cast<size_t>(bytes), sizeof(sockaddr_storage));
  std::span<std::byte> copy = decoder.arena().array<std::byte>(address.size);
  if (!decoder.read_bytes(at, copy)) return decoder.missing(at);
  address.bytes = copy;
  FieldList fields;
  fields.add("sa_family", Decoder::named(address.get<uint16_t>(0), kAddressFamilies, 2));
  if (!add_by_family(decoder, address, fields) && address.size > kFamilyBytes)
    fields.add("sa_data",
               {Text{address.text(kFamilyBytes, address.size - kFamilyBytes), TextKind::Path, false, false}, {}});
  return fields.structure(decoder, address.cut);
}

Value decode_sockaddr_in(Decoder& decoder, uint64_t at, size_t bytes) {
  return decode_sockaddr(decoder, Addr{at}, static_cast<int32_t>(bytes));
}

template <size_t kAddress>
Value decode_filled(Decoder& decoder, uint64_t at, size_t) {
  std::optional<uint64_t> room = offered(decoder, kAddress + 1);
  auto used = decoder.read_number(Addr{decoder.arg(kAddress + 1)}, Width::B4, true);
  if (!room || !used || !decoder.dereferences()) return Decoder::address(at);
  return decode_sockaddr(decoder, Addr{at}, std::min(static_cast<int64_t>(*room), static_cast<int64_t>(*used)));
}

template <size_t kAddress>
Value decode_filled_length(Decoder& decoder, uint64_t at, size_t) {
  constexpr size_t kLength = kAddress + 1;
  if (decoder.phase() == Phase::Enter) {
    if (at == 0 || decoder.arg(kAddress) == 0 || !decoder.dereferences()) return Decoder::address(at);
    auto room = decoder.read_number(Addr{at}, Width::B4, true);
    return room ? boxed(decoder, Decoder::number(*room, Show::Signed, 4)) : decoder.missing(Addr{at});
  }
  std::optional<uint64_t> room = offered(decoder, kLength);
  if (!room) return *decoder.at_enter(kLength);
  auto used = decoder.read_number(Addr{at}, Width::B4, true);
  if (decoder.call().error != 0 || !used || *used == *room) return *decoder.at_enter(kLength);
  return boxed(decoder,
               decoder.change(Decoder::number(*room, Show::Signed, 4), Decoder::number(*used, Show::Signed, 4)));
}

template Value decode_filled<1>(Decoder&, uint64_t, size_t);
template Value decode_filled<4>(Decoder&, uint64_t, size_t);
template Value decode_filled_length<1>(Decoder&, uint64_t, size_t);
template Value decode_filled_length<4>(Decoder&, uint64_t, size_t);

}  // namespace strut
