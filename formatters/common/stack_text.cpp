#include "formatters/common/stack_text.hpp"

#include <utility>

#include "formatters/common/quote.hpp"

namespace strut {

namespace {

/// Paths and names are the target's: only printable characters and UTF-8 reach a terminal raw.
void put_name(TextBuffer& out, std::string_view name) {
  for (char c : name) {
    bool control = (c >= 0 && c < ' ') || c == 0x7f;
    if (control) escape_bytes(out, std::string_view(&c, 1), HexStrings::No);
    else out.put(c);
  }
}

/// As gdb writes places: FILE:LINE in FUNCTION.
void put_python(TextBuffer& out, const StackFrame& frame) {
  put_name(out, frame.source);
  if (frame.line != 0) out.put(':'), out.decimal(uint64_t{frame.line});
  out.put(" in ");
  put_name(out, frame.symbol);
}

}  // namespace

void StackText::put_frame(TextBuffer& out, const StackFrame& frame, Nameless nameless) {
  out.put(" > ");
  if (frame.module == kPythonCode) return put_python(out, frame);
  if (frame.module.empty()) {
    out.put(nameless == Nameless::Walked ? "[unknown] [" : "unexpected_backtracing_error [");
    out.hex(raw(frame.pc));
    out.put(']');
    return;
  }
  put_name(out, frame.module);
  out.put('(');
  if (!frame.symbol.empty() || nameless != Nameless::Empty) {
    put_name(out, names_.of(frame.symbol));
    out.put("+0x");
    out.hex_at_least(frame.offset, 1);
  }
  out.put(") [0x");
  out.hex_at_least(frame.file_offset, 1);
  out.put(']');
  if (frame.source.empty()) return;
  out.put(' ');
  put_name(out, frame.source);
  out.put(':');
  out.decimal(uint64_t{frame.line});
}

void StackText::put(TextBuffer& out, const Stack& stack, Nameless nameless) {
  bool first = true;
  auto begin_line = [&] {
    if (!std::exchange(first, false)) out.put('\n');
  };
  for (const StackFrame& frame : stack.frames) {
    begin_line();
    put_frame(out, frame, nameless);
    if (frame.module.empty() && nameless != Nameless::Walked) return;
  }
  if (stack.cut) begin_line(), out.put(" > too many stack frames");
  if (stack.truncated) begin_line(), out.put(" > the rest of the stack was not captured");
}

}  // namespace strut
