/* The few kernel structures the programs look into, declared by hand: CO-RE finds the members on the running kernel.
 *
 * Members that are pointers are read with BPF_CORE_READ, though the verifier would let a typed pointer be followed: for
 * each such step it asks whether the pointer is to be trusted, by looking through the names of all kernel types (1 to 3
 * ms a step at start-up). Followed are only those that a helper wants typed.
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define RELOCATED __attribute__((preserve_access_index))

struct thread_info {
  unsigned long flags;
  unsigned long syscall_work;
  unsigned int status;
} RELOCATED;

struct upid {
  int nr;
  struct pid_namespace *ns;
} RELOCATED;

struct hlist_node {
  struct hlist_node *next, **pprev;
} RELOCATED;

struct hlist_head {
  struct hlist_node *first;
} RELOCATED;

struct pid {
  unsigned int level;
  struct hlist_head tasks[4];
  struct upid numbers[1];
} RELOCATED;

struct sigpending {
  struct {
    unsigned long sig[1];
  } signal;
} RELOCATED;

typedef struct {
  unsigned long sig[1];
} sigset_t;

struct signal_struct {
  int group_exit_code;
  unsigned int flags;
  struct {
    int counter;
  } live;
  struct task_struct *curr_target;
  struct task_struct *group_exec_task;
} RELOCATED;

/* Before Linux 5.16. */
struct signal_struct___before {
  struct task_struct *group_exit_task;
} RELOCATED;

struct cgroup_subsys_state {
  struct cgroup_subsys_state *parent;
} RELOCATED;

struct kernfs_node {
  unsigned long long id;
} RELOCATED;

struct cgroup {
  struct cgroup_subsys_state self;
  struct kernfs_node *kn;
} RELOCATED;

struct css_set {
  struct cgroup *dfl_cgrp;
} RELOCATED;

struct sched_entity {
  unsigned long long exec_start, sum_exec_runtime;
} RELOCATED;

struct seccomp {
  int mode;
} RELOCATED;

struct task_struct {
  struct thread_info thread_info;
  int pid;
  int tgid;
  int exit_code;
  unsigned int flags;
  unsigned int ptrace;
  unsigned int __state;
  unsigned long jobctl;
  struct pid *thread_pid;
  struct task_struct *parent;
  struct task_struct *group_leader;
  struct signal_struct *signal;
  struct sighand_struct *sighand;
  struct sigpending pending;
  sigset_t blocked;
  struct hlist_node pid_links[4];
  char comm[16];
  struct files_struct *files;
  struct fs_struct *fs;
  struct nsproxy *nsproxy;
  const struct cred *cred;
  struct css_set *cgroups;
  struct sched_entity se;
  struct seccomp seccomp;
} RELOCATED;

struct pt_regs {
  unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
} RELOCATED;

struct k_sigaction {
  struct {
    void *sa_handler;
    unsigned long sa_flags;
  } sa;
} RELOCATED;

struct sighand_struct {
  struct k_sigaction action[64];
} RELOCATED;

struct kernel_siginfo {
  char bytes[48];
};

struct seq_file;

struct bpf_iter_meta {
  struct seq_file *seq;
} RELOCATED;

struct bpf_iter__task {
  struct bpf_iter_meta *meta;
  struct task_struct *task;
} RELOCATED;

struct linux_binprm;
