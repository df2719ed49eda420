// Processes: creating, executing, waiting for and limiting them; credentials, capabilities, prctl(2), namespaces.
// strut: golden: | -v | -X raw | -X verbose | -e raw=all | -e verbose=none | -N -e trace=%process,%creds,close | -Y
// strut: golden: -e inject=waitid:error=ECHILD:when=4 | -s 2 -v
// strut: mask: rusage=\{[^}]*\}|\{ru_utime[^}]*\}[^}]*\}[^}]*\}|[us]time=\d+|si_uid=\d+
// strut: also -m32
#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "golden_answer.h"

enum {
  CLONE3 = 435,
  PIDFD_OPEN = 434,
  PIDFD_GETFD = 438,
  EXECVEAT = sizeof(long) == 8 ? 322 : 358,
  KCMP = sizeof(long) == 8 ? 312 : 349
};

static void executing(void) {
  long path = TEXT("/nonexistent/program"), word = TEXT("a \"word\""), tab = TEXT("tab\t\377");
  long none = WORDS(long, 0), some = WORDS(long, path, word, tab, 0),
       far = (long)golden_at_end((long[]){word, tab}, 2 * sizeof(long));
  CALL(SYS_execve, path, some, none);
  CALL(SYS_execve, path, none, some);
  CALL(SYS_execve, path, 0, 0);
  CALL(SYS_execve, path, far, BAD);
  CALL(SYS_execve, BAD, some, some);
  CALL(SYS_execve, path, WORDS(long, word, BAD, tab, 0), none);
  long many[60] = {0};
  for (int i = 0; i < 40; i++) many[i] = word;
  CALL(SYS_execve, path, put(many, sizeof many), put(many, sizeof many));
  CALL(EXECVEAT, -100, path, some, none, 0x1000 | 0x100);
  CALL(EXECVEAT, 77, path, some, none, 7);
}

// A child that ends in a way of its choice; its own calls are not followed.
static int child(int how) {
  int pid = golden_pid(CALL(SYS_clone, SIGCHLD));
  if (pid != 0) return pid;
  if (how < 256) _exit(how);
  signal(how - 256, SIG_DFL);
  raise(how - 256);
  _exit(99);
}

// SIGCHLD is blocked: when it arrives is a matter of chance.
static void waiting(void) {
  CALL(SYS_rt_sigprocmask, SIG_BLOCK, WORDS(uint32_t, 1 << (SIGCHLD - 1), 0), 0, 8);
  long status = room(), usage = status + 64, info = status + 256;
  int pid = child(3);
  CALL(SYS_wait4, pid, status, 0, usage);
  CALL(SYS_wait4, child(256 + SIGTERM), status, WUNTRACED, 0);
  CALL(SYS_wait4, child(0), 0, __WALL, 0);
  pid = child(256 + SIGSTOP);
  CALL(SYS_wait4, pid, status, WUNTRACED, 0);
  CALL(SYS_wait4, pid, status, WNOHANG, usage);
  kill(pid, SIGKILL);
  CALL(SYS_waitid, P_PID, pid, info, WEXITED | WNOWAIT, 0);
  CALL(SYS_waitid, P_PID, pid, info, WEXITED, usage);
  CALL(SYS_waitid, P_PID, child(7), 0, WEXITED, 0);
  CALL(SYS_waitid, P_ALL, 0, info, WEXITED | WNOHANG, 0);
  CALL(SYS_waitid, 9, 7, BAD, 0x80 | WSTOPPED, BAD);
  CALL(SYS_wait4, -1, status, 0x10000000 | WCONTINUED, 0);
  CALL(SYS_wait4, -5, BAD, -1, BAD);
  for (int word = 0; word < 10; word++) {
    static const int words[] = {0, 0x7f, 0x137f, 0xffff, 0x8b, 0x0b00, 0x4057f, 0x857f, 0x1ff, 0x42};
    OK(SYS_wait4, 1, WORDS(int, words[word]), 0, 0);
  }
}

