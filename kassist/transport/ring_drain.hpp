// Empties a BPF ring: a thread that only copies records out, so that slow reporting does not fill the ring.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/transport/batch.hpp"
#include "kassist/transport/lanes.hpp"
#include "kassist/transport/ring_reader.hpp"

namespace strut {

class RingDrain {
 public:
  /// How long it sleeps between looks while records come.
  enum class Pace : uint8_t {
    Prompt,   ///< a millisecond
    Relaxed,  ///< four times that while few records come: where the trace is of the whole machine, each look interrupts
              ///< a process that it is not about
  };
  /// Callbacks and settings of a ring. The functions are called in the drain's thread.
  struct Callbacks {
    /// Shared with the programs that write: they wake us when so many bytes are in the ring. Outlives the drain.
    uint32_t* wake_bytes;
    /// When a record was made (CLOCK_MONOTONIC): before it was put into the ring.
    uint64_t (*made_ns)(std::span<const std::byte> record);
    uint32_t* lane_wake_bytes = nullptr;              ///< for a lane, where there are lanes
    std::function<void(const RingDrain&)> tend = {};  ///< before each pass and each batch
    std::function<bool()> is_called = {};             ///< tend() has to be called now
    std::function<bool()> is_restless = {};           ///< tend() is to be called soon
    /// Called before each look at the records: a time that later records do not precede.
    std::function<uint64_t()> begin_look = monotonic_ns;
    Pace pace = Pace::Prompt;
  };
  /// `ring`: descriptor of a BPF ring buffer of `ring_bytes`, which must outlive this. `lanes`: the rings to be emptied
  /// beside it.
  static Result<std::unique_ptr<RingDrain>> start(int ring, size_t ring_bytes, Callbacks habits,
                                                  std::optional<Lanes> lanes = std::nullopt);
  ~RingDrain();

  struct Delivery {
    std::shared_ptr<const Batch> batch;  ///< nullptr: nothing came
    /// CLOCK_MONOTONIC: every record that was put into the ring before is in this batch or in one before it.
    uint64_t complete_before_ns;
  };
  /// The records since the last call, waiting up to `timeout_ms` for some.
  Delivery next(int timeout_ms);
  /// Waits no longer than until all records that were put into the ring before `until_ns` have come.
  Delivery next_before(uint64_t until_ns, int timeout_ms);
  /// An eventfd that is readable when something has come since it was read.
  int news() const { return news_.number(); }

  /// The programs send nothing more: takes the rest out of the ring at once, however much that is.
  void finish();
  /// next() is not called again: the thread may end.
  void dismiss();
  /// Looks at the ring now rather than when it is time to.
  void hurry_up();

  /// Bytes in the ring; its size. For the drain's thread.
  size_t fill() const { return ring_.fill(); }
  size_t size() const { return ring_.size(); }

 private:
  RingDrain(RingReader ring, std::optional<Lanes> lanes, Callbacks habits)
      : ring_(std::move(ring)), lanes_(std::move(lanes)), habits_(std::move(habits)) {}
  Result<void> open_sleep(int ring);
  void work();
  void go_to_reader();
  size_t pass();
  size_t most_queued() const;
  size_t hand_over(std::span<const BatchRun> runs);
  void tend();
  void nap(int quiet_passes, size_t last_bytes);
  uint64_t nap_ns(size_t last_bytes) const;
  /// The amount of records at which the programs wake the thread, in the ring and in a lane.
  struct Wish {
    uint32_t ring_bytes, lane_bytes;
  };
  void sleep(Wish wish, uint64_t at_most_ns);
  bool is_granted(Wish wish) const;
  template <typename Ready>
  Delivery take_when(int timeout_ms, Ready ready);

  RingReader ring_;
  std::optional<Lanes> lanes_;
  Callbacks habits_;
  OwnedFd sleep_;  ///< epoll: the ring was written by a program that wakes us, or the bell
  OwnedFd bell_;   ///< eventfd: we are to look up
  OwnedFd news_;

  uint64_t moved_ns_ = 0;             ///< when it last went to another CPU by its own will
  std::atomic<int> reader_cpu_ = -1;  ///< where next() was last called; -1: nowhere yet

  std::atomic<size_t> queued_ = 0;  ///< bytes in batches that are still in use
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Delivery> batches_;     ///< under mutex_
  uint64_t complete_before_ns_ = 0;  ///< under mutex_: with all of batches_
  std::atomic<bool> finishing_ = false;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace strut
