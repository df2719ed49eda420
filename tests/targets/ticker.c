/* Calls getppid every ten milliseconds until it is killed. */
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec pause = {0, 10 * 1000 * 1000};
  for (;;) {
    getppid();
    nanosleep(&pause, 0);
  }
}
