// Jumps from one function into the middle of another, by which hand-written code is shared: glibc's mempcpy continues
// after the first instruction of memmove. A probe there would fire for both.
#pragma once

#include <cstdint>
#include <vector>

#include "pid-provider/functions.hpp"

namespace strut {

/// Errs on the safe side: bytes that only look like a jump are taken for one. Jumps through a pointer are not seen.
class JumpsBetween {
 public:
  /// Reads all code of the file once, some ns for each 16 bytes. The file outlives this.
  explicit JumpsBetween(const ElfFile& file);

  /// Whether code outside of `function` may jump to an address in (function.begin, last].
  bool reach_into(const CodeRange& function, uint64_t last) const;

 private:
  /// One executable segment.
  struct Code {
    CodeRange range;
    std::vector<bool> is_target;  ///< for jumps with 32-bit distances, by offset in the range
  };

  void scan(const Segment& segment);
  bool reach_far(const CodeRange& function, uint64_t last) const;
  bool reach_near(const CodeRange& from, const CodeRange& function, uint64_t last) const;

  const ElfFile& file_;
  std::vector<Code> code_;
};

}  // namespace strut
