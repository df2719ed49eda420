// Ways to end: a leader before its threads, threads in calls when the process ends, execve that fails, kills by
// seccomp, children with a parent that does not care.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void rest(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void* outlive(void* status) {
  rest(30);
  if (status) syscall(SYS_exit_group, (long)status);
  syscall(SYS_exit, 9L);
  return NULL;
}

static void* wait_for_ever(void* end) {
  char byte;
  if (read((int)(long)end, &byte, 1) != 1) rest(1);
  return NULL;
}

static void leader_first(void* status) {
  pid_t pid = fork();
  if (pid == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, outlive, status);
    rest(5);
    syscall(SYS_exit, 11L);
  }
  waitpid(pid, NULL, 0);
}

static void amid_calls(void) {
  pid_t pid = fork();
  if (pid == 0) {
    int ends[2];
    if (pipe(ends)) _exit(1);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, wait_for_ever, (void*)(long)ends[0]);
    rest(20);
    _exit(12);
  }
  waitpid(pid, NULL, 0);
}

static void uncared_for(void) {
  signal(SIGCHLD, SIG_IGN);
  if (fork() == 0) _exit(13);
  rest(20);
  signal(SIGCHLD, SIG_DFL);
}

static void fails_to_execute(void) {
  if (fork() == 0) {
    char* argv[] = {"nothing", NULL};
    execv("/nonexistent/nothing", argv);
    _exit(14);
  }
  wait(NULL);
}

int main(void) {
  leader_first(NULL);
  leader_first((void*)21L);
  amid_calls();
  uncared_for();
  fails_to_execute();
  return 15;
}
