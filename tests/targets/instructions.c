/* Three functions with instructions of every class, which tests/dtrace/instr counts: the same work in each run, without
 * a call into a library. */
static volatile int sink, seven = 7;

__attribute__((noinline)) static int twice(int value) { return value * 2; }
__attribute__((noinline)) static int thrice(int value) { return value * 3; }
static int (*volatile chosen[])(int) = {twice, thrice};

/* Conditions of every kind, calls through memory, a table of jumps. */
__attribute__((noinline)) static long branches(long turns) {
  long sum = 0;
  for (long i = -turns; i < turns; i++) {
    if ((int)i > 3) sum += twice((int)i);
    if ((unsigned long)i < 5) sum += chosen[i & 1]((int)i);
    if (sum % seven == (i < 0 ? 3 : 5)) sum ^= i;
    switch (i & 7) {
      case 0: sum += 11; break;
      case 1: sum -= i; break;
      case 2: sum *= 3; break;
      case 3: sink += 1; break;
      case 4: sum = (sum | 5) * seven; break;
      case 5: sum = -sum; break;
      default: sum -= 2;
    }
    sum += sum > 100 ? i : -i;
    __asm__ volatile("" : "+r"(sum));
  }
  return sum;
}

/* Instructions that count in rcx, and such as repeat others. */
__attribute__((noinline)) static long counted(char *room, long bytes) {
  long count = bytes, left = 0;
  char *to = room, *from = room + 64;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
  count = 4;
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(0x0101010101010101) : "memory");
  to = room, count = 32;
  __asm__ volatile("repne scasb" : "+D"(to), "+c"(count) : "a"(1) : "cc");
  left += count;
  /* Each found byte is overwritten, and the rest is scanned by the same instruction. */
  to = room, count = 32;
  while (count > 0)
    __asm__ volatile("repne scasb\n movb $9, -1(%0)\n inc %2"
                     : "+D"(to), "+c"(count), "+r"(left)
                     : "a"(1)
                     : "cc", "memory");
  to = room, from = room + 1, count = 30;
  __asm__ volatile("repe cmpsb" : "+D"(to), "+S"(from), "+c"(count) : : "cc");
  left += count;
  to = room, count = 5;
  __asm__ volatile("repne scasw" : "+D"(to), "+c"(count) : "a"(0x10909) : "cc");
  left += count;
  from = room + 64;
  count = 0;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
  __asm__ volatile("lodsb" : "+S"(from) : : "eax");
  count = bytes;
  __asm__ volatile("1: inc %1\n loop 1b\n" : "+c"(count), "+r"(left));
  count = 5;
  __asm__ volatile("1: cmp $3, %0\n loopne 1b\n" : "+c"(count) : : "cc");
  left += count;
  count = 5;
  __asm__ volatile("1: test $1, %%dl\n loope 1b\n" : "+c"(count) : "d"(0) : "cc");
  left += count;
  for (count = 2; count >= 0; count--)
    __asm__ volatile("jrcxz 1f\n inc %0\n 1: addr32 jrcxz 2f\n inc %0\n 2:" : "+r"(left) : "c"(count));
  return left;
}

/* Locks, exchanges, moves by conditions, nops, vectors, a system call. */
__attribute__((noinline)) static long others(long turns) {
  long word = 1, other = 5, pid = 0;
  double sum = 0;
  for (long i = 0; i < turns; i++) {
    __atomic_fetch_add(&word, i, __ATOMIC_SEQ_CST);
    __atomic_exchange_n(&other, word, __ATOMIC_SEQ_CST);
    long expected = i == 2 ? other : 0;
    __atomic_compare_exchange_n(&other, &expected, i, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __asm__ volatile("lock orl $0, %0" : "+m"(word) : : "cc");
    __asm__ volatile("test $1, %1\n cmovne %1, %0\n sete %%al" : "+r"(other) : "r"(i) : "eax", "cc");
    __asm__ volatile("nop\n nopw 0(%rax,%rax)\n .byte 0x0f, 0x1f, 0x44, 0, 0\n pause\n mfence");
    __asm__ volatile("xchg %0, %1" : "+r"(word), "+r"(expected));
    __builtin_prefetch(&word);
    sum += (double)i / 3;
    __asm__ volatile("fld1\n fstp %st(0)");
  }
  __asm__ volatile("syscall" : "=a"(pid) : "0"(39) : "rcx", "r11", "memory"); /* getpid */
  return word + other + (long)sum + (pid < 0);
}

__attribute__((noinline)) void work(void) {
  char room[256] = {0};
  sink += (int)branches(12);
  sink += (int)counted(room, 20);
  sink += (int)others(6);
  __asm__ volatile("" : : "r"(room) : "memory");
}

int main(void) {
  work();
  return 0;
}
