// Signals: actions, masks, sending with and without a value, waiting, delivery, alternate stacks.
// strut: golden: | -v | -X raw | -X verbose | -e raw=all | -e verbose=none | -N -xx | -e signal=!usr1 -Y
// strut: golden: -e trace=%signal,close -y | -e trace=close -e signal=usr2,rtmin
// strut: mask: sigreturn.*mask=0x[0-9a-f]+|si_uid=\d+
// strut: also -m32
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>

#include "golden_answer.h"

enum { PIDFD_SEND = 424 };
struct kernel_action {
  unsigned long handler, flags, restorer;
  uint32_t mask[2];
};

static void actions(void) {
  long old = room();
  static const unsigned long flags[] = {0, SA_RESTART | SA_SIGINFO, SA_NODEFER | SA_RESETHAND | SA_ONSTACK,
                                        0x04000000 | SA_NOCLDSTOP | SA_NOCLDWAIT, 0xf00};
  for (int i = 0; i < 5; i++) {
    struct kernel_action action = {i == 3 ? 0x1234 : i % 2, flags[i], 0x5678, {1u << i * 5, i}};
    BOTH(SYS_rt_sigaction, SIGUSR1 + i, PUT(action), old, 8);
    OK(SYS_rt_sigaction, SIGRTMIN + i, 0, put(&action, sizeof action), 8);
  }
  FAIL(SYS_rt_sigaction, 77, BAD - 16, BAD, 8);
  FAIL(SYS_rt_sigaction, SIGCHLD, BAD - 16, BAD, 4);
  FAIL(SYS_rt_sigaction, 0, 0, 0, 128);
}

static void masks(void) {
  long full = WORDS(uint32_t, 0xffffffff, 0xffffffff), some = WORDS(uint32_t, 0x10205, 0xc0000001),
       most = WORDS(uint32_t, 0xfffeffff, 0xffffffff);
  long empty = WORDS(uint32_t, 0, 0), old = room();
  for (int how = 0; how < 4; how++) BOTH(SYS_rt_sigprocmask, how, how ? some : full, old, 8);
  FAIL(SYS_rt_sigprocmask, 2, most, 0, 8);
  FAIL(SYS_rt_sigprocmask, 2, empty, BAD, 8);
  FAIL(SYS_rt_sigprocmask, 2, some, 0, 4);
  FAIL(SYS_rt_sigprocmask, 2, some, 0, 16);
  FAIL(SYS_rt_sigprocmask, 2, BAD, BAD, 8);
  OK(SYS_rt_sigpending, some, 8);
  OK(SYS_rt_sigpending, most, 4);
  FAIL(SYS_rt_sigpending, some, 8);
  FAIL(SYS_rt_sigsuspend, some, 8);
  FAIL(SYS_rt_sigsuspend, BAD - 4, 8);
  FAIL(SYS_rt_sigtimedwait, some, 0, WORDS(long, 1, 500), 8);
  FAIL(SYS_rt_sigtimedwait, some, 0, BAD, 8);
  CALL(SYS_rt_sigtimedwait, WORDS(uint32_t, 1u << 9, 0), old, WORDS(long, 0, 0), 8);
}

