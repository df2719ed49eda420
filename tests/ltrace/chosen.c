/* Calls memcpy by name, and by a pointer from a library: an IFUNC of functions without names of their own. */
#include <stdio.h>
#include <string.h>

typedef void *(*copier)(void *, const void *, size_t);
copier hand_out(void);

#ifdef LIBRARY
copier hand_out(void) { return memcpy; }
#else
enum { BY_NAME = 5, BY_POINTER = 7 };
static char from[64], to[64];

int main(int count, char **words) {
  for (volatile int i = 0; i < BY_NAME; i++) memcpy(to, from, (size_t)count);
  copier pointer = hand_out();
  for (volatile int i = 0; i < BY_POINTER; i++) pointer(to, from, (size_t)count);
  printf("memcpy %d\n", BY_NAME + BY_POINTER);
  return 7;
}
#endif
