/* Calls functions that are chosen at run time (IFUNC): one choice is exported under its own name, one has none. */
#include <stdio.h>

int by_name(int), by_none(int), in_library(int);

#ifdef LIBRARY
int choice(int number) { return number + 1; }
static int hidden(int number) { return number + 2; }
static int (*choose(void))(int) { return choice; }
static int (*choose_hidden(void))(int) { return hidden; }
int by_name(int) __attribute__((ifunc("choose")));
int by_none(int) __attribute__((ifunc("choose_hidden")));
int in_library(int number) { return by_name(number) + by_none(number); }
#else
enum { CALLS = 3 };

int main(void) {
  int sum = 0;
  for (volatile int i = 0; i < CALLS; i++) sum += by_name(i) + by_none(i) + in_library(i);
  printf("by_name %d\nby_none %d\nfrom_library %d\n", CALLS, CALLS, CALLS);
  return sum == 0;
}
#endif
