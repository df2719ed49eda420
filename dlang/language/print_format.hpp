// The format strings of printf, printa, system and freopen.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/compiler/shape.hpp"

namespace strut {

/// One conversion and the text in front of it.
struct DConversion {
  std::string before;              ///< verbatim text, %% already %
  char letter = '\0';              ///< 'd', 's', 'Y' …; '\0': only text, the end of the format
  bool is_aggregation = false;     ///< %@d: the aggregation's value
  bool left = false;               ///< -
  bool plus = false;               ///< +
  bool blank = false;              ///< ' '
  bool alternate = false;          ///< #
  bool zero = false;               ///< 0
  bool grouped = false;            ///< '
  bool width_is_item = false;      ///< *: an item before the value's
  bool precision_is_item = false;  ///< .*
  int32_t width = -1;              ///< -1: none
  int32_t precision = -1;
};

struct DFormat {
  std::vector<DConversion> conversions;  ///< the last has letter '\0'
  bool empty() const { return conversions.empty(); }
};

constexpr int32_t kMaxWidth = 4096;  ///< widths and precisions are not larger

/// Reads a format string. The error is the reason in words.
std::expected<DFormat, std::string> parse_format(std::string_view text);

/// A conversion's argument, in words ("integer type"); empty: there is no such conversion.
std::string_view wanted_by(const DConversion& conversion);

/// True if a value of this shape can be shown by the conversion.
bool accepts(const DConversion& conversion, const DShape& shape);

}  // namespace strut
