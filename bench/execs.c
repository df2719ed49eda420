// What an exec of /bin/true and a fork with an exit take, in turn; prints the medians in nanoseconds.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t one(int executes)
{
	uint64_t began = now_ns();
	pid_t child = executes ? vfork() : fork();
	if (child == 0) {
		if (executes)
			execl("/bin/true", "true", (char *)0);
		_exit(0);
	}
	waitpid(child, 0, 0);
	return now_ns() - began;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 200;
	uint64_t *execs = calloc(rounds, sizeof *execs), *forks = calloc(rounds, sizeof *forks);
	for (int i = 0; i < rounds; i++) {
		execs[i] = one(1);
		forks[i] = one(0);
	}
	qsort(execs, rounds, sizeof *execs, ascending);
	qsort(forks, rounds, sizeof *forks, ascending);
	printf("%llu %llu\n", (unsigned long long)execs[rounds / 2], (unsigned long long)forks[rounds / 2]);
	return 0;
}
