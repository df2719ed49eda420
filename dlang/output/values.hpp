// The values in records, for output that programs read.
#pragma once

#include <cstdint>

#include "dlang/machine/record.hpp"
#include "dlang/output/aggregations.hpp"
#include "dlang/output/text_style.hpp"

namespace strut {

/// Takes values besides the text of records. Views live during the call.
class DValues {
 public:
  virtual ~DValues() = default;
  /// An item of printf(), trace(), stack() and the like.
  virtual void take(const DItem& item, DSymbolizer& symbolizer) = 0;
  /// An aggregation that printa() without a format or the end of the run shows. It gets no text.
  virtual void take(const DAggregations& from, uint32_t aggregation, const DSortOrder& order,
                    DSymbolizer& symbolizer) = 0;
};

}  // namespace strut
