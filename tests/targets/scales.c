// argv[1] threads at a time call ldexp(3), which takes and returns floating-point numbers, argv[2] times each. Prints
// "ldexp N".
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static volatile double two = 2;
static int times;

static void* scale(void* unused) {
  double sum = 0;
  for (int i = 0; i < times; i++) sum += ldexp(two, 3);
  return sum > 0 ? unused : NULL;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int threads = atoi(argv[1]);
  times = atoi(argv[2]);
  if (threads > MOST) return 2;
  pthread_t made[MOST];
  for (int i = 0; i < threads; i++)
    if (pthread_create(&made[i], NULL, scale, NULL)) return 2;
  for (int i = 0; i < threads; i++) pthread_join(made[i], NULL);
  printf("ldexp %d\n", threads * times);
  return 0;
}
