#include "formatters/json_value.hpp"

#include <arpa/inet.h>

#include <bit>

#include "core/signal_names.hpp"
#include "core/surroundings.hpp"

namespace strut {

namespace {

uint64_t mask_of(uint8_t bytes) { return bytes >= 8 ? ~0ull : (1ull << 8 * bytes) - 1; }

class JsonValue {
 public:
  explicit JsonValue(JsonWriter& json) : json_(json) {}

  void operator()(Absent) { json_.null(); }
  void operator()(Pending) { json_.null(); }
  void operator()(const Number& number);
  void operator()(const Named& named);
  void operator()(Pointer pointer) { address(pointer.at); }
  void operator()(Unreadable unreadable) { fault("unreadable", unreadable.at); }
  void operator()(Unseen unseen) { fault("unseen", unseen.at); }
  void operator()(const Text& text);
  void operator()(const Struct& structure);
  void operator()(const Array& array);
  void operator()(const Union& parts);
  void operator()(const Fd& fd);
  void operator()(const ProcessId& id);
  void operator()(const SignalSet& set);
  void operator()(const SignalNumber& signal) { put_json_signal(json_, signal.number); }
  void operator()(const WaitStatus& status);
  void operator()(const Inet6& inet6);
  void operator()(const Change& change);
  void operator()(const Form& form);
  void operator()(const Alias& alias);
  void operator()(const Shifted& shifted);

 private:
  void value(const Value& value) { put_json(json_, value); }
  void member(std::string_view key, std::string_view text) {
    json_.key(key);
    json_.string(text);
  }
  void member(std::string_view key, int64_t number) {
    json_.key(key);
    json_.number(number);
  }
  void flag(std::string_view key) {
    json_.key(key);
    json_.boolean(true);
  }
  void address(Addr at) {
    if (raw(at) == 0) json_.null();
    else json_.hex_string(raw(at));
  }
  void fault(std::string_view what, Addr at) {
    json_.begin_object();
    json_.key(what);
    json_.hex_string(raw(at));
    json_.end_object();
  }
  void mode(uint64_t bits);
  void device(uint64_t bits);
  void limit(uint64_t bits, uint8_t bytes);
  void inet4(uint64_t bits);
  void flags(const Named& named);
  void items(std::span<const Value> values);
  void indexed(std::span<const Value> values);
  void target(const FdTarget& target);

