#include "formatters/json/value.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <arpa/inet.h>

#include "formatters/json/descriptor.hpp"
#include "formatters/json/number.hpp"
#include "syscalls/signal_names.hpp"

namespace strut {

namespace {

class JsonValue {
 public:
  explicit JsonValue(JsonWriter& json) : json_(json) {}

  void operator()(Absent) { json_.null(); }
  void operator()(Pending) { json_.null(); }
  void operator()(const Number& number) { put_json_number(json_, number); }
  void operator()(const Named& named) { put_json_named(json_, named); }
  void operator()(Pointer pointer) { address(pointer.at); }
  void operator()(Unreadable unreadable) { fault("unreadable", unreadable.at); }
  void operator()(Unseen unseen) { fault("unseen", unseen.at); }
  void operator()(const Text& text);
  void operator()(const Struct& structure);
  void operator()(const Array& array);
  void operator()(const Union& parts);
  void operator()(const Fd& fd) { put_json_fd(json_, fd); }
  void operator()(const ProcessId& id) { put_json_process(json_, id); }
  void operator()(const SignalSet& set) { put_json_signals(json_, set); }
  void operator()(const SignalNumber& signal) { put_json_signal(json_, signal.number); }
  void operator()(const WaitStatus& status);
  void operator()(const Inet6& inet6);
  void operator()(const Change& change);
  void operator()(const Form& form);
  void operator()(const Alias& alias);
  void operator()(const Shifted& shifted);

 private:
  void value(const Value& value) { put_json(json_, value); }
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
  void items(std::span<const Value> values);
  void indexed(std::span<const Value> values);

  JsonWriter& json_;
};

void JsonValue::operator()(const Text& text) {
  bool plain = !text.cut && !text.abstract;
  if (plain) return put_json_bytes(json_, text.bytes);
  json_.begin_object();
  json_.key("text");
  put_json_bytes(json_, text.bytes);
  if (text.cut) json_.flag("cut");
  if (text.abstract) json_.flag("abstract");
  json_.end_object();
}

/// How many members before this one are shown by the same name.
size_t namesakes(std::span<const FieldValue> fields, size_t index) {
  return static_cast<size_t>(std::ranges::count_if(fields.first(index), [&](const FieldValue& field) {
    return !field.value.absent() && field.name == fields[index].name;
  }));
}

void JsonValue::operator()(const Struct& structure) {
  json_.begin_object();
  for (size_t i = 0; i < structure.fields.size(); i++) {
    const FieldValue& field = structure.fields[i];
    if (field.value.absent()) continue;
    size_t before = namesakes(structure.fields, i);
    if (field.name.empty() || before != 0) {
      char name[96];
      int length = snprintf(name, sizeof name, "%.*s#%zu", static_cast<int>(std::min<size_t>(field.name.size(), 64)),
                            field.name.data(), before + 1);
      json_.key({name, static_cast<size_t>(length)});
    } else {
      json_.key(field.name);
    }
    value(field.value);
  }
  if (structure.cut) json_.flag("#cut");
  json_.end_object();
}

void JsonValue::items(std::span<const Value> values) {
  json_.begin_array();
  for (const Value& item : values) value(item);
  json_.end_array();
}

// The items side by side are a structure's fields, named as their indices are.
void JsonValue::indexed(std::span<const Value> values) {
  std::vector<FieldValue> fields;
  for (const Value& item : values)
    if (const auto* pair = std::get_if<Struct>(&item.is); pair != nullptr && !pair->fields.empty())
      fields.push_back({pair->fields[0].name, pair->fields.back().value});
  (*this)(Struct{fields, false});
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
  if (array.cut) json_.flag("cut");
  if (unreadable) {
    json_.key(array.unseen ? "unseen" : "unreadable");
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

// wait(2), "wait status macros".
void JsonValue::operator()(const WaitStatus& wait) {
  auto status = static_cast<uint32_t>(wait.status);
  auto low = static_cast<int32_t>(status & 0x7f), high = static_cast<int32_t>(status >> 8 & 0xff);
  json_.begin_object();
  json_.key("value");
  json_.number(uint64_t{status});
  if (status == 0xffff) {
    json_.flag("continued");
  } else if (low == 0) {
    json_.member("exited", int64_t{high});
  } else if ((status & 0xff) == 0x7f) {
    json_.key("stopped");
    put_json_signal(json_, high & 0x7f);
  } else {
    json_.key("killed");
    put_json_signal(json_, low);
    if (status & 0x80) json_.flag("core_dumped");
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
  json_.member("form", form.name);
  json_.key("args");
  items(form.args);
  json_.end_object();
}

void JsonValue::operator()(const Shifted& shifted) {
  json_.begin_object();
  json_.key("value");
  value(*shifted.value);
  json_.member("shift", int64_t{shifted.by});
  json_.end_object();
}

void JsonValue::operator()(const Alias& alias) {
  json_.begin_object();
  json_.key("value");
  value(*alias.plain);
  json_.member("name", alias.name);
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
  json.begin_object();
  json.member("value", int64_t{number});
  if (name != nullptr) json.member("name", std::string_view(name));
  json.end_object();
}

void put_json_signals(JsonWriter& json, const SignalSet& set) {
  json.begin_array();
  for (uint64_t left = set.bits; left != 0; left &= left - 1) json.string(signal_name(std::countr_zero(left) + 1));
  json.end_array();
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
