// Disarms the uprobes of exited processes in the background: the end of a link waits until its program runs nowhere any
// more.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "kassist/uprobes/uprobes.hpp"

namespace strut {

class Disarming {
 public:
  Disarming() = default;
  ~Disarming();
  Disarming(const Disarming&) = delete;
  Disarming& operator=(const Disarming&) = delete;

  /// Returns at once. All of them are disarmed when this object is gone.
  void take(Uprobes uprobes);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  Uprobes waiting_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace strut
