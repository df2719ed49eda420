#include "formatters/common/value_text.hpp"

#include "formatters/common/bit_set_text.hpp"
#include "formatters/common/number_text.hpp"
#include "formatters/common/quote.hpp"
#include "syscalls/call_context.hpp"

namespace strut {

namespace {

/// The highest signal with a name.
constexpr int32_t kSignals = 64;

/// <linux/ptrace.h>.
constexpr Constant kPtraceEventNames[] = {
    {1, "PTRACE_EVENT_FORK"},       {2, "PTRACE_EVENT_VFORK"}, {3, "PTRACE_EVENT_CLONE"},   {4, "PTRACE_EVENT_EXEC"},
    {5, "PTRACE_EVENT_VFORK_DONE"}, {6, "PTRACE_EVENT_EXIT"},  {7, "PTRACE_EVENT_SECCOMP"}, {128, "PTRACE_EVENT_STOP"},
};
constinit const ConstantSet kPtraceEvents = enumeration("PTRACE_EVENT_???", kPtraceEventNames);

/// Writes one value; knows where it stands by its looks only.
class ValueWriter {
 public:
  ValueWriter(TextBuffer& out, const ValueLooks& looks) : out_(out), looks_(looks) {}

  void operator()(Absent) {}
  void operator()(Pending) {}
  void operator()(const Number& number) { put_number(out_, number, looks_); }
  void operator()(const Named& named) { put_named(out_, named, looks_.names); }
  void operator()(Pointer pointer) { address(pointer.at); }
  void operator()(Unreadable unreadable) { address(unreadable.at); }
  void operator()(Unseen unseen) { address(unseen.at); }
  void operator()(const Text& text);
  void operator()(const Struct& structure);
  void operator()(const Array& array);
  void operator()(const Union& parts);
  void operator()(const Fd& fd);
  void operator()(const ProcessId& id);
  void operator()(const SignalSet& set) { put_signal_set(out_, set, looks_); }
  void operator()(const SignalNumber& signal) { signal_number(signal.number); }
  void operator()(const WaitStatus& status) { wait_status(static_cast<uint32_t>(status.status)); }
  void operator()(const Inet6& inet6) { put_inet6(out_, inet6, {}, looks_); }
  void operator()(const Change& change);
  void operator()(const Form& form);
  void operator()(const Alias& alias);
  void operator()(const Shifted& shifted);

 private:
  void value(const Value& value) { put_value(out_, value, looks_); }
  void punct(std::string_view text) { out_.put(Ink::Punct, text); }

  void address(Addr at) {
    if (raw(at) == 0) return out_.put("NULL");
    out_.put("0x");
    out_.hex_at_least(raw(at), 1);
  }
  void signal_number(int32_t number);
  void wait_macros(uint32_t status);
  void wait_status(uint32_t status);
  void list(std::span<const Value> items, std::string_view separator);
  void indexed(std::span<const Value> items);
  /// Parts in the style of names where the whole has been written as a number before.
  void parts_named(const Union& parts);

