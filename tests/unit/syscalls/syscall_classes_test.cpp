// The members of every class of -e trace=%class, as strace 7.2 shows them for a program that makes every call.
#include <set>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "syscalls/syscall.hpp"

namespace strut::test {
namespace {

struct Membership {
  Abi abi;
  uint32_t bit;
  const char* names;
};

const Membership kMemberships[] = {
    {Abi::X86_64, kDesc,
     "read write open close fstat poll lseek mmap ioctl pread64 pwrite64 readv writev pipe select dup dup2 "
     "sendfile fcntl flock fsync fdatasync ftruncate getdents fchdir creat fchmod fchown fstatfs readahead "
     "fsetxattr fgetxattr flistxattr fremovexattr epoll_create getdents64 fadvise64 epoll_wait epoll_ctl "
     "mq_open mq_timedsend mq_timedreceive mq_notify mq_getsetattr inotify_init inotify_add_watch "
     "inotify_rm_watch openat mkdirat mknodat fchownat futimesat newfstatat unlinkat renameat linkat "
     "symlinkat readlinkat fchmodat faccessat pselect6 ppoll splice tee sync_file_range vmsplice utimensat "
     "epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime timerfd_gettime signalfd4 "
     "eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv pwritev perf_event_open fanotify_init "
     "fanotify_mark name_to_handle_at open_by_handle_at syncfs setns finit_module renameat2 memfd_create "
     "kexec_file_load bpf execveat userfaultfd copy_file_range preadv2 pwritev2 statx pidfd_send_signal "
     "io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig fsmount fspick "
     "pidfd_open openat2 pidfd_getfd faccessat2 process_madvise epoll_pwait2 mount_setattr quotactl_fd "
     "landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret process_mrelease "
     "cachestat fchmodat2 setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr "
     "file_setattr"},
    {Abi::X86_64, kFile,
     "open stat lstat access execve truncate getcwd chdir rename mkdir rmdir creat link unlink symlink "
     "readlink chmod chown lchown utime mknod uselib statfs pivot_root chroot acct mount umount2 swapon "
     "swapoff quotactl setxattr lsetxattr getxattr lgetxattr listxattr llistxattr removexattr lremovexattr "
     "utimes inotify_add_watch openat mkdirat mknodat fchownat futimesat newfstatat unlinkat renameat "
     "linkat symlinkat readlinkat fchmodat faccessat utimensat fanotify_mark name_to_handle_at renameat2 "
     "execveat statx open_tree move_mount fsconfig fspick openat2 faccessat2 mount_setattr fchmodat2 "
     "setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr"},
    {Abi::X86_64, kMemory,
     "mmap mprotect munmap brk mremap msync mincore madvise shmat shmdt mlock munlock mlockall munlockall "
     "io_setup io_destroy remap_file_pages mbind set_mempolicy get_mempolicy migrate_pages move_pages "
     "mlock2 pkey_mprotect io_uring_register set_mempolicy_home_node map_shadow_stack mseal"},
    {Abi::X86_64, kProcess,
     "clone fork vfork execve exit wait4 kill rt_sigqueueinfo tkill exit_group tgkill waitid "
     "rt_tgsigqueueinfo execveat pidfd_send_signal clone3"},
    {Abi::X86_64, kSignals,
     "rt_sigaction rt_sigprocmask rt_sigreturn pause kill rt_sigpending rt_sigtimedwait rt_sigqueueinfo "
     "rt_sigsuspend sigaltstack tkill tgkill signalfd signalfd4 rt_tgsigqueueinfo pidfd_send_signal "
     "io_uring_enter"},
    {Abi::X86_64, kIpc, "shmget shmat shmctl semget semop semctl shmdt msgget msgsnd msgrcv msgctl semtimedop"},
    {Abi::X86_64, kNetwork,
     "sendfile socket connect accept sendto recvfrom sendmsg recvmsg shutdown bind listen getsockname "
     "getpeername socketpair setsockopt getsockopt getpmsg putpmsg accept4 recvmmsg sendmmsg"},
    {Abi::X86_64, kStat, "stat"},
    {Abi::X86_64, kLstat, "lstat"},
    {Abi::X86_64, kFstat, "fstat newfstatat statx"},
    {Abi::X86_64, kStatLike, "stat fstat lstat newfstatat statx"},
    {Abi::X86_64, kStatfs, "statfs"},
    {Abi::X86_64, kFstatfs, "fstatfs"},
    {Abi::X86_64, kStatfsLike, "ustat statfs fstatfs"},
    {Abi::X86_64, kPure, "getpid getuid getgid geteuid getegid getppid getpgrp gettid"},
    {Abi::X86_64, kCreds,
     "getuid getgid setuid setgid geteuid getegid setreuid setregid getgroups setgroups setresuid "
     "getresuid setresgid getresgid setfsuid setfsgid capget capset prctl"},
    {Abi::X86_64, kClock,
     "gettimeofday adjtimex settimeofday time clock_settime clock_gettime clock_getres clock_adjtime"},
    {Abi::I386, kDesc,
     "read write open close creat lseek oldfstat dup pipe ioctl fcntl dup2 select readdir mmap ftruncate "
     "fchmod fchown fstatfs socketcall fstat fsync fchdir _llseek getdents _newselect flock readv writev "
     "fdatasync poll pread64 pwrite64 sendfile mmap2 ftruncate64 fstat64 fchown32 getdents64 fcntl64 "
     "readahead fsetxattr fgetxattr flistxattr fremovexattr sendfile64 fadvise64 epoll_create epoll_ctl "
     "epoll_wait fstatfs64 fadvise64_64 mq_open mq_timedsend mq_timedreceive mq_notify mq_getsetattr "
     "inotify_init inotify_add_watch inotify_rm_watch openat mkdirat mknodat fchownat futimesat fstatat64 "
     "unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat pselect6 ppoll splice "
     "sync_file_range tee vmsplice epoll_pwait utimensat signalfd timerfd_create eventfd fallocate "
     "timerfd_settime timerfd_gettime signalfd4 eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv "
     "pwritev perf_event_open fanotify_init fanotify_mark name_to_handle_at open_by_handle_at syncfs setns "
     "finit_module renameat2 memfd_create bpf execveat userfaultfd copy_file_range preadv2 pwritev2 statx "
     "timerfd_gettime64 timerfd_settime64 utimensat_time64 pselect6_time64 ppoll_time64 "
     "mq_timedsend_time64 mq_timedreceive_time64 pidfd_send_signal io_uring_setup io_uring_enter "
     "io_uring_register open_tree move_mount fsopen fsconfig fsmount fspick pidfd_open openat2 pidfd_getfd "
     "faccessat2 process_madvise epoll_pwait2 mount_setattr quotactl_fd landlock_create_ruleset "
     "landlock_add_rule landlock_restrict_self memfd_secret process_mrelease cachestat fchmodat2 "
     "setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr"},
    {Abi::I386, kFile,
     "open creat link unlink execve chdir mknod chmod lchown oldstat mount umount utime access rename "
     "mkdir rmdir acct umount2 chroot symlink oldlstat readlink uselib swapon truncate statfs stat lstat "
     "swapoff quotactl chown getcwd truncate64 stat64 lstat64 lchown32 chown32 pivot_root setxattr "
     "lsetxattr getxattr lgetxattr listxattr llistxattr removexattr lremovexattr statfs64 utimes "
     "inotify_add_watch openat mkdirat mknodat fchownat futimesat fstatat64 unlinkat renameat linkat "
     "symlinkat readlinkat fchmodat faccessat utimensat fanotify_mark name_to_handle_at renameat2 execveat "
     "statx utimensat_time64 open_tree move_mount fsconfig fspick openat2 faccessat2 mount_setattr "
     "fchmodat2 setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr"},
    {Abi::I386, kMemory,
     "break brk mmap munmap mprotect msync mlock munlock mlockall munlockall mremap mmap2 mincore madvise "
     "io_setup io_destroy remap_file_pages mbind get_mempolicy set_mempolicy migrate_pages move_pages "
     "mlock2 pkey_mprotect shmat shmdt io_uring_register set_mempolicy_home_node map_shadow_stack mseal"},
    {Abi::I386, kProcess,
     "exit fork waitpid execve kill wait4 clone rt_sigqueueinfo vfork tkill exit_group tgkill waitid "
     "rt_tgsigqueueinfo execveat pidfd_send_signal clone3"},
    {Abi::I386, kSignals,
     "pause kill signal sigaction sgetmask ssetmask sigsuspend sigpending sigreturn sigprocmask "
     "rt_sigreturn rt_sigaction rt_sigprocmask rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend "
     "sigaltstack tkill tgkill signalfd signalfd4 rt_tgsigqueueinfo rt_sigtimedwait_time64 "
     "pidfd_send_signal io_uring_enter"},
    {Abi::I386, kIpc,
     "ipc semget semctl shmget shmctl shmat shmdt msgget msgsnd msgrcv msgctl semtimedop_time64 semop "
     "semtimedop"},
    {Abi::I386, kNetwork,
     "sendfile getpmsg putpmsg sendfile64 recvmmsg sendmmsg socket socketpair bind connect listen accept4 "
     "getsockopt setsockopt getsockname getpeername sendto sendmsg recvfrom recvmsg shutdown "
     "recvmmsg_time64 accept recv send"},
    {Abi::I386, kStat, "oldstat stat stat64"},
    {Abi::I386, kLstat, "oldlstat lstat lstat64"},
    {Abi::I386, kFstat, "oldfstat fstat fstat64 fstatat64 statx"},
    {Abi::I386, kStatLike, "oldstat oldfstat oldlstat stat lstat fstat stat64 lstat64 fstat64 fstatat64 statx"},
    {Abi::I386, kStatfs, "statfs statfs64"},
    {Abi::I386, kFstatfs, "fstatfs fstatfs64"},
    {Abi::I386, kStatfsLike, "ustat statfs fstatfs statfs64 fstatfs64"},
    {Abi::I386, kPure,
     "getpid getuid getgid geteuid getegid getppid getpgrp getuid32 getgid32 geteuid32 getegid32 gettid"},
    {Abi::I386, kCreds,
     "setuid getuid setgid getgid geteuid getegid setreuid setregid getgroups setgroups setfsuid setfsgid "
     "setresuid getresuid setresgid getresgid prctl capget capset getuid32 getgid32 geteuid32 getegid32 "
     "setreuid32 setregid32 getgroups32 setgroups32 setresuid32 getresuid32 setresgid32 getresgid32 "
     "setuid32 setgid32 setfsuid32 setfsgid32"},
    {Abi::I386, kClock,
     "time gettimeofday settimeofday adjtimex clock_settime clock_gettime clock_getres clock_adjtime "
     "clock_gettime64 clock_settime64 clock_adjtime64 clock_getres_time64"},
    {Abi::X32, kDesc,
     "read write open close fstat poll lseek mmap ioctl#64 pread64 pwrite64 readv#64 writev#64 pipe select "
     "dup dup2 sendfile fcntl flock fsync fdatasync ftruncate getdents fchdir creat fchmod fchown fstatfs "
     "readahead fsetxattr fgetxattr flistxattr fremovexattr epoll_create getdents64 fadvise64 epoll_wait "
     "epoll_ctl mq_open mq_timedsend mq_timedreceive mq_getsetattr inotify_init inotify_add_watch "
     "inotify_rm_watch openat mkdirat mknodat fchownat futimesat newfstatat unlinkat renameat linkat "
     "symlinkat readlinkat fchmodat faccessat pselect6 ppoll splice tee sync_file_range vmsplice#64 "
     "utimensat epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime timerfd_gettime "
     "signalfd4 eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv#64 pwritev#64 perf_event_open "
     "fanotify_init fanotify_mark name_to_handle_at open_by_handle_at syncfs setns finit_module renameat2 "
     "memfd_create kexec_file_load bpf execveat#64 userfaultfd copy_file_range preadv2#64 pwritev2#64 "
     "statx pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen "
     "fsconfig fsmount fspick pidfd_open openat2 pidfd_getfd faccessat2 process_madvise epoll_pwait2 "
     "mount_setattr quotactl_fd landlock_create_ruleset landlock_add_rule landlock_restrict_self "
     "memfd_secret process_mrelease cachestat fchmodat2 setxattrat getxattrat listxattrat removexattrat "
     "open_tree_attr file_getattr file_setattr ioctl readv writev mq_notify vmsplice preadv pwritev "
     "execveat preadv2 pwritev2"},
    {Abi::X32, kFile,
     "open stat lstat access execve#64 truncate getcwd chdir rename mkdir rmdir creat link unlink symlink "
     "readlink chmod chown lchown utime mknod uselib#64 statfs pivot_root chroot acct mount umount2 swapon "
     "swapoff quotactl setxattr lsetxattr getxattr lgetxattr listxattr llistxattr removexattr lremovexattr "
     "utimes inotify_add_watch openat mkdirat mknodat fchownat futimesat newfstatat unlinkat renameat "
     "linkat symlinkat readlinkat fchmodat faccessat utimensat fanotify_mark name_to_handle_at renameat2 "
     "execveat#64 statx open_tree move_mount fsconfig fspick openat2 faccessat2 mount_setattr fchmodat2 "
     "setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr execve "
     "execveat"},
    {Abi::X32, kMemory,
     "mmap mprotect munmap brk mremap msync mincore madvise shmat shmdt mlock munlock mlockall munlockall "
     "io_setup#64 io_destroy remap_file_pages mbind set_mempolicy get_mempolicy migrate_pages "
     "move_pages#64 mlock2 pkey_mprotect io_uring_register set_mempolicy_home_node map_shadow_stack mseal "
     "move_pages io_setup"},
    {Abi::X32, kProcess,
     "clone fork vfork execve#64 exit wait4 kill rt_sigqueueinfo#64 tkill exit_group tgkill waitid#64 "
     "rt_tgsigqueueinfo#64 execveat#64 pidfd_send_signal clone3 execve rt_sigqueueinfo waitid "
     "rt_tgsigqueueinfo execveat"},
    {Abi::X32, kSignals,
     "rt_sigaction#64 rt_sigprocmask rt_sigreturn#64 pause kill rt_sigpending#64 rt_sigtimedwait#64 "
     "rt_sigqueueinfo#64 rt_sigsuspend sigaltstack#64 tkill tgkill signalfd signalfd4 rt_tgsigqueueinfo#64 "
     "pidfd_send_signal io_uring_enter rt_sigaction rt_sigreturn rt_sigpending rt_sigtimedwait "
     "rt_sigqueueinfo sigaltstack rt_tgsigqueueinfo"},
    {Abi::X32, kIpc, "shmget shmat shmctl semget semop semctl shmdt msgget msgsnd msgrcv msgctl semtimedop"},
    {Abi::X32, kNetwork,
     "sendfile socket connect accept sendto recvfrom#64 sendmsg#64 recvmsg#64 shutdown bind listen "
     "getsockname getpeername socketpair setsockopt#64 getsockopt#64 getpmsg putpmsg accept4 recvmmsg#64 "
     "sendmmsg#64 recvfrom sendmsg recvmsg recvmmsg sendmmsg setsockopt getsockopt"},
    {Abi::X32, kStat, "stat"},
    {Abi::X32, kLstat, "lstat"},
    {Abi::X32, kFstat, "fstat newfstatat statx"},
    {Abi::X32, kStatLike, "stat fstat lstat newfstatat statx"},
    {Abi::X32, kStatfs, "statfs"},
    {Abi::X32, kFstatfs, "fstatfs"},
    {Abi::X32, kStatfsLike, "ustat statfs fstatfs"},
    {Abi::X32, kPure, "getpid getuid getgid geteuid getegid getppid getpgrp gettid"},
    {Abi::X32, kCreds,
     "getuid getgid setuid setgid geteuid getegid setreuid setregid getgroups setgroups setresuid "
     "getresuid setresgid getresgid setfsuid setfsgid capget capset prctl"},
    {Abi::X32, kClock,
     "gettimeofday adjtimex settimeofday time clock_settime clock_gettime clock_getres clock_adjtime"},
};

std::set<std::string> words(const char* text) {
  std::istringstream in(text);
  std::set<std::string> result;
  for (std::string word; in >> word;) result.insert(word);
  return result;
}

TEST_CASE("syscall classes: the members of each, in each ABI") {
  for (const Membership& membership : kMemberships) {
    std::set<std::string> members;
    for (const SyscallSlot& slot : syscalls_of(membership.abi))
      if (slot.desc->classes & membership.bit) members.insert(slot.desc->name);
    CAPTURE(static_cast<int>(membership.abi));
    CAPTURE(membership.bit);
    for (const std::string& name : words(membership.names))
      if (members.erase(name) == 0) FAIL_CHECK(name << " is missing");
    for (const std::string& name : members) FAIL_CHECK(name << " is too much");
  }
}

}  // namespace
}  // namespace strut::test
