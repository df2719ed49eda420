// Where functions begin and end according to .eh_frame: known even where every symbol was stripped.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symtab/elf/elf_file.hpp"
#include "symtab/elf/range_map.hpp"

namespace strut {

/// The ranges of a file's frame descriptions (Linux Standard Base, "Exception Frames"), read when one is first asked
/// for. A compiler may split a function in parts (.cold), each with a description of its own.
class FunctionBounds {
 public:
  /// The file must outlive it.
  explicit FunctionBounds(const ElfFile& file) : file_(file) {}

  struct Bounds {
    uint64_t begin = 0, end = 0;  ///< addresses of the file
    /// The code that signal handlers return to: the range begins a byte before it, since unwinders look one byte back.
    bool is_signal_frame = false;
  };
  /// nullopt: no description covers the address.
  std::optional<Bounds> at(uint64_t address) const;
  /// False: .eh_frame_hdr, the table by which unwinders find descriptions, has none that begins there. True where the
  /// file has no such table, or one that cannot be searched.
  bool is_listed(uint64_t begin) const;
  /// Ascending.
  const std::vector<RangeMap::Range>& all() const { return ranges().all(); }

 private:
  const RangeMap& ranges() const;

  const ElfFile& file_;
  mutable std::optional<RangeMap> ranges_;
};

}  // namespace strut
