// A program that signals interrupt all the time, wherever they arrive: half of its calls are left by siglongjmp(3) from
// the handler. Counts how often its functions were entered and returned, by where each signal found it: a call has
// begun when its first instruction is done. Prints "NAME entered ENTRIES returned RETURNS".
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <ucontext.h>

enum { kTurns = 3000 };

static pthread_t first;
static atomic_int is_over, is_taken;
static sigjmp_buf back;
volatile int may_jump;
static long before, inside, behind, handled;

// Functions that begin with an instruction that a tracer emulates (push), and with one that it does not (movaps); each
// runs on for a while, and reads its return address, so that no tracer replaces it: a signal can come after the ret,
// before the kernel sees it.
extern char pushes[], pushes_end[], moves[], moves_end[];
// Call one of them; a handler may jump while may_jump says so.
void call_pushes(void), call_moves(void);
extern char after_pushes[], after_moves[];

#define FUNCTION(name, first, last)              \
  ".globl " #name "\n.type " #name ", @function\n" \
  #name ":\n  " first "\n"                         \
  "  mov (%rsp), %rax\n  mov $20, %ecx\n1: dec %ecx\n  jnz 1b\n"       \
  "  " last "\n  ret\n"                            \
  ".globl " #name "_end\n" #name "_end:\n"         \
  ".size " #name ", . - " #name "\n"               \
  "call_" #name ":\n  movl $1, may_jump(%rip)\n"   \
  "  call " #name "\n"                             \
  "after_" #name ":\n  movl $0, may_jump(%rip)\n  ret\n"
__asm__(".text\n" FUNCTION(pushes, "push %rbp", "pop %rbp") FUNCTION(moves, "movaps %xmm0, %xmm1", "nop"));

static int is_in(unsigned long ip, const char* from, const char* to) {
  return ip > (unsigned long)from && ip < (unsigned long)to;
}

__attribute__((noinline)) void in_handler(void) { handled++; }

static void handler(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info;
  unsigned long ip = (unsigned long)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
  in_handler();
  is_taken = 1;
  if (!may_jump || handled % 2 == 0) return;
  may_jump = 0;
  if (is_in(ip, pushes, pushes_end) || is_in(ip, moves, moves_end)) inside++;
  else if (ip == (unsigned long)pushes || is_in(ip, pushes_end, after_pushes)) before++;
  else if (ip == (unsigned long)moves || is_in(ip, moves_end, after_moves)) before++;
  else behind++;
  siglongjmp(back, 1);
}

// Sends one as soon as a call is about to be made: where a tracer stops that at its first instruction, it has come when
// that is to be run.
static void* storm(void* unused) {
  while (!is_over) {
    if (!may_jump) continue;
    is_taken = 0;
    if (pthread_kill(first, SIGUSR1) != 0) break;
    while (!is_taken && !is_over) {
    }
  }
  return unused;
}

// A frame that is never returned to has its stack pointer for itself.
__attribute__((noinline)) static void at_depth(int depth, void (*call)(void)) {
  char* room = __builtin_alloca(16 * (1 + depth));
  __asm__ volatile("" ::"r"(room) : "memory");
  call();
}

static void interrupted(const char* name, void (*call)(void)) {
  static volatile long done;
  before = inside = behind = done = 0;
  for (volatile int i = 0; i < kTurns; i++) {
    if (sigsetjmp(back, 1) != 0) continue;
    at_depth(i % 64, call);
    done++;
  }
  printf("%s entered %ld returned %ld\n", name, kTurns - before, kTurns - before - inside);
  if (done + before + inside + behind != kTurns)
    printf("%s: %ld calls are not known\n", name, kTurns - done - before - inside - behind);
}

int main(void) {
  first = pthread_self();
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, storm, NULL) != 0) return 1;
  interrupted("pushes", call_pushes);
  interrupted("moves", call_moves);
  is_over = 1;
  pthread_join(thread, NULL);
  printf("in_handler entered %ld returned %ld\n", handled, handled);
  return 7;
}
