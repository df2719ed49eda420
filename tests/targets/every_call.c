// Makes every system call of an ABI without running any: seccomp answers them all, with success or with an error.
//
// every_call ABI ANSWER SEED [FIRST [LAST]]: ABI x64, i386 (int 0x80) or x32; ANSWER is an error number, 0 for success
// with result 0, or =RESULT for success with another result, which a helper process sets. SEED picks arguments and
// their memory. Seeds below 8 are plain: all zero, all ones, pointers to zeros …, others mix small numbers, flags,
// pointers, bad pointers and pointers that end where memory ends.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEY 0x7e57  // exit_group with this argument is let through

enum { X32_BIT = 0x40000000 };
enum { AREA = 0x20000000, AREA_BYTES = 0x10000 };

static uint64_t state;
static uint64_t next(void) {  // xorshift64*
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1dull;
}

static long call(int i386, long number, const long *args) {
  long result;
  if (i386) {
    __asm__ volatile(
        "push %%rbp; mov 40(%%rbx), %%ebp; mov 8(%%rbx), %%ecx; mov 16(%%rbx), %%edx; mov 24(%%rbx), %%esi;"
        "mov 32(%%rbx), %%edi; mov (%%rbx), %%ebx; int $0x80; pop %%rbp"
        : "=a"(result), "+b"(args)
        : "a"(number)
        : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory");
    return result;
  }
  register long r10 __asm__("r10") = args[3];
  register long r8 __asm__("r8") = args[4];
  register long r9 __asm__("r9") = args[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(args[0]), "S"(args[1]), "d"(args[2]), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

// sigreturn reads the stack behind the call: here it holds nothing that changes from run to run.
static void call_on_quiet_stack(int i386, long number, const long *args) {
  volatile char quiet[4096];
  for (unsigned i = 0; i < sizeof quiet; i++) quiet[i] = 0;
  call(i386, number, args);
  quiet[0] = 1;
}

static volatile int listener = -1;
static int64_t result;

// Answers every call with `result`: only an error or 0 can be said by the filter itself.
static int answer(void *unused) {
  (void)unused;
  struct seccomp_notif asked;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (listener < 0) usleep(100);
  while (memset(&asked, 0, sizeof asked), ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) == 0) {
    struct seccomp_notif_resp reported = {.id = asked.id, .val = result};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reported);
  }
  return 0;
}

static void answer_all(const char *how) {
  int by_helper = how[0] == '=';
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, KEY, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, by_helper ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ERRNO | (unsigned)atoi(how)),
  };
  struct sock_fprog filter = {sizeof program / sizeof *program, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) _exit(1);
  if (!by_helper) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) _exit(1);
    return;
  }
  static char stack[65536] __attribute__((aligned(16)));
  result = strtoll(how + 1, 0, 0);
  if (clone(answer, stack + sizeof stack, CLONE_VM | CLONE_FILES, 0) < 0) _exit(1);
  listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

// The memory of the pointers: zeros, ones, small numbers, text, or a mixture of them with pointers in between.
static void fill(unsigned seed) {
  if (seed == 3) return;
  if (seed == 4) memset((void *)AREA, 0xff, AREA_BYTES);
  for (unsigned i = 0; i < AREA_BYTES / 4; i++) {
    uint32_t *word = (uint32_t *)(uintptr_t)(AREA + 4 * i);
    if (seed == 5) *word = i;
    if (seed == 6) *word = 0x2f6b6363;
    if (seed == 7) *word = i & 1 ? 0 : AREA + (i & 0x3ff) * 8;
    if (seed >= 8) switch (next() % 8) {
      case 0: *word = 0; break;
      case 1: *word = next() % 40; break;
      case 2: *word = 1u << next() % 32; break;
      case 3: *word = (uint32_t)next(); break;
      case 4: *word = 0xffffffff; break;
      case 5: *word = 0x41424344; break;
      case 6: *word = next() % 300; break;
      case 7: *word = AREA + next() % 0x8000; break;
    }
  }
}

static long argument(unsigned seed, unsigned index) {
  switch (seed) {
    case 0: return 0;
    case 1: return -1;
    case 2: return 1;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7: return AREA + 0x1000 * (index + 1);
  }
  switch (next() % 12) {
    case 0: return 0;
    case 1: return next() % 8;
    case 2: return next() % 64;
    case 3: return 1l << next() % 32;
    case 4: return (1l << next() % 32) | (1l << next() % 32) | (1l << next() % 32);
    case 5: return (long)next();
    case 6: return -(long)(next() % 200);
    case 7: return AREA + AREA_BYTES - (long)(next() % 300);
    case 8: return 0x1000;
    default: return AREA + (long)(next() % 0x800) * 16;
  }
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int i386 = strcmp(argv[1], "i386") == 0;
  unsigned seed = (unsigned)atoi(argv[3]);
  int x32 = strcmp(argv[1], "x32") == 0;
  int first = argc > 4 ? atoi(argv[4]) : 0, last = argc > 5 ? atoi(argv[5]) : x32 ? 550 : 475;
  if (mmap((void*)AREA, AREA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
      MAP_FAILED)
    return 1;
  dup2(open("/dev/null", O_RDWR), 3);
  state = 0x9e3779b97f4a7c15ull ^ seed;
  fill(seed);
  answer_all(argv[2]);
  for (int number = first; number <= last; number++) {
    if (!i386 && number >= 335 && number <= 337) continue;  // calls of uprobes kill their callers
    state = 0x9e3779b97f4a7c15ull * (seed + 1) + (uint64_t)number;  // a call's arguments depend on nothing before it
    long args[6];
    next();
    for (unsigned i = 0; i < 6; i++) args[i] = argument(seed, i);
    if ((unsigned)args[0] != KEY) call_on_quiet_stack(i386, x32 ? number | X32_BIT : number, args);
  }
  call(0, SYS_exit_group, (long[6]){KEY});
}
