#include "procfs/socket_details.hpp"

#include <charconv>
#include <cstring>

#include <netinet/in.h>
#include <sys/xattr.h>

#include "procfs/proc_file.hpp"
#include "procfs/generic_family.hpp"
#include "procfs/socket_diag.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {

namespace {

constexpr size_t kMaxKnown = 1u << 14;  // bounds memory in a trace that outlives many sockets

/// Protocols by the kernel's names (struct proto), which it shows as an extended attribute.
struct Protocol {
  std::string_view kernel_name;
  std::string_view name;
  int family;
  int transport;
};
constexpr Protocol kProtocols[] = {
    {"UNIX", "UNIX", AF_UNIX, 0},
    {"UNIX-STREAM", "UNIX-STREAM", AF_UNIX, 0},
    {"TCP", "TCP", AF_INET, IPPROTO_TCP},
    {"UDP", "UDP", AF_INET, IPPROTO_UDP},
    {"UDPLITE", "UDPLITE", AF_INET, IPPROTO_UDPLITE},
    {"DCCP", "DCCP", AF_INET, IPPROTO_DCCP},
    {"SCTP", "SCTP", AF_INET, IPPROTO_SCTP},
    {"L2TP/IP", "L2TP/IP", AF_INET, 115},
    {"PING", "PING", AF_INET, IPPROTO_ICMP},
    {"RAW", "RAW", AF_INET, IPPROTO_RAW},
    {"TCPv6", "TCPv6", AF_INET6, IPPROTO_TCP},
    {"UDPv6", "UDPv6", AF_INET6, IPPROTO_UDP},
    {"UDPLITEv6", "UDPLITEv6", AF_INET6, IPPROTO_UDPLITE},
    {"DCCPv6", "DCCPv6", AF_INET6, IPPROTO_DCCP},
    {"SCTPv6", "SCTPv6", AF_INET6, IPPROTO_SCTP},
    {"L2TP/IPv6", "L2TP/IPv6", AF_INET6, 115},
    {"PINGv6", "PINGv6", AF_INET6, IPPROTO_ICMP},
    {"RAWv6", "RAWv6", AF_INET6, IPPROTO_RAW},
    {"NETLINK", "NETLINK", AF_NETLINK, 0},
};

std::optional<uint64_t> inode_in(std::string_view path) {
  constexpr std::string_view kStart = "socket:[";
  if (!path.starts_with(kStart) || !path.ends_with(']')) return std::nullopt;
  path = path.substr(kStart.size(), path.size() - kStart.size() - 1);
  uint64_t inode = 0;
  auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), inode);
  return error == std::errc{} && end == path.data() + path.size() ? std::optional(inode) : std::nullopt;
}

const Protocol* protocol_named(std::string_view kernel_name) {
  for (const Protocol& protocol : kProtocols)
    if (protocol.kernel_name == kernel_name) return &protocol;
  return nullptr;
}

const Protocol* protocol_of(Tid tid, int fd) {
  char name[64];
  ssize_t length = ::getxattr(proc_path(raw(tid), "fd", fd), "system.sockprotoname", name, sizeof name);
  if (length <= 0) return nullptr;
  return protocol_named({name, strnlen(name, static_cast<size_t>(length))});
}

/// Fills in the kernel's data about the socket; false: there is none.
bool add_details(const Protocol& protocol, SocketTarget& target) {
  auto inode = static_cast<uint32_t>(target.inode);
  if (protocol.family == AF_UNIX) {
    auto socket = find_unix_socket(inode);
    if (!socket || (socket->peer == 0 && socket->name.empty())) return false;
    if (socket->peer != 0) target.details += "->" + std::to_string(socket->peer);
    target.path = std::move(socket->name);
    return true;
  }
  if (protocol.family == AF_NETLINK) {
    auto socket = find_netlink_socket(inode);
    if (socket) target.details = netlink_text(socket->protocol, socket->port);
    return socket.has_value();
  }
  auto ends = find_inet_socket(static_cast<uint8_t>(protocol.family), static_cast<uint8_t>(protocol.transport), inode);
  if (ends) target.details = std::move(*ends);
  return ends.has_value();
}

}  // namespace

std::string netlink_text(uint8_t protocol, uint32_t port) {
  constexpr std::string_view kPrefix = "NETLINK_";
  const char* known = kNetlinkProtocols.name_of(protocol);
  std::string name = known ? std::string(known).substr(kPrefix.size()) : std::to_string(protocol);
  return name + ":" + std::to_string(port);
}

std::optional<SocketTarget> SocketDetails::without_details(uint64_t inode, std::string_view protocol) {
  const Protocol* known = protocol_named(protocol);
  if (!known) return std::nullopt;
  return SocketTarget{inode, std::string(known->name), std::to_string(inode), {}};
}

void SocketDetails::remember(const SocketTarget& target) {
  if (known_.size() >= kMaxKnown) known_.clear();
  known_.emplace(target.inode, target);
}

std::optional<SocketTarget> SocketDetails::find(uint64_t inode, std::string_view protocol) {
  return find(inode, protocol, [&](SocketTarget& target) { return add_details(*protocol_named(protocol), target); });
}

std::optional<SocketTarget> SocketDetails::find(Tid tid, int fd, std::string_view path) {
  auto inode = inode_in(path);
  if (!inode) return std::nullopt;
  if (auto at = known_.find(*inode); at != known_.end()) return at->second;
  const Protocol* protocol = protocol_of(tid, fd);
  return protocol ? find(*inode, protocol->kernel_name) : std::nullopt;
}

std::optional<NetlinkTarget> SocketDetails::netlink_socket(Tid tid, int fd, std::string_view path) {
  auto inode = inode_in(path);
  if (!inode) return std::nullopt;
  if (auto at = netlink_.find(*inode); at != netlink_.end()) return NetlinkTarget{at->second};
  const Protocol* protocol = protocol_of(tid, fd);
  if (!protocol || protocol->family != AF_NETLINK) return std::nullopt;
  auto socket = find_netlink_socket(static_cast<uint32_t>(*inode));
  if (!socket) return NetlinkTarget{};
  if (netlink_.size() >= kMaxKnown) netlink_.clear();
  netlink_[*inode] = socket->protocol;
  return NetlinkTarget{socket->protocol};
}

std::optional<std::string> SocketDetails::generic_family(uint16_t number) {
  if (auto at = families_.find(number); at != families_.end()) return at->second;
  auto name = find_generic_family(number);
  if (name) families_[number] = *name;
  return name;
}

}  // namespace strut
