// Waiting for descriptors: poll, ppoll, select, pselect6, epoll; their results and their remaining time.
// strut: golden: | -v | -X raw | -X verbose | -e raw=all | -e verbose=none | -s 1 | -N -e trace=%desc
// strut: golden: -yy -e trace=poll,close,epoll_ctl,epoll_wait,select | -e inject=poll,select,epoll_wait:retval=0 | -e inject=ppoll:error=EINTR
// strut: mask: eventfd-id[=:] ?\d+
// strut: mask: (?:left|tv_n?u?sec)[ =][^)]*
// strut: also -m32
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>

#include "golden_answer.h"

static int ends[2];

static void polls(void) {
  struct pollfd both[] = {
      {ends[0], POLLIN | POLLPRI, 0}, {ends[1], POLLOUT | POLLWRBAND | POLLRDHUP, 0}, {-1, POLLIN, 0}, {99, -1, 0}};
  long fds = PUT(both), soon = WORDS(long, 0, 1000), past = WORDS(long, 0, 0), mask = WORDS(uint32_t, 0x202, 0);
  CALL(SYS_poll, fds, 4, 0);
  CALL(SYS_poll, fds, 1, 0);
  CALL(SYS_poll, fds, 0, 0);
  CALL(SYS_poll, 0, 0, 1);
  CALL(SYS_poll, fds, 3, -1);
  CALL(SYS_poll, BAD - sizeof(struct pollfd), 3, 0);
  CALL(SYS_poll, fds, -1, 0);
  CALL(SYS_poll, BAD, 1, 0);
  CALL(SYS_ppoll, fds, 2, soon, mask, 8);
  CALL(SYS_ppoll, fds, 1, past, 0, 8);
  CALL(SYS_ppoll, fds, 1, WORDS(long, 0, 1000), mask, 7);
  CALL(SYS_ppoll, fds, 1, WORDS(long, 0, -5), 0, 8);
  CALL(SYS_ppoll, fds, 2, BAD, BAD, 8);
  CALL(SYS_ppoll, fds, 2, 0, mask, 8);
}

static long set(int a, int b) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(a, &set), FD_SET(b, &set);
  return PUT(set);
}

static void selects(void) {
  long none = WORDS(long, 0, 0), sizes = WORDS(long, 0, 8);
#ifdef __x86_64__
  enum { SELECT = SYS_select };
#else
  enum { SELECT = SYS__newselect };
#endif
  CALL(SELECT, 6, set(ends[0], ends[1]), set(ends[0], ends[1]), set(0, 5), none);
  CALL(SELECT, 5, set(ends[0], ends[0]), 0, 0, none);
  CALL(SELECT, 100, set(70, 99), 0, set(99, 70), none);
  CALL(SELECT, 0, 0, 0, 0, none);
  CALL(SELECT, 2, set(ends[0], ends[1]), 0, 0, none);
  CALL(SELECT, -1, set(1, 2), 0, 0, none);
  CALL(SELECT, 6, BAD, 0, BAD - 4, none);
  CALL(SELECT, 6, 0, set(ends[1], ends[1]), 0, 0);
  CALL(SELECT, 6, 0, 0, 0, WORDS(long, 0, 2000));
  CALL(SYS_pselect6, 6, set(ends[0], ends[0]), set(ends[1], ends[1]), 0, WORDS(long, 0, 5000), sizes);
  CALL(SYS_pselect6, 6, set(ends[0], ends[0]), 0, 0, WORDS(long, 0, 0), WORDS(long, WORDS(uint32_t, 1, 0), 8));
  CALL(SYS_pselect6, 6, set(ends[0], ends[0]), 0, 0, WORDS(long, 0, 0), WORDS(long, BAD, 8));
  CALL(SYS_pselect6, 6, 0, 0, 0, WORDS(long, 0, 0), BAD - 4);
  CALL(SYS_pselect6, 6, BAD, 0, 0, BAD, 0);
}

static void epolls(void) {
  CALL(SYS_epoll_create, 1);
  int epoll = CALL(SYS_epoll_create1, EPOLL_CLOEXEC);
  CALL(SYS_epoll_create1, 7 | EPOLL_CLOEXEC);
  struct epoll_event in = {EPOLLIN | EPOLLET, {.u64 = 0x1234567890abcdef}},
                     out = {EPOLLOUT | EPOLLONESHOT | 1u << 28 | 1 << 20, {.fd = 4}};
  long wanted = put(&in, sizeof in), other = put(&out, sizeof out), found = room();
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_ADD, ends[0], wanted);
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_ADD, ends[1], other);
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_MOD, ends[1], other);
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_MOD, 99, BAD);
  CALL(SYS_epoll_ctl, epoll, 7, ends[1], other);
  CALL(SYS_epoll_wait, epoll, found, 8, 0);
  CALL(SYS_epoll_wait, epoll, found, 8, 0);
  CALL(SYS_epoll_wait, epoll, found, 0, 0);
  CALL(SYS_epoll_wait, epoll, BAD, 1, 0);
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_MOD, ends[1], other);
  CALL(SYS_epoll_pwait, epoll, found, 2, 1, WORDS(uint32_t, 0xffffffff, -1), 8);
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_MOD, ends[1], wanted);
  CALL(441 /* epoll_pwait2 */, epoll, found, 2, WORDS(uint64_t, 0, 1000), WORDS(uint32_t, 1, 0), 8);
  CALL(441, epoll, found, 2, BAD, 0, 8);
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_DEL, ends[0], 0);
  CALL(SYS_epoll_ctl, epoll, EPOLL_CTL_DEL, ends[1], wanted);
}

static void events(void) {
  int event = CALL(SYS_eventfd2, 3, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC | 8);
  event = CALL(SYS_eventfd2, 3, EFD_SEMAPHORE | EFD_NONBLOCK);
  CALL(SYS_eventfd, 7);
  CALL(SYS_read, event, room(), 8);
  CALL(SYS_write, event, WORDS(uint64_t, 5), 8);
  long fds = WORDS(int, event, POLLIN | POLLOUT << 16 >> 16);
  CALL(SYS_poll, fds, 1, 0);
}

int main(void) {
  answer_begin();
  if (CALL(SYS_pipe, room())) return 2;
  ends[0] = 3, ends[1] = 4;
  polls();
  CALL(SYS_write, ends[1], TEXT("x"), 1);
  polls();
  selects();
  epolls();
  events();
  golden_end();
  return 0;
}
