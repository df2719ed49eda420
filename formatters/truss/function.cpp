#include "formatters/truss/function.hpp"

#include <utility>

#include "base/library_name.hpp"
#include "formatters/common/quote.hpp"
#include "formatters/common/value_text.hpp"
#include "formatters/truss/call.hpp"
#include "formatters/truss/value.hpp"

namespace strut {

namespace {

constexpr size_t kIndent = 2;
constexpr uint64_t kFirstInHex = 65536;

// The target chooses names: only printable characters reach a terminal.
void put_name(TextBuffer& out, std::string_view arrow, const FunctionCall& call) {
  out.spaces(kIndent * call.depth);
  out.put(arrow);
  if (call.label == FunctionLabel::Module) {
    escape_bytes(out, library_name(call.module), HexStrings::No);
    out.put(':');
  }
  escape_bytes(out, call.symbol, HexStrings::No);
  out.put('(');
}

void put_plain_hex(TextBuffer& out, uint64_t number) {
  out.put("0x");
  out.hex_at_least(number, 1);
}

/// A value that is unknown before the function returns is shown as it was passed.
void put_arguments(TextBuffer& out, const FunctionCall& call, const DecodedCall& decoded) {
  for (size_t i = 0; i < decoded.count; i++) {
    if (i != 0) out.put(", ");
    const Value& value = decoded.args[i].value;
    if (value.pending()) put_truss_hex(out, passed_for(call.call, i));
    else if (is_structure(value)) put_value(out, value, {});
    else put_truss_value(out, value);
  }
}

void put_registers(TextBuffer& out, const FunctionCall& call) {
  bool first = true;
  for (uint64_t value : call.integers) {
    if (!std::exchange(first, false)) out.put(", ");
    put_plain_hex(out, value);
  }
}

bool in_words(const FunctionCall& call, FunctionLooks looks) {
  return looks == FunctionLooks::Words && call.desc->known;
}

}  // namespace

void put_truss_entry(TextBuffer& out, const FunctionCall& call, const DecodedCall& decoded, FunctionLooks looks) {
  put_name(out, "-> ", call);
  if (in_words(call, looks)) put_arguments(out, call, decoded);
  else put_registers(out, call);
  out.put(')');
}

void put_truss_return(TextBuffer& out, const FunctionCall& call, const DecodedCall& decoded, FunctionLooks looks) {
  put_name(out, "<- ", call);
  bool words = in_words(call, looks);
  // Results that the function filled in were unknown at the call.
  if (words && decoded.ready < decoded.count) put_arguments(out, call, decoded);
  out.put(") = ");
  if (words && !decoded.result.absent()) return put_truss_value(out, decoded.result);
  if (call.returned_bits < kFirstInHex) out.decimal(call.returned_bits);
  else put_plain_hex(out, call.returned_bits);
}

}  // namespace strut
