// What surrounds a system call besides memory: the files behind descriptors, thread names, pid namespaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/ids.hpp"

namespace strut {

/// A character or block device behind a descriptor.
struct DeviceTarget {
  bool block = false;
  uint32_t major = 0;
  uint32_t minor = 0;
  std::string peer;  ///< for /dev/ptmx: the slave, "/dev/pts/3"
};
/// A socket behind a descriptor; `text` is what stands between `<` and `>` under -yy, unescaped,
/// e.g. "TCP:[127.0.0.1:5000->127.0.0.1:80]".
struct SocketTarget {
  uint64_t inode = 0;
  std::string protocol;  ///< "TCP", "UNIX-STREAM", "NETLINK" …
  std::string details;   ///< what the brackets hold
};
/// eventfd, pidfd, signalfd …: details from /proc/PID/fdinfo, as strace -yy prints them.
struct AnonTarget {
  std::string details;
};

/// What a descriptor refers to at the moment of the event (readlink of /proc/PID/fd/N and more).
struct FdTarget {
  std::string path;      ///< "/etc/hosts", "pipe:[123]", "anon_inode:[eventpoll]", "/cwd"
  bool deleted = false;  ///< the link said " (deleted)"
  std::variant<std::monostate, DeviceTarget, SocketTarget, AnonTarget> details;  ///< only when asked for (-yy)
};

/// Answers questions about a thread's process at the moment of an event. Under ptrace from /proc while the thread
/// stands still, under kassist from what the kernel program recorded.
class Surroundings {
 public:
  virtual ~Surroundings() = default;

  /// What `fd` refers to; AT_FDCWD (-100) is the current directory. nullopt: not open or not known.
  /// `details`: also find device numbers, socket addresses and the like (-yy).
  virtual std::optional<FdTarget> fd_target(int fd, bool details) = 0;

  /// The comm of a process or thread, numbered as the calling thread's pid namespace numbers it.
  virtual std::optional<std::string> comm(int32_t id) = 0;

  /// `id` of the thread's pid namespace in strut's own namespace; nullopt: the same namespace, or not known.
  virtual std::optional<int32_t> translate_pid(int32_t id) = 0;
};

}  // namespace strut
