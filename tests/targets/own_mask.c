// Makes calls until its standard input ends, or argv[1] rounds of them, and looks at its CPUs in every way: by call, in
// /proc, of its other thread, in its children. Prints "ready", then the number of looks, and of those that saw other
// CPUs than at its beginning. Changes its CPUs itself in between if argv[2] is "change".
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMaskBytes = 1024, kWays = 10 };
typedef struct {
  char bits[kMaskBytes];
} Mask;

static Mask mine;
static int status_file, other_status_file;
static pid_t other_tid;
static long looks, wrong;
static volatile int ending;

static Mask mask_of(pid_t tid) {
  Mask mask = {{0}};
  if (syscall(SYS_sched_getaffinity, tid, sizeof mask, &mask) < 0) abort();
  return mask;
}

static void judge(int right) {
  looks++;
  wrong += !right;
}

static void judge_mask(Mask mask) { judge(!memcmp(&mask, &mine, sizeof mask)); }

// "Cpus_allowed:\tff,ffffffff": groups of 32 CPUs, the highest first.
static void judge_status(const char* text, ssize_t length) {
  char copy[8192];
  if (length <= 0 || length >= (ssize_t)sizeof copy) abort();
  memcpy(copy, text, length);
  copy[length] = 0;
  char* line = strstr(copy, "Cpus_allowed:\t");
  char* end = line ? strchr(line, '\n') : NULL;
  if (!end) abort();
  *end = 0;
  Mask mask = {{0}};
  for (int group = 0;; group++) {
    char* comma = strrchr(line, ',');
    unsigned bits = strtoul(comma ? comma + 1 : strchr(line, '\t') + 1, NULL, 16);
    memcpy(mask.bits + 4 * group, &bits, 4);
    if (!comma) break;
    *comma = 0;
  }
  judge_mask(mask);
}

static void* other_thread(void* unused) {
  other_tid = syscall(SYS_gettid);
  char name[64];
  snprintf(name, sizeof name, "/proc/self/task/%d/status", (int)other_tid);
  other_status_file = open(name, O_RDONLY);
  while (!ending) poll(NULL, 0, 20);
  return unused;
}

static void* short_thread(void* mask) {
  *(Mask*)mask = mask_of(0);
  return NULL;
}

static void look(int way) {
  char text[8192];
  struct iovec parts[2] = {{text, 100}, {text + 100, sizeof text - 100}};
  Mask mask;
  pthread_t thread;
  int status;
  pid_t child;
  switch (way % kWays) {
    case 0: return judge_mask(mask_of(0));
    case 1: return judge_mask(mask_of(other_tid));
    case 2: return judge_status(text, pread(status_file, text, sizeof text, 0));
    case 3: return judge_status(text, pread(other_status_file, text, sizeof text, 0));
    case 4: return judge_status(text, preadv(status_file, parts, 2, 0));
    case 5:
      lseek(status_file, 0, SEEK_SET);
      return judge_status(text, read(status_file, text, sizeof text));
    case 6:
      lseek(status_file, 0, SEEK_SET);
      return judge_status(text, readv(status_file, parts, 2));
    case 7:
      if (pthread_create(&thread, NULL, short_thread, &mask) || pthread_join(thread, NULL)) abort();
      return judge_mask(mask);
    case 8:
      child = fork();
      if (child == 0) {
        Mask inherited = mask_of(0);
        _exit(memcmp(&inherited, &mine, sizeof mine) != 0);
      }
      if (waitpid(child, &status, 0) != child) abort();
      return judge(status == 0);
    case 9:
      child = vfork();
      if (child == 0) {
        execl("/bin/true", "true", NULL);
        _exit(1);
      }
      if (waitpid(child, &status, 0) != child) abort();
      return judge(status == 0);
  }
}

static void change_mask(int round) {
  Mask wanted = {{0}};
  int cpu = round % 2;
  wanted.bits[0] = 1 << cpu;
  if (cpu) memcpy(&wanted, &mine, sizeof wanted);
  if (syscall(SYS_sched_setaffinity, 0, sizeof wanted, &wanted)) return;
  Mask now = mask_of(0);
  judge(!memcmp(&now, &wanted, sizeof now));
  if (syscall(SYS_sched_setaffinity, 0, sizeof mine, &mine)) abort();
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 0, changes = argc > 2 && !strcmp(argv[2], "change");
  mine = mask_of(0);
  status_file = open("/proc/self/status", O_RDONLY);
  pthread_t thread;
  if (status_file < 0 || pthread_create(&thread, NULL, other_thread, NULL)) return 2;
  while (!*(volatile pid_t*)&other_tid || !*(volatile int*)&other_status_file) poll(NULL, 0, 1);
  puts("ready");
  fflush(stdout);
  for (int round = 0; !rounds || round < rounds; round++) {
    struct pollfd input = {0, POLLIN, 0};
    if (!rounds && poll(&input, 1, 0)) break;
    for (int i = 0; i < 40; i++) syscall(SYS_getppid);
    look(round);
    if (changes && round % 7 == 0) change_mask(round);
  }
  ending = 1;
  pthread_join(thread, NULL);
  judge_mask(mask_of(0));
  printf("%ld looks, %ld wrong\n", looks, wrong);
  return 0;
}
