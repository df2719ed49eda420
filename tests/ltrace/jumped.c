// Functions with other, unknown functions that return in their place: a library (-DLIBRARY), and a program that calls
// it and prints the results, call by call.
#ifdef LIBRARY
static int plus_one(int argument) { return argument + 1; }
int (*volatile hook)(int) = plus_one;

int through_pointer(int argument) { return argument < 0 ? argument : hook(argument * 10); }

// The table of a switch has nothing to do with where it jumps at its end.
int chooses(int argument) {
  switch (argument) {
    case 0: hook(1); break;
    case 1: hook(argument * 3); break;
    case 2: hook(hook(2)); break;
    case 3: hook(30); hook(31); break;
    case 4: hook(argument + 7); break;
    default: hook(-1);
  }
  return hook(argument + 40);
}

int doubled(int argument);
__asm__(
    ".globl runs_out\n.type runs_out, @function\n"
    "runs_out: add $3, %edi\n.size runs_out, . - runs_out\n"
    ".globl doubled\n.type doubled, @function\n.p2align 4\n"
    "doubled: lea (%rdi, %rdi), %eax\n ret\n.size doubled, . - doubled\n"
    // Into nameless code, as in a C library with separate symbols.
    ".globl runs_on\n.type runs_on, @function\n.p2align 4\n"
    "runs_on: .cfi_startproc\n add $5, %edi\n.cfi_endproc\n.size runs_on, . - runs_on\n"
    ".cfi_startproc\n lea (%rdi, %rdi), %eax\n ret\n.cfi_endproc\n");
#else
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int through_pointer(int argument);
int chooses(int argument);
int runs_out(int argument);
int runs_on(int argument);

static void show(const char *name, int result) { printf("%s = %d\n", name, result); }

// Leaves by a jump of its own.
__attribute__((noipa)) static int jumps(int argument) { return through_pointer(argument + 100); }

int main(int argc, char **argv) {
  int times = argc > 1 ? atoi(argv[1]) : 1;
  int (*volatile pointer)(int) = through_pointer;
  for (int i = 0; i < times; i++) {
    show("through_pointer", through_pointer(i));
    show("through_pointer", through_pointer(-1));
    show("chooses", chooses(i));
    show("runs_out", runs_out(i));
    show("runs_on", runs_on(i));
    if (argc > 2) show("through_pointer", jumps(i));
    if (argc > 2) show("through_pointer", pointer(i + 200));
  }
  time_t now = time(NULL);
  printf("time = %ld\n", (long)now);
  return 7;
}
#endif
