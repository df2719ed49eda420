// The source positions in CPython's code objects.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "ustack/python_layout.hpp"

namespace strut {

/// The line that an instruction comes from, by co_linetable (Objects/locations.md of CPython 3.11 to 3.13).
/// `instruction`: in units of two bytes from the first one; before it, -1, a function that has not begun yet.
/// 0: the instruction has no line, or the table is damaged.
uint32_t python_line(std::span<const std::byte> table, uint32_t first_line, int64_t instruction);

struct PythonCode {
  std::string file, name;  ///< co_filename and co_qualname in UTF-8
  uint32_t first_line = 0;
  uint64_t bytecode = 0, line_table = 0;  ///< addresses
};

/// Code objects of one process, read when they are asked for.
class PythonCodes {
 public:
  explicit PythonCodes(const PythonLayout& layout) : layout_(layout) {}

  /// nullptr: there is no code object. Lives as long as this.
  const PythonCode* at(uint64_t address, Memory& memory);
  /// As python_line() has it. The table is read each time: it may be large.
  uint32_t line_of(const PythonCode& code, uint64_t instruction, Memory& memory) const;

 private:
  std::optional<PythonCode> read(uint64_t address, Memory& memory) const;

  PythonLayout layout_;
  std::map<uint64_t, std::optional<PythonCode>> known_;
};

}  // namespace strut
