#include "kassist/transport/drain.hpp"

#include <atomic>
#include <utility>

#include <unistd.h>

#include "base/clock.hpp"

namespace strut {

namespace {

constexpr uint64_t kKeepSeized_ns = 1'000'000'000;  ///< after the last thread was asked for

constexpr uint32_t kNever = UINT32_MAX;

uint32_t share(size_t bytes, size_t sixteenths) { return static_cast<uint32_t>(bytes / 16 * sixteenths); }

uint64_t made_ns(std::span<const std::byte> content) {
  const wire_record* record = wire_record_of(content);
  return record ? record->at_ns : 0;
}

}  // namespace

Result<std::unique_ptr<Drain>> Drain::start(int ring, size_t ring_bytes, Lanes lanes, wire_control& control,
                                            const MakeBrake& make_brake, RingDrain::Pace pace) {
  std::unique_ptr<Drain> drain(new Drain(control));
  drain->set_thresholds(ring_bytes, make_brake);
  RingDrain::Callbacks habits{&control.consumer.wake_bytes, made_ns, &control.consumer.lane_wake_bytes};
  Drain* self = drain.get();
  habits.pace = pace;
  habits.begin_look = [self] { return self->begin_look(); };
  if (drain->brake_) {
    habits.tend = [self](const RingDrain& ring) { self->tend_brake(ring); };
    habits.is_called = [self] { return std::atomic_ref(self->control_.throttle.asked).load() != self->asked_; };
    habits.is_restless = [self] { return self->last_asked_ns_ != 0; };
  }
  drain->ring_ = TRY(RingDrain::start(ring, ring_bytes, std::move(habits), std::move(lanes)));
  return drain;
}

void Drain::set_thresholds(size_t ring_bytes, const MakeBrake& make_brake) {
  control_.tracer = static_cast<uint32_t>(::getpid());
  control_.consumer.limit_bytes = share(ring_bytes, 15);
  control_.throttle.ask_bytes = control_.throttle.hold_bytes = kNever;
  if (!make_brake) return;
  control_.throttle.round = 1;
  control_.brake.tracer = static_cast<uint32_t>(::getpid());
  brake_ = make_brake(WIRE_MARKER, [markers = control_.brake.markers](Tid tid) {
    uint32_t expected = static_cast<uint32_t>(raw(tid));
    return std::atomic_ref(markers[expected % WIRE_MARKERS]).compare_exchange_strong(expected, 0);
  });
  control_.throttle.hold_bytes = share(ring_bytes, 12);
  control_.throttle.ask_bytes = share(ring_bytes, 9);
}

void Drain::finish() {
  std::atomic_ref(control_.clock.is_counted).store(0);  // the next look has all, and is not to wait for one after it
  std::atomic_ref(control_.brake.tracer).store(0);
  std::atomic_ref(control_.throttle.hold_bytes).store(kNever);
  std::atomic_ref(control_.throttle.ask_bytes).store(kNever);
  finishing_ = true;
  ring_->finish();
}

void Drain::count_moments() {
  std::atomic_ref(control_.clock.earliest_ns).store(monotonic_ns());
  std::atomic_ref(control_.clock.is_counted).store(1);
}

bool Drain::hold(Brake::Fresh fresh) {
  if (brake_) brake_->hold(fresh);
  return brake_ != nullptr;
}

void Drain::spare(std::optional<Pid> process) {
  std::atomic_ref(control_.brake.spared).store(process ? static_cast<uint32_t>(raw(*process)) : 0);
}

void Drain::dismiss() {
  finish();
  ring_->dismiss();
}

Drain::~Drain() {
  if (ring_) finish();
  ring_.reset();
  brake_.reset();
}

// -- the ring's thread ------------------------------------------------------------------------------------

/// Counted events are kept in step with the clock. A thread that took a number before the last look has put its record
/// by now: it did not see that look's value.
uint64_t Drain::begin_look() {
  uint64_t now_ns = monotonic_ns();
  if (!std::atomic_ref(control_.clock.is_counted).load()) return now_ns;
  std::atomic_ref(control_.clock.earliest_ns).store(now_ns);
  return std::exchange(earliest_ns_, now_ns);
}

std::vector<Tid> Drain::take_wanted() {
  std::vector<Tid> wanted;
  uint32_t asked = std::atomic_ref(control_.throttle.asked).load();
  for (; asked_ != asked; asked_++) {
    // The number is raised before the tid is written.
    uint32_t tid = std::atomic_ref(control_.throttle.wanted[asked_ % WIRE_WANTED]).exchange(0);
    if (tid == 0 && asked - asked_ < WIRE_WANTED) break;
    if (tid != 0) wanted.push_back(Tid{static_cast<int32_t>(tid)});
  }
  return wanted;
}

/// Whether a thread has relied on being a tracee since the last time.
bool Drain::is_counted_on() {
  uint32_t touches = std::atomic_ref(control_.brake.touches).load();
  return std::exchange(touches_, touches) != touches;
}

void Drain::tend_brake(const RingDrain& ring) {
  if (finishing_) return brake_->give_up();
  if (std::vector<Tid> wanted = take_wanted(); !wanted.empty()) {
    brake_->seize(wanted);
    last_asked_ns_ = monotonic_ns();
  }
  size_t bytes = ring.fill();
  if (brake_->held() > 0) {
    last_asked_ns_ = monotonic_ns();
    uint32_t asked = std::atomic_ref(control_.arming.questions).load(),
             answered = std::atomic_ref(control_.arming.answers).load();
    bool is_awaited = static_cast<int32_t>(asked - answered) > 0;
    if (bytes < share(ring.size(), 4) && !is_awaited) brake_->let_go_on();
    return;
  }
  if (last_asked_ns_ == 0) return;
  if (is_counted_on()) last_asked_ns_ = monotonic_ns();
  if (bytes < share(ring.size(), 4) && monotonic_ns() - last_asked_ns_ >= kKeepSeized_ns) give_up_threads();
}

/// A thread that relies on us from here on sees that we leave, or we see it.
void Drain::give_up_threads() {
  std::atomic_ref leaving(control_.brake.leaving);
  leaving.store(1);
  if (is_counted_on()) {
    last_asked_ns_ = monotonic_ns();
  } else {
    control_.throttle.round = control_.throttle.round % 255 + 1;  // from now on all requests are made anew
    brake_->give_up();
    last_asked_ns_ = 0;
  }
  leaving.store(0);
}

}  // namespace strut
