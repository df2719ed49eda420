// Works for about argv[2] ms (120) from the seed argv[1]: calls, files, memory, signals and a thread, with all results
// in a checksum. Prints "ready", then the checksum.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t sum;
static volatile sig_atomic_t handled;

static void mix(uint64_t value) { sum = (sum ^ value) * 0x9e3779b97f4a7c15u + 0x7f4a7c15; }

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void handle(int number) { handled += number; }

static void* other_thread(void* ends) {
  uint8_t byte;
  while (read(((int*)ends)[0], &byte, 1) == 1 && byte != 255) {
    byte = byte * 7 + 1;
    if (write(((int*)ends)[3], &byte, 1) != 1) break;
  }
  return NULL;
}

static void round_of_work(int ends[4], int file) {
  char text[64], back[64];
  int length = snprintf(text, sizeof text, "%016llx", (unsigned long long)sum);
  if (pwrite(file, text, length, 0) != length || pread(file, back, length, 0) != length) mix(1);
  mix(memcmp(text, back, length) == 0);
  uint8_t byte = sum % 250;
  if (write(ends[1], &byte, 1) != 1 || read(ends[2], &byte, 1) != 1) mix(2);
  mix(byte);
  char* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(page, byte, 4096);
  mix(page[sum % 4096]);
  mix(munmap(page, 4096));
  mix(syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1));
  mix(handled);
  mix(lseek(ends[0], 0, SEEK_SET) == -1);
}

int main(int argc, char** argv) {
  sum = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  int rounds = argc > 2 ? atoi(argv[2]) : 120, ends[4];
  char name[] = "/tmp/strut-checksum-XXXXXX";
  int file = mkstemp(name);
  unlink(name);
  pthread_t thread;
  if (file < 0 || pipe(ends) || pipe(ends + 2)) return 2;
  signal(SIGUSR1, handle);
  if (pthread_create(&thread, NULL, other_thread, ends)) return 2;
  puts("ready");
  fflush(stdout);
  double start = milliseconds();
  for (int i = 0; i < rounds; i++) {
    for (int k = 0; k < 4; k++) round_of_work(ends, file);
    while (milliseconds() - start < i) {
    }
  }
  if (write(ends[1], "\377", 1) != 1) return 3;
  pthread_join(thread, NULL);
  printf("%016llx\n", (unsigned long long)sum);
  return 0;
}
