#include "core/interruption.hpp"

#include <sys/time.h>

#include "core/result.hpp"
#include "core/tracer_process.hpp"

namespace strut {

namespace {

constexpr int kEnding[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
constexpr int kUsers[] = {SIGUSR1, SIGUSR2};
constexpr suseconds_t kNudgeEvery_us = 5000;

volatile sig_atomic_t caught_signal = 0;
volatile sig_atomic_t users_signal = 0;  ///< the first one; it may come before there is an Interruption
bool heeds_users = false;

void note(int signal) { caught_signal = signal; }

void note_users(int signal) {
  if (users_signal == 0) users_signal = signal;
}

/// It is enough that it interrupts.
void nudged(int) {}

/// Whether nobody has a use of his own for the timer's signal, whose default is to end the process.
bool is_free(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
}

/// Between the tracer's look at the flag and its wait there is a gap; the timer interrupts a wait that begins there.
void nudge() {
  itimerval often{{0, kNudgeEvery_us}, {0, kNudgeEvery_us}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
}

void note_and_nudge(int signal) {
  note(signal);
  nudge();
}

void note_users_and_nudge(int signal) {
  note_users(signal);
  nudge();
}

}  // namespace

void Interruption::handle(int signal, void (*handler)(int)) {
  CHECK_THAT(count_ < kMost);
  Previous& previous = previous_[count_++];
  previous.signal = signal;
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_NOCLDSTOP;  // the tracer waits; a signal for every stop would only cost
  ::sigaction(signal, &action, &previous.action);
}

Interruption::Interruption(Interruptible mode, Waits waits) {
  caught_signal = 0;
  // A tracer in the background may write to its terminal; children are reaped by wait4 whatever strut was started with.
  handle(SIGTTOU, SIG_IGN);
  handle(SIGTTIN, SIG_IGN);
  handle(SIGCHLD, SIG_DFL);
  if (mode == Interruptible::AnyTime) return;
  bool never = mode == Interruptible::Never || mode == Interruptible::NeverAndTstp;
  for (int signal : kEnding) handle(signal, never ? SIG_IGN : waits == Waits::Briefly ? note : note_and_nudge);
  if (mode == Interruptible::NeverAndTstp) handle(SIGTSTP, SIG_IGN);
  if (heeds_users)
    for (int signal : kUsers) handle(signal, waits == Waits::Briefly ? note_users : note_users_and_nudge);
  nudges_ = waits == Waits::InTheKernel && is_free(SIGALRM);
  if (nudges_) handle(SIGALRM, nudged);
}

Interruption::~Interruption() {
  if (nudges_) {
    itimerval off{};
    ::setitimer(ITIMER_REAL, &off, nullptr);
  }
  while (count_ > 0) {
    Previous& previous = previous_[--count_];
    ::sigaction(previous.signal, &previous.action, nullptr);
  }
}

void Interruption::heed_user_signals() {
  heeds_users = true;
  for (int signal : kUsers) {
    struct sigaction action{};
    action.sa_handler = note_users;
    action.sa_flags = SA_RESTART;  // what is begun is not to fail of it
    if (is_free(signal)) ::sigaction(signal, &action, nullptr);
  }
}

int Interruption::caught() {
  if (caught_signal != 0) return caught_signal;
  return TracerProcess::is_orphaned() ? SIGKILL : users_signal;
}

SignalsHeldBack::SignalsHeldBack() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
}

SignalsHeldBack::~SignalsHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace strut
