// A function that strip(1) leaves a name, and one that it does not; in a program, or in a library and who uses that.
#include <string.h>

#ifndef USER
static __attribute__((noinline)) int hidden(int number) { return number * 3 + (int)strlen("four"); }

__attribute__((noinline)) int offered(int number) { return hidden(number); }
#else
int offered(int number);
#endif

#ifndef LIBRARY
int main(void) { return offered(1); }
#endif
