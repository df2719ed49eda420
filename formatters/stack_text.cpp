#include "formatters/stack_text.hpp"

#include <cstdlib>
#include <string>

#include <cxxabi.h>

#include "formatters/quote.hpp"

namespace strut {

namespace {

void put_symbol(TextBuffer& out, std::string_view mangled) {
  int status = -1;
  char* name = mangled.starts_with("_Z") ? abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status) : nullptr;
  out.put(status == 0 ? std::string_view(name) : mangled);
  std::free(name);
}

void put_frame(TextBuffer& out, const StackFrame& frame) {
  out.put(" > ");
  if (frame.module.empty()) {
    out.put("unexpected_backtracing_error [");
    out.hex(raw(frame.pc));
    out.put(']');
    return;
  }
  out.put(frame.module);
  out.put('(');
  put_symbol(out, frame.symbol);
  out.put("+0x");
  out.hex_at_least(frame.symbol.empty() ? 0 : frame.offset, 1);
  out.put(") [0x");
  out.hex_at_least(frame.file_offset, 1);
  out.put(']');
}

}  // namespace

void put_stack(TextBuffer& out, const Stack& stack) {
  bool first = true;
  for (const StackFrame& frame : stack.frames) {
    if (!first) out.put('\n');
    put_frame(out, frame);
    first = false;
  }
  if (stack.cut) out.put("\n > too many stack frames");
}

}  // namespace strut
