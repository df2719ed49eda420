// The words of the summary: headings of its columns.
#pragma once

#include <cstdint>
#include <string_view>

#include "formatters/strace/summary.hpp"

namespace strut {

struct ColumnWords {
  std::string_view heading;
  uint8_t width;  ///< least characters; that of the name depends on the rows
};

const ColumnWords& words_of(SummaryColumn column);

}  // namespace strut
