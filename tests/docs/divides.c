// A program of the documents' examples: divides by zero, and handles the signal.
#include <signal.h>
#include <unistd.h>

static volatile int zero;

static void handle(int number) { _exit(number); }

int main(void) {
  signal(SIGFPE, handle);
  return 100 / zero;
}
