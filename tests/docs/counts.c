// A program of the documents' examples: two threads count under a mutex, words are copied, and one copy is not freed.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) long sum_of(const char *text) {
  long sum = 0;
  for (; *text; text++) sum += *text;
  return sum;
}

__attribute__((noinline)) char *copy_of(const char *text) { return strcpy(malloc(strlen(text) + 1), text); }

__attribute__((noinline)) void *count(void *number) {
  for (int i = 0; i < 50; i++) {
    pthread_mutex_lock(&lock);
    ++*(long *)number;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  long number = 0, sum = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, &number);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 3; i++) {
    char *copy = copy_of("some text");
    sum += sum_of(copy);
    if (i > 0) free(copy);
  }
  return number != 100 || sum == 0;
}
