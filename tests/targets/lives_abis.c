// Calls of three ABIs from one thread, and calls that are restarted.
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long int80(long number, long first, long second) {
  long result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"(number), "b"(first), "c"(second)
                   : "memory", "r8", "r9", "r10", "r11");
  return result;
}

enum { X32_BIT = 0x40000000 };

static void caught(int number) { (void)number; }

static void restarted(int flags) {
  struct sigaction action = {.sa_handler = caught, .sa_flags = flags};
  sigaction(SIGUSR1, &action, NULL);
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    struct timespec time = {0, 20000000};
    nanosleep(&time, NULL);
    kill(parent, SIGUSR1);
    nanosleep(&time, NULL);
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  waitpid(pid, NULL, 0);
}

int main(void) {
  int80(20, 0, 0);  // getpid
  syscall(SYS_getppid);
  int80(6, 77, 0);  // close
  int80(199, 0, 0); // getuid32
  syscall(X32_BIT | SYS_getppid);
  syscall(X32_BIT | 520, 0L, 0L, 0L);  // execve of x32
  syscall(SYS_getppid);
  syscall(999L, 1L, 2L, 3L);
  syscall(-1L);
  restarted(0);
  restarted(SA_RESTART);
  return 0;
}
