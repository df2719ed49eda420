/* Members of psinfo_t, lwpsinfo_t and fileinfo_t (dlang/language/members.inc). */
#pragma once

#include "kassist/kernel/dtrace/path.bpf.h"
#include "kassist/kernel/dtrace/thread.bpf.h"

enum { D_SUBJECT_CURRENT = 0, D_SUBJECT_ARGUMENT = 1, D_SUBJECT_DESCRIPTOR = 2, D_PGID = 2, D_SID = 3 };

/* The thread of the members to read; of a process its leader. */
static __always_inline struct task_struct___d *subject_of(struct d_run *run, __u32 subject) {
  if (subject == D_SUBJECT_ARGUMENT) return (void *)run->subject;
  return own_task(run);
}

#define D_MEMBER(name, value)                                                                     \
  __noinline int d_member_##name(struct d_run *run, __u32 to, __u64 which, __u32 subject) {       \
    if (!run) return D_OK;                                                                        \
    struct task_struct___d *task = subject_of(run, subject);                                      \
    *integer(run, to) = task ? (value) : 0;                                                       \
    return D_OK;                                                                                  \
  }

static __always_inline __u32 group_number(struct task_struct___d *task, __u32 kind) {
  struct signal_struct___d *signal = BPF_CORE_READ(task, signal);
  struct pid *pid = BPF_CORE_READ(signal, pids[kind]);
  if (caller.pid_namespace) return visible_number(number_in_namespace((__u64)pid));
  __u32 number = 0;
  bpf_core_read(&number, sizeof(number), &pid->numbers[0].nr);
  return number;
}

D_MEMBER(ProcessPid, visible_number(tgid_of_other(task)))
D_MEMBER(ProcessParent, parent_number((struct task_struct___d *)task))
D_MEMBER(ProcessGroup, group_number(task, D_PGID))
D_MEMBER(ProcessSession, group_number(task, D_SID))
D_MEMBER(ProcessUid, BPF_CORE_READ(task, cred, uid.val))
D_MEMBER(ProcessEuid, BPF_CORE_READ(task, cred, euid.val))
D_MEMBER(ProcessGid, BPF_CORE_READ(task, cred, gid.val))
D_MEMBER(ProcessEgid, BPF_CORE_READ(task, cred, egid.val))
D_MEMBER(ProcessThreads, BPF_CORE_READ(task, signal, nr_threads))
D_MEMBER(ProcessStart, bpf_ktime_get_ns() + control.wall_offset_ns - bpf_ktime_get_boot_ns() +
                           BPF_CORE_READ(task, group_leader, start_boottime))
D_MEMBER(ThreadId, visible_number(tid_of_other(task)))
D_MEMBER(ThreadPriority, (__s64)BPF_CORE_READ(task, prio) - 100) /* as /proc/PID/stat has it */
D_MEMBER(ThreadNice, (__s64)BPF_CORE_READ(task, static_prio) - 120)
D_MEMBER(ThreadCpu, bpf_get_smp_processor_id())

enum { D_ORIG_AX = 15 }; /* for struct pt_regs, counted in registers */

/* 0: the thread is in no call, or it is another thread, without its registers at hand. */
static __always_inline __u64 call_number(struct d_run *run, __u32 subject) {
  __u64 number = 0;
  if (run->hook != D_OF_CALLS || subject == D_SUBJECT_ARGUMENT) return 0;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
  bpf_probe_read_kernel(&number, sizeof(number), (void *)((__u64)regs + D_ORIG_AX * 8));
  return number;
}
D_MEMBER(ThreadSyscall, call_number(run, subject))

#define D_MEMBER_TEXT(name) __noinline int d_member_##name(struct d_run *run, __u32 to, __u64 which, __u32 subject)

static __always_inline int set_comm(struct d_run *run, __u32 to, struct task_struct___d *task) {
  char comm[16] = {};
  if (task) bpf_core_read(comm, sizeof(comm), &task->comm);
  set_kernel_text(run, to, comm);
  return D_OK;
}

D_MEMBER_TEXT(ProcessName) {
  if (!run) return D_OK;
  struct task_struct___d *task = subject_of(run, subject);
  return set_comm(run, to, task ? BPF_CORE_READ(task, group_leader) : 0);
}

