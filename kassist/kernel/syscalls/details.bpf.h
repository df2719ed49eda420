/* More about an open file than its path. */
#pragma once

#include "kassist/kernel/common/ids.bpf.h"
#include "kassist/kernel/syscalls/sockets.bpf.h"

enum {
  DEVICE_PTMX = 5 << 20 | 2,
  EVENTFD_SEMAPHORE = 1,
};

/* Anonymous files by the first eight bytes of their names. */
#define NAME_EVENTFD 0x6466746e6576655bull  /* "[eventfd" */
#define NAME_SIGNALFD 0x666c616e6769735bull /* "[signalf" */
#define NAME_PIDFD 0x5d64666469705bull      /* "[pidfd]" */

static __always_inline void read_eventfd(struct wire_details *details, void *private) {
  struct eventfd_ctx *context = private;
  details->of = WIRE_OF_EVENTFD;
  details->value = BPF_CORE_READ(context, count);
  details->number = BPF_CORE_READ(context, id);
  details->flags = BPF_CORE_READ(context, flags) & EVENTFD_SEMAPHORE;
}

/* The file holds the complement of the signal mask. */
static __always_inline void read_signalfd(struct wire_details *details, void *private) {
  struct signalfd_ctx *context = private;
  details->of = WIRE_OF_SIGNALFD;
  details->value = ~BPF_CORE_READ(context, sigmask.sig[0]);
}

static __always_inline void read_pidfd(struct wire_details *details, __u64 pid) {
  struct task_struct *task = task_of(pid);
  details->of = WIRE_OF_PIDFD;
  if (!task) return;
  details->number = number_for_strut(pid);
  bpf_core_read(details->comm, sizeof(details->comm), &task->comm);
}

static __always_inline void read_terminal(struct wire_details *details, void *private) {
  struct tty_file_private *terminal = private;
  details->of = WIRE_OF_TERMINAL;
  details->number = BPF_CORE_READ(terminal, tty, index);
}


static __always_inline void read_anonymous(struct wire_details *details, struct file *file) {
  __u64 name = 0;
  struct path path = {};
  bpf_core_read(&path, sizeof(path), &file->f_path);
  struct dentry *dentry = (struct dentry *)path.dentry;
  const void *start = BPF_CORE_READ(dentry, d_name.name);
  bpf_probe_read_kernel(&name, sizeof(name), start);
  void *private = BPF_CORE_READ(file, private_data);
  if (name == NAME_EVENTFD) read_eventfd(details, private);
  else if (name == NAME_SIGNALFD) read_signalfd(details, private);
  else if (name << 8 == NAME_PIDFD << 8) read_pidfd(details, (__u64)private);
}

/* Fills in details that are all zero; says how many bytes follow them. */
static __always_inline __u32 read_details(struct wire_details *details, struct file *file) {
  struct inode *inode = BPF_CORE_READ(file, f_inode);
  __u16 type = BPF_CORE_READ(inode, i_mode) & TYPE_MASK;
  if (type == TYPE_SOCKET) {
    struct sock *sock = sock_of((__u64)file);
    return sock ? read_socket(details, sock) : 0;
  }
  if (type == TYPE_CHARACTER) {
    if (BPF_CORE_READ(inode, i_rdev) == DEVICE_PTMX) read_terminal(details, BPF_CORE_READ(file, private_data));
    return 0;
  }
  __u64 magic = BPF_CORE_READ(inode, i_sb, s_magic);
  if (magic == PIDFS_MAGIC) read_pidfd(details, (__u64)BPF_CORE_READ(inode, i_private));
  if (magic == ANON_INODE_MAGIC) read_anonymous(details, file);
  return 0;
}

static __always_inline struct wire_details *new_details(struct scratch *scratch, struct wire_mark *mark, int fd) {
  make_room(scratch, mark);
  struct wire_chunk *chunk = new_around(scratch, WIRE_DETAILS, fd);
  struct wire_details *details = (struct wire_details *)(chunk + 1);
  __builtin_memset(details, 0, sizeof(*details));
  return details;
}

static __always_inline void end_details(struct scratch *scratch, struct wire_details *details, __u32 more) {
  struct wire_chunk *chunk = (struct wire_chunk *)details - 1;
  end_around(scratch, chunk, details->of ? sizeof(*details) + (more & 127) : 0);
}

/* Appends the details of an open file, empty ones if there is nothing to say. */
__noinline int append_details(struct scratch *scratch, struct wire_mark *mark, int fd, __u64 file) {
  if (!scratch || !mark || !(around & WIRE_AROUND_DETAILS)) return 0;
  struct wire_details *details = new_details(scratch, mark, fd);
  __u32 more = read_details(details, (struct file *)file);
  end_details(scratch, details, more);
  return 0;
}

/* Appends which netlink socket or which device a file is, empty details of any other one. */
__noinline int append_identity(struct scratch *scratch, struct wire_mark *mark, int fd) {
  if (!scratch || !mark) return 0;
  struct wire_details *details = new_details(scratch, mark, fd);
  struct file *file = (struct file *)file_of(fd); /* zero without a file */
  struct inode *inode = BPF_CORE_READ(file, f_inode);
  __u16 type = BPF_CORE_READ(inode, i_mode) & TYPE_MASK;
  if (type == TYPE_SOCKET) {
    struct sock *sock = sock_behind(file);
    if (BPF_CORE_READ(sock, __sk_common.skc_family) == FAMILY_NETLINK) {
      read_identity(details, sock);
      read_netlink(details, sock);
    }
  } else if (type == TYPE_CHARACTER || type == TYPE_BLOCK) {
    details->of = WIRE_OF_DEVICE;
    details->value = BPF_CORE_READ(inode, i_rdev);
    details->flags = type == TYPE_BLOCK;
  }
  end_details(scratch, details, 0);
  return 0;
}
