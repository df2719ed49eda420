#include "syscalls/types/socket/sockaddr_inet.hpp"

#include <algorithm>

#include <netinet/in.h>

#include "syscalls/types/socket/link_names.hpp"

namespace strut {
namespace {

constexpr size_t kSockaddrIn6WithoutScope = 24;  // SIN6_LEN_RFC2133 of the kernel's <linux/in6.h>

Value scope_id(Decoder& decoder, const Inet6& address, uint32_t scope) {
  bool link_local = address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0) == 0x80;
  bool multicast_link_local = address.bytes[0] == 0xff && (address.bytes[1] & 0x0f) == 2;
  if (link_local || multicast_link_local) return interface_index(decoder, scope);
  return Decoder::number(scope, Show::Unsigned, 4);
}

}  // namespace

bool add_inet(Decoder&, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < sizeof(sockaddr_in)) return false;
  fields.add("sin_port", address.number<uint16_t>(2, Show::NetPort));
  fields.add("sin_addr", address.number<uint32_t>(4, Show::Inet4));
  return true;
}

bool add_inet6(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < kSockaddrIn6WithoutScope) return false;
  fields.add("sin6_port", address.number<uint16_t>(2, Show::NetPort));
  fields.add("sin6_flowinfo", address.number<uint32_t>(4, Show::NetLong));
  auto where = address.get<Inet6>(8);
  fields.add("sin6_addr", {where, {}});
  if (address.size == kSockaddrIn6WithoutScope) return true;
  uint32_t scope = 0;  // if the length ends in it the rest is zero
  std::memcpy(&scope, address.bytes.data() + kSockaddrIn6WithoutScope,
              std::min(sizeof scope, address.size - kSockaddrIn6WithoutScope));
  fields.add("sin6_scope_id", scope_id(decoder, where, scope));
  return true;
}

}  // namespace strut
