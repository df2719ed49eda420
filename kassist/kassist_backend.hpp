// The kernel assist: tracing by eBPF programs, without stopping the target.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "core/brake.hpp"

namespace strut {

/// How records get from the kernel to us.
struct Transport {
  uint32_t ring_bytes = 16 << 20;  ///< a power of two, of pages
  MakeBrake make_brake;            ///< empty: what finds no room is lost, and counted
};

std::unique_ptr<Backend> make_kassist_backend(Transport transport);

}  // namespace strut
