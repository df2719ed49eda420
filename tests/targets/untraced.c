// Children that ask for no tracer. Usage: untraced FORM...; each makes a child that calls plain() ten times, and is
// followed by a line "FORM well" or "FORM wrong". The last line is "plain COUNT", of this process alone.
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 10, STATUS = 5 };

static volatile long calls;
static _Alignas(16) char stack[1 << 18];
static volatile int is_changed;  // memory or a register has changed

__attribute__((noinline)) void plain(void) { calls++; }

static int child(void* unused) {
  for (int i = 0; i < CALLS; i++) plain();
  return STATUS;
}

static int is_well(int pid, int status) {
  int got = 0;
  while (pid > 0 && waitpid(pid, &got, __WALL) < 0) {
  }
  return pid > 0 && got == status << 8 && !is_changed;
}

static int by_library(int flags) { return is_well(clone(child, stack + sizeof stack, flags | SIGCHLD, NULL), STATUS); }

/// Parent and child look at the register that the flags were passed in.
static int by_instruction(void) {
  uint64_t flags = CLONE_UNTRACED | SIGCHLD, after = flags;
  long pid;
  __asm__ volatile("xor %%r10d, %%r10d\n xor %%r8d, %%r8d\n mov $56, %%eax\n syscall"
                   : "=a"(pid), "+D"(after)
                   : "S"(0), "d"(0)
                   : "rcx", "r8", "r10", "r11", "memory");
  if (after != flags) is_changed = 1;
  if (pid == 0) _exit(is_changed ? 9 : child(NULL));
  return is_well((int)pid, STATUS);
}

static struct clone_args args_for(uint64_t flags) {
  return (struct clone_args){.flags = flags, .exit_signal = SIGCHLD};
}

/// By clone3(2).
static int by_clone3(void) {
  struct clone_args args = args_for(CLONE_UNTRACED), before = args;
  long pid;
  __asm__ volatile("mov $435, %%eax\n syscall" : "=a"(pid) : "D"(&args), "S"(sizeof args) : "rcx", "r11", "memory");
  if (memcmp(&args, &before, sizeof args) != 0) is_changed = 1;
  if (pid == 0) _exit(is_changed ? 9 : child(NULL));
  return is_well((int)pid, STATUS);
}

/// By syscall(3), with the number from a register.
static int by_number(long number) {
  struct clone_args args = args_for(CLONE_UNTRACED);
  long pid = number == SYS_clone3 ? syscall(SYS_clone3, &args, sizeof args)
                                  : syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, NULL, NULL, NULL, 0);
  if (args.flags != CLONE_UNTRACED) is_changed = 1;
  if (pid == 0) _exit(is_changed ? 9 : child(NULL));
  return is_well((int)pid, STATUS);
}

/// Calls that fail leave everything as it was, too.
static int that_fails(void) {
  uint64_t flags = CLONE_UNTRACED | CLONE_THREAD, after = flags;  // no CLONE_SIGHAND
  struct clone_args args = args_for(flags), before = args;
  long first, second;
  __asm__ volatile("mov $56, %%eax\n syscall" : "=a"(first), "+D"(after) : "S"(0), "d"(0) : "rcx", "r11", "memory");
  __asm__ volatile("mov $435, %%eax\n syscall" : "=a"(second) : "D"(&args), "S"(sizeof args) : "rcx", "r11", "memory");
  return first < 0 && second < 0 && after == flags && memcmp(&args, &before, sizeof args) == 0;
}

static int does(const char* form) {
  if (strcmp(form, "copy") == 0) return by_library(CLONE_UNTRACED);
  if (strcmp(form, "memory") == 0) return by_library(CLONE_UNTRACED | CLONE_VM);
  if (strcmp(form, "vfork") == 0) return by_library(CLONE_UNTRACED | CLONE_VM | CLONE_VFORK);
  if (strcmp(form, "instruction") == 0) return by_instruction();
  if (strcmp(form, "clone3") == 0) return by_clone3();
  if (strcmp(form, "number") == 0) return by_number(SYS_clone);
  if (strcmp(form, "number3") == 0) return by_number(SYS_clone3);
  if (strcmp(form, "fails") == 0) return that_fails();
  return 0;
}

int main(int count, char** forms) {
  int all_well = 1;
  for (int i = 1; i < count; i++) {
    int well = does(forms[i]);
    all_well &= well;
    printf("%s %s\n", forms[i], well ? "well" : "wrong");
    fflush(stdout);
  }
  printf("plain %ld\n", calls);
  return all_well ? 0 : 1;
}
