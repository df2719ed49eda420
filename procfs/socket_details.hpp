// The protocol and the peer of a socket behind a descriptor (-yy).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.hpp"
#include "syscalls/call_context.hpp"

namespace strut {

/// Sockets by inode. strace(1) -yy always shows a socket's first known addresses, and so does strut: the text must be
/// the same. A socket without addresses is looked up anew each time.
class SocketDetails {
 public:
  /// A descriptor with the link `path`, "socket:[INODE]". nullopt: not a socket, or of a protocol without details.
  std::optional<SocketTarget> find(Tid tid, int fd, std::string_view path);

  /// For a socket with known inode and protocol, by the kernel's name (struct proto: "UNIX-STREAM", "TCPv6").
  std::optional<SocketTarget> find(uint64_t inode, std::string_view protocol);
  /// For data captured in the kernel: `fill` adds it to the target, false: there is none.
  template <typename Fill>
  std::optional<SocketTarget> find(uint64_t inode, std::string_view protocol, Fill fill) {
    if (auto at = known_.find(inode); at != known_.end()) return at->second;
    auto target = without_details(inode, protocol);
    if (target && fill(*target)) remember(*target);
    return target;
  }

  /// nullopt: not a netlink socket.
  std::optional<NetlinkTarget> netlink_socket(Tid tid, int fd, std::string_view path);
  /// The name of a generic netlink family; nullopt: there is none of this number.
  std::optional<std::string> generic_family(uint16_t number);

 private:
  static std::optional<SocketTarget> without_details(uint64_t inode, std::string_view protocol);
  void remember(const SocketTarget& target);

  std::unordered_map<uint64_t, SocketTarget> known_;
  std::unordered_map<uint64_t, uint8_t> netlink_;
  std::unordered_map<uint16_t, std::string> families_;  ///< for generic netlink, those that are known
};

/// "ROUTE:1234": the text for a netlink socket.
std::string netlink_text(uint8_t protocol, uint32_t port);

}  // namespace strut
