// Queries to the kernel about single sockets: sock_diag(7), in the network namespace of the caller.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace strut {

/// An AF_UNIX socket. `name`: the bytes it is bound to, abstract ones with their leading NUL; empty: none.
struct UnixSocket {
  uint32_t peer = 0;  ///< inode of the other end; 0: not connected
  std::string name;
};
/// nullopt: there is no such socket, or the kernel does not show it.
std::optional<UnixSocket> find_unix_socket(uint32_t inode);

/// One end of an IPv4 or IPv6 socket, as the kernel has it: in network order, an IPv4 address in the first four bytes.
struct SocketEnd {
  std::array<uint8_t, 16> address{};
  uint16_t port = 0;
};
/// "127.0.0.1:80"; with a peer that is not all zero "[::1]:5000->[::1]:80".
std::string ends_text(uint8_t family, const SocketEnd& own, const SocketEnd& peer);

/// The ends of an IPv4 or IPv6 socket (`family`) of a transport protocol: "127.0.0.1:80", "[::1]:5000->[::1]:80".
/// nullopt: the kernel lists no such socket; one that is not bound is in no list.
std::optional<std::string> find_inet_socket(uint8_t family, uint8_t protocol, uint32_t inode);

/// A netlink socket that is bound.
struct NetlinkSocket {
  uint8_t protocol = 0;  ///< NETLINK_ROUTE …
  uint32_t port = 0;
};
std::optional<NetlinkSocket> find_netlink_socket(uint32_t inode);

}  // namespace strut
