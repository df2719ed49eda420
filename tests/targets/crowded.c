// argv[1] threads at a time call strlen(3), argv[2] times each, with text on untouched pages, and in between change the
// protection of other pages: each waits for the lock of the process's mappings most of the time. Prints "strlen N".
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 64, PAGE = 4096, KEPT_BYTES = 8 << 20 };

static int times;
static char* kept;
static pthread_barrier_t all_are_there;

static char* mapped(size_t bytes) {
  char* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) exit(3);
  madvise(at, bytes, MADV_NOHUGEPAGE);
  return at;
}

static void* measure(void* unused) {
  size_t sum = 0;
  char* pages = mapped((size_t)times * PAGE);
  pthread_barrier_wait(&all_are_there);
  for (int i = 0; i < times; i++) {
    mprotect(kept, KEPT_BYTES, i & 1 ? PROT_READ | PROT_WRITE : PROT_READ);
    sum += strlen(pages + (size_t)i * PAGE);
  }
  return sum == 0 ? unused : NULL;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int threads = atoi(argv[1]);
  times = atoi(argv[2]);
  if (threads > MOST) return 2;
  memset(kept = mapped(KEPT_BYTES), 1, KEPT_BYTES);
  pthread_barrier_init(&all_are_there, NULL, (unsigned)threads);
  pthread_t made[MOST];
  for (int i = 0; i < threads; i++)
    if (pthread_create(&made[i], NULL, measure, NULL)) return 2;
  for (int i = 0; i < threads; i++) pthread_join(made[i], NULL);
  printf("strlen %d\n", threads * times);
  return 0;
}
