#include "formatters/truss/call.hpp"

#include <algorithm>
#include <utility>

#include "formatters/common/quote.hpp"
#include "formatters/strace/call_text.hpp"
#include "formatters/truss/value.hpp"
#include "syscalls/arg_plan.hpp"
#include "syscalls/types/common/errno.hpp"

namespace strut {

namespace {

constexpr size_t kResultColumn = 48;
constexpr size_t kTab = 8;

bool is_data(const Call& call, const ArgType& type) {
  const Type& argument = type.type;
  bool string = argument.kind == Kind::Pointer && argument.element->kind == Kind::CString;
  return !string && !call.effects().have(kFillsText);
}

/// A structure that no register leads to (sigreturn(2)): it has no address that could stand for it.
bool is_nowhere(const Call& call, const DecodedArg& arg) { return call.desc->custom && is_structure(arg.value); }

void put_argument(TextBuffer& out, const Call& call, const DecodedCall& decoded, size_t index) {
  const DecodedArg& arg = decoded.args[index];
  if (arg.type && arg.type->labelled) {
    out.put(arg.type->name);
    out.put('=');
  }
  if (arg.value.pending() || (is_structure(arg.value) && !is_nowhere(call, arg)))
    return put_truss_hex(out, passed_for(call, index));
  const auto* text = std::get_if<Text>(&arg.value.is);
  bool quoted =
      text && (text->kind == TextKind::Text || text->kind == TextKind::Binary || text->kind == TextKind::Ended);
  if (quoted && arg.type && is_data(call, *arg.type)) return put_truss_buffer(out, text->bytes, text->cut);
  put_truss_value(out, arg.value);
}

void put_raw_arguments(TextBuffer& out, const Call& call) {
  size_t count = registers_of(*call.desc, call.abi);
  for (size_t i = 0; i < count; i++) {
    if (i != 0) out.put(", ");
    put_truss_hex(out, register_of(call, i));
  }
}

void put_arguments(TextBuffer& out, const Call& call, const DecodedCall& decoded, bool verbose) {
  for (size_t i = 0; i < decoded.count; i++) {
    if (!verbose && is_nowhere(call, decoded.args[i])) continue;
    if (i != 0) out.put(", ");
    put_argument(out, call, decoded, i);
  }
}

/// The words of a flag word or of a structure's member.
uint64_t bits_of(const Value& value) {
  if (const auto* named = std::get_if<Named>(&value.is)) return named->bits;
  if (const auto* number = std::get_if<Number>(&value.is)) return number->bits;
  if (const auto* word = std::get_if<Union>(&value.is)) return word->bits;
  if (const auto* change = std::get_if<Change>(&value.is)) return bits_of(*change->before);
  return 0;
}

uint64_t flags_of(const Value& value) {
  if (const auto* change = std::get_if<Change>(&value.is)) return flags_of(*change->before);
  const auto* structure = std::get_if<Struct>(&value.is);
  if (!structure) return 0;
  for (const FieldValue& field : structure->fields)
    if (field.name == "flags") return bits_of(field.value);
  return 0;
}

/// Eight zeros would look like an address, which no call returns then.
void put_returned(TextBuffer& out, const Value& value) {
  const auto* number = std::get_if<Number>(&value.is);
  if (number && number->show == Show::Hex && number->bits == 0) out.put('0');
  else put_truss_value(out, value);
}

}  // namespace

uint64_t passed_for(const Call& call, size_t index) {
  ArgPlan plan = plan_args(call);
  for (size_t i = 0; i < plan.count; i++)
    if (plan.args[i].present && index-- == 0) return value_of(plan.args[i], call);
  return 0;
}

void put_truss_gap(TextBuffer& out, size_t start) {
  size_t column = out.column() - start;
  if (column >= kResultColumn) return out.put(' ');
  for (; column < kResultColumn; column = column / kTab * kTab + kTab) out.put('\t');
}

void put_truss_call(TextBuffer& out, const TrussStyle& style, const Call& call, const DecodedCall& decoded) {
  put_call_name(out, call);
  out.put('(');
  if (style.raw.contains(call.abi, call.nr)) put_raw_arguments(out, call);
  else put_arguments(out, call, decoded, style.verbose.contains(call.abi, call.nr));
  out.put(')');
}

bool starts_program(const Call& call) { return call.effects().replace_program() && call.returned && call.error == 0; }

bool waits_for_child(const Call& call, const DecodedCall& decoded) {
  constexpr uint64_t kVfork = 0x4000;  // CLONE_VFORK of <linux/sched.h>
  switch (call.effects().makes) {
    case Makes::ByArgument: return (call.regs[0] & kVfork) != 0;
    case Makes::ByMemory: return decoded.count != 0 && (flags_of(decoded.args[0].value) & kVfork) != 0;
    case Makes::VforkChild: return true;
    default: return false;
  }
}

size_t argv_of(const Call& call) { return static_cast<size_t>(call.effects().program) + 1; }

void put_truss_result(TextBuffer& out, const TrussStyle& style, const Call& call, const DecodedCall& decoded,
                      size_t start) {
  if (starts_program(call)) {
    size_t argv = argv_of(call);
    const auto* strings = argv < decoded.count ? std::get_if<Array>(&decoded.args[argv].value.is) : nullptr;
    out.put("  argc = ");
    out.decimal(uint64_t{strings ? strings->items.size() : 0});
    return;
  }
  put_truss_gap(out, start);
  if (!call.returned) return out.put("= ?");
  if (call.error == 0) {
    out.put("= ");
    put_returned(out, decoded.result);
    if (style.verbose.contains(call.abi, call.nr)) put_aux(out, decoded.aux, {.full = true});
    return;
  }
  out.put("Err#");
  out.decimal(int64_t{call.error});
  const char* name = kErrnoNames.name_of(static_cast<uint64_t>(call.error));
  if (!name) return;
  out.put(' ');
  out.put(name);
}

void put_truss_argument_below(TextBuffer& out, const TrussStyle& style, const Call& call, const DecodedCall& decoded,
                              size_t index) {
  const DecodedArg& arg = decoded.args[index];
  const auto* text = std::get_if<Text>(&arg.value.is);
  if (text && style.raw.contains(call.abi, call.nr) && arg.type && !is_data(call, *arg.type)) {
    out.put('\t');
    put_truss_hex(out, passed_for(call, index));
    out.put(": ");
    return put_truss_string(out, text->bytes, text->cut);
  }
  if (!style.verbose.contains(call.abi, call.nr) || !is_structure(arg.value) || is_nowhere(call, arg)) return;
  out.put('\t');
  out.put(arg.type->name);
  out.put(" = ");
  put_truss_structure(out, arg.value);
}

void put_truss_dump_line(TextBuffer& out, std::string_view bytes) {
  out.put("  ");
  for (char byte : bytes) put_truss_byte(out, byte);
}

std::vector<std::string> truss_strings(std::string_view title, const Value& strings) {
  constexpr size_t kLastColumn = 63;
  std::vector<std::string> lines;
  std::string line(title);
  const auto* array = std::get_if<Array>(&strings.is);
  if (!array) return lines;
  TextBuffer piece;
  for (const Value& item : array->items) {
    piece.clear();
    const auto* text = std::get_if<Text>(&item.is);
    piece.put(' ');
    if (text) escape_bytes(piece, text->bytes, HexStrings::No);
    else put_truss_value(piece, item);
    if (text && text->cut) piece.put("..");
    if (line.size() > title.size() && line.size() + piece.size() > kLastColumn) {
      lines.push_back(std::exchange(line, std::string(1, ' ')));
    }
    line += piece.view();
  }
  lines.push_back(std::move(line));
  return lines;
}

}  // namespace strut
