// Empties the ring of a trace, and holds threads that fill it faster than that.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "kassist/transport/ring_drain.hpp"
#include "kassist/wire/wire.h"
#include "trace/brake.hpp"

namespace strut {

class Drain {
 public:
  /// `ring`: descriptor of a BPF ring buffer of `ring_bytes`; `lanes`: the rings that its programs write beside it;
  /// `control`: the control page that they share with us. Ring and control must outlive this. `make_brake`: empty
  /// where threads are not to be stopped; records without room are lost then.
  static Result<std::unique_ptr<Drain>> start(int ring, size_t ring_bytes, Lanes lanes, wire_control& control,
                                              const MakeBrake& make_brake,
                                              RingDrain::Pace pace = RingDrain::Pace::Prompt);
  ~Drain();

  using Delivery = RingDrain::Delivery;
  /// RingDrain::next().
  Delivery next(int timeout_ms) { return ring_->next(timeout_ms); }

  /// The programs send nothing more: lets all threads go, and takes the rest out of the ring at once, however much that
  /// is.
  void finish();
  /// Times of records are counted: no output shows a time. Before the only thread is followed; its first child ends
  /// that.
  void count_moments();
  /// From now on no thread of this process is stopped, since strut is its tracer without being the brake: it is only
  /// slowed down. nullopt: that is over.
  void spare(std::optional<Pid> process);
  /// Brake::hold(); before any process is followed. False: there is no brake.
  bool hold(Brake::Fresh fresh);
  /// Threads that wait for arming can go on now.
  void hurry_up() { ring_->hurry_up(); }

  /// RingDrain::dismiss(), and all threads are let go.
  void dismiss();

  /// Brake::holds().
  uint64_t holds() const { return brake_ ? brake_->holds() : 0; }

 private:
  explicit Drain(wire_control& control) : control_(control) {}
  void set_thresholds(size_t ring_bytes, const MakeBrake& make_brake);
  uint64_t begin_look();
  void tend_brake(const RingDrain& ring);
  std::vector<Tid> take_wanted();
  bool is_counted_on();
  void give_up_threads();

  wire_control& control_;
  std::unique_ptr<Brake> brake_;
  uint32_t asked_ = 0;          ///< for wire_control::throttle.asked: served so far
  uint32_t touches_ = 0;        ///< for wire_control::brake.touches: seen so far
  uint64_t last_asked_ns_ = 0;  ///< or counted on; 0: no thread is seized
  uint64_t earliest_ns_ = 0;    ///< when the last look began
  std::atomic<bool> finishing_ = false;
  std::unique_ptr<RingDrain> ring_;  ///< the thread uses all members above
};

}  // namespace strut
