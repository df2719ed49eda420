// Which protocol a socket behind a descriptor speaks and with whom (-yy).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ids.hpp"
#include "core/surroundings.hpp"

namespace strut {

/// Knows sockets by inode. strace(1) -yy shows for ever what it first learned of a socket's addresses, and so do we: the
/// text must be the same. A socket without addresses is asked for anew each time.
class SocketDetails {
 public:
  /// A descriptor whose link says `path`, "socket:[INODE]". nullopt: not a socket, or of a protocol without details.
  std::optional<SocketTarget> find(Tid tid, int fd, std::string_view path);

  /// nullopt: not a netlink socket.
  std::optional<NetlinkTarget> netlink_socket(Tid tid, int fd, std::string_view path);

 private:
  std::unordered_map<uint64_t, SocketTarget> known_;
  std::unordered_map<uint64_t, uint8_t> netlink_;
};

}  // namespace strut