static void creating(void) {
  long tids = WORDS(int, 11, 12), set = WORDS(int, 1, 2, 3);
  for (int bit = 8; bit < 32; bit++) FAIL(SYS_clone, 1u << bit | SIGCHLD, GOLDEN_PAGE, tids, tids + 4, 0x1234);
  FAIL(SYS_clone, 0x3d0f00, GOLDEN_PAGE, tids, tids + 4, GOLDEN_PAGE);
  FAIL(SYS_clone, 77, 0, 0, 0, 0);
  struct clone_args args = {.flags = 0x3d0f00 | 1ull << 32 | 1ull << 33 | 1ull << 40,
                            .pidfd = tids,
                            .child_tid = tids,
                            .parent_tid = tids + 4,
                            .exit_signal = SIGCHLD,
                            .stack = (long)GOLDEN_PAGE,
                            .stack_size = 0x8000,
                            .tls = 0x1234,
                            .set_tid = set,
                            .set_tid_size = 3,
                            .cgroup = 9};
  long at = PUT(args);
  for (int size = 56; size <= 96; size += 8) FAIL(CLONE3, at, size);
  args =
      (struct clone_args){.exit_signal = 200, .flags = CLONE_PIDFD, .pidfd = BAD, .set_tid = BAD, .set_tid_size = 40};
  FAIL(CLONE3, PUT(args), sizeof args);
  FAIL(CLONE3, BAD - 8, 64);
  FAIL(SYS_unshare, 0x7e020680);
  FAIL(SYS_unshare, 0x80 | 1);
  FAIL(SYS_setns, 3, 0x7e020080 | 4);
  FAIL(PIDFD_OPEN, 1, 0x800 | 1);
  FAIL(PIDFD_GETFD, 3, 4, 1);
  for (int type = 0; type < 9; type++) FAIL(KCMP, 1, 2, type, 3, type == 7 ? WORDS(int, 3, 4, 5) : 4);
  FAIL(SYS_getpgid, 0);
  FAIL(SYS_setpgid, 1, 2);
  FAIL(SYS_getsid, 3);
  FAIL(SYS_setsid);
  CALL(SYS_getpid);
  CALL(SYS_getpgid, -1);
}

static void limits(void) {
  long pair = WORDS(unsigned long, 8 << 20, -1L), wide = WORDS(uint64_t, 4096, -1), usage = room();
  for (int which = 0; which < 17; which++) {
    BOTH(SYS_prlimit64, 0, which, wide, wide);
    FAIL(SYS_setrlimit, which, pair);
  }
  OK(SYS_getrlimit, RLIMIT_STACK, pair);
  FAIL(SYS_setrlimit, RLIMIT_CORE, WORDS(unsigned long, 1023, 1025 << 10));
  FAIL(SYS_prlimit64, 12, 7, BAD, BAD);
  for (int who = -2; who < 3; who++) BOTH(SYS_getrusage, who, usage);
}

static void credentials(void) {
  long ids = WORDS(int, 0, 5, -1), groups = WORDS(int, 1, 2, 3, 4);
  FAIL(SYS_setuid, -1);
  FAIL(SYS_setreuid, -1, 1000);
  FAIL(SYS_setresgid, 1, -1, 65535);
  BOTH(SYS_getresuid, ids, ids + 4, ids + 8);
  OK(SYS_getresuid, ids, BAD, 0);
  FAIL(SYS_setgroups, 4, groups);
  FAIL(SYS_setgroups, -1, groups);
  FAIL(SYS_setgroups, 0, BAD);
  FAIL(SYS_getgroups, 4, groups);
  OK(SYS_getgroups, 0, groups);
  FAIL(SYS_setfsuid, 7);
  static const unsigned versions[] = {0x19980330, 0x20071026, 0x20080522, 7};
  for (int i = 0; i < 4; i++) {
    long header = WORDS(int, versions[i], i), caps = WORDS(unsigned, 0x20000c0, -1, 0, 0x180, 0x1ff, 5);
    BOTH(SYS_capget, header, caps);
    FAIL(SYS_capset, header, i ? caps : BAD);
  }
  FAIL(SYS_capset, BAD, 0);
  FAIL(SYS_personality, 0x40000);
  FAIL(SYS_personality, -1);
  OK(SYS_personality, 0x0e800008);
  FAIL(SYS_umask, 0777);
}

static void prctls(void) {
  long text = TEXT("a name of a thread"), word = WORDS(int, 9, 0);
  for (int option = 1; option < 82; option++) {
    FAIL(SYS_prctl, option, 2, 3, 4, 5);
    if (option != 52 /* PR_GET_SPECULATION_CTRL */) BOTH(SYS_prctl, option, word, 0, 0, 0);
  }
  OK(SYS_prctl, PR_GET_NAME, text);
  FAIL(SYS_prctl, PR_SET_NAME, text);
  FAIL(SYS_prctl, PR_SET_NAME, BAD);
  FAIL(SYS_prctl, PR_CAP_AMBIENT, 2, 10, 0, 0);
  FAIL(SYS_prctl, PR_SET_PTRACER, -1L);
  FAIL(SYS_prctl, PR_SET_VMA, 0, GOLDEN_PAGE, 4096, text);
  FAIL(SYS_prctl, 0x59616d61, 1);
  FAIL(SYS_prctl, -1, 1, 2, 3, 4);
}

int main(void) {
  answer_begin();
  executing();
  waiting();
  creating();
  limits();
  credentials();
  prctls();
  golden_end();
  return 0;
}
