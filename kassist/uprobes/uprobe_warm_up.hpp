// Takes the longest part of arming the first uprobe out of the way, while programs are loaded.
//
// Whoever adds a uprobe must be alone with no fork (dup_mmap_sem of the kernel, a percpu_rw_semaphore): where nobody
// has for a while, that waits for an RCU grace period, 12 ms here; for the next ones it takes none.
#pragma once

#include <atomic>
#include <thread>

namespace strut {

class UprobeWarmUp {
 public:
  /// Begins, in a thread of its own: uprobes in a file of strut's that nobody maps. Where they cannot be had there are
  /// none.
  UprobeWarmUp();
  /// The first real ones are armed.
  void stop() { over_ = true; }
  /// Waits until the kernel has taken its own out.
  ~UprobeWarmUp();
  UprobeWarmUp(const UprobeWarmUp&) = delete;
  UprobeWarmUp& operator=(const UprobeWarmUp&) = delete;

 private:
  void work();

  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace strut
