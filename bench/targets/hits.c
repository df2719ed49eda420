// hits N: calls hot() N times and prints the nanoseconds that one call took. Its entry is an instruction that can be
// emulated (push).
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

volatile long sum;

__attribute__((noinline)) long hot(long n) {
  __asm__ volatile("" ::: "rbx");
  sum += n;
  return n + 1;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  long count = atol(argv[1]);
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (long i = 0; i < count; i++) hot(i);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%.2f\n", ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / count);
}
