// The library that tests/ltrace/counted.c calls.
int deep(int levels);
int twice(int (*function)(int), int argument);
int tail(int argument);
int tail_of(int argument);
int escape(void (*leave)(void));
