/* The details of a socket, for -yy. */
#pragma once

#include "kassist/kernel/syscalls/files.bpf.h"

enum {
  FAMILY_UNIX = 1, FAMILY_INET = 2, FAMILY_INET6 = 10, FAMILY_NETLINK = 16,
  PROTOCOL_TCP = 6,
  STATE_CLOSED = 7, /* TCP_CLOSE of <net/tcp_states.h> */
  UNIX_NAME_MAX = 110, /* sizeof(struct sockaddr_un) */
};

static __always_inline void read_ends(struct wire_details *details, struct sock *sock) {
  struct sock_common *common = &sock->__sk_common;
  details->port = BPF_CORE_READ((struct inet_sock *)sock, inet_sport);
  details->peer_port = BPF_CORE_READ(common, skc_dport);
  if (details->family == FAMILY_INET6) {
    bpf_core_read(details->address, 16, &common->skc_v6_rcv_saddr);
    bpf_core_read(details->peer, 16, &common->skc_v6_daddr);
  } else {
    bpf_core_read(details->address, 4, &common->skc_rcv_saddr);
    bpf_core_read(details->peer, 4, &common->skc_daddr);
  }
  __u16 bound = BPF_CORE_READ(common, skc_num);
  if (details->protocol != PROTOCOL_TCP) details->flags = bound ? WIRE_SOCKET_LISTED : 0;
  else if (BPF_CORE_READ(common, skc_state) != STATE_CLOSED) details->flags = WIRE_SOCKET_LISTED;
  else details->flags = bound ? WIRE_SOCKET_BOUND : 0;
}

static __always_inline __u64 inode_number_of(struct sock *sock) {
  if (bpf_core_field_exists(sock->sk_ino)) return BPF_CORE_READ(sock, sk_ino);
  struct socket *socket = BPF_CORE_READ(sock, sk_socket);
  return socket ? BPF_CORE_READ((struct socket_alloc *)socket, vfs_inode.i_ino) : 0;
}

/* Reads the peer, and the name behind the details; says how long that is. */
static __always_inline __u32 read_unix(struct wire_details *details, struct sock *sock) {
  struct unix_sock *self = (struct unix_sock *)sock;
  struct sock *peer = BPF_CORE_READ(self, peer);
  struct unix_address *address = BPF_CORE_READ(self, addr);
  details->flags = WIRE_SOCKET_LISTED;
  if (peer) details->value = inode_number_of(peer);
  if (!address) return 0;
  __u32 bytes = BPF_CORE_READ(address, len);
  if (bytes < 2 || bytes > UNIX_NAME_MAX) return 0;
  bytes -= 2; /* the family */
  char *name = (char *)&address->name;
  bpf_probe_read_kernel(details + 1, bytes & 127, name + 2);
  return bytes;
}

static __always_inline void read_netlink(struct wire_details *details, struct sock *sock) {
  struct netlink_sock *self = (struct netlink_sock *)sock;
  details->number = BPF_CORE_READ(self, portid);
  details->flags = BPF_CORE_READ(self, bound) ? WIRE_SOCKET_LISTED : 0;
}

static __always_inline void read_identity(struct wire_details *details, struct sock *sock) {
  struct sock_common *common = &sock->__sk_common;
  details->of = WIRE_OF_SOCKET;
  details->family = BPF_CORE_READ(common, skc_family);
  details->protocol = BPF_CORE_READ(sock, sk_protocol);
  details->network = BPF_CORE_READ(common, skc_net.net, ns.inum);
}

/* Fills in details that are all zero; says how many bytes of a name follow. */
static __always_inline __u32 read_socket(struct wire_details *details, struct sock *sock) {
  read_identity(details, sock);
  if (details->family == FAMILY_INET || details->family == FAMILY_INET6) read_ends(details, sock);
  if (details->family == FAMILY_NETLINK) read_netlink(details, sock);
  return details->family == FAMILY_UNIX ? read_unix(details, sock) : 0;
}

static __always_inline struct sock *sock_behind(struct file *open_socket) {
  struct socket *socket = BPF_CORE_READ(open_socket, private_data);
  return BPF_CORE_READ(socket, sk);
}

/* The sock of an open socket, 0: it is none (the type is its inode's). */
static __always_inline struct sock *sock_of(__u64 file) {
  struct file *open = (struct file *)file;
  if ((BPF_CORE_READ(open, f_inode, i_mode) & TYPE_MASK) != TYPE_SOCKET) return 0;
  return sock_behind(open);
}

__noinline int is_netlink_socket(int fd) {
  __u64 file = file_of(fd);
  struct sock *sock = file ? sock_of(file) : 0;
  return sock && BPF_CORE_READ(sock, __sk_common.skc_family) == FAMILY_NETLINK;
}
