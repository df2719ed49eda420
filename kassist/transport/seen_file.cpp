#include "kassist/transport/seen_file.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "procfs/fd_details.hpp"
#include "procfs/socket_diag.hpp"

namespace strut {

namespace {

using Details = decltype(FdTarget::details);

// <linux/magic.h>; nsfs and pidfs have newer ones
constexpr uint32_t kPipeFs = 0x50495045, kSockFs = 0x534f434b, kAnonInodeFs = 0x09041934, kNsFs = 0x6e736673,
                   kPidFs = 0x50494446;

std::string_view first_name(const SeenFile& file) { return file.names.substr(0, file.names.find('\0')); }

/// The path of names that come in reverse.
std::string joined(std::string_view names) {
  if (names.empty()) return "/";
  std::string path;
  path.reserve(names.size());
  while (!names.empty()) {
    size_t last = names.size() >= 2 ? names.rfind('\0', names.size() - 2) : std::string_view::npos;
    size_t start = last == std::string_view::npos ? 0 : last + 1;
    path += '/';
    path += names.substr(start, names.size() - 1 - start);
    names = names.substr(0, start);
  }
  return path;
}

std::string numbered(std::string_view kind, uint64_t inode) {
  return std::string(kind) + ":[" + std::to_string(inode) + "]";
}

/// The name that the filesystem's own function (d_dname) composes; by default the name of a file that was never in a
/// directory.
FdTarget nameless(const SeenFile& file) {
  std::string name(first_name(file));
  switch (file.header.magic) {
    case kPipeFs: return {numbered("pipe", file.header.inode), false, {}};
    case kSockFs: return {numbered("socket", file.header.inode), false, {}};
    case kNsFs: return {numbered(name, file.header.inode), false, {}};
    case kAnonInodeFs: return {"anon_inode:" + name, false, {}};
    case kPidFs: return {"anon_inode:[pidfd]", false, {}};
    default: return {"/" + name, true, {}};
  }
}

// -- sockets ----------------------------------------------------------------------------------------------

/// Inode of our own network namespace.
uint32_t own_network() {
  static const uint32_t inode = [] {
    struct stat64 status;
    return ::stat64("/proc/self/ns/net", &status) == 0 ? static_cast<uint32_t>(status.st_ino) : 0;
  }();
  return inode;
}

enum class Standing : uint8_t { Bound, Listening };

/// Whether sock_diag(7) reports sockets of this kind: found by trying with one of our own.
bool sock_diag_reports(int family, int type, Standing standing, std::string_view protocol) {
  int fd = ::socket(family, type | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_in6 any{};  // all zero: whatever is free, of every family here
  any.sin6_family = static_cast<sa_family_t>(family);
  socklen_t bytes = family == AF_UNIX ? sizeof(sa_family_t) : family == AF_INET6 ? sizeof any : sizeof(sockaddr_in);
  if (family == AF_NETLINK) bytes = sizeof(sockaddr_nl);
  struct stat64 status;
  bool stands = ::bind(fd, reinterpret_cast<sockaddr*>(&any), bytes) == 0 && ::fstat64(fd, &status) == 0;
  if (standing == Standing::Listening) stands = stands && ::listen(fd, 1) == 0;
  auto reported = stands ? SocketDetails().find(status.st_ino, protocol) : std::nullopt;
  ::close(fd);
  return reported && (reported->details != std::to_string(status.st_ino) || !reported->path.empty());
}

/// Sockets without more than a binding are listed by newer kernels.
bool lists_bound_sockets() {
  static const bool lists = sock_diag_reports(AF_INET, SOCK_STREAM, Standing::Bound, "TCP");
  return lists;
}

/// The lists of a protocol are a module's, which may be missing.
bool lists_sockets_like(const wire_details& socket) {
  static const bool unix_sockets = sock_diag_reports(AF_UNIX, SOCK_DGRAM, Standing::Bound, "UNIX");
  static const bool netlink = sock_diag_reports(AF_NETLINK, SOCK_RAW, Standing::Bound, "NETLINK");
  static const bool tcp = sock_diag_reports(AF_INET, SOCK_STREAM, Standing::Listening, "TCP");
  static const bool udp = sock_diag_reports(AF_INET, SOCK_DGRAM, Standing::Bound, "UDP");
  if (socket.family == AF_UNIX) return unix_sockets;
  if (socket.family == AF_NETLINK) return netlink;
  return socket.protocol == IPPROTO_TCP ? tcp : udp;
}

/// Whether fdinfo has a line "eventfd-semaphore", as newer kernels do.
bool fdinfo_reports_semaphores() {
  static const bool reports = [] {
    int fd = ::eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    Details seen = fd_details(Tid{::getpid()}, fd, "anon_inode:[eventfd]");
    ::close(fd);
    auto* target = std::get_if<EventfdTarget>(&seen);
    return target && target->semaphore;
  }();
  return reports;
}

SocketEnd end_of(const wire_u8 (&address)[16], uint16_t port) {
  SocketEnd end;
  std::copy_n(address, sizeof address, end.address.begin());
  end.port = port;
  return end;
}

bool add_unix(const SeenDetails& seen, SocketTarget& target) {
  std::string_view name = seen.name;
  if (!name.empty() && name[0] != '\0') name = name.substr(0, name.find('\0'));
  if (seen.header.value == 0 && name.empty()) return false;
  if (seen.header.value != 0) target.details += "->" + std::to_string(seen.header.value);
  target.path = name;
  return true;
}

bool add_details(const SeenDetails& seen, SocketTarget& target) {
  const wire_details& header = seen.header;
  if (!is_listed(seen)) return false;
  if (header.family == AF_UNIX) return add_unix(seen, target);
  if (header.family == AF_NETLINK) target.details = netlink_text(header.protocol, header.number);
  else
    target.details =
        ends_text(header.family, end_of(header.address, header.port), end_of(header.peer, header.peer_port));
  return true;
}

/// Families and protocols for which the kernel's lists have the same data as the record.
bool reported_by_record(std::string_view protocol) {
  constexpr std::string_view kReported[] = {"TCP", "TCPv6", "UDP", "UDPv6", "UNIX", "UNIX-STREAM", "NETLINK"};
  return std::find(std::begin(kReported), std::end(kReported), protocol) != std::end(kReported);
}

Details socket_details(const SeenFile& file, const SeenDetails* seen, SocketDetails& sockets) {
  std::string_view protocol = first_name(file);
  uint64_t inode = file.header.inode;
  auto fill = [&](SocketTarget& target) { return seen && add_details(*seen, target); };
  auto target = reported_by_record(protocol) ? sockets.find(inode, protocol, fill) : sockets.find(inode, protocol);
  return target ? Details(std::move(*target)) : Details{};
}

// -- the rest ---------------------------------------------------------------------------------------------

DeviceTarget device(uint32_t number, bool block) { return {block, number >> 20, number & 0xfffff, {}}; }

Details anonymous_details(const wire_details& seen) {
  switch (seen.of) {
    case WIRE_OF_EVENTFD:
      return EventfdTarget{seen.value, static_cast<int32_t>(seen.number),
                           seen.flags != 0 && fdinfo_reports_semaphores()};
    case WIRE_OF_SIGNALFD: return SignalfdTarget{seen.value};
    case WIRE_OF_PIDFD:
      if (seen.number != 0)
        return PidfdTarget{static_cast<int32_t>(seen.number), comm_in(std::as_bytes(std::span(seen.comm)))};
      return {};
    default: return {};
  }
}

}  // namespace

std::optional<SeenFile> seen_file(std::span<const std::byte> content) {
  SeenFile file;
  if (content.size() < sizeof file.header) return std::nullopt;
  std::memcpy(&file.header, content.data(), sizeof file.header);
  content = content.subspan(sizeof file.header);
  if (file.header.names > content.size()) return std::nullopt;
  file.names = {reinterpret_cast<const char*>(content.data()), file.header.names};
  return file;
}

std::string comm_in(std::span<const std::byte> comm) {
  auto* text = reinterpret_cast<const char*>(comm.data());
  return {text, strnlen(text, comm.size())};
}

std::optional<SeenDetails> seen_details(std::span<const std::byte> content) {
  SeenDetails details;
  if (content.size() < sizeof details.header) return std::nullopt;
  std::memcpy(&details.header, content.data(), sizeof details.header);
  content = content.subspan(sizeof details.header);
  details.name = {reinterpret_cast<const char*>(content.data()), content.size()};
  return details;
}

std::optional<FdTarget> target_of(const SeenFile& file, bool directory) {
  if (file.header.flags & WIRE_FILE_CUT) return std::nullopt;
  if (file.header.flags & WIRE_FILE_NAMELESS) return nameless(file);
  FdTarget target{joined(file.names), (file.header.flags & WIRE_FILE_DELETED) != 0, {}};
  if (directory && target.deleted) {
    target.path += " (deleted)";
    target.deleted = false;
  }
  return target;
}

Details details_of(const SeenFile& file, const SeenDetails* details, std::string_view path, SocketDetails& sockets) {
  const wire_file& header = file.header;
  if (S_ISSOCK(header.mode) && path.starts_with("socket:[")) return socket_details(file, details, sockets);
  if ((S_ISCHR(header.mode) || S_ISBLK(header.mode)) && path.starts_with('/')) {
    DeviceTarget target = device(header.device, S_ISBLK(header.mode));
    if (details && details->header.of == WIRE_OF_TERMINAL && path.ends_with("/ptmx"))
      target.peer = "/dev/pts/" + std::to_string(details->header.number);
    return target;
  }
  return details ? anonymous_details(details->header) : Details{};
}

bool is_listed(const SeenDetails& socket) {
  if (socket.header.network != own_network() || !lists_sockets_like(socket.header)) return false;
  return (socket.header.flags & WIRE_SOCKET_LISTED) ||
         ((socket.header.flags & WIRE_SOCKET_BOUND) && lists_bound_sockets());
}

FdTarget device_of(const SeenDetails& details) {
  FdTarget target;
  if (details.header.of == WIRE_OF_DEVICE)
    target.details = device(static_cast<uint32_t>(details.header.value), details.header.flags != 0);
  return target;
}

}  // namespace strut
