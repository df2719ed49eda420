// A program of the documents' examples: two threads take two mutexes in opposite order.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_hold;

__attribute__((noinline)) void take_second(pthread_mutex_t *mutex) {
  pthread_barrier_wait(&both_hold);
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static void *other(void *arg) {
  pthread_mutex_lock(&second);
  take_second(&first);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&both_hold, NULL, 2);
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&first);
  take_second(&second);
  return 0;
}
