// Time: clocks, sleeps, interval and POSIX timers, timerfd, adjusting, times of files.
// strut: golden: | -v | -X raw | -X verbose -v | -e raw=all | -e verbose=none | -N | -e inject=clock_nanosleep,nanosleep:retval=0
// strut: also -m32
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <utime.h>

#include "golden_answer.h"

static long span(long seconds, long parts) { return WORDS(long, seconds, parts); }

static void clocks(void) {
  long stamp = span(1700000000, 123456789), odd = span(-1, -1);
  for (int clock = -1; clock < 13; clock++) BOTH(SYS_clock_gettime, clock, stamp);
  for (int clock = 0; clock < 8; clock++) FAIL(SYS_clock_getres, -8 * 1234 - 8 + clock, stamp);
  OK(SYS_clock_getres, CLOCK_MONOTONIC, odd);
  OK(SYS_clock_getres, CLOCK_MONOTONIC, 0);
  FAIL(SYS_clock_settime, CLOCK_REALTIME, odd);
  FAIL(SYS_clock_settime, CLOCK_REALTIME, BAD - 8);
  BOTH(SYS_gettimeofday, span(1, 999999), WORDS(int, -60, 1));
  OK(SYS_gettimeofday, 0, 0);
  OK(SYS_gettimeofday, BAD, BAD);
  FAIL(SYS_settimeofday, odd, WORDS(int, 1 << 31, 4));
  OK(SYS_time, stamp);
  OK(SYS_time, 0);
  OK(SYS_times, WORDS(long, 1, 2, 3, -1));
}

static void sleeps(void) {
  long none = span(0, 0), left = span(7, 8), wrong = span(0, 1000000000);
  CALL(SYS_nanosleep, none, left);
  CALL(SYS_nanosleep, wrong, left);
  CALL(SYS_nanosleep, 0, 0);
  FAIL(SYS_nanosleep, BAD - 4, BAD);
  OK(SYS_nanosleep, left, left);
  for (int flags = 0; flags < 3; flags++) BOTH(SYS_clock_nanosleep, CLOCK_BOOTTIME, flags, none, left);
  CALL(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, none, left);
  CALL(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, none, left);
}

static void interval_timers(void) {
  long timer = WORDS(long, 1, 2, 3, 999999), old = WORDS(long, 4, 5, 6, 7);
  for (int which = -1; which < 4; which++) {
    BOTH(SYS_getitimer, which, old);
    BOTH(SYS_setitimer, which, timer, old);
  }
  CALL(SYS_setitimer, ITIMER_VIRTUAL, timer, 0);
  FAIL(SYS_setitimer, ITIMER_PROF, BAD - 16, BAD);
  FAIL(SYS_setitimer, ITIMER_REAL, 0, 0);
  FAIL(SYS_alarm, -1);
}

static void posix_timers(void) {
  static const int notify[] = {SIGEV_SIGNAL, SIGEV_NONE, SIGEV_THREAD, SIGEV_THREAD_ID, 9};
  long id = WORDS(int, 77);
  for (int i = 0; i < 5; i++) {
    struct sigevent event = {.sigev_notify = notify[i], .sigev_signo = SIGRTMIN + i, .sigev_value.sival_int = i + 1};
    event._sigev_un._pad[0] = 4711;
    BOTH(SYS_timer_create, CLOCK_REALTIME, put(&event, sizeof event), id);
  }
  FAIL(SYS_timer_create, 8, 0, id);
  OK(SYS_timer_create, 1, 0, BAD);
  FAIL(SYS_timer_create, 1, BAD - 8, 0);
  long spec = WORDS(long, 1, 2, 3, 4), old = WORDS(long, 0, 0, 5, 6);
  for (int flags = 0; flags < 3; flags++) BOTH(SYS_timer_settime, 77, flags, spec, old);
  FAIL(SYS_timer_settime, -1, 0, BAD, 0);
  BOTH(SYS_timer_gettime, 77, old);
  OK(SYS_timer_getoverrun, 77);
  FAIL(SYS_timer_delete, 77);
  for (int flags = 0; flags < 4; flags++) BOTH(SYS_timerfd_settime, 3, flags, spec, old);
  BOTH(SYS_timerfd_gettime, 3, old);
  FAIL(SYS_timerfd_create, CLOCK_BOOTTIME_ALARM, 0x80800 | 1);
  FAIL(SYS_timerfd_create, 10, 0);
}

static void adjusting(void) {
  struct timex change = {
      .modes = 0xffff & ~ADJ_OFFSET_SINGLESHOT, .status = 0xffff, .tick = 10000, .time = {1, 2}, .freq = -65536};
  long at = PUT(change);
  BOTH(SYS_adjtimex, at);
  change.modes = ADJ_OFFSET_SINGLESHOT, at = PUT(change);
  BOTH(SYS_adjtimex, at);
  FAIL(SYS_adjtimex, BAD - 16);
  BOTH(SYS_clock_adjtime, CLOCK_TAI, at);
  FAIL(SYS_clock_adjtime, 55, BAD);
}

int main(void) {
  answer_begin();
  clocks();
  sleeps();
  interval_timers();
  posix_timers();
  adjusting();
  golden_end();
  return 0;
}
