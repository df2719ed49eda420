// Calls between a program and a library (-DLIBRARY) where the return address is not the caller's, or without meaning.
// Prints the counts of the program's calls, and their results.
#ifdef LIBRARY
int target(int argument) { return argument + 1; }

// The program's, which has one of that name, too.
int crossed(int argument) { return argument; }
int calls_crossed(int argument) { return crossed(argument) * 2; }
int calls_target(int argument) { return target(argument) * 2; }

// Jumps to itself: no call of the program's, whatever jumped here first.
int turns(int argument);
static int (*volatile again)(int) = turns;
int turns(int argument) { return argument < 1 ? 40 : again(argument - 1); }

static int plus_one(int argument) { return argument + 1; }
static int (*volatile hook)(int) = plus_one;
int unseen(int argument) { return argument < 0 ? argument : hook(argument * 10); }
#else
#include <stdio.h>

int target(int argument);
int calls_crossed(int argument);
int calls_target(int argument);
int turns(int argument);
int unseen(int argument);

static int targets;
static int (*volatile pointer)(int) = target;
// Jumps by a register: that does not show which word the address came from.
int crossed(int argument) {
  int (*loaded)(int) = pointer;
  __asm__("" : "+r"(loaded));
  targets++;
  return loaded(argument);
}

__attribute__((noipa)) static int takes_turns(int argument) { return turns(argument); }

// No uprobe can be behind this call: it returns to a lock prefix.
int calls_unseen(int argument);
int counter;
__asm__(
    ".globl calls_unseen\n.type calls_unseen, @function\n"
    "calls_unseen: .cfi_startproc\n sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n call unseen@PLT\n lock addl $1, "
    "counter(%rip)\n"
    " add $8, %rsp\n.cfi_adjust_cfa_offset -8\n ret\n.cfi_endproc\n.size calls_unseen, . - calls_unseen\n");

int main(void) {
  for (int i = 0; i < 5; i++) {
    calls_crossed(i);
    calls_target(i);
    takes_turns(i);
  }
  for (int i = 0; i < 4; i++) printf("result %d\n", calls_unseen(i == 3 ? -1 : i));
  printf("target %d\nturns 5\nunseen %d\n", targets, counter);
  return 7;
}
#endif
