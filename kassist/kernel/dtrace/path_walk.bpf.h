/* Names of files, from their dentry up to the root, written backwards into d_run::temp. */
#pragma once

#include "kassist/kernel/common/path_walk.bpf.h"
#include "kassist/kernel/dtrace/core.bpf.h"
#include "kassist/kernel/dtrace/types.h"

enum { D_TEMP = 2 * D_TEXT_MOST, D_NAME_MOST = 256 };

struct d_walk {
  struct d_run *run;
  struct climb climb;
};

/* loop.at: where in temp the names begin. 1: there is no room for one more. */
static __always_inline int put_name_before(struct d_run *run, const struct qstr *name) {
  __u64 length = name->len;
  if (length >= D_NAME_MOST || run->loop.at < length + 1) return 1;
  run->loop.at -= length;
  __u64 bytes = length;
  asm volatile("" : "+r"(bytes));
  if (bytes < D_NAME_MOST) bpf_probe_read_kernel(&run->temp[run->loop.at & (D_TEXT_MOST - 1)], bytes, name->name);
  run->loop.at--;
  run->temp[run->loop.at & (D_TEXT_MOST - 1)] = '/';
  return 0;
}

static long walk_up(void *map, __u32 *key, __u32 *value, struct d_walk *walk) {
  struct place place = {};
  switch (climb_on(&walk->climb, &place)) {
    case CLIMB_MOUNT: return 0;
    case CLIMB_NAME: return put_name_before(walk->run, &place.name);
    default: return 1;
  }
}

/* Walks; where in temp the path begins, which ends at D_TEXT_MOST. */
__noinline int path_of(struct d_run *run, __u64 vfsmount, __u64 dentry) {
  if (!run) return 0;
  struct d_walk walk = {.run = run};
  begin_climb(&walk.climb, vfsmount, dentry);
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
  __u64 at = path_of(run, path->mnt, path->dentry) & (D_TEXT_MOST - 1);
  set_text(run, to, &run->temp[at], D_TEXT_MOST - at);
}
