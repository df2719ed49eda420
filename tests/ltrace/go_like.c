// A program that looks like Go's to whoever reads its sections, and does what Go's runtime does: while a function runs, another
// thread reads its return address, and one that is not its caller's is a fault. Counts its own calls.
#include <pthread.h>
#include <stdio.h>

enum { kCalls = 200 };

// The note of Go's linker: its owner, its type, and a build id.
__asm__(
    ".pushsection .note.go.buildid, \"a\", @note\n"
    ".long 4, 8, 4\n"
    ".asciz \"Go\\0\"\n"
    ".ascii \"build/id\"\n"
    ".popsection\n");

static volatile int is_inside, may_leave, is_over;
static volatile unsigned long frame;
static long wrong;

// Calls nobody and never looks at its stack.
__attribute__((noinline)) int leaf(int a, int b) {
  is_inside = 1;
  while (!may_leave) {
  }
  may_leave = 0;
  return a * 3 + b;
}

// Calls leaf() after saying where the return address is going to lie.
int call_leaf(int a, int b);
extern char behind_leaf[];
__asm__(
    ".pushsection .text\n"
    ".type call_leaf, @function\n"
    "call_leaf:\n"
    "  push %rbp\n"
    "  lea -8(%rsp), %rax\n"
    "  mov %rax, frame(%rip)\n"
    "  call leaf\n"
    "behind_leaf:\n"
    "  pop %rbp\n"
    "  ret\n"
    ".size call_leaf, . - call_leaf\n"
    ".popsection\n");

static void* runtime(void* unused) {
  while (!is_over) {
    if (!is_inside) continue;
    is_inside = 0;
    if (*(const unsigned long*)frame != (unsigned long)behind_leaf) wrong++;
    may_leave = 1;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, runtime, NULL) != 0) return 1;
  long sum = 0, leaves = 0;
  for (int i = 0; i < kCalls; i++, leaves++) sum += call_leaf(i, 2);
  is_over = 1;
  pthread_join(thread, NULL);
  printf("leaf %ld\nwrong: %ld\nsum: %ld\n", leaves, wrong, sum);
  return wrong == 0 && sum == 3L * kCalls * (kCalls - 1) / 2 + 2 * kCalls ? 7 : 1;
}
