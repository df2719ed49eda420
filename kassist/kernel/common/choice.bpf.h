/* The threads that a system-wide trace follows. Every thread has a mark then; that of a thread that does not match
 * the filter says so. */
#pragma once

#include "kassist/kernel/common/record.bpf.h"
#include "kassist/kernel/common/registers.bpf.h"
#include "kassist/kernel/common/around_types.h"
#include "kassist/kernel/common/ids.bpf.h"

enum {
  CGROUPS_DEEP = 16, /* how far up the tree is looked */
};

static __always_inline int is_in_cgroup(struct task_struct *task) {
  struct cgroup *group = BPF_CORE_READ(task, cgroups, dfl_cgrp);
  for (int i = 0; i < CGROUPS_DEEP && group; i++) {
    if (BPF_CORE_READ(group, kn, id) == choice.cgroup) return 1;
    /* A cgroup begins with its own state. */
    group = (struct cgroup *)BPF_CORE_READ(group, self.parent);
  }
  return 0;
}

static __always_inline int has_comm(struct task_struct *task) {
  char comm[WIRE_COMM] = {};
  struct task_struct *leader = BPF_CORE_READ(task, group_leader);
  bpf_core_read(comm, sizeof(comm), &leader->comm);
  int same = 1, over = 0;
#pragma unroll
  for (int i = 0; i < WIRE_COMM; i++) {
    if (!over && comm[i] != choice.comm[i]) same = 0;
    if (!choice.comm[i]) over = 1;
  }
  return same;
}

static __noinline int fits(struct task_struct *task) {
  if (!task || !may_see(task)) return 0;
  if ((choice.by & WIRE_BY_UID) && BPF_CORE_READ(task, cred, euid.val) != choice.uid) return 0;
  if ((choice.by & WIRE_BY_CGROUP) && !is_in_cgroup(task)) return 0;
  return !(choice.by & WIRE_BY_COMM) || has_comm(task);
}

/* The state of a thread that is seen for the first time, or of a changed process. */
static __always_inline __u8 state_of(struct task_struct *task) { return fits(task) ? WIRE_FOLLOWED : WIRE_APART; }

/* The thread was found to fit, and is followed from here on. It may have ended when its record is read. */
static __always_inline void join(struct task_struct *task, struct wire_mark *mark) {
  mark->state = WIRE_FOLLOWED;
  mark->in_call = WIRE_PASSED;
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch) return;
  begin(scratch, task, mark);
  scratch->record.at_ns = moment();
  append_comm(scratch, mark, task);
  send(scratch, mark, WIRE_SEEDED);
}

/* The thread is not followed from here on, and strut's side is sent a record of that. */
static __always_inline void stop_following(struct task_struct *task, struct wire_mark *mark, __u8 state) {
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch) return;
  begin(scratch, task, mark);
  scratch->record.at_ns = moment();
  send(scratch, mark, WIRE_LEFT);
  mark->state = state;
  mark->in_call = WIRE_PASSED;
}

/* The process runs another program, and may have come to fit or ceased to. */
static __always_inline void look_again(struct task_struct *task, struct wire_mark *mark) {
  __u8 state = state_of(task);
  if (mark->state == WIRE_APART && state == WIRE_FOLLOWED) join(task, mark);
  if (mark->state != WIRE_FOLLOWED || state == WIRE_FOLLOWED) return;
  stop_following(task, mark, WIRE_APART);
}

/* A thread that is apart has changed its user. */
static __always_inline void look_at_user(struct task_struct *task, struct wire_mark *mark) {
  if (mark->state != WIRE_APART || !changes_user(mark->abi, mark->nr)) return;
  if (fits(task)) join(task, mark);
}

/* The caller may not trace the current thread any more: it has changed its IDs, or executed a set-user-ID program. */
static __noinline int hide(struct wire_mark *mark) {
  if (!mark) return 0;
  stop_following(bpf_get_current_task_btf(), mark, choice.system_wide ? WIRE_APART : WIRE_LET_GO);
  return 1;
}

/* For the current thread: looked at where it is followed, or about to be. */
static __always_inline int is_hidden(struct task_struct *task, struct wire_mark *mark) {
  if (!caller.is_restricted) return 0;
  int is_shown = is_followed(mark) || mark->state == WIRE_STARTING || mark->state == WIRE_HEIR;
  return is_shown && !may_see(task) ? hide(mark) : 0;
}
