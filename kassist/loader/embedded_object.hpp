// The compiled BPF objects that the build puts into the binary.
#pragma once

#include <cstddef>
#include <span>

namespace strut {

enum class Edition {
  Whole,
  Plain,      ///< without the code that most runs do not need (STRUT_PLAIN in kernel/common/maps.bpf.h): the kernel
              ///< is done sooner
  Functions,  ///< the program at functions' sites, to be loaded beside one of the others
  AwakeFunctions,  ///< a variant for kernels where it cannot wait for memory (STRUT_AWAKE)
  Threads,         ///< registers of threads that do not run
};

/// An ELF object for libbpf; static storage.
std::span<const std::byte> embedded_object(Edition edition);
/// Another: the functions and hooks of D programs.
std::span<const std::byte> embedded_d_object();

}  // namespace strut
