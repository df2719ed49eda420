#include "procfs/socket_diag.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/netlink_diag.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include <unistd.h>

namespace strut {

namespace {

/// A conversation with the kernel's socket lists: one question, and its answers.
class Conversation {
 public:
  Conversation() : fd_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {}
  ~Conversation() {
    if (fd_ >= 0) ::close(fd_);
  }
  Conversation(const Conversation&) = delete;

  template <typename Request>
  bool ask(const Request& request, uint16_t flags) {
    struct {
      nlmsghdr header;
      Request request;
    } message{};
    message.header.nlmsg_len = sizeof message;
    message.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    message.header.nlmsg_flags = static_cast<uint16_t>(NLM_F_REQUEST | flags);
    message.request = request;
    dump_ = flags & NLM_F_DUMP;
    return fd_ >= 0 && ::send(fd_, &message, sizeof message, 0) == sizeof message;
  }

  /// Calls `each(payload)` for every answer until it returns true. False: it never did.
  template <typename Each>
  bool listen(Each each) {
    for (;;) {
      ssize_t received = ::recv(fd_, buffer_.data(), buffer_.size(), 0);
      if (received < 0 && errno == EINTR) continue;
      if (received <= 0) return false;
      auto left = static_cast<unsigned>(received);
      for (auto* header = reinterpret_cast<nlmsghdr*>(buffer_.data()); NLMSG_OK(header, left);
           header = NLMSG_NEXT(header, left)) {
        if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY) return false;  // the end, or an error
        if (each(std::span(static_cast<const std::byte*>(NLMSG_DATA(header)), NLMSG_PAYLOAD(header, 0)))) return true;
      }
      if (!dump_) return false;
    }
  }

 private:
  int fd_;
  bool dump_ = false;
  alignas(nlmsghdr) std::array<std::byte, 32768> buffer_;
};

template <typename T>
const T* start_of(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof(T) ? reinterpret_cast<const T*>(bytes.data()) : nullptr;
}

std::string end_text(uint8_t family, std::span<const uint8_t, 16> address, uint16_t port) {
  char text[INET6_ADDRSTRLEN];
  if (!::inet_ntop(family, address.data(), text, sizeof text)) return {};
  std::string end = family == AF_INET6 ? "[" + std::string(text) + "]" : text;
  return end + ":" + std::to_string(ntohs(port));
}

SocketEnd end_of(const __be32 (&address)[4], uint16_t port) {
  SocketEnd end;
  std::memcpy(end.address.data(), address, sizeof address);
  end.port = port;
  return end;
}

}  // namespace

std::string ends_text(uint8_t family, const SocketEnd& own, const SocketEnd& peer) {
  auto address = std::span(peer.address).first(family == AF_INET6 ? 16 : 4);
  std::string ends = end_text(family, own.address, own.port);
  bool connected =
      peer.port != 0 || std::any_of(address.begin(), address.end(), [](uint8_t byte) { return byte != 0; });
  if (connected) ends += "->" + end_text(family, peer.address, peer.port);
  return ends;
}

std::optional<UnixSocket> find_unix_socket(uint32_t inode) {
  Conversation kernel;
  unix_diag_req request{};
  request.sdiag_family = AF_UNIX;
  request.udiag_states = ~0u;
  request.udiag_ino = inode;
  request.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER;
  request.udiag_cookie[0] = request.udiag_cookie[1] = ~0u;
  if (!kernel.ask(request, 0)) return std::nullopt;
  UnixSocket found;
  bool answered = kernel.listen([&](std::span<const std::byte> answer) {
    auto* message = start_of<unix_diag_msg>(answer);
    if (!message || message->udiag_ino != inode) return false;
    auto attributes = answer.subspan(NLMSG_ALIGN(sizeof *message));
    auto left = static_cast<unsigned>(attributes.size());
    for (auto* at = reinterpret_cast<const rtattr*>(attributes.data()); RTA_OK(at, left); at = RTA_NEXT(at, left)) {
      if (at->rta_type == UNIX_DIAG_NAME) found.name.assign(static_cast<const char*>(RTA_DATA(at)), RTA_PAYLOAD(at));
      if (at->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(at) >= 4) std::memcpy(&found.peer, RTA_DATA(at), 4);
    }
    return true;
  });
  if (!answered) return std::nullopt;
  if (!found.name.empty() && found.name[0] != '\0') found.name.resize(strnlen(found.name.data(), found.name.size()));
  return found;
}

std::optional<std::string> find_inet_socket(uint8_t family, uint8_t protocol, uint32_t inode) {
  Conversation kernel;
  inet_diag_req_v2 request{};
  request.sdiag_family = family;
  request.sdiag_protocol = protocol;
  request.idiag_states = ~0u;
  if (!kernel.ask(request, NLM_F_DUMP)) return std::nullopt;
  std::string ends;
  bool found = kernel.listen([&](std::span<const std::byte> answer) {
    auto* message = start_of<inet_diag_msg>(answer);
    if (!message || message->idiag_inode != inode || message->idiag_family != family) return false;
    ends = ends_text(family, end_of(message->id.idiag_src, message->id.idiag_sport),
                     end_of(message->id.idiag_dst, message->id.idiag_dport));
    return true;
  });
  return found ? std::optional(std::move(ends)) : std::nullopt;
}

std::optional<NetlinkSocket> find_netlink_socket(uint32_t inode) {
  Conversation kernel;
  netlink_diag_req request{};
  request.sdiag_family = AF_NETLINK;
  request.sdiag_protocol = NDIAG_PROTO_ALL;
  if (!kernel.ask(request, NLM_F_DUMP)) return std::nullopt;
  NetlinkSocket socket;
  bool found = kernel.listen([&](std::span<const std::byte> answer) {
    auto* message = start_of<netlink_diag_msg>(answer);
    if (!message || message->ndiag_ino != inode) return false;
    socket = {message->ndiag_protocol, message->ndiag_portid};
    return true;
  });
  return found ? std::optional(socket) : std::nullopt;
}

}  // namespace strut