D_MEMBER_TEXT(ThreadName) {
  if (!run) return D_OK;
  return set_comm(run, to, subject_of(run, subject));
}

/* Another process's arguments cannot be read from here: its name stands for them. */
D_MEMBER_TEXT(ProcessArguments) {
  if (!run) return D_OK;
  struct task_struct___d *task = subject_of(run, subject);
  if (task && tgid_of_other(task) == own_tgid()) return set_arguments(run, to);
  return set_comm(run, to, task);
}

/* -- open files -- */

__noinline int d_member_FileOffset(struct d_run *run, __u32 to, __u64 which, __u32 subject) {
  if (!run) return D_OK;
  struct file___d *file = (void *)file_of(which);
  *integer(run, to) = file ? BPF_CORE_READ(file, f_pos) : 0;
  return D_OK;
}

__noinline int d_member_FileFlags(struct d_run *run, __u32 to, __u64 which, __u32 subject) {
  if (!run) return D_OK;
  struct file___d *file = (void *)file_of(which);
  *integer(run, to) = file ? BPF_CORE_READ(file, f_flags) : 0;
  return D_OK;
}

static __always_inline struct path path_of_file(__u64 fd) {
  struct path path = {};
  struct file___d *file = (void *)file_of(fd);
  if (file) bpf_core_read(&path, sizeof(path), &file->f_path);
  return path;
}

enum { D_PIPEFS = 0x50495045, D_SOCKFS = 0x534F434B }; /* <linux/magic.h> */

/* "pipe:[12]", "socket:[12]", as /proc/PID/fd has them. */
static __always_inline void set_numbered(struct d_run *run, __u32 to, __u64 number, int is_pipe) {
  run->temp[40] = ']';
  run->loop.at = 40;
  run->loop.word = number;
  run->loop.count = 10;
  turn(put_digit, run);
  put_before(run, '[');
  put_before(run, ':');
  if (is_pipe) {
    put_before(run, 'e'), put_before(run, 'p'), put_before(run, 'i'), put_before(run, 'p');
  } else {
    put_before(run, 't'), put_before(run, 'e'), put_before(run, 'k'), put_before(run, 'c'), put_before(run, 'o'),
        put_before(run, 's');
  }
  __u64 at = *(volatile __u64 *)&run->loop.at & 63;
  set_text(run, to, &run->temp[at], 41 - at);
}

/* A file without a directory has a name by its kind. */
static __always_inline void set_file_path(struct d_run *run, __u32 to, __u64 fd) {
  struct path path = path_of_file(fd);
  struct dentry___d *dentry = (void *)path.dentry;
  __u64 magic = dentry ? BPF_CORE_READ(dentry, d_inode, i_sb, s_magic) : 0;
  if (magic == D_PIPEFS) set_numbered(run, to, BPF_CORE_READ(dentry, d_inode, i_ino), 1);
  else if (magic == D_SOCKFS) set_numbered(run, to, BPF_CORE_READ(dentry, d_inode, i_ino), 0);
  else set_path(run, to, &path);
}

D_MEMBER_TEXT(FilePath) {
  if (!run) return D_OK;
  set_file_path(run, to, which);
  return D_OK;
}

D_MEMBER_TEXT(FileName) {
  if (!run) return D_OK;
  set_file_path(run, to, which);
  return d_TextBasename(run, to, to);
}

D_MEMBER_TEXT(FileFolder) {
  if (!run) return D_OK;
  set_file_path(run, to, which);
  return d_TextDirname(run, to, to);
}

/* Where its file system is mounted. The read's address must not name `path`: it is no structure of the kernel's. */
D_MEMBER_TEXT(FileMount) {
  if (!run) return D_OK;
  struct path path = path_of_file(which);
  struct mount *mount = mount_of(path.mnt);
  if (path.mnt) path.dentry = (__u64)BPF_CORE_READ(mount, mnt.mnt_root);
  set_path(run, to, &path);
  return D_OK;
}

D_MEMBER_TEXT(FileSystem) {
  if (!run) return D_OK;
  struct path path = path_of_file(which);
  struct dentry___d *dentry = (void *)path.dentry;
  *text_at(run, to) = (struct d_text){};
  if (dentry) set_kernel_text(run, to, BPF_CORE_READ(dentry, d_inode, i_sb, s_type, name));
  return D_OK;
}
