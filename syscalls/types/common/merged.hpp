// Enumerations that share most of their names.
#pragma once

#include <array>

#include "syscalls/constants.hpp"

namespace strut {

/// The entries of two tables that both ascend by value, as one that does.
template <size_t some, size_t others>
consteval std::array<Constant, some + others> merged(const Constant (&a)[some], const Constant (&b)[others]) {
  std::array<Constant, some + others> all{};
  size_t i = 0, j = 0;
  for (Constant& next : all) next = j == others || (i < some && a[i].value < b[j].value) ? a[i++] : b[j++];
  return all;
}

}  // namespace strut
