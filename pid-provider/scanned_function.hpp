// A function as a scan of its bytes shows it: at a tenth of decode_function()'s cost, for starts that look at whole
// modules (`ltrace node`: 12,000 functions).
#pragma once

#include <optional>
#include <vector>

#include "pid-provider/control_flow.hpp"

namespace strut {

/// A function that shows no doubts: its bytes are instructions, it reads none of them, and no jump leads into the
/// middle of one. decode_function() has the same instructions in this range.
struct ScannedFunction {
  CodeRange range;
  std::vector<uint8_t> lengths;     ///< by offset in the range; 0: no instruction begins there
  std::vector<uint64_t> targets;    ///< for its own direct jumps into the range, ascending
  std::vector<uint64_t> jumps_out;  ///< where its direct jumps lead otherwise
  bool has_indirect_jump = false;
};
/// nullopt: there is a doubt.
std::optional<ScannedFunction> scan_function(const ElfFile& file, const CodeRange& range);

/// The inputs of uprobe_entry(): a function's first instructions and the targets of its own jumps. The function is
/// decoded whole where a scan does not show all targets, or where it is Go's, with the entry after a stack check.
DecodedFunction decode_entry(const ModuleFunctions& functions, const CodeRange& range);

/// Where the instructions of a function begin.
class InstructionStarts {
 public:
  InstructionStarts() = default;
  InstructionStarts(const ModuleFunctions& functions, const CodeRange& range);

  const CodeRange& range() const { return range_; }
  /// The length of the instruction that begins at an address; 0: none does.
  uint8_t length_at(uint64_t address) const;

 private:
  CodeRange range_;
  std::optional<ScannedFunction> scanned_;
  DecodedFunction decoded_;  ///< if it was not enough to scan
};

/// The functions around addresses that ascend: the last one is kept.
class SurroundingFunction {
 public:
  /// The functions must outlive this.
  explicit SurroundingFunction(const ModuleFunctions& functions) : functions_(functions) {}

  /// nullptr: no function has the address.
  const InstructionStarts* around(uint64_t address);

 private:
  const ModuleFunctions& functions_;
  InstructionStarts last_;
};

}  // namespace strut
