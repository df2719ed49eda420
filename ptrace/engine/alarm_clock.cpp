#include "ptrace/engine/alarm_clock.hpp"

#include <algorithm>

#include <sys/time.h>

namespace strut {

namespace {

volatile sig_atomic_t has_rung = 0;

void ring(int) { has_rung = 1; }

timeval microseconds(uint64_t ns) {
  uint64_t us = std::max<uint64_t>(ns / 1000, 1);  // zero would stop the timer
  return {static_cast<time_t>(us / 1'000'000), static_cast<suseconds_t>(us % 1'000'000)};
}

}  // namespace

AlarmClock::AlarmClock() {
  has_rung = 0;
  struct sigaction action{};
  action.sa_handler = ring;  // without SA_RESTART: wait4 must return
  ::sigaction(SIGALRM, &action, &previous_);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::sigprocmask(SIG_UNBLOCK, &alarm, &previous_mask_);
}

AlarmClock::~AlarmClock() {
  stop();
  ::sigprocmask(SIG_SETMASK, &previous_mask_, nullptr);
  ::sigaction(SIGALRM, &previous_, nullptr);
}

void AlarmClock::set(uint64_t in_ns, uint64_t every_ns) {
  itimerval timer{microseconds(every_ns), microseconds(in_ns)};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void AlarmClock::stop() {
  itimerval off{};
  ::setitimer(ITIMER_REAL, &off, nullptr);
}

bool AlarmClock::rang() {
  if (!has_rung) return false;
  has_rung = 0;
  return true;
}

}  // namespace strut
