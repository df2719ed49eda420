// Types as print() needs them when the program's source is gone, and the text of values in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strut {

struct DPrintedMember {
  std::string name;   ///< empty: an anonymous structure
  uint32_t type = 0;  ///< index into DProgram::printed_types
  uint32_t offset_bytes = 0;
  uint8_t bits = 0;  ///< the width of a bit-field; 0: another member
  uint8_t first_bit = 0;
};

struct DPrintedType {
  enum class Kind : uint8_t { Integer, Float, Pointer, Array, Structure } kind = Kind::Integer;
  std::string name;
  uint32_t bytes = 0;
  uint32_t element = 0;  ///< for an array: index into DProgram::printed_types, less than this type's
  std::vector<DPrintedMember> members;
  std::vector<std::pair<std::string, int64_t>> enumerators;
};

/// Types of members and elements come before it: no type contains itself.
bool is_sound(const std::vector<DPrintedType>& types, size_t index);

/// "struct s {", a line per member, "}". Bytes that are missing are zeros.
std::string printed(const std::vector<DPrintedType>& types, uint32_t type, std::string_view bytes);
/// The text of a float, double or long double by printf's conversion `letter`.
std::string float_text(std::string_view bytes, int precision, char letter);

}  // namespace strut
