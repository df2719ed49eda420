// The context of a thread, with the symbols of its process's modules.
#pragma once

#include "libcalls/arming/call_points.hpp"
#include "syscalls/call_context.hpp"
#include "trace/event.hpp"

namespace strut {

/// Passes on all queries except those that need symbols. Lives no longer than the event.
class NamedContext final : public CallContext {
 public:
  NamedContext(CallContext& inner, CallPoints& points, const Event& event)
      : inner_(inner), points_(points), pid_(event.thread.pid), when_ns_(event.at.monotonic_ns) {}

  std::optional<FdTarget> fd_target(int fd, bool details) override { return inner_.fd_target(fd, details); }
  std::optional<std::string> comm(int32_t id) override { return inner_.comm(id); }
  std::optional<int32_t> translate_pid(int32_t id) override { return inner_.translate_pid(id); }
  std::optional<std::string> namespace_of(int32_t id, const char* kind) override {
    return inner_.namespace_of(id, kind);
  }
  std::optional<std::string> interface_name(uint32_t index) override { return inner_.interface_name(index); }
  std::optional<std::string> generic_family(uint16_t number) override { return inner_.generic_family(number); }
  std::optional<NetlinkTarget> netlink_socket(int fd) override { return inner_.netlink_socket(fd); }
  std::optional<std::string> symbol(Addr at) override {
    auto name = inner_.symbol(at);
    return name ? name : points_.symbol(pid_, raw(at), when_ns_);
  }

 private:
  CallContext& inner_;
  CallPoints& points_;
  Pid pid_;
  uint64_t when_ns_;
};

}  // namespace strut
