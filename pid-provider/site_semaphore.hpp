// The counter of interested tracers that a statically defined probe may have (<sys/sdt.h>: a semaphore).
#pragma once

#include <cstdint>
#include <optional>

namespace strut {

/// 16 bits in the program's data: the program skips its probe while it is 0.
struct SiteSemaphore {
  std::optional<uint64_t> file_offset;  ///< nullopt: the file has no bytes for it, it is in .bss
  int64_t distance = 0;                 ///< its address minus the site's, the same in every process
};

}  // namespace strut
