// Which system calls could show anybody that a thread's affinity is not what it should be, or hand it on.
#pragma once

#include <unordered_map>

#include "ptrace/engine/tracee.hpp"

namespace strut {

class MaskExposure {
 public:
  /// Of the call that the tracee enters or is in. Worked out once a call: a read asks /proc what is read.
  Exposure of(Tracee& tracee);

 private:
  enum class Kind : uint8_t;
  Kind kind_of(const SyscallDesc& desc);
  std::unordered_map<const SyscallDesc*, Kind> kinds_;  ///< of the calls seen so far
};

}  // namespace strut
