#include "kassist/transport/ring_drain.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>

#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/loader/without_signals.hpp"
#include "process/cpu_mask.hpp"

namespace strut {

namespace {

constexpr size_t kBatchBytes = 256 << 10;
/// The limit of queued records, in rings. Beyond it the ring is left to fill.
constexpr size_t kMaxRings = 16;
/// Programs do not wake this thread while records come: at a million a second that would cost the target more than the
/// records. Each pass costs one CPU, maybe the target's, 40 microseconds. A quarter of the ring wakes the thread
/// anyway, or a part of a lane that rarely fills before a nap is over: each wake-up is two interrupts that a hypervisor
/// delivers, on the target's account. Records without room in the lane meanwhile go to the ring.
constexpr uint64_t kNap_ns = 1'000'000;
constexpr uint64_t kRelaxedNap_ns = 4'000'000;
constexpr size_t kFewBytes = 64 << 10;  ///< in a nap: four times as many leave lanes and ring nearly empty
constexpr int kDoublings = 2;           ///< for naps in which no record comes
constexpr int kPassesToSleep = 6;  ///< so many of them, and the programs are to wake us: longer than Order's window
constexpr uint64_t kFirstSleep_ns = 5'000'000;  ///< a program that was about to write did not see that we sleep
constexpr uint64_t kSleep_ns = 1'000'000'000;
constexpr uint64_t kMoveEvery_ns = 10'000'000;

constexpr uint32_t kNeverWoken = UINT32_MAX;

/// The drain thread has little to do and must do it in time.
void hurry() {
  sched_param first{1};
  if (::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0) return;
  constexpr int kHighest = -20;
  ::setpriority(PRIO_PROCESS, 0, kHighest);
}

void ring_the(const OwnedFd& bell) {
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(bell.number(), &one, sizeof one);
}

}  // namespace

Result<std::unique_ptr<RingDrain>> RingDrain::start(int ring, size_t ring_bytes, Callbacks habits,
                                                    std::optional<Lanes> lanes) {
  std::unique_ptr<RingDrain> drain(
      new RingDrain(TRY(RingReader::map(ring, ring_bytes)), std::move(lanes), std::move(habits)));
  TRY_VOID(drain->open_sleep(ring));
  std::atomic_ref(*drain->habits_.wake_bytes).store(kNeverWoken);
  if (drain->lanes_) std::atomic_ref(*drain->habits_.lane_wake_bytes).store(kNeverWoken);
  drain->thread_ = without_signals([self = drain.get()] { self->work(); });
  return drain;
}

Result<void> RingDrain::open_sleep(int ring) {
  sleep_ = OwnedFd(::epoll_create1(EPOLL_CLOEXEC));
  bell_ = OwnedFd(::eventfd(0, EFD_CLOEXEC));
  news_ = OwnedFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  epoll_event on_write{}, on_bell{};
  on_write.events = EPOLLIN | EPOLLET;  // by the programs' wish only, not because something is there
  on_bell.events = EPOLLIN | EPOLLET;
  if (!sleep_ || !bell_ || !news_ || ::epoll_ctl(sleep_.number(), EPOLL_CTL_ADD, ring, &on_write) != 0 ||
      ::epoll_ctl(sleep_.number(), EPOLL_CTL_ADD, bell_.number(), &on_bell) != 0)
    return fail({errno, "wait for the BPF ring", {}, {}, {}});
  return {};
}

size_t RingDrain::most_queued() const { return kMaxRings * ring_.size(); }

void RingDrain::hurry_up() { ring_the(bell_); }

void RingDrain::finish() {
  finishing_ = true;
  ring_the(bell_);
}

void RingDrain::dismiss() {
  stop_ = true;
  finish();
}

RingDrain::~RingDrain() {
  dismiss();
  if (thread_.joinable()) thread_.join();
}

// -- the thread -------------------------------------------------------------------------------------------

void RingDrain::work() {
  hurry();
  for (int quiet_passes = 0; !stop_;) {
    go_to_reader();
    tend();
    size_t bytes = pass();
    quiet_passes = bytes > 0 ? 0 : quiet_passes + 1;
    nap(quiet_passes, bytes);
  }
  tend();
}

/// A thread of this priority wakes where it went to sleep, whatever runs there: it would preempt the target a thousand
/// times a second. On the reader's CPU it only preempts strut. It may migrate from there if it has to.
void RingDrain::go_to_reader() {
  int cpu = reader_cpu_;
  if (cpu < 0 || cpu == ::sched_getcpu() || monotonic_ns() - moved_ns_ < kMoveEvery_ns) return;
  moved_ns_ = monotonic_ns();
  std::optional<CpuMask> permitted = affinity_of(0);
  if (!permitted || !permitted->contains(cpu)) return;
  if (set_affinity(0, CpuMask::only(cpu))) set_affinity(0, *permitted);
}

void RingDrain::tend() {
  if (habits_.tend) habits_.tend(*this);
}

/// Copies the records that are there when it begins. Returns their bytes. Lanes are looked at after the ring and come
/// before it: the records that a thread put into a lane before its record in the ring (its exit) are there, too.
size_t RingDrain::pass() {
  uint64_t began_ns = habits_.begin_look(), end = ring_.written();
  std::vector<BatchRun> runs = lanes_ ? lanes_->peek() : std::vector<BatchRun>();
  size_t bytes = 0;
  while (queued_ < most_queued() || finishing_) {
    std::span<const std::byte> run = ring_.peek(kBatchBytes, end);
    bool lanes = !runs.empty();
    if (!run.empty()) runs.push_back({kRing, run});
    if (runs.empty()) break;
    bytes += hand_over(runs);
    ring_.release(run.size());
    if (lanes) lanes_->release();
    runs.clear();
    tend();
  }
  if (!runs.empty() || ring_.read() < end) return bytes;
  {
    std::lock_guard lock(mutex_);
    complete_before_ns_ = std::max(complete_before_ns_, began_ns);
  }
  came_.notify_one();
  return bytes;
}

size_t RingDrain::hand_over(std::span<const BatchRun> runs) {
  auto batch = std::make_shared<const Batch>(runs, queued_);
  // Places in the ring are given in the order of time, but for the moment between reading the clock and taking a place.
  uint64_t last_ns = 0;
  batch->each_of(kRing,
                 [&](std::span<const std::byte> record) { last_ns = std::max(last_ns, habits_.made_ns(record)); });
  {
    std::lock_guard lock(mutex_);
    complete_before_ns_ = std::max(complete_before_ns_, last_ns);
    batches_.push_back({batch, complete_before_ns_});
  }
  came_.notify_one();
  ring_the(news_);
  return batch->bytes();
}

uint64_t RingDrain::nap_ns(size_t last_bytes) const {
  bool may_relax =
      habits_.pace == Pace::Relaxed && last_bytes < kFewBytes && !(habits_.is_restless && habits_.is_restless());
  return may_relax ? kRelaxedNap_ns : kNap_ns;
}

void RingDrain::nap(int quiet_passes, size_t last_bytes) {
  if (queued_ >= most_queued() && !finishing_) return sleep({kNeverWoken, kNeverWoken}, kNap_ns << kDoublings);
  bool idle = quiet_passes >= kPassesToSleep && !(habits_.is_restless && habits_.is_restless());
  if (idle) return sleep({1, 0}, quiet_passes == kPassesToSleep ? kFirstSleep_ns : kSleep_ns);
  size_t lane_bytes = lanes_ ? lanes_->size() / 4 * 3 : 0;
  sleep({static_cast<uint32_t>(ring_.size() / 4), static_cast<uint32_t>(lane_bytes)},
        nap_ns(last_bytes) << std::min(quiet_passes, kDoublings));
}

bool RingDrain::is_granted(Wish wish) const {
  return ring_.fill() >= wish.ring_bytes || (lanes_ && lanes_->fill() > wish.lane_bytes) ||
         (habits_.is_called && habits_.is_called());
}

void RingDrain::sleep(Wish wish, uint64_t at_most_ns) {
  auto make = [this](Wish wish) {
    std::atomic_ref(*habits_.wake_bytes).store(wish.ring_bytes);
    if (lanes_) std::atomic_ref(*habits_.lane_wake_bytes).store(wish.lane_bytes);
  };
  make(wish);
  if (!is_granted(wish)) {
    timespec limit{static_cast<time_t>(at_most_ns / 1'000'000'000), static_cast<long>(at_most_ns % 1'000'000'000)};
    epoll_event woken;
    ::epoll_pwait2(sleep_.number(), &woken, 1, &limit, nullptr);
  }
  make({kNeverWoken, kNeverWoken});
}

// -- the reader ---------------------------------------------------------------------------------------------

template <typename Ready>
RingDrain::Delivery RingDrain::take_when(int timeout_ms, Ready ready) {
  reader_cpu_ = ::sched_getcpu();
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [&] { return !batches_.empty() || ready(); });
  if (batches_.empty()) return {nullptr, complete_before_ns_};
  Delivery first = std::move(batches_.front());
  batches_.pop_front();
  if (batches_.empty()) first.complete_before_ns = complete_before_ns_;
  return first;
}

RingDrain::Delivery RingDrain::next(int timeout_ms) {
  return take_when(timeout_ms, [] { return false; });
}

RingDrain::Delivery RingDrain::next_before(uint64_t until_ns, int timeout_ms) {
  hurry_up();
  return take_when(timeout_ms, [&] { return complete_before_ns_ > until_ns; });
}

}  // namespace strut
