// Stacks of many kinds, one after another: each is there when getppid(2) is called. tests/stacks/run says which they
// are. With "named" only the code that is made has a stack, and has a name in a perf map; the program waits for the end
// of its input. With "disarmed" a handler's stack is none to the kernel while it runs.
// With "steps" a call is made an instruction at a time, and each instruction's stack is one more.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define OUT_OF_LINE __attribute__((noinline, noclone))

static volatile int sink;

OUT_OF_LINE static void look(void) {
  getppid();
  sink++;
}

OUT_OF_LINE static int recurse(int depth) {
  if (depth > 1) sink += recurse(depth - 1);
  else look();
  return sink;
}

OUT_OF_LINE static int compare(const void *a, const void *b) {
  look();
  return *(const int *)a - *(const int *)b;
}

OUT_OF_LINE static void with_callback(void) {
  int numbers[] = {2, 1};
  qsort(numbers, 2, sizeof numbers[0], compare);
  sink += numbers[0];
}

OUT_OF_LINE static void with_large_frame(void) {
  volatile char untouched[40000];
  untouched[sink & 15] = 1;
  look();
  sink += untouched[7];
}

static void handler(int number) {
  look();
  sink += number;
}

OUT_OF_LINE static void with_handler(int number) {
  raise(number);
  sink++;
}

// A handler on a stack of its own: the one that it interrupted is elsewhere.
#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)  // <linux/signal.h>, which cannot stand beside <signal.h>
#endif
OUT_OF_LINE static void with_alternate_stack(unsigned flags) {
  static char memory[64 * 1024];
  stack_t stack = {.ss_sp = memory + 24, .ss_size = sizeof memory - 24, .ss_flags = (int)flags},
          none = {.ss_flags = SS_DISABLE};
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, 0);
  sigaction(SIGUSR2, &action, 0);
  raise(SIGUSR2);
  sigaltstack(&none, 0);
  sink++;
}

// A signal at a function's first instruction: nothing is pushed yet.
__asm__(
    ".text\n.type at_once,@function\nat_once:\n.cfi_startproc\n"
    "  ud2\n  ret\n"
    ".cfi_endproc\n.size at_once,.-at_once\n");
void at_once(void);

static void skip_it(int number, siginfo_t *info, void *context) {
  look();
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
  sink += number + info->si_code;
}

OUT_OF_LINE static void at_first_instruction(void) {
  at_once();
  sink++;
}

// Code that nothing describes but its frame pointer.
__asm__(
    ".text\n.type undescribed,@function\nundescribed:\n"
    "  push %rbp\n  mov %rsp,%rbp\n  call *%rdi\n  pop %rbp\n  ret\n"
    ".size undescribed,.-undescribed\n");
void undescribed(void (*)(void));

OUT_OF_LINE static void through_undescribed(void) {
  undescribed(look);
  sink++;
}

// By code that is made while the program runs.
OUT_OF_LINE static void through_made_code(FILE *map) {
  static const unsigned char kCode[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
  void *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(at, kCode, sizeof kCode);
  if (map) fprintf(map, "%lx %zx made by hand\n", (unsigned long)at, sizeof kCode);
  if (map) fclose(map);
  ((void (*)(void (*)(void)))at)(look);
  munmap(at, 4096);
  sink++;
}

OUT_OF_LINE static void *in_thread(void *nothing) {
  look();
  return nothing;
}

OUT_OF_LINE static void with_thread(void) {
  pthread_t thread;
  pthread_create(&thread, 0, in_thread, 0);
  pthread_join(thread, 0);
}

OUT_OF_LINE static void in_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  void (*call)(void (*)(void)) = library ? (void (*)(void (*)(void)))dlsym(library, "library_calls") : 0;
  if (call) call(look);
  else puts("no library");
  sink++;
}

__attribute__((noreturn)) OUT_OF_LINE static void never_returns(void) {
  look();
  exit(0);
}

OUT_OF_LINE static void ends_in_a_call(void) { never_returns(); }

// -- an instruction at a time --------------------------------------------------------------------------

// On a machine where a step takes longer than the kernel leaves its clock alone, the vdso reads that clock again and again.
enum { MOST_STEPS = 20000 };

static void at_step(int number, siginfo_t *info, void *context) {
  static int steps;
  look();
  sink += number + (info == NULL);
  if (++steps > MOST_STEPS) ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}

// The trap flag: a SIGTRAP after each instruction from here on, and no more.
#define SETS_FLAG(name, change) \
  ".type " name ",@function\n" name ":\n.cfi_startproc\n" \
  "  pushfq\n.cfi_adjust_cfa_offset 8\n  " change ", (%rsp)\n  popfq\n.cfi_adjust_cfa_offset -8\n  ret\n" \
  ".cfi_endproc\n.size " name ",.-" name "\n"
__asm__(".text\n" SETS_FLAG("step_on", "orl $0x100") SETS_FLAG("step_off", "andl $~0x100"));
void step_on(void), step_off(void);

OUT_OF_LINE static void stepped(void) {
  char text[32];
  struct timespec now;
  step_on();
  snprintf(text, sizeof text, "%d", sink);
  clock_gettime(CLOCK_MONOTONIC, &now);
  sink += (int)strlen(text) + (int)now.tv_nsec + getuid();
  step_off();
}

int main(int argc, char **argv) {
  signal(SIGUSR1, handler);
  struct sigaction steps = {.sa_sigaction = at_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &steps, 0);
  struct sigaction action = {.sa_sigaction = skip_it, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &action, 0);
  if (argc > 1 && strcmp(argv[1], "steps") == 0) {
    stepped();
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "disarmed") == 0) {
    with_alternate_stack(SS_AUTODISARM);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "named") == 0) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
    through_made_code(fopen(path, "w"));
    while (getchar() != EOF) {}
    remove(path);
    return 0;
  }
  look();
  recurse(200);
  with_callback();
  with_large_frame();
  with_handler(SIGUSR1);
  with_alternate_stack(0);
  at_first_instruction();
  through_undescribed();
  through_made_code(0);
  with_thread();
  if (argc > 1) in_library(argv[1]);
  ends_in_a_call();
}
