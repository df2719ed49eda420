// Calls that a seccomp filter answers: with an error, a signal, and a result of its own; before the filter is there,
// and in threads that were in a call when it came to them (SECCOMP_FILTER_FLAG_TSYNC). Prints how often it made each.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kDenied = 5, kThreads = 3 };

static int ends[2];

static void trapped(int number) { (void)number; }

static void call_all(void) {
  for (int i = 0; i < kDenied; i++) {
    syscall(SYS_mkdir, "/nonexistent/denied", 0700 + i);
    syscall(SYS_unshare, 0);
    syscall(SYS_getppid);
    syscall(SYS_getpgrp);
    syscall(SYS_getuid);
  }
}

// Sleeps in a read(2) while the filter is installed.
static void *wait_and_call(void *unused) {
  char byte;
  (void)unused;
  if (read(ends[0], &byte, 1) != 1) return 0;
  syscall(SYS_getuid);  // the first permitted call with a filter
  call_all();
  return 0;
}

int main(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgrp, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  pthread_t threads[kThreads];
  signal(SIGSYS, trapped);
  call_all();
  if (pipe(ends)) return 1;
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], 0, wait_and_call, 0);
  usleep(50000);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program)) return 2;
  call_all();
  for (int i = 0; i < kThreads; i++)
    if (write(ends[1], "x", 1) != 1) return 3;
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], 0);
  printf("%d of each\n", (kThreads + 2) * kDenied);
  return 0;
}
