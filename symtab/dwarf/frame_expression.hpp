// DWARF expressions as call frame information uses them (DWARF 5, 2.5), decoded: plain data.
#pragma once

#include <cstdint>
#include <vector>

namespace strut {

/// One operation.
struct FrameOperation {
  uint8_t code = 0;    ///< DW_OP_*
  uint64_t first = 0;  ///< the operands
  uint64_t second = 0;
  uint32_t branches_to = 0;  ///< for DW_OP_bra and DW_OP_skip: an index, at most the number of operations
};
using FrameExpression = std::vector<FrameOperation>;

}  // namespace strut
