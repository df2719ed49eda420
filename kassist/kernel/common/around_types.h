/* Kernel structures behind descriptors and ids, declared as in types.h. */
#pragma once

#include "kassist/kernel/common/types.h"

/* -- files -- */

/* Read as a whole: their members have these places in every kernel. */
struct path {
  unsigned long mnt, dentry;
};
struct qstr {
  unsigned int hash, len;
  const unsigned char *name;
};

struct file {
  void *private_data;
  struct inode *f_inode;
  struct path f_path;
} RELOCATED;

struct fdtable {
  unsigned int max_fds;
  struct file **fd;
} RELOCATED;

struct files_struct {
  struct fdtable *fdt;
} RELOCATED;

struct fs_struct {
  struct path root;
  struct path pwd;
} RELOCATED;

struct hlist_bl_node {
  struct hlist_bl_node **pprev;
} RELOCATED;

struct dentry_operations {
  void *d_dname;
} RELOCATED;

struct dentry {
  struct hlist_bl_node d_hash;
  struct dentry *d_parent;
  struct qstr d_name;
  struct inode *d_inode;
  const struct dentry_operations *d_op;
} RELOCATED;

struct vfsmount {
  struct dentry *mnt_root;
} RELOCATED;

struct mount {
  struct mount *mnt_parent;
  struct dentry *mnt_mountpoint;
  struct vfsmount mnt;
} RELOCATED;

struct super_block {
  unsigned long s_magic;
} RELOCATED;

struct inode {
  unsigned short i_mode;
  unsigned int i_rdev;
  unsigned long i_ino;
  struct super_block *i_sb;
  void *i_private;
} RELOCATED;

/* -- anonymous files -- */

struct eventfd_ctx {
  unsigned long long count;
  unsigned int flags;
  int id;
} RELOCATED;

struct signalfd_ctx {
  struct {
    unsigned long sig[1];
  } sigmask;
} RELOCATED;

struct tty_struct {
  int index;
} RELOCATED;

struct tty_file_private {
  struct tty_struct *tty;
} RELOCATED;

/* -- sockets -- */

struct in6_addr {
  unsigned char bytes[16];
};

typedef struct {
  struct net *net;
} possible_net_t;

struct sock_common {
  unsigned int skc_daddr, skc_rcv_saddr;
  unsigned short skc_dport, skc_num;
  unsigned short skc_family;
  volatile unsigned char skc_state;
  possible_net_t skc_net;
  struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
} RELOCATED;

struct sock {
  struct sock_common __sk_common;
  struct socket *sk_socket;
  unsigned short sk_protocol;
  unsigned long sk_ino; /* Linux 6.17 */
} RELOCATED;

struct inet_sock {
  unsigned short inet_sport;
} RELOCATED;

struct sockaddr_un {
  unsigned short sun_family;
  char sun_path[108];
};

struct unix_address {
  int len;
  struct sockaddr_un name[1];
} RELOCATED;

struct unix_sock {
  struct unix_address *addr;
  struct sock *peer;
} RELOCATED;

struct netlink_sock {
  unsigned int portid;
  _Bool bound;
} RELOCATED;

struct socket {
  struct sock *sk;
} RELOCATED;

struct socket_alloc {
  struct socket socket;
  struct inode vfs_inode;
} RELOCATED;

/* -- ids -- */

struct xarray {
  void *xa_head;
} RELOCATED;
struct idr {
  struct xarray idr_rt;
} RELOCATED;
struct xa_node {
  unsigned char shift;
  void *slots[64];
} RELOCATED;

/* -- namespaces -- */

struct proc_ns_operations {
  const char *name;
} RELOCATED;

struct ns_common {
  const struct proc_ns_operations *ops;
  unsigned int inum;
} RELOCATED;

struct pid_namespace {
  struct idr idr;
  unsigned int level;
  struct ns_common ns;
} RELOCATED;

struct nsproxy {
  struct uts_namespace *uts_ns;
  struct ipc_namespace *ipc_ns;
  struct mnt_namespace *mnt_ns;
  struct net *net_ns;
  struct time_namespace *time_ns;
  struct cgroup_namespace *cgroup_ns;
} RELOCATED;

typedef struct {
  unsigned int val;
} kuid_t;

struct cred {
  kuid_t euid;
  struct user_namespace *user_ns;
} RELOCATED;

struct net {
  struct ns_common ns;
} RELOCATED;
struct uts_namespace {
  struct ns_common ns;
} RELOCATED;
struct ipc_namespace {
  struct ns_common ns;
} RELOCATED;
struct mnt_namespace {
  struct ns_common ns;
} RELOCATED;
struct time_namespace {
  struct ns_common ns;
} RELOCATED;
struct user_namespace {
  struct ns_common ns;
} RELOCATED;
struct cgroup_namespace {
  struct ns_common ns;
} RELOCATED;
