#include "formatters/strace/call_text.hpp"

#include <algorithm>
#include <cstring>

#include "formatters/common/leader.hpp"
#include "syscalls/types/common/errno.hpp"

namespace strut {

namespace {

/// Errors that a system call never gives to its caller: the kernel restarts it (<linux/errno.h>).
struct Restart {
  int code;
  std::string_view text;
};
constexpr Restart kRestarts[] = {
    {512, "? ERESTARTSYS (To be restarted if SA_RESTART is set)"},
    {513, "? ERESTARTNOINTR (To be restarted)"},
    {514, "? ERESTARTNOHAND (To be restarted if no handler)"},
    {516, "? ERESTART_RESTARTBLOCK (Interrupted by signal)"},
};

bool is_boxed(const Value& value) {
  const auto* array = std::get_if<Array>(&value.is);
  return array != nullptr && array->style == ArrayStyle::Boxed && !array->items.empty();
}

/// The text at entry of a value that may change: a bracket stays open for its later form.
void put_before(TextBuffer& out, const Value& value, const ValueLooks& looks) {
  if (!is_boxed(value)) return put_value(out, value, looks);
  out.put(Ink::Punct, "[");
  put_value(out, std::get<Array>(value.is).items[0], looks);
}

/// The text after put_before().
void put_after(TextBuffer& out, const Value& value, const ValueLooks& looks) {
  const auto* change = std::get_if<Change>(&value.is);
  const Value& last = change != nullptr ? *change->after : value;
  if (change != nullptr) {
    out.put(Ink::Punct, " => ");
    put_value(out, is_boxed(last) ? std::get<Array>(last.is).items[0] : last, looks);
  }
  if (is_boxed(change != nullptr ? *change->before : value)) out.put(Ink::Punct, "]");
}

class Args {
 public:
  Args(TextBuffer& out, const StraceStyle& style, const Call& call, const DecodedCall& decoded)
      : out_(out), names_(style.arg_names), decoded_(decoded), looks_(looks_of(style, call)) {}

  void start(size_t index) {
    if (index != 0) out_.put(Ink::Punct, ", ");
    const ArgType* type = decoded_.args[index].type;
    if (type == nullptr || type->name == nullptr || *type->name == '\0' || !(names_ || type->labelled)) return;
    put_label(out_, type->name);
  }
  const Value& value(size_t index) const { return decoded_.args[index].value; }
  void whole(size_t index) {
    start(index);
    put_value(out_, value(index), looks_);
  }
  void before(size_t index) {
    start(index);
    put_before(out_, value(index), looks_);
  }
  void after(size_t index) { put_after(out_, value(index), looks_); }

