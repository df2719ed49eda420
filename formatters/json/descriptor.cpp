#include "formatters/json/descriptor.hpp"

#include "formatters/json/value.hpp"
#include "syscalls/call_context.hpp"

namespace strut {

namespace {

void put_target(JsonWriter& json, const FdTarget& target) {
  json.key("path");
  put_json_bytes(json, target.path);
  if (target.deleted) json.flag("deleted");
  if (const auto* device = std::get_if<DeviceTarget>(&target.details)) {
    json.key("device");
    json.begin_object();
    json.member("kind", std::string_view(device->block ? "block" : "char"));
    json.member("major", int64_t{device->major});
    json.member("minor", int64_t{device->minor});
    json.end_object();
  } else if (const auto* socket = std::get_if<SocketTarget>(&target.details)) {
    json.key("socket");
    json.begin_object();
    json.member("protocol", std::string_view(socket->protocol));
    json.member("address", std::string_view(socket->details));
    if (!socket->path.empty()) {
      json.key("name");
      put_json_bytes(json, socket->path);
    }
    json.end_object();
  } else if (const auto* pidfd = std::get_if<PidfdTarget>(&target.details)) {
    json.member("pid", int64_t{pidfd->pid});
  } else if (const auto* eventfd = std::get_if<EventfdTarget>(&target.details)) {
    json.key("count");
    json.number(eventfd->count);
  } else if (const auto* signalfd = std::get_if<SignalfdTarget>(&target.details)) {
    json.key("mask");
    put_json_signals(json, {signalfd->mask});
  }
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
