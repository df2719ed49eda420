// Coroutines that take turns on stacks which lie in one mapping, side by side, or in one each, with and without a
// guard; counts its own calls. Some are left by longjmp(3) within their coroutine, and never return. Options: "heap"
// (default), "array", "guarded", "thread" (of the heap, run by a second thread), "short" (two of the array, gone within
// a millisecond). Prints "NAME entered ENTRIES returned RETURNS".
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { kCoroutines = 20, kStackBytes = 1 << 16, kGuardBytes = 1 << 12, kDepth = 7 };

static ucontext_t scheduler, contexts[kCoroutines];
static int count = kCoroutines, running, is_done[kCoroutines];
static long worked, yielded, came_back, sorted, tried, left;
static _Alignas(4096) char array[kCoroutines][kStackBytes];

__attribute__((noinline)) void yield(void) {
  yielded++;
  swapcontext(&contexts[running], &scheduler);
  came_back++;
}

// Returns from each depth in another turn than the one that it was called in.
__attribute__((noinline)) int work(int depth) {
  worked++;
  if (depth % 3 == 0) yield();
  int below = depth > 0 ? work(depth - 1) : 0;
  if (depth % 2 == 0) yield();
  return below + 1;
}

static int compare(const void* a, const void* b) {
  yield();
  return *(const int*)a - *(const int*)b;
}

__attribute__((noinline)) void escape(jmp_buf* to) {
  left++;
  longjmp(*to, 1);
}

__attribute__((noinline)) int try(int turn) {
  jmp_buf here;
  tried++;
  if (setjmp(here) == 0 && turn % 2 == 0) escape(&here);
  yield();
  return turn;
}

static void coroutine(int self) {
  int numbers[] = {5, 1, self, 3, 2, 9, 4};
  int sum = work(kDepth);
  sorted++;
  qsort(numbers, 7, sizeof *numbers, compare);
  for (int turn = 0; turn < 6; turn++) sum += try(turn);
  is_done[self] = sum == kDepth + 1 + 15 ? 1 : -1;
  for (;;) yield();
}

static char* stack_of(int which, const char* where) {
  if (strcmp(where, "array") == 0 || strcmp(where, "short") == 0) return array[which];
  if (strcmp(where, "guarded") != 0) return malloc(kStackBytes);
  char* all = mmap(NULL, kStackBytes + kGuardBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(all + kGuardBytes, kStackBytes, PROT_READ | PROT_WRITE);
  return all + kGuardBytes;
}

static void* schedule(void* where) {
  for (int i = 0; i < count; i++) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stack_of(i, where);
    contexts[i].uc_stack.ss_size = kStackBytes;
    makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
  }
  // Now upwards, now downwards.
  for (int left_over = count, turn = 0; left_over > 0; turn++)
    for (int i = left_over = 0; i < count; i++) {
      running = turn % 2 == 0 ? i : count - 1 - i;
      if (is_done[running] == 0) swapcontext(&scheduler, &contexts[running]);
      left_over += is_done[running] == 0;
    }
  return NULL;
}

int main(int argc, char** argv) {
  char* where = argc > 1 ? argv[1] : "heap";
  pthread_t thread;
  if (strcmp(where, "short") == 0) count = 2;
  if (strcmp(where, "thread") != 0) schedule(where);
  else if (pthread_create(&thread, NULL, schedule, where) != 0 || pthread_join(thread, NULL) != 0) return 1;
  int good = 0;
  for (int i = 0; i < count; i++) good += is_done[i] == 1;
  struct { const char* name; long entered, returned;
  } counts[] = {{"work", worked, worked},
                {"yield", yielded, came_back},
                {"qsort", sorted, sorted},
                {"try", tried, tried},
                {"escape", left, 0}};
  for (int i = 0; i < 5; i++)
    printf("%s entered %ld returned %ld\n", counts[i].name, counts[i].entered, counts[i].returned);
  return good == count ? 7 : 1;
}
