// The files, names and namespaces of a stopped thread, from /proc.
#pragma once

#include "procfs/socket_details.hpp"
#include "syscalls/call_context.hpp"

namespace strut {

/// Whether the comm of a process behind a pidfd is wanted (-Y).
enum class PidfdNames : uint8_t { Omit, Learn };

/// Reads /proc anew for every query; keeps only constants of a thread's life (its pid namespace).
class LiveContext final : public CallContext {
 public:
  /// `sockets`: the known sockets, shared by the threads of a trace; nullptr: they have no details.
  explicit LiveContext(Tid tid, PidfdNames pidfds = PidfdNames::Omit, SocketDetails* sockets = nullptr)
      : tid_(tid), pidfds_(pidfds), sockets_(sockets) {}

  /// A removed current directory keeps its " (deleted)" in the path, as the link has it.
  std::optional<FdTarget> fd_target(int fd, bool details) override;
  std::optional<std::string> comm(int32_t id) override;
  std::optional<int32_t> translate_pid(int32_t id) override;
  std::optional<std::string> namespace_of(int32_t id, const char* kind) override;
  std::optional<std::string> interface_name(uint32_t index) override;
  std::optional<std::string> generic_family(uint16_t number) override;
  std::optional<NetlinkTarget> netlink_socket(int fd) override;

 private:
  bool in_foreign_namespace();

  Tid tid_;
  PidfdNames pidfds_;
  SocketDetails* sockets_;
  enum class Namespace : uint8_t { Unknown, Ours, Foreign } namespace_ = Namespace::Unknown;
};

}  // namespace strut
