// Instructions that processors of AMD (XOP) and of VIA (PadLock) alone have: executed, or seen to fault where they are.
// Prints how often each of its functions has been gone through.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { kTurns = 5 };

// Each instruction has a label and a label behind it.
__asm__(
    ".text\n"
    ".globl foreign\n.type foreign,@function\n"
    "foreign:\n"
    "  mov $1,%eax\n"
    "rotate:  .byte 0x8f,0xe8,0x78,0xc2,0xc1,0x05\n"  // vprotd $5,%xmm1,%xmm0
    "rotated: inc %eax\n"
    "store:   .byte 0x0f,0xa7,0xc0\n"  // xstore
    "stored:  inc %eax\n"
    "  ret\n"
    ".size foreign,.-foreign\n"
    ".globl foreign_by_ip\n.type foreign_by_ip,@function\n"
    "foreign_by_ip:\n"
    "  mov $1,%eax\n"
    "load:    .byte 0x8f,0xe8,0x78,0xc3,0x05\n"  // vprotq $5,cell(%rip),%xmm0
    "  .long cell-loaded\n  .byte 5\n"
    "loaded:  inc %eax\n"
    "  ret\n"
    ".size foreign_by_ip,.-foreign_by_ip\n"
    ".data\n.balign 16\ncell: .quad 1,2\n.text\n");

int foreign(void* room);
int foreign_by_ip(void);
extern const char rotate[], rotated[], store[], stored[], load[], loaded[];

static void go_on_behind(int signal, siginfo_t* info, void* context) {
  (void)signal;
  greg_t* ip = &((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
  const char* at = (const char*)*ip;
  const char* behind = at == rotate ? rotated : at == store ? stored : at == load ? loaded : NULL;
  if (!behind || info->si_addr != at) {
    printf("a fault at %p, not at an instruction\n", (void*)at);
    exit(3);
  }
  *ip = (greg_t)behind;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = go_on_behind, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &action, NULL);
  char room[64];
  int all = 0, by_ip = 0;
  for (int i = 0; i < kTurns; i++) {
    // VIA's instructions count in %rax.
    all += foreign(room) >= 2;
    by_ip += foreign_by_ip() == 2;
  }
  printf("foreign %d\nforeign_by_ip %d\n", all, by_ip);
  return 0;
}
