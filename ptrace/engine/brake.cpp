#include "ptrace/engine/brake.hpp"

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs/process_status.hpp"
#include "ptrace/requests/brief_seize.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

namespace {

/// Interrupts the tracer's wait. Nothing else in strut uses it.
constexpr int kNudge = SIGURG;
constexpr auto kNudgeAgain = std::chrono::microseconds(200);
/// A marker that was sent just before its sender was asked to stop is in flight for less than this.
constexpr useconds_t kGrace_us = 1000;

void install_nudge() {
  static const bool once = [] {
    struct sigaction action{};
    action.sa_handler = [](int) {};  // without SA_RESTART: the wait is to return
    return ::sigaction(kNudge, &action, nullptr) == 0;
  }();
  static_cast<void>(once);
}

class PtraceBrake final : public Brake {
 public:
  PtraceBrake(int marker, MarkerTaken taken) : marker_(marker), taken_(std::move(taken)) { install_nudge(); }
  ~PtraceBrake() override { give_up(); }

  void seize(std::span<const Tid> threads) override;
  void hold(Fresh fresh) override {
    constexpr unsigned kChildren = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    options_ = PTRACE_O_TRACEEXEC | (fresh == Fresh::ProgramsAndChildren ? kChildren : 0);
    seize({});  // the tracer must be ready for threads that spin-wait
  }
  size_t held() const override { return held_count_; }
  uint64_t holds() const override { return holds_; }
  void let_go_on() override;
  void give_up() override;

 private:
  /// The next work of the tracer.
  struct Orders {
    std::vector<Tid> seize;
    bool go_on = false;
    bool end = false;
    bool begin = false;  ///< nothing but that it is there
    bool given() const { return !seize.empty() || go_on || end || begin; }
  };

  void give(const std::function<void(Orders&)>& order);
  void work();
  bool obey();
  void seize_those(BriefSeize& brief);
  std::optional<Waited> look() const;
  void handle(const Waited& waited);
  void handle_signal(Tid tid, int signal);
  void keep(Tid tid);
  void take_child(Tid tid);
  void keep_maker(Tid tid);
  void let_makers_of(Tid child);
  void bury(Tid tid);
  bool is_ours(Tid tid, int signal);
  void let_all_go_on();
  void leave();

  const int marker_;
  const MarkerTaken taken_;

  std::mutex mutex_;
  std::condition_variable given_, obeyed_;
  Orders orders_;  ///< under mutex_
  std::atomic<size_t> held_count_ = 0;
  std::atomic<uint64_t> holds_ = 0;
  std::atomic<pid_t> tracer_ = 0;      ///< the thread's tid
  std::atomic<unsigned> options_ = 0;  ///< for PTRACE_SEIZE
  std::thread thread_;

  // the tracer's own
  std::vector<Tid> to_seize_;
  std::vector<Tid> held_;
  std::vector<Tid> children_;  ///< that are stopped
  struct Maker {
    Tid tid, child;
  };
  std::vector<Maker> makers_;  ///< in the stop of a fork whose child is the tracer's yet
};

// -- orders -------------------------------------------------------------------------------------------------

/// Returns when the tracer has taken the order.
void PtraceBrake::give(const std::function<void(Orders&)>& order) {
  std::unique_lock lock(mutex_);
  order(orders_);
  if (!thread_.joinable()) {
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, kNudge);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread(&PtraceBrake::work, this);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  given_.notify_one();
  // A nudge that comes between the tracer's look at its orders and its wait is of no use: hence again and again.
  while (!obeyed_.wait_for(lock, kNudgeAgain, [&] { return !orders_.given(); }))
    if (pid_t tracer = tracer_) ::syscall(SYS_tgkill, ::getpid(), tracer, kNudge);
}

void PtraceBrake::seize(std::span<const Tid> threads) {
  give([&](Orders& orders) {
    orders.begin = true, orders.seize.insert(orders.seize.end(), threads.begin(), threads.end());
  });
}

void PtraceBrake::let_go_on() {
  give([](Orders& orders) { orders.go_on = true; });
}

void PtraceBrake::give_up() {
  if (!thread_.joinable()) return;
  give([](Orders& orders) { orders.end = true; });
  thread_.join();
  thread_ = {};
  tracer_ = 0;
}

// -- the tracer ---------------------------------------------------------------------------------------------

void PtraceBrake::work() {
  sched_param first{1};
  ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);  // where it is permitted
  tracer_ = static_cast<pid_t>(::syscall(SYS_gettid));
  BriefSeize brief;
  while (obey()) {
    seize_those(brief);
    std::optional<Waited> waited = look();
    if (waited) {
      handle(*waited);
    } else if (to_seize_.empty() && errno == ECHILD) {
      std::unique_lock lock(mutex_);
      given_.wait(lock, [&] { return orders_.given(); });
    }
  }
  leave();
}

