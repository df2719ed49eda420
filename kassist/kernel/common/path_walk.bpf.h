/* The walk from a file up to the root of its mount namespace, as the kernel's d_path() makes it. Takes no lock: a
 * concurrent rename may be seen half done. */
#pragma once

#include "kassist/kernel/common/around_types.h"

/* The open file (struct file *) of a descriptor of the current thread, 0: none. */
static __always_inline __u64 file_of(__u64 fd) {
  struct files_struct *files = BPF_CORE_READ(bpf_get_current_task_btf(), files);
  struct fdtable *table = BPF_CORE_READ(files, fdt);
  if (fd >= BPF_CORE_READ(table, max_fds)) return 0;
  __u64 file = 0, slots = (__u64)BPF_CORE_READ(table, fd);
  bpf_probe_read_kernel(&file, sizeof(file), (void *)(slots + 8 * fd));
  return file;
}

static __always_inline struct mount *mount_of(__u64 vfsmount) {
  return (struct mount *)(vfsmount - bpf_core_field_offset(struct mount, mnt));
}

/* d_parent and d_name of a dentry. */
struct place {
  __u64 parent;
  struct qstr name;
};

static __always_inline void read_place(struct place *place, struct dentry *dentry) {
  if (bpf_core_field_offset(dentry->d_name) == bpf_core_field_offset(dentry->d_parent) + 8) {
    bpf_core_read(place, sizeof(*place), &dentry->d_parent);
  } else {
    place->parent = (__u64)BPF_CORE_READ(dentry, d_parent);
    bpf_core_read(&place->name, sizeof(place->name), &dentry->d_name);
  }
}

/* Where a walk is. */
struct climb {
  __u64 mount, dentry;
  __u64 top; /* the mount's root */
};

static __always_inline void enter_mount(struct climb *climb, struct mount *mount) {
  climb->mount = (__u64)mount;
  climb->top = (__u64)BPF_CORE_READ(mount, mnt.mnt_root);
}

static __always_inline void begin_climb(struct climb *climb, __u64 vfsmount, __u64 dentry) {
  climb->dentry = dentry;
  enter_mount(climb, mount_of(vfsmount));
}

enum climbed {
  CLIMB_ARRIVED,  /* at the root of the mount namespace */
  CLIMB_DETACHED, /* at a directory that was moved out of its mount's root: it has no path */
  CLIMB_MOUNT,    /* one mount up */
  CLIMB_NAME,     /* one name up: `place` has the one that was left */
};

static __always_inline enum climbed climb_on(struct climb *climb, struct place *place) {
  __u64 dentry = climb->dentry;
  if (dentry == climb->top) {
    struct mount *mount = (struct mount *)climb->mount, *above = BPF_CORE_READ(mount, mnt_parent);
    if (above == mount || !above) return CLIMB_ARRIVED;
    climb->dentry = (__u64)BPF_CORE_READ(mount, mnt_mountpoint);
    enter_mount(climb, above);
    return CLIMB_MOUNT;
  }
  read_place(place, (struct dentry *)dentry);
  if (place->parent == dentry || !place->parent) return CLIMB_DETACHED;
  climb->dentry = place->parent;
  return CLIMB_NAME;
}
