// Time of an exec of /bin/true and of a fork with an exit, in turn; prints the medians in nanoseconds: of the time that
// passes for an exec and for a fork, and of the CPU time of both processes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

struct cost {
  uint64_t *passed, *cpu;
};

static void one(int executes, struct cost costs, int i) {
  uint64_t began = now_ns(CLOCK_MONOTONIC), cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  pid_t child = executes ? vfork() : fork();
  if (child == 0) {
    if (executes) execl("/bin/true", "true", (char*)0);
    _exit(0);
  }
  struct rusage usage;  // the sum is exact, even of short runs
  wait4(child, 0, 0, &usage);
  costs.passed[i] = now_ns(CLOCK_MONOTONIC) - began;
  costs.cpu[i] = now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu + 1000ull * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static struct cost costs_of(int rounds) {
  return (struct cost){calloc(rounds, sizeof(uint64_t)), calloc(rounds, sizeof(uint64_t))};
}

static uint64_t median(uint64_t* values, int count) {
  qsort(values, count, sizeof *values, ascending);
  return values[count / 2];
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 200;
  struct cost execs = costs_of(rounds), forks = costs_of(rounds);
  for (int i = 0; i < rounds; i++) {
    one(1, execs, i);
    one(0, forks, i);
  }
  uint64_t* all[] = {execs.passed, forks.passed, execs.cpu, forks.cpu};
  for (int i = 0; i < 4; i++) printf("%llu%s", (unsigned long long)median(all[i], rounds), i < 3 ? " " : "\n");
  return 0;
}
