// The CPython that a process runs.
#pragma once

#include <optional>
#include <string>

#include "base/memory.hpp"
#include "ustack/python_layout.hpp"

namespace strut {

struct PythonRuntime {
  Addr address{};  ///< for _PyRuntime
  std::optional<PythonLayout> layout;
  std::string version;  ///< "3.11.2"; empty: older than 3.11, which does not say it
};

/// By the section .PyRuntime of the program or of a library that is called after Python. nullopt: there is none.
std::optional<PythonRuntime> find_python(Pid pid, Memory& memory);

}  // namespace strut
