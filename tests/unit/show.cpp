#include "show.hpp"

#include <cinttypes>
#include <cstdio>

namespace strut::test {

namespace {

std::string hex(uint64_t bits) {
  char text[24];
  std::snprintf(text, sizeof text, "%#" PRIx64, bits);
  return text;
}
std::string decimal(int64_t number) { return std::to_string(number); }

std::string items(std::span<const Value> values, const char* between) {
  std::string text;
  for (const Value& value : values) text += (text.empty() ? "" : between) + show(value);
  return text;
}

struct Show {
  std::string operator()(const Absent&) const { return "absent"; }
  std::string operator()(const Pending&) const { return "?"; }
  std::string operator()(const Number& n) const {
    return n.show == strut::Show::Signed ? decimal(static_cast<int64_t>(n.bits))
           : n.show == strut::Show::Hex  ? hex(n.bits)
                                         : std::to_string(n.bits);
  }
  std::string operator()(const Named& n) const {
    const char* name = n.set ? n.set->name_of(n.bits) : nullptr;
    return name ? name : "named:" + hex(n.bits);
  }
  std::string operator()(const Pointer& p) const { return raw(p.at) ? hex(raw(p.at)) : "NULL"; }
  std::string operator()(const Unreadable& u) const { return "bad:" + hex(raw(u.at)); }
  std::string operator()(const Unseen& u) const { return "unseen:" + hex(raw(u.at)); }
  std::string operator()(const Text& t) const {
    std::string bytes(t.bytes);
    if (t.kind != TextKind::Bare) bytes = '"' + bytes + '"';
    return bytes + (t.cut ? "..." : "");
  }
  std::string operator()(const Struct& s) const {
    std::string text;
    for (const FieldValue& field : s.fields) {
      if (field.detail && field.value.absent()) continue;
      text += (text.empty() ? "" : ", ") + std::string(field.detail ? "~" : "") + std::string(field.name);
      text += (field.name.empty() ? "" : "=") + show(field.value);
    }
    return "{" + text + (s.cut ? ", ...}" : "}");
  }
  std::string operator()(const Array& a) const {
    std::string text = (a.style == ArrayStyle::Boxed ? "box[" : "[") + items(a.items, ", ");
    if (raw(a.unreadable_at)) text += (a.unseen ? ", ... unseen:" : ", bad:") + hex(raw(a.unreadable_at));
    return text + (!a.cut ? "]" : a.items.empty() ? "...]" : ", ...]");
  }
  std::string operator()(const Union& u) const { return items(u.parts, "|"); }
  std::string operator()(const Fd& fd) const {
    std::string text = (fd.directory ? "dirfd:" : "fd:") + decimal(fd.number);
    return fd.target ? text + "<" + fd.target->path + ">" : text;
  }
  std::string operator()(const ProcessId& id) const {
    std::string text = "pid:" + decimal(id.number);
    if (!id.comm.empty()) text += "<" + std::string(id.comm) + ">";
    return id.translated ? text + "@" + decimal(id.translated) : text;
  }
  std::string operator()(const SignalSet& s) const { return "signals:" + hex(s.bits); }
  std::string operator()(const SignalNumber& s) const { return "signal:" + decimal(s.number); }
  std::string operator()(const WaitStatus& w) const { return "status:" + hex(static_cast<uint32_t>(w.status)); }
  std::string operator()(const Inet6& a) const { return "inet6:" + decimal(a.bytes[15]); }
  std::string operator()(const Change& c) const { return show(*c.before) + " => " + show(*c.after); }
  std::string operator()(const Form& f) const { return std::string(f.name) + "(" + items(f.args, ", ") + ")"; }
  std::string operator()(const Shifted& s) const { return show(*s.value) + "<<" + decimal(s.by); }
  std::string operator()(const Alias& a) const { return std::string(a.name); }
  template <typename Other>  // kinds that no test of decoding looks at
  std::string operator()(const Other&) const {
    return "other";
  }
};

}  // namespace

std::string show(const Value& value) {
  std::string text = std::visit(Show{}, value.is);
  return value.comment.empty() ? text : text + " /* " + std::string(value.comment) + " */";
}

std::string show(const DecodedCall& decoded) {
  std::string text;
  for (size_t i = 0; i < decoded.count; i++) {
    if (i) text += "; ";
    if (i == decoded.ready) text += "| ";
    text += show(decoded.args[i].value);
  }
  return text;
}

}  // namespace strut::test
