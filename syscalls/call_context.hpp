// The context of a system call besides memory: the files of descriptors, thread names, pid namespaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/ids.hpp"

namespace strut {

/// A character or block device behind a descriptor.
struct DeviceTarget {
  bool block = false;
  uint32_t major = 0;
  uint32_t minor = 0;
  std::string peer;  ///< for /dev/ptmx: the slave, "/dev/pts/3"
};
/// A descriptor's socket with a known protocol: `PROTOCOL:[details,"path"]` under -yy.
struct SocketTarget {
  uint64_t inode = 0;
  std::string protocol;  ///< "TCP", "UNIX-STREAM", "NETLINK" …
  /// "127.0.0.1:5000->127.0.0.1:80", "129691->129692", "ROUTE:1234"; the inode if no more is known.
  std::string details;
  std::string path;  ///< AF_UNIX: the bytes of the bound name, abstract ones with their leading NUL; empty: none
};
/// An eventfd, from /proc/PID/fdinfo (proc(5), "eventfd-count").
struct EventfdTarget {
  uint64_t count = 0;
  int32_t id = 0;
  bool semaphore = false;
};
/// A process behind a pidfd that still exists.
struct PidfdTarget {
  int32_t pid = 0;
  std::string comm;  ///< empty: not asked for (-Y) or not known
};
/// A signalfd: bit n-1 is signal n.
struct SignalfdTarget {
  uint64_t mask = 0;
};

/// A netlink socket. `protocol`: NETLINK_ROUTE …; nullopt: unknown as long as it is not bound.
struct NetlinkTarget {
  std::optional<uint8_t> protocol;
};

/// The file of a descriptor at the time of the event (readlink of /proc/PID/fd/N and more).
struct FdTarget {
  std::string path;      ///< "/etc/hosts", "pipe:[123]", "anon_inode:[eventpoll]", "/cwd"
  bool deleted = false;  ///< the link said " (deleted)"
  /// Only when asked for (-yy), and where more than the path is known.
  std::variant<std::monostate, DeviceTarget, SocketTarget, EventfdTarget, PidfdTarget, SignalfdTarget> details;
};

/// Queries about a thread's process at the time of an event. Under ptrace from /proc while the thread is stopped, under
/// kassist from the records of the kernel programs.
class CallContext {
 public:
  virtual ~CallContext() = default;

  /// The file of `fd`; AT_FDCWD (-100) is the current directory. nullopt: not open or unknown. `details`: also find
  /// device numbers, socket addresses and the like (-yy).
  virtual std::optional<FdTarget> fd_target(int fd, bool details) = 0;

  /// The comm of a process or thread, numbered as the calling thread's pid namespace numbers it.
  virtual std::optional<std::string> comm(int32_t id) = 0;

  /// `id` of the thread's pid namespace in strut's own namespace; nullopt: the same namespace, or not known.
  virtual std::optional<int32_t> translate_pid(int32_t id) = 0;

  /// The namespace of a kind ("net", "pid" …: the names of /proc/PID/ns) that process `id` is in, as its link says it:
  /// "net:[4026531840]". 0: the thread itself. nullopt: not known.
  virtual std::optional<std::string> namespace_of([[maybe_unused]] int32_t id, [[maybe_unused]] const char* kind) {
    return std::nullopt;
  }
  /// The name of a network interface (if_indextoname(3)); nullopt: there is none of this index, or not known.
  virtual std::optional<std::string> interface_name([[maybe_unused]] uint32_t index) { return std::nullopt; }

  /// The name of the generic netlink family of this number; nullopt: there is none, or not known.
  virtual std::optional<std::string> generic_family([[maybe_unused]] uint16_t number) { return std::nullopt; }

  /// The name of the function or object that begins at an address; nullopt: none does, or not known.
  virtual std::optional<std::string> symbol([[maybe_unused]] Addr at) { return std::nullopt; }

  /// nullopt: the descriptor is no netlink socket, or not known.
  virtual std::optional<NetlinkTarget> netlink_socket([[maybe_unused]] int fd) { return std::nullopt; }
};

}  // namespace strut
