// Functions that call themselves, call back, jump to others and are left.
#include "called.h"

int deep(int levels) { return levels <= 1 ? 1 : 1 + deep(levels - 1); }

int twice(int (*function)(int), int argument) { return function(function(argument)); }

int tail_of(int argument) { return argument * 2; }

int tail(int argument) { return tail_of(argument + 1); }

int escape(void (*leave)(void)) {
  leave();
  return 1;
}
