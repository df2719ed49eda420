// Signals of every fate: ignored, blocked, fatal in a call and outside, to a thread, to one of several, stops of
// threads. Each child's life is one story; the parent waits for it before the next begins.
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void rest(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/// A child that sleeps and is sent a signal.
static void sent_asleep(int number, void (*handler)(int)) {
  pid_t pid = fork();
  if (pid == 0) {
    signal(number, handler);
    rest(60);
    _exit(3);
  }
  rest(20);
  kill(pid, number);
  waitpid(pid, NULL, 0);
}

static void sends_itself(int number) {
  pid_t pid = fork();
  if (pid == 0) {
    kill(getpid(), number);
    _exit(4);
  }
  waitpid(pid, NULL, 0);
}

static void* sleep_long(void* unused) {
  (void)unused;
  rest(5000);
  return NULL;
}

/// Two threads asleep, the process is sent a signal by another process.
static void sent_to_threads(int number) {
  pid_t pid = fork();
  if (pid == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_long, NULL);
    pause();
    _exit(5);
  }
  rest(200);
  kill(pid, number);
  waitpid(pid, NULL, 0);
}

static void blocked_then_not(int number) {
  pid_t pid = fork();
  if (pid == 0) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    _exit(6);
  }
  waitpid(pid, NULL, 0);
}

static void faults(int how) {
  pid_t pid = fork();
  if (pid == 0) {
    if (how == 0) *(volatile int*)8 = 1;
    if (how == 1) __builtin_trap();
    _exit(6);
  }
  waitpid(pid, NULL, 0);
}

static void stopped_and_killed(void) {
  pid_t pid = fork();
  if (pid == 0) {
    raise(SIGSTOP);
    _exit(7);
  }
  waitpid(pid, NULL, WUNTRACED);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
}

int main(void) {
  signal(SIGALRM, SIG_IGN);
  sends_itself(SIGALRM);
  sends_itself(SIGWINCH);
  sends_itself(SIGTERM);
  sends_itself(SIGKILL);
  sends_itself(SIGQUIT);
  sent_asleep(SIGTERM, SIG_DFL);
  sent_asleep(SIGKILL, SIG_DFL);
  sent_asleep(SIGABRT, SIG_DFL);
  sent_asleep(SIGRTMIN, SIG_DFL);
  sent_to_threads(SIGTERM);
  sent_to_threads(SIGKILL);
  sent_to_threads(SIGSEGV);
  blocked_then_not(SIGHUP);
  blocked_then_not(SIGCHLD);
  faults(0);
  faults(1);
  stopped_and_killed();
  return 0;
}
