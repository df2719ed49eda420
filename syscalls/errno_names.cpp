#include "syscalls/errno_names.hpp"

#include "base/plain_text.hpp"
#include "syscalls/types/common/errno.hpp"

namespace strut {

std::optional<int> errno_number(std::string_view text) {
  if (std::optional<uint32_t> number = parse_decimal(text)) {
    if (*number < 1 || *number > 4095) return std::nullopt;
    return static_cast<int>(*number);
  }
  for (const Constant& entry : kErrnoNames.entries)
    if (same_ignoring_case(text, entry.name)) return static_cast<int>(entry.value);
  return std::nullopt;
}

}  // namespace strut
