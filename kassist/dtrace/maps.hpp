// Where a program's own data lies in the kernel: its strings, variables, arrays, aggregations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "dlang/compiler/program.hpp"
#include "kassist/dtrace/late_values.hpp"
#include "kassist/dtrace/library.hpp"
#include "kassist/dtrace/lowering/memory_layout.hpp"

namespace strut {

/// The places of a tuple's keys in d_run::keys, one behind the other.
struct DTupleLayout {
  uint32_t bytes = 0;
  bool outside = false;  ///< a key is a stack, of any length, or late: it goes out as a record
};

struct DMaps {
  uint32_t text_bytes = 257;  ///< the longest string with its NUL
  /// Bytes of a string's place: struct d_text and its bytes.
  uint32_t text_cell() const { return 8 + (text_bytes + 7) / 8 * 8; }
  uint32_t cell(const DShape& shape) const { return shape.kind == DShape::Kind::Text ? text_cell() : 8; }
  /// Bytes of one key.
  uint32_t key_bytes(const DShape& shape) const;

  OwnedFd constants;                  ///< an array of one element with all texts
  std::vector<uint32_t> text_places;  ///< by text: its struct d_text
  std::vector<uint32_t> text_lengths;
  OwnedFd globals;               ///< an array of one element
  OwnedFd threads;               ///< task storage; none: no variable is a thread's
  std::vector<uint32_t> places;  ///< by variable: in globals, in a thread's, in d_run::locals
  uint32_t local_bytes = 0;
  std::vector<OwnedFd> arrays;        ///< by variable: a hash map, of those with keys
  std::vector<OwnedFd> aggregations;  ///< hash maps; an array of one element where there are no keys
  std::vector<DTupleLayout> tuples;   ///< by aggregation
  DLateValues late;
  DMemoryLayout memory;

  /// Error: a limit that the program exceeds, by name, or the kernel's refusal.
  static Result<DMaps> create(const DProgram& program);
};

/// A map with so many bytes, a multiple of 8, for each thread that stores something there. libbpf knows it by this
/// name.
Result<OwnedFd> create_task_storage(const char* name, uint32_t bytes);

/// True if this is a Min or a Max that the program clears or truncates.
bool begins_anew(const DProgram& program, uint32_t aggregation);

/// Words of an element of an aggregation that begins anew: its value is of a round, which clear() and trunc() end
/// (d_control::rounds). The first update in a new round keeps the value of the previous one.
enum DRoundWord : size_t { kRoundWord, kRoundValue, kRoundBefore, kRoundLock, kRoundWords };

/// The kernel's form of an aggregation's element: the words (Min and Max: see kassist/dtrace/aggregates.cpp) and one
/// more that marks it as used.
size_t kernel_words_of(const DProgram& program, uint32_t aggregation);

}  // namespace strut
