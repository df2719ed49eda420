/* Names of files, from their dentry up to the root, written backwards into d_run::temp. */
#pragma once

#include "kassist/kernel/dtrace/core.bpf.h"
#include "kassist/kernel/dtrace/types.h"

enum { D_TEMP = 2 * D_TEXT_MOST, D_NAME_MOST = 256 };

/* Where a walk is, and the mount's top; `until` is the mount's at which it is to stop, 0: none. */
struct d_walk {
  struct d_run *run;
  __u64 dentry, mount, top, until;
};

static __always_inline void enter_mount(struct d_walk *walk, struct mount *mount) {
  walk->mount = (__u64)mount;
  walk->top = (__u64)BPF_CORE_READ(mount, mnt.mnt_root);
}

static __always_inline struct mount *mount_of(__u64 vfsmount) {
  return (struct mount *)(vfsmount - bpf_core_field_offset(struct mount, mnt));
}

/* loop.at: where in temp the names begin. */
static long walk_up(void *map, __u32 *key, __u32 *value, struct d_walk *walk) {
  struct d_run *run = walk->run;
  if (walk->dentry == walk->top) {
    struct mount *mount = (struct mount *)walk->mount, *above = BPF_CORE_READ(mount, mnt_parent);
    if (walk->mount == walk->until || above == mount || !above) return 1;
    walk->dentry = (__u64)BPF_CORE_READ(mount, mnt_mountpoint);
    enter_mount(walk, above);
    return 0;
  }
  struct dentry *dentry = (struct dentry *)walk->dentry;
  __u64 parent = (__u64)BPF_CORE_READ(dentry, d_parent), length = BPF_CORE_READ(dentry, d_name.len);
  const unsigned char *name = BPF_CORE_READ(dentry, d_name.name);
  if (parent == walk->dentry || !parent) return 1;
  if (length >= D_NAME_MOST || run->loop.at < length + 1) return 1;
  run->loop.at -= length;
  __u64 bytes = length;
  asm volatile("" : "+r"(bytes));
  if (bytes < D_NAME_MOST) bpf_probe_read_kernel(&run->temp[run->loop.at & (D_TEXT_MOST - 1)], bytes, name);
  run->loop.at--;
  run->temp[run->loop.at & (D_TEXT_MOST - 1)] = '/';
  walk->dentry = parent;
  return 0;
}

/* Walks; where in temp the path begins, which ends at D_TEXT_MOST. `only_mount`: up to where its file system is
 * mounted. */
__noinline int path_of(struct d_run *run, __u64 vfsmount, __u64 dentry, __u32 only_mount) {
  if (!run) return 0;
  struct d_walk walk = {.run = run, .dentry = dentry};
  enter_mount(&walk, mount_of(vfsmount));
  if (only_mount) walk.until = walk.mount;
  run->loop.at = D_TEXT_MOST;
  bpf_for_each_map_elem(&steps, walk_up, &walk, 0);
  __u64 at = *(volatile __u64 *)&run->loop.at;
  if (at == D_TEXT_MOST) run->temp[--at & (D_TEXT_MOST - 1)] = '/';
  return at & (D_TEXT_MOST - 1);
}

static __always_inline void set_path(struct d_run *run, __u32 to, const struct path *path) {
  if (!path->dentry) {
    *text_at(run, to) = (struct d_text){};
    return;
  }
  __u64 at = path_of(run, path->mnt, path->dentry, 0) & (D_TEXT_MOST - 1);
  set_text(run, to, &run->temp[at], D_TEXT_MOST - at);
}
