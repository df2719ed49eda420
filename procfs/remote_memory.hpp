// The memory of a live process: process_vm_readv(2), and where that is not permitted /proc/PID/mem.
#pragma once

#include "base/memory.hpp"

namespace strut {

/// Reads with one system call per object; a string takes one call per page it touches. Owns nothing of the target.
class RemoteMemory final : public Memory {
 public:
  /// `id` is any thread of the process.
  explicit RemoteMemory(Tid id) : id_(id) {}
  RemoteMemory(RemoteMemory&& other) noexcept : id_(other.id_), gone_(other.gone_), mem_fd_(other.mem_fd_) {
    other.mem_fd_ = -1;
  }
  RemoteMemory& operator=(RemoteMemory&&) = delete;
  ~RemoteMemory() override;

  /// Reads this thread's memory from now on: after an execve, which replaces memory and may change the thread's id.
  void move_to(Tid id);

  /// The last read failed because the process has ended or may not be read, not for want of memory at that address.
  bool gone() const { return gone_; }

  ReadOutcome read(Addr at, std::span<std::byte> out) override;
  ReadOutcome read_string(Addr at, std::span<char> out) override;

 private:
  size_t copy(uint64_t at, void* to, size_t bytes);
  size_t copy_by_file(uint64_t at, void* to, size_t bytes);

  Tid id_;
  bool gone_ = false;
  int mem_fd_ = -1;  ///< open only once process_vm_readv turned out not to be permitted
};

}  // namespace strut
