// A CPU for work that goes through one lock of the kernel's.
#pragma once

#include <optional>

#include "process/cpu_mask.hpp"

namespace strut {

/// While it lives this thread, and those that it starts, run on one CPU, the same for all objects of this class at a
/// time. Where that is not permitted nothing changes.
class OnOneCpu {
 public:
  OnOneCpu();
  ~OnOneCpu();
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

 private:
  std::optional<CpuMask> before_;
};

}  // namespace strut
