#include "syscalls/constants.hpp"

#include <algorithm>

namespace strut {

const char* ConstantSet::name_of(uint64_t value) const {
  if (sorted) {
    auto at = std::lower_bound(entries.begin(), entries.end(), value,
                               [](const Constant& entry, uint64_t wanted) { return entry.value < wanted; });
    return at != entries.end() && at->value == value ? at->name : nullptr;
  }
  for (const Constant& entry : entries)
    if (entry.value == value && entry.mask == 0) return entry.name;
  return nullptr;
}

const Constant* ConstantSet::find(std::string_view name) const {
  for (const Constant& entry : entries)
    if (name == entry.name) return &entry;
  return nullptr;
}

}  // namespace strut
