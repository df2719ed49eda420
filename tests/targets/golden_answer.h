// Calls that never run: a seccomp filter answers the calls of answer_ok and answer_fail, so that all their arguments
// are shown and nothing happens.
#pragma once

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "golden.h"

long answer_ok(long number, long a, long b, long c, long d, long e, long f);
long answer_fail(long number, long a, long b, long c, long d, long e, long f);
extern const char answer_ok_ip[], answer_fail_ip[];  // behind their call instructions: how the filter knows them

#ifdef __x86_64__
#define ANSWER_FUNCTION(name)                                                                                        \
  asm(".globl " #name ", " #name "_ip\n" #name                                                                       \
      ": mov %rdi, %rax; mov %rsi, %rdi; mov %rdx, %rsi; mov %rcx, %rdx; mov %r8, %r10; mov %r9, %r8;"               \
      "mov 8(%rsp), %r9; syscall\n" #name "_ip: ret")
#else
#define ANSWER_FUNCTION(name)                                                                                        \
  asm(".globl " #name ", " #name "_ip\n" #name                                                                       \
      ": push %ebx; push %esi; push %edi; push %ebp; mov 20(%esp), %eax; mov 24(%esp), %ebx; mov 28(%esp), %ecx;"    \
      "mov 32(%esp), %edx; mov 36(%esp), %esi; mov 40(%esp), %edi; mov 44(%esp), %ebp; int $0x80\n" #name            \
      "_ip: pop %ebp; pop %edi; pop %esi; pop %ebx; ret")
#endif
ANSWER_FUNCTION(answer_ok);
ANSWER_FUNCTION(answer_fail);

static inline void answer_begin(void) {
  // Text is mapped below 4 GiB or at addresses with lower halves that differ well enough.
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(unsigned long)answer_ok_ip, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(unsigned long)answer_fail_ip, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) exit(2);
  golden_begin();
}

// The call returns 0, so that its results are read; or it fails with EPERM.
#define OK(number, ...) answer_ok(number, SIX(0, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0))
#define FAIL(number, ...) answer_fail(number, SIX(0, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0))
#define BOTH(number, ...) (OK(number, ##__VA_ARGS__), FAIL(number, ##__VA_ARGS__))
