// Where the fields of a structure lie in an ABI, computed once instead of at every decode.
#pragma once

#include <cstdint>
#include <vector>

#include "syscalls/abi.hpp"
#include "syscalls/type.hpp"

namespace strut {

struct FieldPlace {
  uint32_t at = 0;   ///< byte offset in the structure
  uint32_t end = 0;  ///< offset of the byte behind it
};

struct LayoutPlan {
  uint32_t bytes = 0;              ///< size_of() the structure
  std::vector<FieldPlace> places;  ///< one for each of fields_of()
};

/// Runs along the fields by C's rules, as offset_of() does for one of them.
LayoutPlan computed_plan(const StructLayout& layout, Abi abi);

/// The plan of a layout: its own, or one that is kept, per thread, by the address of static data.
const LayoutPlan& plan_of(const StructLayout& layout, Abi abi);

}  // namespace strut
