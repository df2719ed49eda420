#include "ustack/python_layout.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string_view>

namespace strut {

namespace {

using Entries = PythonLayout::Entries;

constexpr uint64_t kMinorVersion = 16;  ///< Py_Version without micro version and release level, in bits
constexpr uint64_t k3_11 = 0x030b, k3_12 = 0x030c, k3_13 = 0x030d;

constexpr PythonLayout kLayout3_11 = {
    .entries = Entries::CFrames,
    .interpreters_head = 40,
    .interpreter_next = 0,
    .threads_head = 16,
    .thread_next = 8,
    .native_thread_id = 160,
    .cframe = 56,
    .current_frame = 8,
    .cframe_previous = 16,
    .code = 32,
    .previous = 48,
    .instruction = 56,
    .owner = 68,
    .file_name = 112,
    .name = 128,
    .line_table = 136,
    .first_line = 72,
    .bytecode = 184,
    .ascii_start = 48,
    .compact_start = 72,
};

constexpr PythonLayout kLayout3_12 = {
    .entries = Entries::Shims,
    .interpreters_head = 40,
    .interpreter_next = 0,
    .threads_head = 72,
    .thread_next = 8,
    .native_thread_id = 144,
    .cframe = 56,
    .current_frame = 0,
    .cframe_previous = 8,
    .code = 0,
    .previous = 8,
    .instruction = 56,
    .owner = 70,
    .file_name = 112,
    .name = 128,
    .line_table = 136,
    .first_line = 68,
    .bytecode = 192,
    .ascii_start = 40,
    .compact_start = 56,
};

/// _Py_DebugOffsets of 3.13 (pycore_runtime.h), at the beginning of _PyRuntime, as words of 8 bytes.
enum Offset3_13 : size_t {
  kCookie = 0,
  kVersion = 1,
  kInterpretersHead = 5,
  kInterpreterNext = 8,
  kThreadsHead = 9,
  kThreadNext = 21,
  kCurrentFrame = 23,
  kNativeThreadId = 25,
  kPrevious = 29,
  kExecutable = 30,
  kInstruction = 31,
  kOwner = 33,
  kFileName = 35,
  kQualifiedName = 37,
  kLineTable = 38,
  kFirstLine = 39,
  kBytecode = 43,
  kObjectType = 45,
  kTypeName = 47,
  kBytesSize = 65,
  kBytesStart = 66,
  kTextState = 68,
  kTextLength = 69,
  kAsciiSize = 70,
  kOffsets3_13 = 73,
};
constexpr std::string_view kDebugCookie = "xdebugpy";
constexpr uint64_t kCompactMembers = 16;  ///< utf8_length and utf8, which it does not say
constexpr uint64_t kMaxOffset = 1 << 24;  ///< larger than any of these structures

std::optional<PythonLayout> layout_3_13(uint64_t version, Addr runtime, Memory& memory) {
  std::array<uint64_t, kOffsets3_13> words{};
  if (memory.read(runtime, std::as_writable_bytes(std::span(words))).bytes != sizeof words) return std::nullopt;
  if (std::memcmp(&words[kCookie], kDebugCookie.data(), kDebugCookie.size()) != 0 || words[kVersion] != version)
    return std::nullopt;
  for (size_t i = kVersion + 1; i < words.size(); i++)
    if (words[i] > kMaxOffset) return std::nullopt;
  return PythonLayout{.entries = Entries::Shims,
                      .interpreters_head = words[kInterpretersHead],
                      .interpreter_next = words[kInterpreterNext],
                      .threads_head = words[kThreadsHead],
                      .thread_next = words[kThreadNext],
                      .native_thread_id = words[kNativeThreadId],
                      .cframe = std::nullopt,
                      .current_frame = words[kCurrentFrame],
                      .code = words[kExecutable],
                      .previous = words[kPrevious],
                      .instruction = words[kInstruction],
                      .owner = words[kOwner],
                      .file_name = words[kFileName],
                      .name = words[kQualifiedName],
                      .line_table = words[kLineTable],
                      .first_line = words[kFirstLine],
                      .bytecode = words[kBytecode],
                      .type = words[kObjectType],
                      .type_name = words[kTypeName],
                      .bytes_size = words[kBytesSize],
                      .bytes_start = words[kBytesStart],
                      .text_length = words[kTextLength],
                      .text_state = words[kTextState],
                      .ascii_start = words[kAsciiSize],
                      .compact_start = words[kAsciiSize] + kCompactMembers};
}

}  // namespace

std::optional<PythonLayout> python_layout(uint64_t version, Addr runtime, Memory& memory) {
  switch (version >> kMinorVersion) {
    case k3_11: return kLayout3_11;
    case k3_12: return kLayout3_12;
    case k3_13: return layout_3_13(version, runtime, memory);
    default: return std::nullopt;
  }
}

}  // namespace strut