static void sending(void) {
  FAIL(SYS_kill, 1, SIGTERM);
  FAIL(SYS_kill, -1, 0);
  FAIL(SYS_kill, 0, 200);
  FAIL(SYS_tkill, 12, SIGRTMIN + 3);
  FAIL(SYS_tgkill, 12, 13, SIGSTKFLT);
  union {
    siginfo_t info;
    char bytes[128];
  } queued = {.info = {.si_signo = SIGUSR1, .si_code = SI_QUEUE}};
  queued.info.si_pid = 7, queued.info.si_uid = 8, queued.info.si_value.sival_int = -9;
  FAIL(SYS_rt_sigqueueinfo, 12, SIGUSR1, PUT(queued));
  FAIL(SYS_rt_tgsigqueueinfo, 12, 13, SIGUSR1, PUT(queued));
  FAIL(SYS_rt_tgsigqueueinfo, 12, 13, SIGUSR1, BAD);
  queued.info.si_code = SI_TIMER;
  FAIL(PIDFD_SEND, 3, SIGUSR2, PUT(queued), 0);
  FAIL(PIDFD_SEND, 3, SIGUSR2, 0, 7);
  static const int codes[] = {SI_USER, SI_KERNEL, SI_MESGQ, SI_ASYNCIO, SI_SIGIO, SI_TKILL, 1, 2, 3, 5, 9};
  static const int numbers[] = {SIGCHLD, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPOLL, SIGHUP};
  for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++)
    for (unsigned c = 0; c < sizeof codes / sizeof *codes; c++) {
      siginfo_t *info = (siginfo_t *)room();
      memset(info, 17, sizeof *info);
      info->si_signo = numbers[n], info->si_code = codes[c], info->si_errno = c == 7 ? ENOENT : 0;
      FAIL(SYS_rt_sigqueueinfo, 12, numbers[n], info);
    }
}

static void stacks(void) {
  long stack = OBJECT(stack_t, .ss_sp = GOLDEN_PAGE, .ss_flags = SS_DISABLE, .ss_size = 8192), old = room();
  BOTH(SYS_sigaltstack, stack, old);
  FAIL(SYS_sigaltstack, OBJECT(stack_t, .ss_sp = GOLDEN_PAGE, .ss_flags = SS_ONSTACK | 0x80000000 | 8), 0);
  FAIL(SYS_sigaltstack, 0, BAD);
  FAIL(SYS_signalfd4, -1, WORDS(uint32_t, 0x202, 0), 8, 0x80800);
  FAIL(SYS_signalfd4, 3, BAD, 8, 1);
  FAIL(SYS_signalfd, 3, WORDS(uint32_t, 0x202, 0), 8);
}

static sigjmp_buf back;
static void handle(int number) {
  if (number == SIGSEGV) siglongjmp(back, 1);
}

static void handled(int number) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_NODEFER};
  sigaction(number, &action, NULL);
}

static void prepare(void) {
  static const int numbers[] = {SIGUSR1, SIGUSR2, SIGSEGV};
  for (int i = 0; i < 3; i++) handled(numbers[i]);
  handled(SIGRTMIN);
  handled(SIGRTMIN + 1);
}

// Signals that arrive, each in its line.
static void delivery(void) {
  CALL(SYS_tgkill, getpid(), getpid(), SIGUSR1);
  CALL(SYS_tgkill, getpid(), getpid(), SIGRTMIN + 1);
  CALL(SYS_kill, getpid(), SIGUSR1);
  CALL(SYS_kill, getpid(), SIGCHLD);
  siginfo_t *queued = (siginfo_t *)room();
  queued->si_signo = SIGUSR2, queued->si_code = SI_QUEUE, queued->si_pid = getpid(), queued->si_uid = 5;
  queued->si_value.sival_int = 4711;
  CALL(SYS_rt_sigqueueinfo, getpid(), SIGUSR2, queued);
  if (sigsetjmp(back, 0) == 0) *(volatile char *)GOLDEN_BAD = 1;
  long waited = WORDS(uint32_t, 0, 1u << (SIGRTMIN - 33)), none = WORDS(uint32_t, 0, 0), timer = WORDS(int, -1);
  CALL(SYS_rt_sigprocmask, SIG_BLOCK, waited, 0, 8);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 11};
  CALL(SYS_timer_create, CLOCK_MONOTONIC, put(&event, sizeof event), timer);
  CALL(SYS_timer_settime, *(int *)timer, 0, WORDS(long, 0, 0, 0, 1), 0);
  CALL(SYS_rt_sigtimedwait, waited, room(), 0, 8);
  CALL(SYS_tgkill, getpid(), getpid(), SIGRTMIN);
  CALL(SYS_rt_sigsuspend, none, 8);
}

int main(void) {
  prepare();
  answer_begin();
  actions();
  masks();
  sending();
  stacks();
  delivery();
  golden_end();
  return 0;
}
