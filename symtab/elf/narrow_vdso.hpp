// The vdso that the kernel gives to 32-bit processes, without one at hand.
#pragma once

#include "base/ids.hpp"

namespace strut {

/// A process of strut's own that has that vdso mapped, and sleeps, as long as this lives (arch_prctl(2) of Linux 4.9,
/// ARCH_MAP_VDSO_32: its own goes first).
class NarrowVdsoProcess {
 public:
  NarrowVdsoProcess();
  NarrowVdsoProcess(const NarrowVdsoProcess&) = delete;
  ~NarrowVdsoProcess();

  /// Where the kernel has no such vdso, its memory has none either. 0: there is no process.
  Pid pid() const { return pid_; }

 private:
  Pid pid_{};
};

}  // namespace strut
