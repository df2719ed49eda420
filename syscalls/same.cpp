#include <algorithm>

#include "syscalls/decoder.hpp"

namespace strut {

namespace {

bool same_all(std::span<const Value> a, std::span<const Value> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool same_field(const FieldValue& a, const FieldValue& b) { return a.name == b.name && same(a.value, b.value); }

/// Compares two values of one alternative by their shown parts.
struct Same {
  bool operator()(const Absent&, const Absent&) const { return true; }
  bool operator()(const Pending&, const Pending&) const { return true; }
  bool operator()(const Number& a, const Number& b) const {
    return a.bits == b.bits && a.show == b.show && a.bytes == b.bytes;
  }
  bool operator()(const Named& a, const Named& b) const { return a.bits == b.bits && a.set == b.set; }
  bool operator()(const Pointer& a, const Pointer& b) const { return a.at == b.at; }
  bool operator()(const Unreadable& a, const Unreadable& b) const { return a.at == b.at; }
  bool operator()(const Unseen& a, const Unseen& b) const { return a.at == b.at; }
  bool operator()(const Text& a, const Text& b) const {
    return a.bytes == b.bytes && a.kind == b.kind && a.cut == b.cut && a.abstract == b.abstract;
  }
  bool operator()(const Struct& a, const Struct& b) const {
    return a.cut == b.cut && std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(), same_field);
  }
  bool operator()(const Array& a, const Array& b) const {
    return a.style == b.style && a.cut == b.cut && a.unreadable_at == b.unreadable_at && a.unseen == b.unseen &&
           same_all(a.items, b.items);
  }
  bool operator()(const Union& a, const Union& b) const { return a.bits == b.bits && same_all(a.parts, b.parts); }
  bool operator()(const Fd& a, const Fd& b) const { return a.number == b.number; }
  bool operator()(const ProcessId& a, const ProcessId& b) const { return a.number == b.number; }
  bool operator()(const SignalSet& a, const SignalSet& b) const { return a.bits == b.bits; }
  bool operator()(const SignalNumber& a, const SignalNumber& b) const { return a.number == b.number; }
  bool operator()(const WaitStatus& a, const WaitStatus& b) const { return a.status == b.status; }
  bool operator()(const Inet6& a, const Inet6& b) const { return a.bytes == b.bytes; }
  bool operator()(const Change& a, const Change& b) const {
    return same(*a.before, *b.before) && same(*a.after, *b.after);
  }
  bool operator()(const Shifted& a, const Shifted& b) const {
    return a.by == b.by && a.place == b.place && a.unnamed == b.unnamed && a.base == b.base && same(*a.value, *b.value);
  }
  bool operator()(const Alias& a, const Alias& b) const { return a.name == b.name && same(*a.plain, *b.plain); }
  bool operator()(const Form& a, const Form& b) const { return a.name == b.name && same_all(a.args, b.args); }
};

}  // namespace

bool same(const Value& a, const Value& b) {
  if (a.is.index() != b.is.index() || a.comment != b.comment) return false;
  return std::visit([&]<typename Kind>(const Kind& left) { return Same{}(left, *std::get_if<Kind>(&b.is)); }, a.is);
}

}  // namespace strut
