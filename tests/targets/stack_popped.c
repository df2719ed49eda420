// Runs in a function whose caller's frame is found by %rbx, which is saved by turns below the stack pointer, as popped
// registers are, and in the register; in between the place has another value.
#include <stdio.h>

void by_rbx(void);

__asm__(
    ".globl by_rbx\n.type by_rbx,@function\nby_rbx:\n"
    ".cfi_startproc\n"
    "  push %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbx,-16\n"
    "  mov %rsp,%rbx\n.cfi_def_cfa %rbx,16\n"
    "  sub $256,%rsp\n"
    "  call popped\n"
    "  mov %rbx,%rsp\n.cfi_def_cfa %rsp,16\n"
    "  pop %rbx\n.cfi_adjust_cfa_offset -8\n"
    "  ret\n"
    ".cfi_endproc\n.size by_rbx,.-by_rbx\n"
    ".globl popped\n.type popped,@function\npopped:\n"
    ".cfi_startproc\n"
    "  mov %rbx,-8(%rsp)\n.cfi_offset %rbx,-16\n"
    "1: xor %ebx,%ebx\n"
    "  mov $3000,%ecx\n"
    "2: dec %ecx\n  jnz 2b\n"
    "  mov -8(%rsp),%rbx\n.cfi_same_value %rbx\n"
    "  movq $1,-8(%rsp)\n"
    "  mov $3000,%ecx\n"
    "3: dec %ecx\n  jnz 3b\n"
    "  mov %rbx,-8(%rsp)\n.cfi_offset %rbx,-16\n"
    "  jmp 1b\n"
    ".cfi_endproc\n.size popped,.-popped\n");

int main(void) {
  puts("ready");
  fflush(stdout);
  by_rbx();
  return 0;
}
