// Where the instructions of a function begin, for who looks through whole modules.
#pragma once

#include <optional>
#include <vector>

#include "pid-provider/control_flow.hpp"
#include "x86/scanner.hpp"

namespace strut {

/// Begins and ends as decode_function() has them. Where the function's code shows no doubts a scan of its bytes is
/// enough, a tenth of the cost: `ltrace node` looks at 12,000 functions before it starts.
class InstructionStarts {
 public:
  InstructionStarts() = default;
  InstructionStarts(const ModuleFunctions& functions, const CodeRange& range);

  const CodeRange& range() const { return range_; }
  /// The length of the instruction that begins at an address; 0: none does.
  uint8_t length_at(uint64_t address) const;
  /// True if the scan was enough; for tests.
  bool is_scanned() const { return !decoded_; }

 private:
  bool scan_all(std::span<const std::byte> code);
  bool is_inside(uint64_t address) const;

  CodeRange range_;
  std::vector<uint8_t> lengths_;  ///< by offset in the range; 0: no instruction begins there
  std::optional<DecodedFunction> decoded_;
};

}  // namespace strut
