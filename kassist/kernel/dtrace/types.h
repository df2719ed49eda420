/* Members of kernel structures that D reads, as flavours (libbpf: what follows ___ is ignored): declared by hand as in
 * types.h. */
#pragma once

#include "kassist/kernel/common/around_types.h"

struct id___d {
  unsigned int val;
} RELOCATED;
struct cred___d {
  struct id___d uid, gid, euid, egid;
} RELOCATED;
struct signal_struct___d {
  int nr_threads;
  struct pid *pids[4];
} RELOCATED;
struct thread_struct___d {
  unsigned long fsbase, gsbase;
  unsigned short es, ds, fsindex, gsindex;
} RELOCATED;
struct mm_struct___d {
  unsigned long start_stack, arg_start, arg_end;
} RELOCATED;
struct vm_area_struct;
struct vm_area_struct___d {
  unsigned long vm_end;
} RELOCATED;
struct fs_struct___d {
  struct path root, pwd;
} RELOCATED;
struct uprobe_task___d {
  unsigned long xol_vaddr; /* where it runs an instruction out of line; 0: it runs none */
  unsigned long vaddr;     /* where that is */
} RELOCATED;
struct task_struct___d {
  int pid, tgid, prio, static_prio, exit_code;
  unsigned int self_exec_id, parent_exec_id; /* the low halves */
  unsigned long jobctl;
  unsigned long long start_boottime;
  struct mm_struct___d *mm;
  struct task_struct___d *real_parent, *group_leader;
  struct signal_struct___d *signal;
  const struct cred___d *cred;
  struct fs_struct___d *fs;
  struct thread_struct___d thread;
  struct sched_entity se;
  struct uprobe_task___d *utask;
  char comm[16];
} RELOCATED;
struct file___d {
  struct path f_path;
  long long f_pos;
  unsigned int f_flags;
} RELOCATED;
struct file_system_type___d {
  const char *name;
} RELOCATED;
struct super_block___d {
  struct file_system_type___d *s_type;
  unsigned long s_magic;
} RELOCATED;
struct inode___d {
  struct super_block___d *i_sb;
  unsigned long i_ino;
} RELOCATED;
struct dentry___d {
  struct inode___d *d_inode;
} RELOCATED;
struct linux_binprm___d {
  const char *filename;
} RELOCATED;
