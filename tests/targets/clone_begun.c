// A process stopped (SIGSTOP) where its call of clone(2) with CLONE_UNTRACED has begun. Usage: clone_begun
// before|inside: in front of the instruction that makes the call, or inside the call, which the kernel is going to make
// again. Prints "ready PID" of that process. Continued, it makes a child in its memory, which calls plain() ten times.
// Its parent then prints "well" or "wrong".
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 10, STATUS = 5 };

static volatile long calls;
static _Alignas(16) char stack[1 << 18];
extern const char call_at[];

__attribute__((noinline)) void plain(void) { calls++; }

__attribute__((noreturn, used)) static void child(void) {
  for (int i = 0; i < CALLS; i++) plain();
  _exit(STATUS);
}

static int is_well(pid_t pid) {
  int status = 0;
  return pid > 0 && waitpid(pid, &status, __WALL) == pid && status == STATUS << 8 && calls == CALLS;
}

static pid_t make_child(void) {
  long pid;
  __asm__ volatile(
      "xor %%r10d, %%r10d\n xor %%r8d, %%r8d\n mov $56, %%eax\n"
      ".globl call_at\n call_at: syscall\n"
      "test %%eax, %%eax\n jnz 1f\n call child\n 1:"
      : "=a"(pid)
      : "D"(CLONE_VM | CLONE_UNTRACED | SIGCHLD), "S"(stack + sizeof stack), "d"(0)
      : "rcx", "r8", "r10", "r11", "memory");
  return (pid_t)pid;
}

static int stopping(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ptrace(PTRACE_TRACEME, 0, 0, 0);
  raise(SIGSTOP);
  return is_well(make_child()) ? 0 : 1;
}

static int goes_to_stop(pid_t pid, enum __ptrace_request how) {
  int status;
  return ptrace(how, pid, 0, 0) == 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
}

/// The thread is at its first SIGSTOP. False: it cannot be brought there.
static int bring_to_stop(pid_t pid, int is_inside) {
  struct user_regs_struct registers = {0};
  do {
    if (!goes_to_stop(pid, is_inside ? PTRACE_SYSCALL : PTRACE_SINGLESTEP)) return 0;
    ptrace(PTRACE_GETREGS, pid, 0, &registers);
  } while (is_inside ? registers.orig_rax != SYS_clone : registers.rip != (uintptr_t)call_at);
  if (is_inside) kill(pid, SIGSTOP);
  if (ptrace(PTRACE_DETACH, pid, 0, is_inside ? 0 : SIGSTOP) != 0) return 0;
  int status;
  return waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status);
}

int main(int count, char** words) {
  int is_inside = count > 1 && strcmp(words[1], "inside") == 0, status = 0;
  pid_t pid = fork();
  if (pid == 0) return stopping();
  if (waitpid(pid, &status, 0) != pid || !bring_to_stop(pid, is_inside)) return 2;
  printf("ready %d\n", pid);
  fflush(stdout);
  if (waitpid(pid, &status, 0) != pid) return 3;
  puts(status == 0 ? "well" : "wrong");
  return status != 0;
}
