// Performs the longest part of arming the first uprobe early, while programs are loaded.
//
// Adding a uprobe excludes all forks (the kernel's dup_mmap_sem, a percpu_rw_semaphore): the first one after a while
// waits for an RCU grace period, 12 ms here; for the next ones it takes none.
#pragma once

#include <atomic>
#include <thread>

namespace strut {

class UprobeWarmUp {
 public:
  /// Begins, in a thread of its own: uprobes in a file of strut's that no process maps. Where they are impossible there
  /// are none.
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
