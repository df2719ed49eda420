#include "kassist/drain.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>

#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/clock.hpp"

namespace strut {

namespace {

constexpr size_t kBatchBytes = 256 << 10;
/// Rings full of records that may wait for being told. Beyond, the ring is left to fill, and the brake to hold those who
/// fill it.
constexpr size_t kMostRings = 16;
/// Programs do not wake us while records come: at a million a second that would cost the target more than the records.
constexpr uint64_t kNap_ns = 300'000;
constexpr int kDoublings = 3;       ///< of naps in which nothing comes
constexpr int kPassesToSleep = 6;   ///< so many of them, and the programs are to wake us: longer than Order's window
constexpr uint64_t kFirstSleep_ns = 5'000'000;  ///< a program that was about to write did not see that we sleep
constexpr uint64_t kSleep_ns = 1'000'000'000;
constexpr uint64_t kKeepSeized_ns = 1'000'000'000;  ///< after the last thread was asked for

constexpr uint32_t kNever = UINT32_MAX;

uint32_t share(size_t bytes, size_t sixteenths) { return static_cast<uint32_t>(bytes / 16 * sixteenths); }

/// The drain thread has little to do and must do it in time.
void hurry() {
  sched_param first{1};
  if (::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0) return;
  constexpr int kHighest = -20;
  ::setpriority(PRIO_PROCESS, 0, kHighest);
}

/// Threads of strut's that do not tell leave its signals to the one that does.
std::thread without_signals(auto work) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(work));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

Result<std::unique_ptr<Drain>> Drain::start(int ring, size_t ring_bytes, wire_pressure& pressure,
                                            const MakeBrake& make_brake) {
  std::unique_ptr<Drain> drain(new Drain(TRY(RingReader::map(ring, ring_bytes)), pressure));
  TRY_VOID(drain->open_sleep(ring));
  drain->set_thresholds(make_brake);
  drain->thread_ = without_signals([self = drain.get()] { self->work(); });
  return drain;
}

Result<void> Drain::open_sleep(int ring) {
  sleep_ = OwnedFd(::epoll_create1(EPOLL_CLOEXEC));
  bell_ = OwnedFd(::eventfd(0, EFD_CLOEXEC));
  epoll_event on_write{}, on_bell{};
  on_write.events = EPOLLIN | EPOLLET;  // by the programs' wish only, not because something is there
  on_bell.events = EPOLLIN | EPOLLET;
  if (!sleep_ || !bell_ || ::epoll_ctl(sleep_.number(), EPOLL_CTL_ADD, ring, &on_write) != 0 ||
      ::epoll_ctl(sleep_.number(), EPOLL_CTL_ADD, bell_.number(), &on_bell) != 0)
    return fail({errno, "wait for the BPF ring", {}, {}, {}});
  return {};
}

void Drain::set_thresholds(const MakeBrake& make_brake) {
  size_t bytes = ring_.size();
  pressure_.limit_bytes = share(bytes, 15);
  pressure_.wake_bytes = kNever;
  pressure_.ask_bytes = pressure_.hold_bytes = kNever;
  if (!make_brake) return;
  pressure_.round = 1;
  pressure_.tracer = static_cast<uint32_t>(::getpid());
  brake_ = make_brake(WIRE_MARKER, [markers = pressure_.markers](Tid tid) {
    uint32_t expected = static_cast<uint32_t>(raw(tid));
    return std::atomic_ref(markers[expected % WIRE_MARKERS]).compare_exchange_strong(expected, 0);
  });
  pressure_.hold_bytes = share(bytes, 12);
  pressure_.ask_bytes = share(bytes, 9);
}

size_t Drain::most_queued() const { return kMostRings * ring_.size(); }

void Drain::wake() {
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(bell_.number(), &one, sizeof one);
}

void Drain::finish() {
  std::atomic_ref(pressure_.hold_bytes).store(kNever);
  std::atomic_ref(pressure_.ask_bytes).store(kNever);
  finishing_ = true;
  wake();
}

Drain::~Drain() {
  finish();
  stop_ = true;
  wake();
  if (thread_.joinable()) thread_.join();
  brake_.reset();
}

// -- the thread -------------------------------------------------------------------------------------------

void Drain::work() {
  hurry();
  for (int quiet_passes = 0; !stop_;) {
    tend_brake();
    size_t bytes = pass();
    quiet_passes = bytes > 0 ? 0 : quiet_passes + 1;
    nap(quiet_passes);
  }
}

/// Copies what is there. Returns how many bytes that was.
size_t Drain::pass() {
  uint64_t began_ns = monotonic_ns();
  size_t bytes = 0;
  while (queued_ < most_queued() || finishing_) {
    std::span<const std::byte> run = ring_.peek(kBatchBytes);
    if (run.empty()) break;
    hand_over(run);
    ring_.release(run.size());
    bytes += run.size();
    tend_brake();
  }
  if (!ring_.empty()) return bytes;
  std::lock_guard lock(mutex_);
  complete_before_ns_ = std::max(complete_before_ns_, began_ns);
  return bytes;
}

void Drain::hand_over(std::span<const std::byte> run) {
  auto batch = std::make_shared<const Batch>(run, queued_);
  // Places in the ring are given in the order of time, but for the moment between reading the clock and taking a place.
  uint64_t last_ns = 0;
  batch->each([&](const wire_record* record) { last_ns = std::max<uint64_t>(last_ns, record->at_ns); });
  {
    std::lock_guard lock(mutex_);
    complete_before_ns_ = std::max(complete_before_ns_, last_ns);
    batches_.push_back({std::move(batch), complete_before_ns_});
  }
  came_.notify_one();
}

void Drain::nap(int quiet_passes) {
  if (queued_ >= most_queued() && !finishing_) return sleep(kNever, kNap_ns << kDoublings);
  bool idle = quiet_passes >= kPassesToSleep && last_asked_ns_ == 0;
  if (idle) return sleep(1, quiet_passes == kPassesToSleep ? kFirstSleep_ns : kSleep_ns);
  sleep(share(ring_.size(), 4), kNap_ns << std::min(quiet_passes, kDoublings));
}

void Drain::sleep(uint32_t wake_bytes, uint64_t at_most_ns) {
  std::atomic_ref wish(pressure_.wake_bytes);
  wish.store(wake_bytes);
  if (ring_.fill() < wake_bytes && std::atomic_ref(pressure_.asked).load() == asked_) {
    timespec limit{static_cast<time_t>(at_most_ns / 1'000'000'000), static_cast<long>(at_most_ns % 1'000'000'000)};
    epoll_event woken;
    ::epoll_pwait2(sleep_.number(), &woken, 1, &limit, nullptr);
  }
  wish.store(kNever);
}

std::vector<Tid> Drain::take_wanted() {
  std::vector<Tid> wanted;
  uint32_t asked = std::atomic_ref(pressure_.asked).load();
  for (; asked_ != asked; asked_++) {
    // The number is raised before the tid is written.
    uint32_t tid = std::atomic_ref(pressure_.wanted[asked_ % WIRE_WANTED]).exchange(0);
    if (tid == 0 && asked - asked_ < WIRE_WANTED) break;
    if (tid != 0) wanted.push_back(Tid{static_cast<int32_t>(tid)});
  }
  return wanted;
}

void Drain::tend_brake() {
  if (!brake_) return;
  if (finishing_) return brake_->give_up();
  if (std::vector<Tid> wanted = take_wanted(); !wanted.empty()) {
    brake_->seize(wanted);
    last_asked_ns_ = monotonic_ns();
  }
  size_t bytes = ring_.fill();
  if (brake_->held() > 0) {
    last_asked_ns_ = monotonic_ns();
    if (bytes < share(ring_.size(), 4)) brake_->let_go_on();
    return;
  }
  if (last_asked_ns_ == 0 || bytes >= share(ring_.size(), 4) || monotonic_ns() - last_asked_ns_ < kKeepSeized_ns) return;
  brake_->give_up();
  last_asked_ns_ = 0;
  pressure_.round = pressure_.round % 255 + 1;  // from now on everybody is asked for anew
}

// -- the reader ---------------------------------------------------------------------------------------------

Drain::Delivery Drain::next(int timeout_ms) {
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [&] { return !batches_.empty(); });
  if (batches_.empty()) return {nullptr, complete_before_ns_};
  Delivery first = std::move(batches_.front());
  batches_.pop_front();
  if (batches_.empty()) first.complete_before_ns = complete_before_ns_;
  return first;
}

}  // namespace strut
