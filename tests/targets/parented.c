// Calls getppid() once.
#include <unistd.h>

int main(void) {
  getppid();
  return 0;
}