/// False: the last order was to end.
bool PtraceBrake::obey() {
  Orders orders;
  {
    std::lock_guard lock(mutex_);
    std::swap(orders, orders_);
  }
  obeyed_.notify_one();
  to_seize_.insert(to_seize_.end(), orders.seize.begin(), orders.seize.end());
  if (orders.go_on) let_all_go_on();
  return !orders.end;
}

/// Threads of a process that execs are left for later, with those after them: another thread may have to be waited for
/// first.
void PtraceBrake::seize_those(BriefSeize& brief) {
  size_t done = 0;
  while (done < to_seize_.size() && brief.seize(to_seize_[done], options_) != EINTR) done++;
  to_seize_.erase(to_seize_.begin(), to_seize_.begin() + static_cast<ptrdiff_t>(done));
}

std::optional<Waited> PtraceBrake::look() const {
  return to_seize_.empty() ? look_at_next(Usage::Omit, WaitScope::Thread) : look_at_any(WaitScope::Thread);
}

void PtraceBrake::handle(const Waited& waited) {
  Stop stop = classify(waited.status);
  if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) {
    bury(waited.tid);
  } else if (auto* signal = std::get_if<SignalStop>(&stop)) {
    handle_signal(waited.tid, signal->signal);
  } else if (std::holds_alternative<GroupStop>(stop)) {
    restart(waited.tid, Restart::Listening);
  } else if (std::holds_alternative<TrapStop>(stop) && options_ != 0) {
    take_child(waited.tid);
  } else if (auto* event = std::get_if<EventStop>(&stop); !event) {
    restart(waited.tid, Restart::Freely);
  } else if (event->event == PTRACE_EVENT_EXEC) {
    keep(waited.tid);
  } else {
    keep_maker(waited.tid);
  }
}

void PtraceBrake::handle_signal(Tid tid, int signal) {
  if (!is_ours(tid, signal)) {
    restart(tid, Restart::Freely, signal);
    return;
  }
  keep(tid);  // from here on the marker is gone, should we be killed
  holds_++;
}

void PtraceBrake::keep(Tid tid) {
  take(tid);
  held_.push_back(tid);
  held_count_ = held_.size() + children_.size();
}

/// The first stop of a seized thread's child, which is a tracee from its birth on. (Or the end of a group-stop: then
/// the thread is seized again when it is requested.)
void PtraceBrake::take_child(Tid tid) {
  auto status = process_status(tid);
  take(tid);
  if (!status || raw(status->pid) != raw(tid)) {
    detach(tid);
    return let_makers_of(tid);
  }
  children_.push_back(tid);
  held_count_ = held_.size() + children_.size();
}

/// The maker of a process goes on when the child is let go: it may want to trace the child itself, which is refused
/// (EPERM) while the child is the brake's.
void PtraceBrake::keep_maker(Tid tid) {
  auto child = static_cast<Tid>(event_message(tid).value_or(0));
  auto status = process_status(child);
  bool ours = status && status->tracer == tracer_ && raw(status->pid) == raw(child);
  if (!ours) return void(restart(tid, Restart::Freely));
  take(tid);
  makers_.push_back({tid, child});
}

void PtraceBrake::let_makers_of(Tid child) {
  std::erase_if(makers_, [&](const Maker& maker) {
    if (maker.child != child) return false;
    restart(maker.tid, Restart::Freely);
    return true;
  });
}

/// Sent by the kernel to this thread, as the programs' helper does, and the programs know of it.
bool PtraceBrake::is_ours(Tid tid, int signal) {
  siginfo_t info;
  return signal == marker_ && read_siginfo(tid, info) && info.si_code == SI_KERNEL && taken_(tid);
}

/// Takes the dead. A child of strut's own is waited for only once, whichever thread does it: its status is in a record.
void PtraceBrake::bury(Tid tid) {
  let_makers_of(tid);
  if (::waitpid(raw(tid), nullptr, WNOHANG | __WALL) != raw(tid)) return;
  std::erase(held_, tid);
  std::erase(children_, tid);
  std::erase_if(makers_, [&](const Maker& maker) { return maker.tid == tid; });
  held_count_ = held_.size() + children_.size();
  taken_(tid);
}

void PtraceBrake::let_all_go_on() {
  for (Tid tid : held_) restart(tid, Restart::Freely);
  for (Tid tid : children_) {
    detach(tid);
    let_makers_of(tid);
  }
  held_.clear();
  children_.clear();
  held_count_ = 0;
}

/// The kernel detaches whatever a tracer that ends has left, running or not.
void PtraceBrake::leave() {
  for (int look = 0; look < 2; look++) {
    while (std::optional<Waited> waited = look_at_any(WaitScope::Thread)) {
      handle(*waited);
      let_all_go_on();
    }
    let_all_go_on();
    if (look == 0) ::usleep(kGrace_us);
  }
}

}  // namespace

std::unique_ptr<Brake> make_ptrace_brake(int marker, MarkerTaken taken) {
  return std::make_unique<PtraceBrake>(marker, std::move(taken));
}

}  // namespace strut
