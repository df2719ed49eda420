// Where variables of threads and elements of arrays lie in the kernel's part of a program, if their types are
// structures and arrays: at addresses behind those of scratch and of global variables (dlang/compiler/bytecode.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "dlang/compiler/program.hpp"

namespace strut {

struct DMemoryLayout {
  std::vector<uint32_t> thread_places;  ///< by variable of DProgram: its offset in a thread's memory
  uint32_t thread_bytes = 0;            ///< a thread's memory; 0: no variable is in it
  uint32_t element_bytes = 0;           ///< memory for the elements of all arrays, a power of two; 0: no array needs it
  uint64_t absent_address = 0;          ///< place, within DProgram::clause_bytes, of zeros for an absent variable

  bool is_empty() const { return thread_bytes == 0 && element_bytes == 0; }
};

/// The variable is one of a thread's or an array's elements, and lies in memory.
bool is_in_dynamic_memory(const DVariable& variable);

/// Error: the program's variables need more than there is, by name.
Result<DMemoryLayout> memory_layout(const DProgram& program);

/// The smallest power of two above `bytes`, so that an offset that is masked with it, less one, may be `bytes`.
uint32_t power_above(uint32_t bytes);

}  // namespace strut
