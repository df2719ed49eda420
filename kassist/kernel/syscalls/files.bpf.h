/* The files of descriptors, as the links of /proc/PID/fd would show them now. */
#pragma once

#include "kassist/kernel/common/path_walk.bpf.h"
#include "kassist/kernel/common/record.bpf.h"

enum {
  CURRENT_DIRECTORY = -100, /* AT_FDCWD of <linux/fcntl.h> */
  NAMES_MAX = 3800,         /* bytes of names; longer paths are cut */
  NAMES_CUT = 1 << 16,

  /* superblocks, <linux/magic.h> */
  ANON_INODE_MAGIC = 0x09041934, NSFS_MAGIC = 0x6e736673, PIDFS_MAGIC = 0x50494446, DMA_BUF_MAGIC = 0x444d4142,

  TYPE_MASK = 0170000, TYPE_SOCKET = 0140000, TYPE_CHARACTER = 0020000, TYPE_BLOCK = 0060000, /* S_IFMT … */
};

/* A context chunk, in reserved room. Its content starts after it. */
static __always_inline struct wire_chunk *new_around(struct scratch *scratch, __u8 kind, __s64 at) {
  struct wire_chunk *chunk = (struct wire_chunk *)&scratch->bytes[scratch->used & (WIRE_RECORD_MAX - 1)];
  chunk->at = at;
  chunk->kind = kind;
  chunk->missed = 0;
  chunk->asked = scratch->phase;
  chunk->bytes = 0;
  return chunk;
}

static __always_inline void end_around(struct scratch *scratch, struct wire_chunk *chunk, __u32 bytes) {
  chunk->bytes = bytes;
  end_chunk(scratch, bytes);
}

/* Where the names of a file start in a record under construction. */
static __always_inline __u32 names_at(struct scratch *scratch) {
  return (scratch->used & (WIRE_RECORD_MAX - 1)) + sizeof(struct wire_chunk) + sizeof(struct wire_file);
}

/* Writes a name and its NUL behind `done` bytes of names; says how many bytes there are then. */
static __always_inline __u32 put_name(struct scratch *scratch, __u32 done, const struct qstr *name) {
  __u32 length = name->len & 255;
  __u8 *to = &scratch->bytes[names_at(scratch) + (done & (WIRE_CHUNK_MAX - 1))];
  bpf_probe_read_kernel(to, length, name->name);
  to[length] = 0;
  return done + length + 1;
}

/* One name or one mount up; 1: the walk is over. A directory that was moved out of its mount's root is shown as "/". */
static long walk_up(void *map, __u32 *key, __u32 *value, struct scratch **holder) {
  struct scratch *scratch = *holder;
  struct walk *walk = &scratch->walk;
  struct place place = {};
  if (walk->done > NAMES_MAX) return 1;
  walk->arrived = 1;
  if (walk->climb.dentry == own_root_dentry && walk->climb.mount == own_root_mount) return 1;
  switch (climb_on(&walk->climb, &place)) {
    case CLIMB_ARRIVED: return 1;
    case CLIMB_DETACHED: walk->done = 0; return 1;
    case CLIMB_MOUNT: break;
    case CLIMB_NAME: walk->done = put_name(scratch, walk->done, &place.name);
  }
  walk->arrived = 0;
  return 0;
}

/* Writes the names from a dentry up to strut's own root or to the root of its mount namespace. */
__noinline int put_path(struct scratch *scratch, __u64 vfsmount, __u64 dentry) {
  if (!scratch || !((around & (WIRE_AROUND_FILES | WIRE_AROUND_OBJECTS)) || stack_bytes)) return 0;
  struct walk *walk = &scratch->walk;
  walk->done = walk->arrived = 0;
  begin_climb(&walk->climb, vfsmount, dentry);
  bpf_for_each_map_elem(&steps, walk_up, &scratch, 0);
  return walk->done | (walk->arrived ? 0 : NAMES_CUT);
}

/* The name of a namespace's kind: "net". */
static __always_inline __u32 put_namespace(struct scratch *scratch, struct inode *inode) {
  struct ns_common *common = (struct ns_common *)BPF_CORE_READ(inode, i_private);
  const char *name = BPF_CORE_READ(common, ops, name);
  long got = bpf_probe_read_kernel_str(&scratch->bytes[names_at(scratch)], 32, name);
  return got < 0 ? 0 : got & 63;
}

/* The filesystem composes the name of such a file: its inputs are reported. */
static __always_inline __u32 put_nameless(struct scratch *scratch, struct wire_file *file, struct dentry *dentry,
                                          struct inode *inode) {
  file->flags = WIRE_FILE_NAMELESS | (file->magic == DMA_BUF_MAGIC ? WIRE_FILE_CUT : 0);
  if (file->magic == NSFS_MAGIC) return put_namespace(scratch, inode);
  struct qstr name = {};
  bpf_core_read(&name, sizeof(name), &dentry->d_name);
  return put_name(scratch, 0, &name);
}

static __always_inline int is_nameless(struct dentry *dentry, struct dentry *parent, __u64 vfsmount) {
  const struct dentry_operations *operations = BPF_CORE_READ(dentry, d_op);
  if (!operations || !BPF_CORE_READ(operations, d_dname)) return 0;
  struct mount *mount = mount_of(vfsmount);
  return parent != dentry || BPF_CORE_READ(mount, mnt.mnt_root) != dentry;
}

/* Fills in a file. */
static __always_inline void read_file(struct scratch *scratch, struct wire_file *file, struct path *path) {
  struct dentry *dentry = (struct dentry *)path->dentry, *parent = BPF_CORE_READ(dentry, d_parent);
  struct inode *inode = BPF_CORE_READ(dentry, d_inode);
  file->inode = BPF_CORE_READ(inode, i_ino);
  file->magic = BPF_CORE_READ(inode, i_sb, s_magic);
  file->device = BPF_CORE_READ(inode, i_rdev);
  file->mode = BPF_CORE_READ(inode, i_mode);
  if (is_nameless(dentry, parent, path->mnt)) {
    file->names = put_nameless(scratch, file, dentry, inode);
    return;
  }
  file->flags = parent != dentry && !BPF_CORE_READ(dentry, d_hash.pprev) ? WIRE_FILE_DELETED : 0;
  __u32 names = put_path(scratch, path->mnt, path->dentry);
  if (names & NAMES_CUT) file->flags |= WIRE_FILE_CUT;
  file->names = names & (WIRE_CHUNK_MAX - 1);
}

/* Appends the file of a descriptor; for a path without a dentry: nothing. */
static __always_inline void append_file(struct scratch *scratch, struct wire_mark *mark, int fd, struct path *path) {
  make_room(scratch, mark);
  struct wire_chunk *chunk = new_around(scratch, WIRE_FILE, fd);
  struct wire_file *file = (struct wire_file *)(chunk + 1);
  __u32 bytes = 0;
  if (path->dentry) {
    read_file(scratch, file, path);
    bytes = sizeof(*file) +
            (*(volatile __u32*)&file->names & (WIRE_CHUNK_MAX - 1)); /* no longer known: paths join for the verifier */
  }
  end_around(scratch, chunk, bytes);
}
