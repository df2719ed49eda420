#include "process/interruption.hpp"

#include <atomic>
#include <cerrno>

#include <sys/time.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "process/tracer_process.hpp"

namespace strut {

namespace {

constexpr int kEnding[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
constexpr int kUsers[] = {SIGUSR1, SIGUSR2};
constexpr suseconds_t kNudgeEvery_us = 5000;

volatile sig_atomic_t caught_signal = 0;
volatile sig_atomic_t is_insisted_on = 0;
volatile sig_atomic_t own_signal = 0;    ///< end_by_itself()
volatile sig_atomic_t users_signal = 0;  ///< the first one; it may come before there is an Interruption
bool heeds_users = false;
volatile sig_atomic_t keys_command = 0;  ///< the process that typed signals are for; 0: strut
std::atomic<uint64_t> command_ended_ns = 0;
/// The event that ended the command reaches strut through another process, which may have to wait for a CPU. After the
/// command's visible end no user types so fast.
constexpr uint64_t kSameKey_ns = 300'000'000;

bool is_key(int signal) { return signal == SIGINT || signal == SIGQUIT; }

/// Whether the command has got it as well: it belongs to the group that the terminal sent it to.
bool is_for_command(int signal, const siginfo_t& info) {
  if (keys_command == 0 || !is_key(signal) || !TracerProcess::is_typed(info)) return false;
  int error = errno;
  int group = ::getpgid(keys_command), home = TracerProcess::home_group();
  errno = error;
  if (group < 0) Interruption::command_ended();
  if (uint64_t ended_ns = command_ended_ns; ended_ns != 0) return monotonic_ns() - ended_ns < kSameKey_ns;
  return group == (home != 0 ? home : ::getpgrp());
}

/// The kernel sends SIGPIPE for a write of strut's own, and names strut as the sender. The failed write reports itself.
bool is_failed_write(int signal, const siginfo_t& info) {
  return signal == SIGPIPE && info.si_code == SI_USER && info.si_pid == ::getpid();
}

void note(int signal, siginfo_t* info, void*) {
  if (is_for_command(signal, *info) || is_failed_write(signal, *info)) return;
  if (caught_signal != 0) is_insisted_on = 1;
  caught_signal = signal;
}

void note_users(int signal) {
  if (users_signal == 0) users_signal = signal;
}

/// When strut has no more to do than to end.
void end_by(int signal, siginfo_t* info, void*) {
  if (is_for_command(signal, *info)) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// It is enough that the signal interrupts.
void nudged(int) {}

/// Whether the timer's signal is unused; its default is to end the process.
bool is_free(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
}

/// Between the tracer's look at the flag and its wait there is a gap; the timer interrupts a wait that begins there.
void nudge() {
  itimerval often{{0, kNudgeEvery_us}, {0, kNudgeEvery_us}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
}

void note_and_nudge(int signal, siginfo_t* info, void* context) {
  note(signal, info, context);
  if (caught_signal != 0) nudge();
}

void note_users_and_nudge(int signal) {
  note_users(signal);
  nudge();
}

struct sigaction reported_by(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  return action;
}

}  // namespace

void Interruption::install(int signal, struct sigaction& action) {
  CHECK_THAT(count_ < kMost);
  Previous& previous = previous_[count_++];
  previous.signal = signal;
  action.sa_flags |= SA_NOCLDSTOP;  // the tracer waits; a signal for every stop would only cost
  ::sigaction(signal, &action, &previous.action);
}

void Interruption::handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  install(signal, action);
}

void Interruption::handle(int signal, Handler handler) {
  struct sigaction action = reported_by(handler);
  install(signal, action);
}

Interruption::Interruption(Interruptible mode, Waits waits, Pid command) {
  caught_signal = 0;
  command_ended_ns = 0;
  keys_command = mode == Interruptible::CommandsKeys ? raw(command) : 0;
  is_insisted_on = 0;
  // A tracer in the background may write to its terminal; children are reaped by wait4 whatever strut was started with.
  handle(SIGTTOU, SIG_IGN);
  handle(SIGTTIN, SIG_IGN);
  handle(SIGCHLD, SIG_DFL);
  if (mode == Interruptible::AnyTime) return;
  bool never = mode == Interruptible::Never || mode == Interruptible::NeverAndTstp;
  for (int signal : kEnding) {
    if (never) handle(signal, SIG_IGN);
    else handle(signal, waits == Waits::Briefly ? note : note_and_nudge);
  }
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
  command_ended();
  while (count_ > 0) {
    Previous& previous = previous_[--count_];
    bool may_be_late = keys_command != 0 && is_key(previous.signal) && previous.action.sa_handler == SIG_DFL;
    if (may_be_late) previous.action = reported_by(end_by);
    ::sigaction(previous.signal, &previous.action, nullptr);
  }
}

void Interruption::heed_user_signals() {
  heeds_users = true;
  for (int signal : kUsers) {
    struct sigaction action{};
    action.sa_handler = note_users;
    action.sa_flags = SA_RESTART;  // calls in progress must not fail because of it
    if (is_free(signal)) ::sigaction(signal, &action, nullptr);
  }
}

void Interruption::command_ended() {
  uint64_t not_yet = 0;
  command_ended_ns.compare_exchange_strong(not_yet, monotonic_ns());
}

int Interruption::caught() {
  if (caught_signal != 0) return caught_signal;
  if (TracerProcess::is_orphaned()) return SIGKILL;
  return users_signal != 0 ? users_signal : own_signal;
}

void Interruption::end_by_itself(int signal) { own_signal = signal; }

bool Interruption::is_urgent() { return is_insisted_on != 0; }

SignalsHeldBack::SignalsHeldBack() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
}

SignalsHeldBack::~SignalsHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace strut
