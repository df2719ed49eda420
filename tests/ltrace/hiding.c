// A function with a name that strip(1) keeps, and one with a name that it removes; in a program, or in a library and
// its user.
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
