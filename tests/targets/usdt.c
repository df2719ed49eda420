// Statically defined probes with operands of every form, and one that is behind a semaphore. The notes are written by
// hand, as <sys/sdt.h> of SystemTap writes them.
//
//   usdt N              N turns
//   usdt run            turns until its input ends; the first line has the pid and the semaphore's address
//   usdt fork N         N turns in a child that is forked after the first turn, too
//   usdt exec N         executes `usdt N` after a turn
//   usdt open FILE N    N calls of opened() in a library that is opened then: this source with -DLIBRARY
//
// The last line of a process: the turns that it made, those that found the semaphore raised, and the semaphore.
#include <dlfcn.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOTE(provider, name, semaphore, operands)                                                               \
  "990: nop\n"                                                                                                  \
  ".pushsection .note.stapsdt,\"\",\"note\"\n"                                                                  \
  ".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                                                                \
  "991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                                                  \
  "993: .8byte 990b\n .8byte _.stapsdt.base\n .8byte " semaphore "\n"                                           \
  ".asciz \"" provider "\"\n .asciz \"" name "\"\n .asciz \"" operands "\"\n"                                   \
  "994: .balign 4\n .popsection\n"                                                                              \
  ".ifndef _.stapsdt.base\n .pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"              \
  ".weak _.stapsdt.base\n .hidden _.stapsdt.base\n _.stapsdt.base: .space 1\n .size _.stapsdt.base,1\n"         \
  ".popsection\n .endif\n"

#ifdef LIBRARY

__attribute__((section(".probes"), visibility("hidden"), used)) volatile uint16_t opened_semaphore;

__attribute__((noinline)) int opened(int n) {
  if (!opened_semaphore) return 0;
  __asm__ volatile(NOTE("library", "opened", "opened_semaphore", "-4@%%edi") : : "D"(n));
  return 1;
}

#else

__attribute__((section(".probes"), used)) volatile uint16_t turn_semaphore;
__attribute__((used)) static int64_t words[3] = {11, 22, -33};

/// Ten operands with values that a test knows.
__attribute__((noinline)) void forms(void) {
  __asm__ volatile(
      "lea words+8(%%rip), %%rcx\n mov $2, %%edx\n"
      "movabs $0x1122334487654321, %%rax\n mov $0xffffabcd, %%ebx\n movabs $0x7766554433221100, %%r10\n" NOTE(
          "made", "forms", "0",
          "-4@%%eax 4@%%eax 1@%%ah 2@%%bx 8@-16(%%rcx,%%rdx,4) -2@8(%%rcx) 4@$5 -8@$-7 -4@words+16(%%rip) 8@%%r10")
      : : : "rax", "rbx", "rcx", "rdx", "r10", "memory");
}

/// An operand that is in no memory, one that strut does not know, and others behind them.
__attribute__((noinline)) void odd__forms(void) {
  __asm__ volatile("mov $16, %%esi\n mov $-2, %%r11d\n movabs $0x4004000000000000, %%rcx\n push %%rcx\n" NOTE(
                       "made", "odd__forms", "0", "-1@%%r11b 8@(%%rsi) 8f@%%xmm0 8f@(%%rsp) 2@$-1") "pop %%rcx\n"
                   : : : "rcx", "rsi", "r11", "memory");
}

/// Two sites of one probe, one behind the semaphore.
__attribute__((noinline)) int turn(int n, const char* name) {
  if (turn_semaphore) __asm__ volatile(NOTE("made", "turn", "turn_semaphore", "-4@%%edi 8@%%rsi") : : "D"(n), "S"(name));
  if (turn_semaphore && n % 2) __asm__ volatile(NOTE("made", "turn", "turn_semaphore", "-4@%%edi 8@%%rsi") : : "D"(-n), "S"(name));
  __asm__ volatile(NOTE("made", "always", "0", "-4@%%edi") : : "D"(n));
  return turn_semaphore != 0;
}

static int turns, raised;

static void turn_often(int count) {
  for (int i = 0; i < count; i++) {
    forms();
    odd__forms();
    raised += turn(i, i % 3 ? "some" : "third");
    turns++;
  }
}

static void open_library(const char* path, int count) {
  void* library = dlopen(path, RTLD_NOW);
  if (!library) exit(2);
  int (*opened)(int) = (int (*)(int))dlsym(library, "opened");
  int seen = 0;
  for (int i = 0; i < count; i++) seen += opened(i);
  printf("opened %d\n", seen);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "1";
  if (!strcmp(how, "run")) {
    printf("ready %d %lx\n", getpid(), (unsigned long)&turn_semaphore);
    fflush(stdout);
    struct pollfd input = {0, POLLIN, 0};
    while (poll(&input, 1, 1) == 0) turn_often(1);
  } else if (!strcmp(how, "open")) {
    open_library(argv[2], atoi(argv[3]));
  } else if (!strcmp(how, "exec")) {
    turn_often(1);
    execl("/proc/self/exe", argv[0], argv[2], NULL);
  } else if (!strcmp(how, "fork")) {
    turn_often(1);
    pid_t child = fork();
    turn_often(atoi(argv[2]));
    if (child) waitpid(child, NULL, 0);
  } else {
    turn_often(atoi(how));
  }
  printf("turns %d raised %d semaphore %d\n", turns, raised, turn_semaphore);
  return 0;
}

#endif
