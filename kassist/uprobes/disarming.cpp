#include "kassist/uprobes/disarming.hpp"

#include "kassist/loader/without_signals.hpp"

namespace strut {

void Disarming::take(Uprobes uprobes) {
  std::lock_guard lock(mutex_);
  waiting_.join(std::move(uprobes));
  if (!thread_.joinable()) thread_ = without_signals([this] { work(); });
  changed_.notify_one();
}

/// Links that come during a wait are waited for together.
void Disarming::work() {
  std::unique_lock lock(mutex_);
  while (!is_over_ || waiting_.armed() != 0) {
    changed_.wait(lock, [&] { return is_over_ || waiting_.armed() != 0; });
    Uprobes now = std::move(waiting_);
    lock.unlock();
    now.disarm();
    lock.lock();
  }
}

Disarming::~Disarming() {
  {
    std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

}  // namespace strut
