// The arguments of a probe by its USDT note: the size of each, and its place when the probe is hit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace strut {

/// One argument: "SIZE@OPERAND", the operand in the assembler's AT&T syntax.
struct UsdtArgument {
  enum class Place : uint8_t {
    Constant,  ///< $5: `displacement` is the value
    Register,  ///< %eax: `base`
    Memory,    ///< displacement(base,index,scale), symbol+displacement(%rip)
    Unknown,   ///< an operand of another form; `text` has it
  };
  std::string_view text;  ///< all of it
  uint8_t bytes = 8;
  bool is_signed = false;
  bool is_float = false;  ///< "8f@"
  Place place = Place::Unknown;
  std::string_view base, index;  ///< registers without %; empty: none
  uint8_t scale = 1;
  std::string_view symbol;  ///< empty: none
  int64_t displacement = 0;
};

/// In their order. Malformed ones have Place::Unknown.
std::vector<UsdtArgument> usdt_arguments(std::string_view specification);

}  // namespace strut
