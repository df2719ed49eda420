// Signals with all they carry: queued values, senders, fault addresses, restarted and interrupted calls. Ends with 0 if
// every one arrived as sent.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t got, code, value, alarms;
static volatile uintptr_t fault;
static sigjmp_buf back;

static void note(int number, siginfo_t* info, void* context) {
  (void)context;
  got = number;
  code = info->si_code;
  value = info->si_value.sival_int;
  if (number == SIGALRM) alarms++;
  if (number == SIGSEGV) {
    fault = (uintptr_t)info->si_addr;
    siglongjmp(back, 1);
  }
}

static void catch_signal(int number, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = note;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(number, &action, NULL);
}

static int ring_during_read(int flags) {
  int ends[2];
  if (pipe(ends)) return -2;
  catch_signal(SIGALRM, flags);
  struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  if (flags & SA_RESTART) {  // the interrupted read must be ended
    if (fork() == 0) {
      usleep(60000);
      _exit(write(ends[1], "x", 1) != 1);
    }
  }
  char byte;
  errno = 0;
  int result = read(ends[0], &byte, 1);
  close(ends[0]);
  close(ends[1]);
  return result;
}

int main(void) {
  catch_signal(SIGRTMIN + 3, 0);
  if (sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = 4711})) return 2;
  if (got != SIGRTMIN + 3 || code != SI_QUEUE || value != 4711) return 3;
  catch_signal(SIGUSR1, 0);
  kill(getpid(), SIGUSR1);
  if (got != SIGUSR1 || code != SI_USER) return 4;
  char* page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  catch_signal(SIGSEGV, 0);
  if (!sigsetjmp(back, 1)) page[17] = 1;
  if (got != SIGSEGV || code != SEGV_ACCERR || fault != (uintptr_t)page + 17) return 5;
  signal(SIGCHLD, SIG_IGN);
  if (ring_during_read(0) != -1 || errno != EINTR || alarms != 1) return 6;
  if (ring_during_read(SA_RESTART) != 1 || alarms != 2) return 7;
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  got = 0;
  kill(getpid(), SIGUSR1);
  if (got != 0) return 8;
  sigsuspend(&before);
  if (got != SIGUSR1) return 9;
  return 0;
}
