/* A library of functions that call each other through its PLT (-DLIBRARY), and a program that calls them, and looks
 * one of them up by its name (-DLOOKS_UP). */
#ifdef LIBRARY
int step(int number) { return number + 1; }
int pointed_to(int number) { return number + 2; }

int many(int times) {
  int number = 0;
  for (int i = 0; i < times; i++) number = step(number);
  return pointed_to(number);
}
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int step(int number);
int pointed_to(int number);
int many(int times);

__attribute__((noipa)) static int jumps(int number) { return step(number + 10); }

int main(void) {
  int (*volatile pointer)(int) = pointed_to;
  int sum = step(1) + step(2) + jumps(3) + pointer(4) + pointed_to(5) + many(100000);
#ifdef LOOKS_UP
  int (*looked_up)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "many");
  sum += looked_up(50);
  puts("many 1");
#endif
  printf("step 3\npointed_to 2\nmany 1\nsum %d\n", sum);
  return 7;
}
#endif
