/* The processes and threads that ids name, and the namespaces that processes are in. */
#pragma once

#include "kassist/kernel/syscalls/files.bpf.h"

enum {
  NODE_TAG = 2,       /* <linux/xarray.h>: a pointer to a node of the tree */
  NODE_SLOTS = 64,    /* XA_CHUNK_SIZE; CONFIG_BASE_SMALL is not for x86-64 */
  PID_OF_TASK = 0,    /* PIDTYPE_PID */
};

/* struct pid of the namespace `level` deep in its numbers. */
static __always_inline struct upid *numbered(__u64 pid, __u32 level) {
  return (struct upid *)(pid + bpf_core_field_offset(struct pid, numbers) + level * bpf_core_type_size(struct upid));
}

/* The namespace that a struct pid was made in. */
static __always_inline struct pid_namespace *space_of(__u64 pid) {
  struct upid *number = numbered(pid, BPF_CORE_READ((struct pid *)pid, level));
  return BPF_CORE_READ(number, ns);
}

/* The struct pid of the current thread. */
static __always_inline __u64 own_pid(void) {
  struct task_struct *task = bpf_get_current_task_btf();
  return (__u64)BPF_CORE_READ(task, thread_pid);
}

/* A process's number in strut's own namespace. */
static __always_inline __u32 number_for_strut(__u64 pid) {
  if (caller.pid_namespace) return visible_number(number_in_namespace(pid));
  struct upid *number = numbered(pid, 0);
  return BPF_CORE_READ(number, nr);
}

/* Whether the current thread's pid namespace is another than strut's. */
static __always_inline int is_in_foreign_namespace(void) {
  struct pid_namespace *space = space_of(own_pid());
  if (caller.pid_namespace) return BPF_CORE_READ(space, ns.inum) != caller.pid_namespace;
  return BPF_CORE_READ((struct pid *)own_pid(), level) != 0;
}

/* The way through the radix tree in which a namespace keeps its ids. */
struct descent {
  __u64 entry;
  __u32 id;
  __u32 shift; /* for the node above; 0: the entry is a leaf */
};

static long descend(void *map, __u32 *key, __u32 *value, struct descent *descent) {
  if (descent->shift == 0 || (descent->entry & 3) != NODE_TAG) return 1;
  struct xa_node *node = (struct xa_node *)(descent->entry - NODE_TAG);
  __u32 shift = BPF_CORE_READ(node, shift) & 31, slot = descent->id >> shift;
  descent->entry = 0;
  if (descent->shift == 32 && slot >= NODE_SLOTS) return 1;
  bpf_probe_read_kernel(&descent->entry, sizeof(descent->entry), &node->slots[slot & (NODE_SLOTS - 1)]);
  if (shift >= descent->shift) return 1;
  descent->shift = shift;
  return 0;
}

/* The struct pid of an id in the current thread's namespace, 0: none. */
static __always_inline __u64 find_pid(__u32 id) {
  struct pid_namespace *space = space_of(own_pid());
  struct descent descent = {.entry = (__u64)BPF_CORE_READ(space, idr.idr_rt.xa_head), .id = id, .shift = 32};
  bpf_for_each_map_elem(&steps, descend, &descent, 0);
  return descent.shift == 0 && (descent.entry & 3) == 0 ? descent.entry : 0;
}

/* The thread of a struct pid, 0: it is gone. */
static __always_inline struct task_struct *task_of(__u64 pid) {
  __u64 link = (__u64)BPF_CORE_READ((struct pid *)pid, tasks[PID_OF_TASK].first);
  return link ? (struct task_struct *)(link - bpf_core_field_offset(struct task_struct, pid_links)) : 0;
}

/* Appends the process or thread that an id names; ids below 1 name groups or none. */
__noinline int append_process(struct scratch *scratch, struct wire_mark *mark, int id) {
  if (!scratch || !mark || id <= 0 || !(around & WIRE_AROUND_IDS)) return 0;
  make_room(scratch, mark);
  struct wire_chunk *chunk = new_around(scratch, WIRE_PROCESS, id);
  struct wire_process *process = (struct wire_process *)(chunk + 1);
  __u64 pid = find_pid(id);
  struct task_struct *task = pid ? task_of(pid) : 0;
  if (!task) {
    end_around(scratch, chunk, 0);
    return 0;
  }
  process->id = number_for_strut(pid);
  process->foreign = is_in_foreign_namespace();
  bpf_core_read(process->comm, sizeof(process->comm), &task->comm);
  end_around(scratch, chunk, sizeof(*process));
  return 0;
}

/* Appends a thread's comm. */
static __always_inline void append_comm(struct scratch *scratch, struct wire_mark *mark, struct task_struct *task) {
  if (!(around & WIRE_AROUND_COMMS)) return;
  make_room(scratch, mark);
  struct wire_chunk *chunk = new_around(scratch, WIRE_COMM_CHUNK, 0);
  bpf_core_read(chunk + 1, WIRE_COMM, &task->comm);
  end_around(scratch, chunk, WIRE_COMM);
}

/* Appends the namespaces of process `id`, 0: of the current thread. A zombie has none. */
__noinline int append_namespaces(struct scratch *scratch, struct wire_mark *mark, int id) {
  if (!scratch || !mark || id < 0 || !(around & WIRE_AROUND_NAMESPACES)) return 0;
  make_room(scratch, mark);
  struct wire_chunk *chunk = new_around(scratch, WIRE_NAMESPACES, id);
  struct wire_namespaces *spaces = (struct wire_namespaces *)(chunk + 1);
  __u64 pid = id ? find_pid(id) : own_pid();
  struct task_struct *task = pid ? task_of(pid) : 0;
  struct nsproxy *proxy = task ? BPF_CORE_READ(task, nsproxy) : 0;
  if (!proxy || !may_see(task)) {
    end_around(scratch, chunk, 0);
    return 0;
  }
  spaces->cgroup = BPF_CORE_READ(proxy, cgroup_ns, ns.inum);
  spaces->ipc = BPF_CORE_READ(proxy, ipc_ns, ns.inum);
  spaces->mnt = BPF_CORE_READ(proxy, mnt_ns, ns.inum);
  spaces->net = BPF_CORE_READ(proxy, net_ns, ns.inum);
  struct pid_namespace *space = space_of(pid);
  spaces->pid = BPF_CORE_READ(space, ns.inum);
  spaces->time = BPF_CORE_READ(proxy, time_ns, ns.inum);
  spaces->user = BPF_CORE_READ(task, cred, user_ns, ns.inum);
  spaces->uts = BPF_CORE_READ(proxy, uts_ns, ns.inum);
  end_around(scratch, chunk, sizeof(*spaces));
  return 0;
}

/* The current thread is strut itself. */
static __always_inline void learn_ourselves(void) {
  struct fs_struct *place = BPF_CORE_READ(bpf_get_current_task_btf(), fs);
  struct path root = {};
  bpf_core_read(&root, sizeof(root), &place->root);
  own_root_mount = (__u64)mount_of(root.mnt);
  own_root_dentry = root.dentry;
}