  JsonWriter& json_;
};

void JsonValue::mode(uint64_t bits) {
  char text[24];
  snprintf(text, sizeof text, "%#03lo", static_cast<unsigned long>(bits));
  json_.begin_object();
  json_.key("value");
  json_.number(bits);
  member("octal", std::string_view(text));
  json_.end_object();
}

// The kernel's encoding for user space (new_encode_dev and its 64-bit extension).
void JsonValue::device(uint64_t bits) {
  json_.begin_object();
  json_.key("value");
  json_.number(bits);
  member("major", static_cast<int64_t>((bits >> 8 & 0xfff) | (bits >> 32 & 0xfffff000)));
  member("minor", static_cast<int64_t>((bits & 0xff) | (bits >> 12 & 0xffffff00)));
  json_.end_object();
}

void JsonValue::limit(uint64_t bits, uint8_t bytes) {
  if (bits != mask_of(bytes)) return json_.number(bits);
  json_.begin_object();
  json_.key("value");
  json_.number(bits);
  member("name", std::string_view("RLIM_INFINITY"));
  json_.end_object();
}

void JsonValue::inet4(uint64_t bits) {
  char text[INET_ADDRSTRLEN];
  auto address = static_cast<uint32_t>(bits);
  json_.string(inet_ntop(AF_INET, &address, text, sizeof text));
}

void JsonValue::operator()(const Number& number) {
  uint64_t bits = number.bits & mask_of(number.bytes);
  switch (number.show) {
    case Show::Signed: return json_.number(static_cast<int64_t>(number.bits));
    case Show::Id:
      if (bits == mask_of(number.bytes)) return json_.number(int64_t{-1});
      return json_.number(bits);
    case Show::Permissions:
    case Show::FileMode: return mode(bits);
    case Show::Device: return device(bits);
    case Show::NetPort: return json_.number(uint64_t{__builtin_bswap16(static_cast<uint16_t>(bits))});
    case Show::NetLong: return json_.number(uint64_t{__builtin_bswap32(static_cast<uint32_t>(bits))});
    case Show::Inet4: return inet4(bits);
    case Show::Resource: return limit(bits, number.bytes);
    case Show::Unsigned:
    case Show::Hex:
    case Show::Octal:
    case Show::HexPadded:
    case Show::Char: return json_.number(bits);
  }
}

/// The names of a flag word in table order, and what no name stands for.
void JsonValue::flags(const Named& named) {
  uint64_t left = named.bits & mask_of(named.bytes);
  json_.key("names");
  json_.begin_array();
  for (const Constant& entry : named.set->entries) {
    uint64_t bits = entry.mask != 0 ? entry.mask : entry.value;
    if (bits == 0 || (left & bits) != entry.value) continue;
    json_.string(entry.name);
    left &= ~bits;
  }
  json_.end_array();
  if (left == 0) return;
  json_.key("unnamed");
  json_.number(left);
}

void JsonValue::operator()(const Named& named) {
  uint64_t bits = named.bits & mask_of(named.bytes);
  json_.begin_object();
  json_.key("value");
  json_.number(bits);
  if (named.set->naming == Naming::Flags) {
    flags(named);
  } else if (const char* name = named.set->name_of(bits)) {
    member("name", std::string_view(name));
  }
  json_.end_object();
}

void JsonValue::operator()(const Text& text) {
  bool plain = !text.cut && !text.abstract;
  if (plain) return put_json_bytes(json_, text.bytes);
  json_.begin_object();
  json_.key("text");
  put_json_bytes(json_, text.bytes);
  if (text.cut) flag("cut");
  if (text.abstract) flag("abstract");
  json_.end_object();
}

void JsonValue::operator()(const Struct& structure) {
  json_.begin_object();
  size_t unnamed = 0;
  for (const FieldValue& field : structure.fields) {
    if (field.value.absent()) continue;
    if (field.name.empty()) {
      char name[24];
      int length = snprintf(name, sizeof name, "#%zu", ++unnamed);
      json_.key({name, static_cast<size_t>(length)});
    } else {
      json_.key(field.name);
    }
    value(field.value);
  }
  if (structure.cut) flag("#cut");
  json_.end_object();
}

void JsonValue::items(std::span<const Value> values) {
  json_.begin_array();
  for (const Value& item : values) value(item);
  json_.end_array();
}

void JsonValue::indexed(std::span<const Value> values) {
  json_.begin_object();
  for (const Value& item : values) {
    const auto* pair = std::get_if<Struct>(&item.is);
    if (pair == nullptr || pair->fields.empty()) continue;
    json_.key(pair->fields[0].name);
    value(pair->fields[0].value);
  }
  json_.end_object();
}

void JsonValue::operator()(const Array& array) {
  bool unreadable = raw(array.unreadable_at) != 0;
  if (array.style == ArrayStyle::Boxed && array.items.size() == 1) return value(array.items[0]);
  bool complement = array.style == ArrayStyle::Complement;
  bool whole = !array.cut && !unreadable && !complement;
  if (!whole) {
    json_.begin_object();
    json_.key(complement ? "all_but" : "items");
  }
  if (array.style == ArrayStyle::Indexed) indexed(array.items);
  else items(array.items);
  if (whole) return;
  if (array.cut) flag("cut");
  if (unreadable) {
    json_.key("unreadable");
    json_.hex_string(raw(array.unreadable_at));
  }
  json_.end_object();
}

void JsonValue::operator()(const Union& parts) {
  if (parts.apart) return items(parts.parts);
  json_.begin_object();
  json_.key("value");
  json_.number(parts.bits & mask_of(parts.bytes));
  json_.key("parts");
  items(parts.parts);
  json_.end_object();
}

void JsonValue::target(const FdTarget& target) {
  json_.key("path");
  put_json_bytes(json_, target.path);
  if (target.deleted) flag("deleted");
  if (const auto* device = std::get_if<DeviceTarget>(&target.details)) {
    json_.key("device");
    json_.begin_object();
    member("kind", std::string_view(device->block ? "block" : "char"));
    member("major", int64_t{device->major});
    member("minor", int64_t{device->minor});
    json_.end_object();
  } else if (const auto* socket = std::get_if<SocketTarget>(&target.details)) {
    json_.key("socket");
    json_.begin_object();
    member("protocol", std::string_view(socket->protocol));
    member("address", std::string_view(socket->details));
    if (!socket->path.empty()) {
      json_.key("name");
      put_json_bytes(json_, socket->path);
    }
    json_.end_object();
  } else if (const auto* pidfd = std::get_if<PidfdTarget>(&target.details)) {
    member("pid", int64_t{pidfd->pid});
  } else if (const auto* eventfd = std::get_if<EventfdTarget>(&target.details)) {
    json_.key("count");
    json_.number(eventfd->count);
  } else if (const auto* signalfd = std::get_if<SignalfdTarget>(&target.details)) {
    json_.key("mask");
    (*this)(SignalSet{signalfd->mask});
  }
}

void JsonValue::operator()(const Fd& fd) {
  constexpr int32_t kCurrentDirectory = -100;  // AT_FDCWD of <fcntl.h>
  bool current = fd.directory && fd.number == kCurrentDirectory;
  if (fd.target == nullptr && !current) return json_.number(int64_t{fd.number});
  json_.begin_object();
  member("value", int64_t{fd.number});
  if (current) member("name", std::string_view("AT_FDCWD"));
  if (fd.target != nullptr) target(*fd.target);
  json_.end_object();
}

void JsonValue::operator()(const ProcessId& id) {
  if (id.comm.empty() && id.translated == 0) return json_.number(int64_t{id.number});
  json_.begin_object();
  member("value", int64_t{id.number});
  if (!id.comm.empty()) {
    json_.key("comm");
    put_json_bytes(json_, id.comm);
  }
  if (id.translated != 0) member("translated", int64_t{id.translated});
  json_.end_object();
}

void JsonValue::operator()(const SignalSet& set) {
  json_.begin_array();
  for (uint64_t left = set.bits; left != 0; left &= left - 1) json_.string(signal_name(std::countr_zero(left) + 1));
  json_.end_array();
}

// wait(2), "wait status macros".
void JsonValue::operator()(const WaitStatus& wait) {
  auto status = static_cast<uint32_t>(wait.status);
  auto low = static_cast<int32_t>(status & 0x7f), high = static_cast<int32_t>(status >> 8 & 0xff);
  json_.begin_object();
  json_.key("value");
  json_.number(uint64_t{status});
  if (status == 0xffff) {
    flag("continued");
  } else if (low == 0) {
    member("exited", int64_t{high});
  } else if ((status & 0xff) == 0x7f) {
    json_.key("stopped");
    put_json_signal(json_, high & 0x7f);
  } else {
    json_.key("killed");
    put_json_signal(json_, low);
    if (status & 0x80) flag("core_dumped");
  }
  json_.end_object();
}

void JsonValue::operator()(const Inet6& inet6) {
  char text[INET6_ADDRSTRLEN];
  json_.string(inet_ntop(AF_INET6, inet6.bytes.data(), text, sizeof text));
}

void JsonValue::operator()(const Change& change) {
  json_.begin_object();
  json_.key("before");
  value(*change.before);
  json_.key("after");
  value(*change.after);
  json_.end_object();
}

void JsonValue::operator()(const Form& form) {
  json_.begin_object();
  if (form.plain != nullptr) {
    json_.key("value");
    value(*form.plain);
  }
  member("form", form.name);
  json_.key("args");
  items(form.args);
  json_.end_object();
}

void JsonValue::operator()(const Shifted& shifted) {
  json_.begin_object();
  json_.key("value");
  value(*shifted.value);
  member("shift", int64_t{shifted.by});
  json_.end_object();
}

void JsonValue::operator()(const Alias& alias) {
  json_.begin_object();
  json_.key("value");
  value(*alias.plain);
  member("name", alias.name);
  json_.end_object();
}

}  // namespace

void put_json(JsonWriter& json, const Value& value) {
  if (value.comment.empty()) return std::visit(JsonValue(json), value.is);
  json.begin_object();
  json.key("value");
  std::visit(JsonValue(json), value.is);
  json.key("comment");
  json.string(value.comment);
  json.end_object();
}

void put_json_signal(JsonWriter& json, int32_t number) {
  const char* name = signal_name(number);
  if (name == nullptr) return json.number(int64_t{number});
  json.begin_object();
  json.key("value");
  json.number(int64_t{number});
  json.key("name");
  json.string(name);
  json.end_object();
}

void put_json_bytes(JsonWriter& json, std::string_view bytes) {
  if (is_utf8(bytes)) return json.string(bytes);
  TextBuffer hex;
  for (char c : bytes) hex.hex_digits(static_cast<unsigned char>(c), 2);
  json.begin_object();
  json.key("hex");
  json.string(hex.view());
  json.end_object();
}

}  // namespace strut
