// Counts its own calls of library functions, by the ways that programs make them, and prints the counts at the end. The
// library of tests/ltrace/called.c counts its own calls.
#include <setjmp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pthread.h>
#include <sys/wait.h>
#include <dlfcn.h>

#include "called.h"

extern char** environ;

// <ctype.h> would have it inline.
int toupper(int);

#define COUNTED(X) \
  X(malloc) X(free) X(strlen) X(memcpy) X(memmove) X(getpid) X(qsort) X(strcmp) X(toupper) X(abs) X(getppid) \
  X(deep) X(twice) X(tail) X(escape) X(opened)

#define COUNTER(name) static _Atomic long count_##name;
COUNTED(COUNTER)
#define CALL(name, ...) (count_##name++, name(__VA_ARGS__))

static volatile long sink;

static int by_text(const void* a, const void* b) { return CALL(strcmp, *(char* const*)a, *(char* const*)b); }

static int upper(int c) { return CALL(toupper, c); }

// Left by jumps: `jmp getppid`, if the compiler can.
__attribute__((noinline)) static int left_by_jump(void) {
  count_getppid++;
  return getppid();
}

static int (*volatile by_pointer)(int) = abs;

static void plain(int turns) {
  char text[64] = "some text", copy[64];
  for (int i = 0; i < turns; i++) {
    char* p = CALL(malloc, 10 + (size_t)i);
    sink += (long)CALL(strlen, text + i % 9);
    CALL(memcpy, copy, text, (size_t)(i % 60));
    CALL(memmove, copy + 1, copy, (size_t)(i % 60));
    sink += CALL(getpid) > 0;
    sink += left_by_jump();
    count_abs++;
    sink += by_pointer(-i);
    CALL(free, p);
  }
  char* words[] = {"pear", "apple", "fig", "date", "cherry"};
  CALL(qsort, words, 5, sizeof *words, by_text);
  sink += (long)words[0];
}

static jmp_buf jump_back;
static void leave(void) { longjmp(jump_back, 1); }

static void through_library(void) {
  sink += CALL(deep, 101);
  sink += CALL(twice, upper, 'a');
  sink += CALL(tail, 5);
  for (int i = 0; i < 3; i++)
    if (setjmp(jump_back) == 0) CALL(escape, leave);
}

static void* in_thread(void* turns) {
  plain((int)(long)turns);
  return NULL;
}

static void in_threads(int turns) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, in_thread, (void*)(long)turns);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static void in_opened(const char* path, int turns) {
  for (int i = 0; i < turns; i++) {
    void* library = dlopen(path, RTLD_NOW);
    if (!library) exit(3);
    int (*opened)(int) = (int (*)(int))dlsym(library, "opened");
    sink += CALL(opened, i);
    dlclose(library);
  }
}

static void say(void) {
  fflush(stdout);
#define SAY(name) if (count_##name) dprintf(1, "%s %ld\n", #name, count_##name);
  COUNTED(SAY)
}

static void forget(void) {
#define FORGET(name) count_##name = 0;
  COUNTED(FORGET)
}

static void in_forks(int turns, char** argv, int executes) {
  plain(turns);
  pid_t child = fork();
  if (child == 0) forget();
  plain(turns);
  if (child == 0) {
    say();
    if (executes) execv(argv[0], (char*[]){argv[0], "plain", argv[2], NULL});
    _exit(4);
  }
  waitpid(child, NULL, 0);
}

static void* turns_of_a_thread(void* turns) {
  plain(*(int*)turns);
  return NULL;
}

// Processes made in every way, of which each counts for itself.
static void in_spawns(int turns, char** argv) {
  pid_t child;
  char* again[] = {argv[0], "plain", argv[2], NULL};
  if (posix_spawn(&child, argv[0], NULL, NULL, again, environ) == 0) waitpid(child, NULL, 0);
  child = vfork();
  if (child == 0) {
    execv(argv[0], again);
    _exit(9);
  }
  waitpid(child, NULL, 0);
  char line[4096];
  snprintf(line, sizeof line, "%s plain %s; %s plain %s; :", argv[0], argv[2], argv[0], argv[2]);
  sink += system(line);
  pthread_t threads[2];
  for (size_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, turns_of_a_thread, &turns);
  for (int i = 0; i < 3; i++) {
    child = fork();
    if (child == 0) {
      forget();
      plain(turns);
      say();
      _exit(4);
    }
    waitpid(child, NULL, 0);
  }
  for (size_t i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "plain";
  int turns = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 50;
  switch (mode[0]) {  // functions that are counted are called nowhere else
    case 'p': plain(turns); break;
    case 'l': through_library(); break;
    case 't': in_threads(turns); break;
    case 'o': in_opened(argv[3], turns); break;
    case 's': in_spawns(turns, argv); break;
    case 'f': in_forks(turns, argv, argc > 3); break;
    default: return 2;
  }
  say();
  return 7;
}
