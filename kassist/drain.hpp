// Empties the ring: a thread that only copies records out, so that the ring is never full for want of formatting.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/brake.hpp"
#include "core/owned_fd.hpp"
#include "core/result.hpp"
#include "kassist/batch.hpp"
#include "kassist/ring_reader.hpp"

namespace strut {

class Drain {
 public:
  /// `ring`: descriptor of a BPF ring buffer of `ring_bytes`; `pressure`: what its programs share with us. Both must
  /// outlive this. `make_brake`: empty where threads are not to be held; what finds no room is lost then.
  static Result<std::unique_ptr<Drain>> start(int ring, size_t ring_bytes, wire_pressure& pressure,
                                              const MakeBrake& make_brake);
  ~Drain();

  struct Delivery {
    std::shared_ptr<const Batch> batch;  ///< nullptr: nothing came
    /// CLOCK_MONOTONIC: every record that was put into the ring before is in this batch or in one before it.
    uint64_t complete_before_ns;
  };
  /// What came since, waiting up to `timeout_ms` for something to come.
  Delivery next(int timeout_ms);

  /// The programs send nothing more: lets all threads go, and takes the rest out of the ring at once, however much that is.
  void finish();

  /// Brake::holds().
  uint64_t holds() const { return brake_ ? brake_->holds() : 0; }

 private:
  Drain(RingReader ring, wire_pressure& pressure) : ring_(std::move(ring)), pressure_(pressure) {}
  Result<void> open_sleep(int ring);
  void set_thresholds(const MakeBrake& make_brake);
  void wake();
  void work();
  size_t pass();
  size_t most_queued() const;
  void hand_over(std::span<const std::byte> run);
  void tend_brake();
  std::vector<Tid> take_wanted();
  void nap(int quiet_passes);
  void sleep(uint32_t wake_bytes, uint64_t at_most_ns);

  RingReader ring_;
  wire_pressure& pressure_;
  std::unique_ptr<Brake> brake_;
  OwnedFd sleep_;  ///< epoll: the ring was written by a program that wakes us, or the bell
  OwnedFd bell_;   ///< eventfd: we are to look up
  uint32_t asked_ = 0;          ///< of wire_pressure::asked: served so far
  uint64_t last_asked_ns_ = 0;  ///< 0: no thread is seized

  std::atomic<size_t> queued_ = 0;  ///< bytes in batches that nobody has finished with
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Delivery> batches_;     ///< under mutex_
  uint64_t complete_before_ns_ = 0;  ///< under mutex_: with all of batches_
  std::atomic<bool> finishing_ = false;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace strut
