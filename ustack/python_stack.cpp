#include "ustack/python_stack.hpp"

namespace strut {

namespace {

/// nullopt: there is no code object, as in a frame that is being made, or it is none of a script.
std::optional<StackFrame> frame_of(const PythonFrame& python, PythonCodes& codes, Memory& memory) {
  const PythonCode* code = codes.at(python.code, memory);
  bool trampoline = code && code->file == code->name;  // CPython's own, around __init__ of a class
  if (!code || trampoline) return std::nullopt;
  StackFrame frame;
  frame.module = kPythonCode;
  frame.symbol = code->name;
  frame.source = code->file;
  frame.line = codes.line_of(*code, python.instruction, memory);
  return frame;
}

}  // namespace

KeptStack with_python(const Stack& native, std::span<const PythonFrame> python, PythonCodes& codes, Memory& memory,
                      size_t limit) {
  std::vector<StackFrame> frames;
  auto put_below = [&](uint64_t sp) {
    for (; !python.empty() && python[0].run_by < sp && frames.size() <= limit; python = python.subspan(1))
      if (auto frame = frame_of(python[0], codes, memory)) frames.push_back(*frame);
  };
  for (size_t i = 0; i < native.frames.size() && frames.size() <= limit; i++) {
    put_below(native.frames[i].sp);
    frames.push_back(native.frames[i]);
  }
  if (!native.cut) put_below(~uint64_t{0});
  Stack merged = native;
  merged.cut |= frames.size() > limit;
  merged.frames = std::span(frames).first(std::min(frames.size(), limit));
  KeptStack kept;
  kept.keep(merged);
  return kept;
}

}  // namespace strut
