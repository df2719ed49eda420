// The compiled BPF object that the build puts into the binary.
#pragma once

#include <cstddef>
#include <span>

namespace strut {

/// An ELF object for libbpf; static storage.
std::span<const std::byte> embedded_object();

}  // namespace strut
