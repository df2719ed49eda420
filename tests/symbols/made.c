// Calls of every kind that a linker makes stubs and slots for, and a USDT note with a semaphore and arguments.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
__attribute__((section(".probes"))) unsigned short made_semaphore;
#define NOTE                                                                                                 \
  __asm__ volatile(                                                                                          \
      "990: nop\n"                                                                                           \
      ".pushsection .note.stapsdt,\"\",\"note\"\n"                                                           \
      ".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                                                         \
      "991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                                           \
      "993: .8byte 990b\n .8byte _.stapsdt.base\n .8byte made_semaphore\n"                                   \
      ".asciz \"made\"\n .asciz \"probe\"\n .asciz \"-4@%%eax 8@-8(%%rbp,%%rcx,4) 4f@%%xmm0 8@$-7 "          \
      "8@made_semaphore+2(%%rip)\"\n"                                                                        \
      "994: .balign 4\n .popsection\n"                                                                       \
      ".ifndef _.stapsdt.base\n .pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"       \
      ".weak _.stapsdt.base\n .hidden _.stapsdt.base\n _.stapsdt.base: .space 1\n .size _.stapsdt.base,1\n " \
      ".popsection\n .endif\n" ::)
#else
#define NOTE
#endif

static int first(void) { return 1; }
static int second(void) { return 2; }
static void* choose(void) { return getenv("SECOND") ? (void*)second : (void*)first; }
int chosen(void) __attribute__((ifunc("choose")));

__attribute__((weak)) int of_two_names(int x) { return x + 3; }
int __other_name(int x) __attribute__((alias("of_two_names")));

static __thread int of_thread = 3;

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(int argc, char** argv) {
  int numbers[] = {3, 1, argc};
  NOTE;
  qsort(numbers, 3, sizeof *numbers, compare);
  char* copy = strdup(argv[0]);
  void (*release)(void*) = free;  // an address that is taken: GLOB_DAT
  printf("%zu %d %d %d\n", strlen(copy), chosen(), of_two_names(numbers[0]), of_thread++);
  memcpy(copy, "x", 1);
  release(copy);
  return puts("") < 0;
}
