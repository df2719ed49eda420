#include "formatters/json/descriptor.hpp"

#include "formatters/json/value.hpp"
#include "syscalls/call_context.hpp"

namespace strut {

namespace {

void put_details(JsonWriter&, std::monostate) {}
void put_details(JsonWriter& json, const DeviceTarget& device) {
  json.key("device");
  json.begin_object();
  json.member("kind", std::string_view(device.block ? "block" : "char"));
  json.member("major", int64_t{device.major});
  json.member("minor", int64_t{device.minor});
  json.end_object();
}
void put_details(JsonWriter& json, const SocketTarget& socket) {
  json.key("socket");
  json.begin_object();
  json.member("protocol", std::string_view(socket.protocol));
  json.member("address", std::string_view(socket.details));
  if (!socket.path.empty()) {
    json.key("name");
    put_json_bytes(json, socket.path);
  }
  json.end_object();
}
void put_details(JsonWriter& json, const PidfdTarget& pidfd) { json.member("pid", int64_t{pidfd.pid}); }
void put_details(JsonWriter& json, const EventfdTarget& eventfd) {
  json.key("count");
  json.number(eventfd.count);
}
void put_details(JsonWriter& json, const SignalfdTarget& signalfd) {
  json.key("mask");
  put_json_signals(json, {signalfd.mask});
}

void put_target(JsonWriter& json, const FdTarget& target) {
  json.key("path");
  put_json_bytes(json, target.path);
  if (target.deleted) json.flag("deleted");
  std::visit([&](const auto& details) { put_details(json, details); }, target.details);
}

}  // namespace

void put_json_fd(JsonWriter& json, const Fd& fd) {
  constexpr int32_t kCurrentDirectory = -100;  // AT_FDCWD of <fcntl.h>
  bool current = fd.directory && fd.number == kCurrentDirectory;
  json.begin_object();
  json.member("value", int64_t{fd.number});
  if (current) json.member("name", std::string_view("AT_FDCWD"));
  if (fd.target != nullptr) put_target(json, *fd.target);
  json.end_object();
}

void put_json_process(JsonWriter& json, const ProcessId& id) {
  json.begin_object();
  json.member("value", int64_t{id.number});
  if (!id.comm.empty()) {
    json.key("comm");
    put_json_bytes(json, id.comm);
  }
  if (id.translated != 0) json.member("translated", int64_t{id.translated});
  json.end_object();
}

}  // namespace strut