 private:
  TextBuffer& out_;
  bool names_;
  const DecodedCall& decoded_;
  ValueLooks looks_;
};

/// nullptr: the error is one that the caller sees, or is to be written as one.
const Restart* restart_of(const StraceStyle& style, const Call& call) {
  for (const Restart& restart : kRestarts)
    if (restart.code == call.error) return style.raw.contains(call.abi, call.nr) ? nullptr : &restart;
  return nullptr;
}

void put_error(TextBuffer& out, int error) {
  out.put("-1");
  out.ink(Ink::Plain);
  out.put(' ');
  const char* name = kErrnoNames.name_of(static_cast<uint64_t>(error));
  out.ink(Ink::Error);
  if (name != nullptr) {
    out.put(name);
    out.ink(Ink::Plain);
    out.put(' ');
    out.ink(Ink::Error);
  }
  const char* text = strerrordesc_np(error);
  out.put('(');
  if (name != nullptr && text != nullptr) {
    out.put(text);
  } else {
    out.put(name != nullptr ? "Unknown error " : "errno ");
    out.decimal(int64_t{error});
  }
  out.put(')');
}

/// True for names of the result's own number: nothing to show where names are not wanted.
bool names_result(const Value& aux) {
  if (const auto* word = std::get_if<Union>(&aux.is)) return !word->apart;
  return std::holds_alternative<Named>(aux.is) || std::holds_alternative<Form>(aux.is);
}

void put_names(TextBuffer& out, const Value& aux, ValueLooks looks) {
  if (const auto* form = std::get_if<Form>(&aux.is)) return put_value(out, {Form{form->name, form->args}, {}}, looks);
  looks.names = NamesAs::Abbrev;
  put_value(out, aux, looks);
}

void put_tampering(TextBuffer& out, uint8_t tampering) {
  if (tampering & kInjectedArgs)
    out.put(tampering & kInjectedRetval ? " (INJECTED: args, retval)" : " (INJECTED: args)");
  else if (tampering & kInjectedRetval) out.put(" (INJECTED)");
  if (tampering & kDelayed) out.put(" (DELAYED)");
}

void put_call_time(TextBuffer& out, const StraceStyle& style, const Call& call) {
  constexpr uint64_t kSecond = 1'000'000'000;
  uint64_t left = call.left.monotonic_ns, entered = call.entered.monotonic_ns;
  uint64_t taken = left > entered ? left - entered : 0;
  out.put(' ');
  out.ink(Ink::Result);
  out.put(Ink::Punct, "<");
  out.decimal(taken / kSecond);
  put_fraction(out, taken % kSecond, style.call_precision);
  out.put(Ink::Punct, ">");
  out.ink(Ink::Plain);
}

}  // namespace

ValueLooks looks_of(const StraceStyle& style, const Call& call) {
  return {style.names, style.hex_strings, style.fd_shows, style.full.contains(call.abi, call.nr)};
}

void put_call_name(TextBuffer& out, const Call& call) {
  if (call.desc == &unknown_syscall()) out.put(name_of(call));
  else out.put(call.desc->name);
}

void put_call_open(TextBuffer& out, const Call& call) {
  out.ink(Ink::Syscall);
  put_call_name(out, call);
  out.put(Ink::Punct, "(");
}

ArgsShown put_call_args(TextBuffer& out, const StraceStyle& style, const Call& call, const DecodedCall& decoded) {
  Args args(out, style, call, decoded);
  size_t ready = std::min(decoded.ready, decoded.count);
  for (size_t i = 0; i < ready; i++) args.whole(i);
  const ArgType* next = ready < decoded.count ? decoded.args[ready].type : nullptr;
  bool changes = next && next->direction == Direction::InOut && !next->remembered;
  bool partial = changes && !args.value(ready).pending();
  if (partial) args.before(ready);
  return {static_cast<uint8_t>(ready), partial};
}

void put_aux(TextBuffer& out, const Value& aux, const ValueLooks& looks) {
  if (aux.absent() || (looks.names == NamesAs::Raw && names_result(aux))) return;
  out.ink(Ink::Plain);
  out.put(' ');
  out.ink(Ink::Result);
  out.put('(');
  if (const auto* parts = std::get_if<Struct>(&aux.is)) {
    for (const FieldValue& field : parts->fields) {
      if (&field != parts->fields.data()) out.put(", ");
      out.put(field.name);
      if (!field.name.empty()) out.put(' ');
      put_value(out, field.value, looks);
    }
  } else if (names_result(aux)) {
    put_names(out, aux, looks);
  } else {
    put_value(out, aux, looks);
  }
  out.put(')');
}

void put_call_rest(TextBuffer& out, const StraceStyle& style, const Call& call, const DecodedCall& decoded,
                   ArgsShown shown) {
  Args args(out, style, call, decoded);
  size_t next = shown.whole;
  if (call.returned) {
    if (shown.partial) args.after(next++);
    for (; next < decoded.count; next++) args.whole(next);
    return;
  }
  if (!decoded.complete && !call.unavailable) out.put(" <unfinished ...>");
}

void put_call_result(TextBuffer& out, const StraceStyle& style, const Call& call, const DecodedCall& decoded) {
  out.ink(Ink::Punct);
  out.put(')');
  out.ink(Ink::Plain);
  size_t column = out.column();
  out.spaces(column + 1 < style.result_column ? style.result_column - column : 1);
  out.ink(Ink::Punct);
  out.put('=');
  out.ink(Ink::Plain);
  out.ink(Ink::Plain);
  out.put(' ');
  out.ink(Ink::Result);
  if (!call.returned) {
    out.put(call.unavailable ? "? <unavailable>" : "?");
    return out.ink(Ink::Plain);
  }
  ValueLooks looks = looks_of(style, call);
  if (const Restart* restart = restart_of(style, call)) out.put(restart->text);
  else if (call.error != 0) put_error(out, call.error);
  else put_value(out, decoded.result, looks);
  put_aux(out, decoded.aux, looks);
  out.ink(Ink::Plain);
  put_tampering(out, call.tampering);
  if (style.call_time) put_call_time(out, style, call);
}

}  // namespace strut
