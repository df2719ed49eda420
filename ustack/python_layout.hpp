// Where CPython keeps the frames of its threads: offsets in its structures, by version.
#pragma once

#include <cstdint>
#include <optional>

#include "base/memory.hpp"

namespace strut {

/// Offsets in bytes, of 64-bit CPython (Include/internal of each version: pycore_runtime.h, pycore_interp.h,
/// pycore_frame.h; Include/cpython: pystate.h, code.h, unicodeobject.h).
struct PythonLayout {
  /// The end of the frames that one C call of _PyEval_EvalFrameDefault runs.
  enum class Entries : uint8_t {
    CFrames,  ///< a flag of the outermost one; each call has a _PyCFrame on its C stack
    Shims,    ///< a frame on the C stack of the call, behind the outermost one
  };
  Entries entries{};
  uint64_t interpreters_head;                   ///< in _PyRuntime
  uint64_t interpreter_next, threads_head;      ///< in PyInterpreterState
  uint64_t thread_next, native_thread_id;       ///< in PyThreadState
  std::optional<uint64_t> cframe;               ///< in PyThreadState
  uint64_t current_frame;                       ///< in _PyCFrame, else in PyThreadState
  uint64_t cframe_previous = 0;                 ///< in _PyCFrame
  uint64_t code, previous, instruction, owner;  ///< in _PyInterpreterFrame; of Entries::CFrames `owner` is
                                                ///< the flag is_entry
  uint64_t file_name, name, line_table, first_line, bytecode;  ///< in PyCodeObject
  uint64_t type = 8, type_name = 24;                           ///< in PyObject and PyTypeObject
  uint64_t bytes_size = 16, bytes_start = 32;                  ///< in PyBytesObject
  uint64_t text_length = 16, text_state = 32, ascii_start;     ///< in PyASCIIObject; its size
  uint64_t compact_start;  ///< the size of a PyCompactUnicodeObject, which has more members
};

/// FRAME_OWNED_BY_CSTACK: a frame that runs no Python code.
inline constexpr uint8_t kOwnedByCStack = 3;

/// `version`: Py_Version, 0x030b02f0 for 3.11.2. `runtime`: of _PyRuntime, which contains its offsets from 3.13 on.
/// nullopt: the version is unknown, or contradicts the memory.
std::optional<PythonLayout> python_layout(uint64_t version, Addr runtime, Memory& memory);

}  // namespace strut
