// Arguments that a call changes: shown before and after.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/bpf.h>
#include <linux/elf.h>
#include <linux/ptrace.h>
#include <linux/sched/types.h>
#include <signal.h>
#include <stdint.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

// The kernel writes the size that it knows.
static void attributes(void) {
  struct {
    struct sched_attr known;
    char more[64];
  } attr = {{.size = sizeof attr}, {[63] = 1}};
  CALL(SYS_sched_setattr, 0, PUT(attr), 0);
  FAIL(SYS_sched_setattr, 0, PUT(attr), 0);
  attr.known.size = 0;
  OK(SYS_sched_setattr, 0, PUT(attr), 0);
}

static pid_t stopped_child(void) {
  pid_t child = golden_pid(fork());
  if (child == 0) {
    syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
    kill(getpid(), SIGSTOP);
    _exit(0);
  }
  waitpid(child, NULL, WUNTRACED);  // under -f it is not ours to trace
  return child;
}

// Registers of a stopped child, all 0: their length is shown as passed and as the kernel left it.
static void registers(pid_t child) {
  static struct user_regs_struct set;
  static const size_t kLengths[] = {sizeof set + 8, sizeof set, 8, 7};
  for (int i = 0; i < 4; i++) {
    struct iovec vector = {(void *)PUT(set), kLengths[i]};
    CALL(SYS_ptrace, PTRACE_SETREGSET, child, NT_PRSTATUS, PUT(vector));
  }
  struct iovec vector = {(void *)PUT(set), 8};
  CALL(SYS_ptrace, PTRACE_SETREGSET, child, 0x1122334455667788, PUT(vector));
  CALL(SYS_ptrace, PTRACE_GETREGSET, child, 0x1122334455667788, PUT(vector));
}

static void paths(void) {
  struct {
    uint64_t pathname;
    uint32_t bpf_fd, file_flags;
    int32_t path_fd;
  } pin = {TEXT("/sys/fs/bpf/none"), 3, 1 << 14, -100};
  OK(SYS_bpf, BPF_OBJ_PIN, PUT(pin), 20);
  pin.path_fd = 5;
  OK(SYS_bpf, BPF_OBJ_GET, PUT(pin), 20);
}

int main(void) {
  pid_t child = stopped_child();
  answer_begin();
  attributes();
  registers(child);
  paths();
  golden_end();
  kill(child, SIGKILL);
  return 0;
}
