// The kernel types of our BPF objects, and their way to libbpf.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/loader/kernel_types.hpp"

struct bpf_object;

namespace strut {

/// The kernel's structures that an object's own types name, and their members; no hooks.
TypesWanted types_named_by(bpf_object* object);

/// A path from which libbpf reads, while it loads, the bytes written until then.
class MemoryFile {
 public:
  MemoryFile();
  const std::string& path() const { return path_; }
  Result<void> write(std::span<const std::byte> bytes);

 private:
  OwnedFd fd_;
  std::string path_;
};

/// Something that the kernel refused: `op` with this errno.
Error refused(std::string op, int code);

/// An object of ours, to be loaded with the types at `types_path`. nullptr: errno says why.
bpf_object* open_bpf_object(std::span<const std::byte> bytes, const char* name, const char* types_path);

}  // namespace strut
