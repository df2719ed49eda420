#include "kassist/uprobes/launch_thread.hpp"

#include <cerrno>
#include <chrono>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "kassist/loader/without_signals.hpp"

namespace strut {

namespace {

/// Interrupts the thread's wait; ignored without a handler.
constexpr int kNudge = SIGURG;
constexpr auto kNudgeEvery = std::chrono::milliseconds(5);
/// The kernel's program waits so long (D_LONGEST_WAIT), and burns its CPU meanwhile.
constexpr auto kLongestHold = std::chrono::milliseconds(1000), kHoldNudgeEvery = std::chrono::milliseconds(1);

}  // namespace

Result<std::unique_ptr<LaunchThread>> LaunchThread::start(std::unique_ptr<LaunchWatch> watch, HeldCommand command,
                                                          LaunchWatch::Until until) {
  std::unique_ptr<LaunchThread> made(new LaunchThread(std::move(watch)));
  made->news_ = OwnedFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE));
  if (!made->news_) return fail({errno, "eventfd", {}, {}, {}});
  struct sigaction nudged{};
  nudged.sa_handler = [](int) {};
  ::sigaction(kNudge, &nudged, &made->before_);
  made->thread_ = without_signals([self = made.get(), command = std::move(command), until]() mutable {
    sigset_t nudge;
    sigemptyset(&nudge);
    sigaddset(&nudge, kNudge);
    ::pthread_sigmask(SIG_UNBLOCK, &nudge, nullptr);
    self->work(std::move(command), until);
  });
  return made;
}

LaunchThread::~LaunchThread() {
  watch_->leave();
  std::unique_lock lock(mutex_);
  is_leaving_ = true;
  changed_.notify_all();
  // One may come before the wait that it is to interrupt.
  while (!changed_.wait_for(lock, kNudgeEvery, [&] { return is_over_; }))
    ::pthread_kill(thread_.native_handle(), kNudge);
  lock.unlock();
  thread_.join();
  ::sigaction(kNudge, &before_, nullptr);
}

void LaunchThread::work(HeldCommand command, LaunchWatch::Until until) {
  bool is_seized = static_cast<bool>(watch_->seize(command.pid()));
  command.release();
  if (is_seized)
    watch_->run(until, [&](LaunchWatch::Stage stage) {
      report(stage == LaunchWatch::Stage::Started ? Seen::Started : Seen::NewCode);
      wait_for_answer();
    });
  report(Seen::Over);
}

void LaunchThread::report(Seen seen) {
  std::lock_guard lock(mutex_);
  seen_.push_back(seen);
  is_answered_ = false;
  is_over_ = seen == Seen::Over;
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(news_.number(), &one, sizeof one);
  changed_.notify_all();
}

void LaunchThread::wait_for_answer() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_answered_ || is_leaving_; });
}

LaunchThread::Seen LaunchThread::next(Look look) {
  pollfd news{news_.number(), POLLIN, 0};
  uint64_t one;
  if (::poll(&news, 1, look == Look::Wait ? -1 : 0) <= 0 || ::read(news_.number(), &one, sizeof one) < 0)
    return Seen::Nothing;
  std::lock_guard lock(mutex_);
  Seen seen = seen_.front();
  seen_.pop_front();
  return seen;
}

void LaunchThread::answer() {
  std::lock_guard lock(mutex_);
  is_answered_ = true;
  changed_.notify_all();
}

void LaunchThread::hold() {
  std::unique_lock lock(mutex_);
  if (is_over_) return;
  watch_->hold();
  for (auto left = kLongestHold; left.count() > 0 && seen_.empty(); left -= kHoldNudgeEvery) {
    ::pthread_kill(thread_.native_handle(), kNudge);
    changed_.wait_for(lock, kHoldNudgeEvery, [&] { return !seen_.empty(); });
  }
}

}  // namespace strut