  TextBuffer& out_;
  const ValueLooks& looks_;
};

void ValueWriter::operator()(const Text& text) {
  if (text.kind == TextKind::Bare) return out_.put(text.bytes);
  if (text.kind == TextKind::Bits) return put_bit_set(out_, text.bytes);
  if (text.abstract) out_.put('@');
  HexStrings hex = text.kind == TextKind::Binary ? HexStrings::All : looks_.hex_strings;
  bool ended = text.kind == TextKind::Ended && text.bytes.ends_with('\0') && !all_in_hex(text.bytes, hex);
  quote(out_, text.bytes.substr(0, text.bytes.size() - ended), hex);
  if (text.cut && !ended) punct("...");
}

void ValueWriter::operator()(const Struct& structure) {
  punct("{");
  bool first = true, left_out = structure.cut;
  for (const FieldValue& field : structure.fields) {
    if (field.detail && !looks_.full) {
      left_out = true;
      continue;
    }
    if (field.value.absent()) continue;
    if (!first) punct(", ");
    first = false;
    put_field(out_, field, looks_);
  }
  if (left_out) {
    if (!first) punct(", ");
    punct("...");
  }
  punct("}");
}

void ValueWriter::list(std::span<const Value> items, std::string_view separator) {
  bool first = true;
  for (const Value& item : items) {
    if (!first) punct(separator);
    first = false;
    value(item);
  }
}

/// [INDEX]=value, …
void ValueWriter::indexed(std::span<const Value> items) {
  for (size_t i = 0; i < items.size(); i++) {
    if (i != 0) punct(", ");
    const auto* item = std::get_if<Struct>(&items[i].is);
    if (item == nullptr || item->fields.empty()) continue;
    punct("[");
    if (item->fields.size() > 1) value(item->fields[0].value);
    else out_.put(item->fields[0].name);
    punct("]");
    punct("=");
    value(item->fields.back().value);
  }
}

void ValueWriter::operator()(const Array& array) {
  bool complement = array.style == ArrayStyle::Complement;
  if (complement) punct("~");
  punct("[");
  if (array.style == ArrayStyle::Indexed) indexed(array.items);
  else list(array.items, complement || array.style == ArrayStyle::Set ? " " : ", ");
  bool unreadable = raw(array.unreadable_at) != 0;
  if (array.cut || unreadable) {
    if (!array.items.empty()) punct(array.style == ArrayStyle::Set ? " " : ", ");
    punct("...");
  }
  if (unreadable) {
    out_.ink(Ink::Comment);
    out_.put(" /* ");
    address(array.unreadable_at);
    out_.put(" */");
    out_.ink(Ink::ArgValue);
  }
  punct("]");
}

void ValueWriter::parts_named(const Union& parts) {
  ValueLooks named = looks_;
  named.names = NamesAs::Abbrev;
  ValueWriter(out_, named).list(parts.parts, "|");
}

void ValueWriter::operator()(const Union& parts) {
  bool apart = parts.apart && !(parts.one_if_raw && looks_.names == NamesAs::Raw);
  if (apart || looks_.names == NamesAs::Abbrev) {
    return list(parts.parts, parts.glued && looks_.names != NamesAs::Raw ? "" : "|");
  }
  out_.hex(parts.bytes >= 8 ? parts.bits : parts.bits & ((1ull << 8 * parts.bytes) - 1));
  if (looks_.names == NamesAs::Raw) return;
  out_.ink(Ink::Comment);
  out_.put(" /* ");
  parts_named(parts);
  out_.ink(Ink::Comment);
  out_.put(" */");
  out_.ink(Ink::ArgValue);
}

void ValueWriter::operator()(const Shifted& shifted) {
  value(*shifted.value);
  punct("<<");
  if (!shifted.place.empty() && looks_.names == NamesAs::Abbrev) return out_.put(Ink::Constant, shifted.place);
  if (shifted.base == NumberBase::Hex) out_.hex(shifted.by);
  else out_.decimal(uint64_t{shifted.by});
  if (!shifted.place.empty() && looks_.names == NamesAs::Verbose) put_comment(out_, shifted.place);
  if (shifted.unnamed.empty()) return;
  const auto* named = std::get_if<Named>(&shifted.value->is);
  bool reported = looks_.names != NamesAs::Raw && named != nullptr && named->set->name_of(named->bits) != nullptr;
  if (!reported) put_comment(out_, shifted.unnamed);
}

void ValueWriter::operator()(const Fd& fd) {
  constexpr int32_t kCurrentDirectory = -100;  // AT_FDCWD of <fcntl.h>
  if (fd.directory && fd.number == kCurrentDirectory) {
    if (looks_.names == NamesAs::Abbrev) {
      out_.put(Ink::Constant, "AT_FDCWD");
    } else {
      out_.put("-100");
      if (looks_.names == NamesAs::Verbose) put_comment(out_, "AT_FDCWD");
    }
  } else {
    out_.decimal(int64_t{fd.number});
  }
  if (fd.target != nullptr) put_fd_target(out_, *fd.target, looks_);
}

void ValueWriter::operator()(const ProcessId& id) {
  out_.decimal(int64_t{id.number});
  if (!id.comm.empty()) put_comm(out_, id.comm, looks_);
  if (id.translated == 0 || id.translated == id.number) return;
  out_.ink(Ink::Comment);
  out_.put(" /* ");
  out_.decimal(int64_t{id.translated});
  out_.put(" in strace's PID NS */");
  out_.ink(Ink::ArgValue);
}

void ValueWriter::signal_number(int32_t number) {
  if (looks_.names == NamesAs::Abbrev) return put_signal_name(out_, number);
  out_.decimal(int64_t{number});
  if (looks_.names == NamesAs::Raw || number <= 0 || number > kSignals) return;
  out_.ink(Ink::Comment);
  out_.put(" /* ");
  put_signal_name(out_, number);
  out_.put(" */");
  out_.ink(Ink::ArgValue);
}

void ValueWriter::wait_macros(uint32_t status) {
  int32_t low = status & 0x7f, high = status >> 8 & 0xff;
  if (low == 0) {
    out_.put("{WIFEXITED(s) && WEXITSTATUS(s) == ");
    out_.decimal(int64_t{high});
  } else if ((status & 0xff) == 0x7f) {
    out_.put("{WIFSTOPPED(s) && WSTOPSIG(s) == ");
    put_signal_name(out_, high & 0x7f);
    if (high & 0x80) out_.put(" | 0x80");
  } else {
    out_.put("{WIFSIGNALED(s) && WTERMSIG(s) == ");
    put_signal_name(out_, low);
    if (status & 0x80) out_.put(" && WCOREDUMP(s)");
  }
  out_.put('}');
}

// wait(2), "wait status macros"; ptrace(2), PTRACE_O_TRACESYSGOOD and PTRACE_EVENT stops.
void ValueWriter::wait_status(uint32_t status) {
  int32_t low = status & 0x7f;
  if (status == 0xffff) return out_.put("{WIFCONTINUED(s)}");
  if (low == 0x7f && (status & 0x80)) return out_.hex(status);
  wait_macros(status);
  bool stopped = (status & 0xff) == 0x7f;
  if (status >> 16 != 0) {
    out_.put('|');
    put_named(out_, {status >> 16, &kPtraceEvents, 4}, looks_.names);
    out_.put("<<16");
  }
  // Bits without a meaning in such a status: a core dump of an exited process, an exit status of a killed one.
  uint32_t rest = stopped ? 0 : status & (low == 0 ? 0x80u : 0xff00u);
  if (rest == 0) return;
  out_.put('|');
  out_.hex(rest);
}

/// The one item of a box, nullptr for anything else.
const Value* boxed(const Value& value) {
  const auto* array = std::get_if<Array>(&value.is);
  return array != nullptr && array->style == ArrayStyle::Boxed && array->items.size() == 1 ? array->items.data()
                                                                                           : nullptr;
}

void ValueWriter::operator()(const Change& change) {
  const Value *before = boxed(*change.before), *after = boxed(*change.after);
  bool share = before != nullptr && after != nullptr;
  if (share) punct("[");
  value(share ? *before : *change.before);
  punct(" => ");
  if (!change.label.empty()) put_label(out_, change.label);
  value(share ? *after : *change.after);
  if (share) punct("]");
}

void ValueWriter::operator()(const Form& form) {
  NamesAs numbers_from = form.without_plain ? NamesAs::Raw : NamesAs::Verbose;
  bool plain = form.plain != nullptr && (looks_.names == NamesAs::Raw || looks_.names == numbers_from);
  if (plain) {
    value(*form.plain);
    if (looks_.names == NamesAs::Raw) return;
    out_.ink(Ink::Comment);
    out_.put(" /* ");
  }
  ValueLooks named = looks_;
  if (plain && !form.styled) named.names = NamesAs::Abbrev;
  out_.ink(Ink::Call);
  out_.put(form.name);
  punct("(");
  ValueWriter(out_, named).list(form.args, ", ");
  punct(")");
  out_.ink(Ink::Plain);
  if (!form.meaning.empty()) put_comment(out_, form.meaning);
  if (!plain) return;
  out_.ink(Ink::Comment);
  out_.put(" */");
  out_.ink(Ink::ArgValue);
}

void ValueWriter::operator()(const Alias& alias) {
  if (looks_.names == NamesAs::Abbrev) return out_.put(Ink::Constant, alias.name);
  value(*alias.plain);
  if (looks_.names == NamesAs::Verbose) put_comment(out_, alias.name);
}

}  // namespace

void put_value(TextBuffer& out, const Value& value, const ValueLooks& looks) {
  if (!value.comment.empty() && value.comment_first) {
    out.put(Ink::Comment, "/* ");
    out.put(value.comment);
    out.put(" */ ");
  }
  std::visit(ValueWriter(out, looks), value.is);
  if (!value.comment.empty() && !value.comment_first) put_comment(out, value.comment);
}

void put_field(TextBuffer& out, const FieldValue& field, const ValueLooks& looks) {
  if (const auto* inet6 = std::get_if<Inet6>(&field.value.is)) return put_inet6(out, *inet6, field.name, looks);
  if (!field.name.empty()) {
    put_label(out, field.name);
  }
  put_value(out, field.value, looks);
}

void put_label(TextBuffer& out, std::string_view name) {
  out.ink(Ink::ArgName);
  out.put(name);
  out.put(Ink::Punct, "=");
}

void put_comment(TextBuffer& out, std::string_view text) {
  out.ink(Ink::Comment);
  out.put(" /* ");
  out.put(text);
  out.ink(Ink::Comment);
  out.put(" */");
  out.ink(Ink::ArgValue);
}

}  // namespace strut
