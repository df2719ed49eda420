// The format strings of printf, printa, system and freopen.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace strut {

struct DType;

/// One conversion and the text in front of it.
struct DConversion {
  std::string before;              ///< verbatim text, %% already %
  std::string size;                ///< h, l, ll … in front of the letter
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

/// Reads a format string. The error is DTrace's message.
std::expected<DFormat, std::string> parse_format(std::string_view text);

/// "%ld".
std::string name_of(const DConversion& conversion);
/// A conversion's argument as messages name it ("char [] or string (or use stringof)").
std::string_view wanted_by(const DConversion& conversion);
/// True if a value of this type can be shown by the conversion.
bool accepts(const DConversion& conversion, const DType& type);

}  // namespace strut
