// Floods with argv[1] calls and looks for any trace of being held: interrupted calls, signals that were not sent or
// went missing, notifications of the parent; with argv[2] = jobs: job control that reports otherwise (which interrupts
// calls by itself). Prints "nothing" and ends with 0.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS = 7, OWN_EVERY = 500 };

static volatile sig_atomic_t own, news[8], over;

static void on_own(int number) { own += number == SIGURG; }
static void on_news(int number, siginfo_t* info, void* context) {
  if (info->si_code >= 0 && info->si_code < 8) news[info->si_code]++;
}

// Signals that the kernel or strut sends to the process would come out of these as EINTR.
static void* sleeper(void* count) {
  int queue = epoll_create1(0);
  struct epoll_event event;
  while (!over) {
    if (epoll_wait(queue, &event, 1, 3) < 0 && errno == EINTR) ++*(int*)count;
    if (poll(NULL, 0, 3) < 0 && errno == EINTR) ++*(int*)count;
  }
  return NULL;
}

static int child(int calls, int jobs) {
  int interrupted = 0, sent = 0, parent = getppid(), wrong = 0;
  pthread_t thread;
  sigset_t urgent, before, pending;
  signal(SIGURG, on_own);
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  if (pthread_create(&thread, NULL, sleeper, &interrupted)) return 2;
  for (int i = 0; i < calls; i++) {
    wrong += syscall(SYS_getppid) != parent;
    if (i % OWN_EVERY == 0) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGURG), sent++;
    if (i % OWN_EVERY != 1) continue;
    sigprocmask(SIG_BLOCK, &urgent, &before);  // it may flood while its mask blocks the brake's marker
    for (int k = 0; k < 20; k++) syscall(SYS_getppid);
    sigpending(&pending);
    wrong += sigismember(&pending, SIGURG);
    sigprocmask(SIG_SETMASK, &before, NULL);
  }
  over = 1;
  pthread_join(thread, NULL);
  if (!wrong && (jobs || !interrupted) && own == sent) return STATUS;
  printf("wrong %d, interrupted %d, SIGURG sent %d, received %d\n", wrong, interrupted, sent, (int)own);
  return 1;
}

// Pending SIGCHLDs merge into one: a child on a busy machine continues late.
static void await(int code, int count) {
  while (news[code] < count) usleep(1000);
}

// A stop and a continuation, as the parent sees them for the nth time.
static int job_control(pid_t pid, int nth) {
  int status;
  kill(pid, SIGSTOP);
  if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP) return 0;
  await(CLD_STOPPED, nth);
  usleep(20000);
  if (waitpid(pid, &status, WUNTRACED | WCONTINUED | WNOHANG) != 0) return 0;
  kill(pid, SIGCONT);
  if (waitpid(pid, &status, WCONTINUED) != pid || !WIFCONTINUED(status)) return 0;
  await(CLD_CONTINUED, nth);
  return 1;
}

int main(int argc, char** argv) {
  struct sigaction action = {.sa_sigaction = on_news, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGCHLD, &action, NULL);
  int stops = argc > 2 ? 3 : 0;
  pid_t pid = fork();
  if (pid == 0) {
    int result = child(argc > 1 ? atoi(argv[1]) : 1000, stops);
    fflush(stdout);
    _exit(result);
  }
  int status, jobs = 1;
  for (int i = 0; i < stops; i++) {
    usleep(30000);
    jobs &= job_control(pid, i + 1);
  }
  pid_t ended = waitpid(pid, &status, WUNTRACED | WCONTINUED);
  if (ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == STATUS && jobs && news[CLD_EXITED] == 1 &&
      news[CLD_STOPPED] == stops && news[CLD_CONTINUED] == stops && !news[CLD_TRAPPED] && !news[CLD_KILLED])
    return puts("nothing") < 0;
  printf("status %x, job control %s, SIGCHLD: exited %d stopped %d continued %d trapped %d\n", status,
         jobs ? "right" : "wrong", (int)news[CLD_EXITED], (int)news[CLD_STOPPED], (int)news[CLD_CONTINUED],
         (int)news[CLD_TRAPPED]);
  return 1;
}
