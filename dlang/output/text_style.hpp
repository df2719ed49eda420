// The looks of D's text, and the source of names for addresses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dlang/compiler/shape.hpp"
#include "dlang/output/aggregations.hpp"

namespace strut {

/// Names addresses, in text as DTrace shows it.
class DSymbolizer {
 public:
  virtual ~DSymbolizer() = default;
  /// "libc.so.6`malloc+0x10" for the …Address kinds, "libc.so.6`malloc" for …Symbol, "libc.so.6" for …Module; "0x7f12"
  /// where nothing is known. `process` is 0 for the kernel's kinds.
  virtual std::string name(uint64_t process, uint64_t address, DShape::Kind kind) = 0;
  /// A system-call argument formatted as strace does, for the probe of the printed record: DCallArgument and memory.
  virtual std::string call_argument([[maybe_unused]] std::string_view recorded) { return {}; }
  /// For a return address, like name() of an …Address kind: the function that made the call, even if the call is its
  /// last instruction and the address belongs to another function.
  virtual std::string name_of_return(uint64_t process, uint64_t address, DShape::Kind kind) {
    return name(process, address, kind);
  }
};

struct DTextStyle {
  bool quiet = false;      ///< -q: trace() without columns
  bool raw_bytes = false;  ///< -x rawbytes: bytes are dumped even if they are text
  /// Control characters that the target put into a string are escaped: where a terminal shows the text. Newlines and
  /// tabs stay.
  bool escape_controls = false;
  uint32_t stack_indent = 14;  ///< -x stackindent
  DSortOrder order;            ///< -x aggsortkey, aggsortrev, aggsortkeypos
  bool bars = false;           ///< -x agghist: numbers of aggregations have bars
  bool packed = false;         ///< -x aggpack: a distribution is a line
  bool zoomed = false;         ///< -x aggzoom: the largest count has the longest bar that there is
  uint32_t sort_position = 0;  ///< -x aggsortpos: which aggregation of a printa() orders the lines
};

}  // namespace strut
