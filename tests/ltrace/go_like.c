// A program with sections that look like Go's, and that behaves like Go's runtime: while a function runs, another
// thread reads its return address, and one that is not its caller's is a fault; stacks have a check. Counts its own
// calls.
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

// Makes no call and never reads its stack.
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

// A function with Go's stack check: %r14 has the goroutine, with its stack's bound at offset 16. Without room it gets a
// larger stack, and begins again.
unsigned long goroutine[4];
int call_grow(unsigned long bound);
__asm__(
    ".pushsection .text\n"
    ".type grow, @function\n"
    "grow:\n"
    "  lea -0x20(%rsp), %r12\n"
    "  cmp 0x10(%r14), %r12\n"
    "  jbe 1f\n"
    "  sub $8, %rsp\n"
    "  mov $1, %eax\n"
    "  add $8, %rsp\n"
    "  ret\n"
    "1: call morestack\n"
    "  jmp grow\n"
    ".size grow, . - grow\n"
    "morestack:\n"
    "  movq $0, 16+goroutine(%rip)\n"
    "  ret\n"
    ".type call_grow, @function\n"
    "call_grow:\n"
    "  push %r12\n"
    "  push %r14\n"
    "  lea goroutine(%rip), %r14\n"
    "  mov %rdi, 0x10(%r14)\n"
    "  call grow\n"
    "  pop %r14\n"
    "  pop %r12\n"
    "  ret\n"
    ".size call_grow, . - call_grow\n"
    ".popsection\n");

// A function of a goroutine with a stack that is moved while it runs: it is entered by one thread, and returns in
// another one, from the copy of its stack, at the same distance from its top.
void call_wander(void), come_back(void);
unsigned long caller_rsp, finisher_rsp, moved_rsp;
char other_stack[16384];
__asm__(
    ".pushsection .text\n"
    ".type wander, @function\n"
    "wander:\n"
    "  mov (%rsp), %rax\n"
    "  lea (%rsp,%rdi), %rcx\n"
    "  mov %rax, (%rcx)\n"
    "  add %rdi, goroutine(%rip)\n"
    "  add %rdi, 8+goroutine(%rip)\n"
    "  mov %rcx, moved_rsp(%rip)\n"
    "  call leave_wander\n"
    "wander_ret:\n"
    "  ret\n"
    ".size wander, . - wander\n"
    ".type call_wander, @function\n"
    "call_wander:\n"
    "  push %rbx\n"
    "  push %r14\n"
    "  mov %rsp, caller_rsp(%rip)\n"
    "  lea goroutine(%rip), %r14\n"
    "  lea -4096(%rsp), %rax\n"
    "  mov %rax, (%r14)\n"
    "  lea 4096(%rsp), %rax\n"
    "  mov %rax, 8(%r14)\n"
    "  lea 8192+other_stack(%rip), %rdi\n"
    "  sub %rsp, %rdi\n"
    "  call wander\n"
    "  mov finisher_rsp(%rip), %rsp\n"
    "  pop %r14\n"
    "  pop %rbx\n"
    "  ret\n"
    ".size call_wander, . - call_wander\n"
    ".type leave_wander, @function\n"
    "leave_wander:\n"
    "  mov caller_rsp(%rip), %rsp\n"
    "  pop %r14\n"
    "  pop %rbx\n"
    "  ret\n"
    ".size leave_wander, . - leave_wander\n"
    ".type come_back, @function\n"
    "come_back:\n"
    "  push %rbx\n"
    "  push %r14\n"
    "  mov %rsp, finisher_rsp(%rip)\n"
    "  lea goroutine(%rip), %r14\n"
    "  mov moved_rsp(%rip), %rsp\n"
    "  jmp wander_ret\n"
    ".size come_back, . - come_back\n"
    ".popsection\n");

static volatile int has_moved;

static void* runtime(void* unused) {
  while (!is_over) {
    if (has_moved) {
      come_back();
      has_moved = 0;
    }
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
  long sum = 0, leaves = 0, grown = 0, wandered = 0;
  for (int i = 0; i < 90; i++) grown += call_grow(i % 3 == 0 ? ~0ul : 0);
  for (int i = 0; i < kCalls; i++, leaves++) sum += call_leaf(i, 2);
  for (; wandered < 50; wandered++) {
    call_wander();
    has_moved = 1;
    while (has_moved) {
    }
  }
  is_over = 1;
  pthread_join(thread, NULL);
  printf("leaf %ld\ngrow %ld\nwander %ld\nwrong: %ld\nsum: %ld\n", leaves, grown, wandered, wrong, sum);
  return wrong == 0 && grown == 90 && sum == 3L * kCalls * (kCalls - 1) / 2 + 2 * kCalls ? 7 : 1;
}
