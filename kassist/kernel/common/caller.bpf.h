/* The processes that an ordinary user of a privileged strut may see: those that ptrace(2), "Ptrace access mode
 * checking", lets it trace with its own credentials. Decided at each event, since a process may change its IDs or
 * exec a set-user-ID program. `caller` is a constant: for root the verifier drops all of this. */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "kassist/kernel/common/types.h"
#include "kassist/wire/caller_wire.h"

/* Flavours (libbpf: what follows ___ is ignored) with the members used here. */
struct id___caller {
  unsigned int val;
} RELOCATED;
struct capabilities___caller {}; /* eight bytes, whatever their members are called */
struct ns_common___caller {
  unsigned int inum;
} RELOCATED;
struct user_namespace___caller {
  struct user_namespace___caller *parent;
  struct id___caller owner;
  struct ns_common___caller ns;
} RELOCATED;
struct cred___caller {
  struct id___caller uid, gid, suid, sgid, euid, egid;
  struct capabilities___caller cap_permitted;
  struct user_namespace___caller *user_ns;
} RELOCATED;
struct flag_words___caller {};
struct mm_struct___caller {
  struct flag_words___caller flags; /* since Linux 6.18 */
  struct user_namespace___caller *user_ns;
} RELOCATED;
struct mm_struct___word {
  unsigned long flags;
} RELOCATED;
struct task_struct___caller {
  const struct cred___caller *real_cred;
  struct mm_struct___caller *mm;
  unsigned int user_dumpable : 1;
} RELOCATED;

enum {
  NESTED_NAMESPACES = 33, /* as deep as create_user_ns() lets them be */
  DUMPABLE_MASK = 3,      /* MMF_DUMPABLE_MASK */
  DUMPABLE_BY_USER = 1,   /* SUID_DUMP_USER */
};

/* Whether the caller made the user namespace, or one that it is in: it has all capabilities there (user_namespaces(7)).
 */
static __always_inline int has_made(struct user_namespace___caller *space) {
  for (int i = 0; i < NESTED_NAMESPACES; i++) {
    if (!space || BPF_CORE_READ(space, ns.inum) == caller.user_namespace) return 0;
    struct user_namespace___caller *parent = BPF_CORE_READ(space, parent);
    if (parent && BPF_CORE_READ(parent, ns.inum) == caller.user_namespace)
      return BPF_CORE_READ(space, owner.val) == caller.uid;
    space = parent;
  }
  return 0;
}

static __always_inline int has_callers_ids(const struct cred___caller *cred) {
  return BPF_CORE_READ(cred, euid.val) == caller.uid && BPF_CORE_READ(cred, suid.val) == caller.uid &&
         BPF_CORE_READ(cred, uid.val) == caller.uid && BPF_CORE_READ(cred, egid.val) == caller.gid &&
         BPF_CORE_READ(cred, sgid.val) == caller.gid && BPF_CORE_READ(cred, gid.val) == caller.gid;
}

/* PR_SET_DUMPABLE. A task without memory is exiting: newer kernels remember its value. */
static __always_inline int is_dumpable(struct task_struct___caller *task) {
  struct mm_struct___caller *mm = BPF_CORE_READ(task, mm);
  __u64 flags = 0;
  if (!mm) return bpf_core_field_exists(task->user_dumpable) ? BPF_CORE_READ_BITFIELD_PROBED(task, user_dumpable) : 1;
  if (bpf_core_field_exists(mm->flags)) {
    bpf_core_read(&flags, sizeof(flags), &mm->flags);
  } else {
    struct mm_struct___word *before = (void *)mm;
    flags = BPF_CORE_READ(before, flags);
  }
  return (flags & DUMPABLE_MASK) == DUMPABLE_BY_USER || has_made(BPF_CORE_READ(mm, user_ns));
}

static __noinline int is_accessible(__u64 address) {
  struct task_struct___caller *task = (void *)address;
  const struct cred___caller *cred = BPF_CORE_READ(task, real_cred);
  struct user_namespace___caller *space = BPF_CORE_READ(cred, user_ns);
  int is_owner = has_made(space);
  if (!is_owner && !has_callers_ids(cred)) return 0;
  if (!is_dumpable(task)) return 0;
  if (is_owner) return 1;
  __u64 capabilities = ~0ull;
  bpf_core_read(&capabilities, sizeof(capabilities), &cred->cap_permitted);
  return BPF_CORE_READ(space, ns.inum) == caller.user_namespace && !(capabilities & ~caller.capabilities);
}
