// The system's facts about itself, and rare calls.
// strut: golden: | -v | -X raw | -X verbose -v | -e raw=all | -e verbose=none | -N -s 7
// strut: also -m32
#include <mqueue.h>
#include <stdint.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/reboot.h>
#include <sys/sem.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "golden_answer.h"

static void self(void) {
  struct utsname names = {"Linux", "a \"node\"", "6.1.0-x\n", "#1 SMP", "x86_64", "(none)"};
  BOTH(SYS_uname, PUT(names));
  OK(SYS_uname, BAD - 100);
  struct sysinfo info = {.uptime = 12345,
                         .loads = {65536, 32768, 1},
                         .totalram = 1ul << 31,
                         .freeram = 77,
                         .procs = 512,
                         .mem_unit = 4096};
  BOTH(SYS_sysinfo, PUT(info));
  CALL(SYS_sysinfo, BAD);
  FAIL(SYS_sethostname, TEXT("name\"\n"), 5);
  FAIL(SYS_setdomainname, BAD - 2, 5);
  for (int type = 0; type < 12; type++) FAIL(SYS_syslog, type, TEXT("message"), 7);
  FAIL(SYS_reboot, 0xfee1dead, 672274793, RB_AUTOBOOT, 0);
  FAIL(SYS_reboot, 1, 2, 0xa1b2c3d4, TEXT("restart"));
  FAIL(SYS_reboot, 0xfee1dead, 0x05121996, 7, 0);
  FAIL(SYS_acct, TEXT("/var/account"));
  FAIL(SYS_init_module, GOLDEN_PAGE, 4096, TEXT("option=1"));
  FAIL(SYS_finit_module, 3, TEXT("option=1"), 1 | 2 | 8);
  FAIL(SYS_delete_module, TEXT("module"), 04000 | 01000);
  FAIL(SYS_kexec_load, 0x1234, 0, 0, 0x3e0001);
  FAIL(SYS_ptrace, 16, 1, 0, 0);
  FAIL(SYS_ptrace, 0x4206, 1, 0, 0x10007f);
  FAIL(SYS_ptrace, 0x4201, 1, 9, room());
  FAIL(SYS_seccomp, 1, 2, 0);
  FAIL(SYS_seccomp, 2, 0, WORDS(int, 0x7fff0000));
  FAIL(SYS_bpf, 5, room(), 4);
  FAIL(SYS_perf_event_open, BAD - 16, 0, -1, -1, 8);
  FAIL(SYS_kcmp, 1, 2, 0, 3, 4);
  FAIL(SYS_vhangup);
  FAIL(SYS_iopl, 3);
  FAIL(SYS_ioperm, 0x80, 4, 1);
}

static void keys(void) {
  long type = TEXT("user"), name = TEXT("a key"), payload = TEXT("secret\0");
  FAIL(SYS_add_key, type, name, payload, 7, -3);
  FAIL(SYS_add_key, type, BAD, BAD, 7, 12345);
  FAIL(SYS_request_key, type, name, 0, -1);
  for (int operation = 0; operation < 33; operation++) FAIL(SYS_keyctl, operation, -4, name, 3, 4);
}

static void queues(void) {
  struct mq_attr attributes = {.mq_flags = 04000, .mq_maxmsg = 10, .mq_msgsize = 8192, .mq_curmsgs = 2};
  long at = PUT(attributes), old = PUT(attributes), text = TEXT("message"), until = WORDS(long, 5, 6);
  FAIL(SYS_mq_open, TEXT("queue"), 0102, 0600, at);
  FAIL(SYS_mq_open, TEXT("queue"), 0, 0600, at);
  FAIL(SYS_mq_unlink, TEXT("queue"));
  FAIL(SYS_mq_timedsend, 3, text, 7, 5, until);
  OK(SYS_mq_timedreceive, 3, text, 7, WORDS(unsigned, 9), until);
  BOTH(SYS_mq_getsetattr, 3, at, old);
  struct sigevent event = {.sigev_notify = 1, .sigev_signo = 10, .sigev_value.sival_int = 3};
  FAIL(SYS_mq_notify, 3, put(&event, sizeof event));
#ifdef __x86_64__
  FAIL(SYS_msgget, 0x1234, IPC_CREAT | IPC_EXCL | 0640);
  long message = WORDS(long, 7, 0x6f6c6c6568, 0);
  FAIL(SYS_msgsnd, 1, message, 5, IPC_NOWAIT);
  BOTH(SYS_msgrcv, 1, message, 5, -7, MSG_NOERROR | MSG_EXCEPT | 040000);
  struct msqid_ds queue = {.msg_perm = {.mode = 0600, .uid = 1}, .msg_qnum = 2, .msg_qbytes = 16384};
  for (int command = 0; command < 14; command++) BOTH(SYS_msgctl, 1, command, PUT(queue));
  FAIL(SYS_semget, IPC_PRIVATE, 3, 01777);
  long operations = put((struct sembuf[]){{0, -1, SEM_UNDO}, {1, 1, IPC_NOWAIT | 7}}, 2 * sizeof(struct sembuf));
  FAIL(SYS_semop, 1, operations, 2);
  FAIL(SYS_semtimedop, 1, operations, 3, until);
  FAIL(SYS_semop, 1, BAD - 6, 2);
  for (int command = 0; command < 21; command++) FAIL(SYS_semctl, 1, 2, command, WORDS(int, 1, 2, 3));
#endif
}

int main(void) {
  answer_begin();
  self();
  keys();
  queues();
  golden_end();
  return 0;
}
