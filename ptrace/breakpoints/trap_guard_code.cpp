#include "ptrace/breakpoints/trap_guard_code.hpp"

#include "ptrace/breakpoints/slots.hpp"

namespace strut {

static_assert(kSlotAreaBytes == 0x10000 && sizeof(TrapGuardData::slot_areas) == 64);
static_assert(offsetof(TrapGuardData, slot_areas) == 8 && offsetof(TrapGuardData, action) == 72);
static_assert(offsetof(TrapGuardData, is_restored) == 104 && kOwnTrap == 0x0cc0cc0c);
static_assert(kBreakpointMark == 0x57a7c0de && kPerfDataPlace + 4 == 28);
static_assert(offsetof(CallFrame, blocked) == 32 && kRedZoneBytes == 128);

// Offsets in ucontext_t (sys/ucontext.h): 168 REG_RIP, 176 REG_EFL; in siginfo_t: 4 si_errno, 8 si_code. Calls by
// number: 13 rt_sigaction, 14 rt_sigprocmask, 15 rt_sigreturn, 35 nanosleep, 39 getpid, 186 gettid, 234 tgkill.
asm(R"(
  .pushsection .rodata
  .balign 16
  .globl strut_trap_guard, strut_trap_guard_restorer, strut_trap_guard_call, strut_trap_guard_data, strut_trap_guard_end
strut_trap_guard:
  # SIGTRAP of a thread whose tracer is dead: %rsi its siginfo, %rdx its context.
  mov 168(%rdx), %rcx
  cmpl $0x80, 8(%rsi)                  # SI_KERNEL: an int3
  jne .Lno_int3
  testl $0x10000, 176(%rdx)            # kResumeFlag: the tracer has moved it on
  jnz .Lback
  lea strut_trap_guard_data+8(%rip), %r8
  mov $8, %r9d
.Larea:
  mov %rcx, %rax
  sub (%r8), %rax
  cmp $0x10000, %rax                   # it has been sent to an out-of-line instruction
  jb .Lback
  add $8, %r8
  dec %r9d
  jnz .Larea
.Llook:
  mov strut_trap_guard_data+104(%rip), %rax
  cmpb $0xcc, -1(%rcx)
  je .Lthere
  dec %rcx                             # a breakpoint that has been taken out: run the instruction
  mov %rcx, 168(%rdx)
.Lback:
  ret
.Lthere:
  test %rax, %rax                      # all that were not the program's are taken out
  jnz .Lown
  cmpl $0x0cc0cc0c, 4(%rsi)            # kOwnTrap
  je .Lmarked
  cmp $4000, %r9d                      # two seconds at least: without a guardian nothing restores them
  jae .Lown
  inc %r9d
  mov %rsi, %r8
  push $500000
  push $0
  mov %rsp, %rdi
  xor %esi, %esi
  mov $35, %eax
  syscall
  add $16, %rsp
  mov %r8, %rsi
  mov $5, %edi
  mov 168(%rdx), %rcx
  jmp .Llook
.Lmarked:
  movl $0, 4(%rsi)
  jmp .Lown
.Lno_int3:
  cmpl $6, 8(%rsi)                     # TRAP_PERF, of a breakpoint of memory
  jne .Lno_hit
  cmpl $0x57a7c0de, 28(%rsi)           # kBreakpointMark
  je .Lback
.Lno_hit:
  cmpl $2, 8(%rsi)                     # TRAP_TRACE, and the program itself does not step:
  jne .Lown
  testl $0x100, 176(%rdx)              # the tracer's last step
  jz .Lback
.Lown:
  mov strut_trap_guard_data(%rip), %rax
  cmp $1, %rax
  ja .Lhandler
  jb .Ldefault
  cmpl $0, 8(%rsi)                     # ignored: but what an instruction raises cannot be
  jle .Lback
.Ldefault:
  mov %rsi, %r8
  mov %rdx, %r9
  sub $40, %rsp                        # an action of zeros: SIG_DFL
  xor %eax, %eax
  mov %rax, (%rsp)
  mov %rax, 8(%rsp)
  mov %rax, 16(%rsp)
  mov %rax, 24(%rsp)
  mov %rsp, %rsi
  mov $5, %edi
  xor %edx, %edx
  mov $8, %r10d
  mov $13, %eax
  syscall
  add $40, %rsp
  cmpl $0x80, 8(%r8)
  jne .Lagain
  decq 168(%r9)                        # the int3 raises it once more
  ret
.Lagain:
  mov $39, %eax
  syscall
  mov %eax, %edi
  mov $186, %eax
  syscall
  mov %eax, %esi
  mov $5, %edx
  mov $234, %eax
  syscall                              # blocked here: delivered on the way back
  ret
.Lhandler:
  jmp *%rax
strut_trap_guard_restorer:
  mov $15, %eax
  syscall
strut_trap_guard_call:
  syscall
  # The tracer takes the thread over here, unless it is dead: back to what is in the CallFrame at %rsp.
  lea 32(%rsp), %rsi
  mov $2, %edi                         # SIG_SETMASK
  xor %edx, %edx
  mov $8, %r10d
  mov $14, %eax
  syscall
  lea 40(%rsp), %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  pop %r11
  pop %r10
  pop %r9
  pop %r8
  pop %rax
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  popfq
  ret $128
  .balign 8
strut_trap_guard_data:
  .fill 14, 8, 0
strut_trap_guard_end:
  .popsection
)");

extern "C" {
extern const std::byte strut_trap_guard[], strut_trap_guard_restorer[], strut_trap_guard_call[],
    strut_trap_guard_data[], strut_trap_guard_end[];
}

std::span<const std::byte> trap_guard_code() { return {strut_trap_guard, strut_trap_guard_end}; }

TrapGuardPlaces trap_guard_places() {
  auto place_of = [](const std::byte* part) { return static_cast<size_t>(part - strut_trap_guard); };
  static_assert(sizeof(TrapGuardData) == 14 * 8);
  return {0, place_of(strut_trap_guard_restorer), place_of(strut_trap_guard_call), place_of(strut_trap_guard_data)};
}

}  // namespace strut
