// Sockets: addresses of every family, messages with control data, options by level, pairs that really talk.
// strut: golden: -v | -X verbose | -e verbose=none | -s 3 -x -N -yy -e trace=%net,close,read,write | -e read=3 -e write=4 -X raw
// strut: mask: (?:UNIX-[A-Z]+:|socket:)\[[^\]]*\]|cred\w*=\{[^}]*\}|uid=\d+|gid=\d+
// strut: also -m32
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "golden_answer.h"

static void creating(void) {
  for (int family = -1; family < 48; family++)
    if (family != AF_AX25) FAIL(SYS_socket, family, 1 + (family & 3), family);
  FAIL(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
  FAIL(SYS_socket, AF_INET, 7 | 0x100, 255);
  FAIL(SYS_socket, AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
  for (int protocol = 0; protocol < 24; protocol++) FAIL(SYS_socket, AF_NETLINK, SOCK_RAW, protocol);
  FAIL(SYS_socket, AF_PACKET, SOCK_RAW, htons(3));
  FAIL(SYS_socket, AF_BLUETOOTH, SOCK_RAW, 3);
  long pair = WORDS(int, 5, 6);
  BOTH(SYS_socketpair, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair);
  FAIL(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET, 1, BAD);
}

static void addresses(void) {
  struct sockaddr_un named = {AF_UNIX, "/run/a \"socket\"\n"}, hidden = {AF_UNIX, "\0hidden\0name"}, full = {AF_UNIX};
  memset(full.sun_path, 'x', sizeof full.sun_path);
  struct sockaddr_in inet = {AF_INET, htons(8080), {htonl(0x7f000001)}};
  struct sockaddr_in6 inet6 = {AF_INET6, htons(443), htonl(0x12345), {{{0x20, 1, 0xd, 0xb8, [15] = 1}}}, 99};
  struct sockaddr_nl netlink = {AF_NETLINK, 0, 4711, 0x11};
  struct sockaddr_ll packet = {AF_PACKET, htons(0x86dd), 99, 1, PACKET_OUTGOING, 6, {1, 2, 3, 4, 5, 6}};
  struct sockaddr_vm vm = {.svm_family = AF_VSOCK, .svm_port = 1024, .svm_cid = VMADDR_CID_ANY};
  struct {
    long at;
    size_t bytes;
  } all[] = {{PUT(named), sizeof named},
             {PUT(hidden), 15},
             {PUT(hidden), 3},
             {PUT(full), sizeof full},
             {PUT(inet), sizeof inet},
             {PUT(inet6), sizeof inet6},
             {PUT(netlink), sizeof netlink},
             {PUT(packet), sizeof packet},
             {PUT(vm), sizeof vm}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    long size = WORDS(int, all[i].bytes);
    FAIL(SYS_connect, 3, all[i].at, all[i].bytes);
    FAIL(SYS_bind, 3, all[i].at, all[i].bytes - 1);
    FAIL(SYS_bind, 3, all[i].at, all[i].bytes + 5);
    OK(SYS_getsockname, 3, all[i].at, size);
    FAIL(SYS_sendto, 3, TEXT("data"), 4, 0x40, all[i].at, all[i].bytes);
    OK(SYS_recvfrom, 3, TEXT("data"), 4, 2, all[i].at, size);
  }
  for (int family = 0; family < 48; family++)
    FAIL(SYS_connect, 3, put((uint16_t[16]){family, 0x1234, 0x5678, 0x9abc, 1, 2, 3}, 32), 2 + family % 30);
  FAIL(SYS_connect, 3, BAD - 4, 16);
  FAIL(SYS_connect, 3, 0, 0);
  FAIL(SYS_connect, 3, all[4].at, -1);
  FAIL(SYS_getpeername, 3, all[4].at, BAD);
  OK(SYS_getpeername, 3, all[4].at, WORDS(int, 4));
#ifdef __x86_64__
  OK(SYS_accept, 3, all[4].at, WORDS(int, 16));
#endif
  OK(SYS_accept4, 3, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK | 1);
  FAIL(SYS_accept4, 3, all[5].at, WORDS(int, 28), 0);
  FAIL(SYS_listen, 3, 128);
  for (int how = 0; how < 4; how++) FAIL(SYS_shutdown, 3, how);
}

static long message(long name, int name_bytes, long parts, int count, const void *control, size_t bytes) {
  struct msghdr header = {(void*)name, name_bytes, (void*)parts, count, control ? (void*)put(control, bytes) : NULL,
                          bytes,       MSG_EOR};
  return PUT(header);
}

struct control {
  struct cmsghdr header;
  union {
    int words[32];
    char bytes[128];
  };
};

static void control_messages(long parts) {
  for (int level = 0; level < 4; level++) {
    static const int levels[] = {SOL_SOCKET, IPPROTO_IP, IPPROTO_IPV6, 277};
    for (int type = 0; type < 40; type++) {
      struct control control = {{CMSG_LEN(4 + type % 24), levels[level], type}, {{0, 1, 2, 3, 4, 5}}};
      long at = message(0, 0, parts, 1, &control, CMSG_SPACE(4 + type % 24));
      OK(SYS_recvmsg, 3, at, type ? 0 : -1);
      if (type % 5 == 0) FAIL(SYS_sendmsg, 3, at, MSG_NOSIGNAL);
    }
    golden_used = 0x2000;
  }
}

static void messages(void) {
  golden_used = 0x1000;
  long text = TEXT("first second");
  long parts = put((struct iovec[]){{(void *)text, 5}, {(void *)(text + 6), 6}}, 2 * sizeof(struct iovec));
  struct sockaddr_in inet = {AF_INET, htons(53), {htonl(0x01020304)}};
  FAIL(SYS_sendmsg, 3, message(PUT(inet), sizeof inet, parts, 2, NULL, 0), MSG_DONTWAIT | MSG_MORE | 0x100000);
  FAIL(SYS_sendmsg, 3, message(BAD, 16, BAD, 2, NULL, 40), 0);
  FAIL(SYS_sendmsg, 3, BAD, 0);
  FAIL(SYS_recvmsg, 3, 0, 0);
  struct mmsghdr many[2] = {{.msg_hdr = {NULL, 0, (void*)parts, 2}, .msg_len = 7},
                            {.msg_hdr = {NULL, 0, (void*)parts, 1}, .msg_len = 2}};
  long vector = PUT(many);
#ifdef __x86_64__
  BOTH(SYS_recvmmsg, 3, vector, 2, MSG_WAITFORONE, WORDS(long, 1, 2));
#endif
  FAIL(345 - (sizeof(long) == 8 ? 38 : 0) /* sendmmsg */, 3, vector, 2, 0);
  control_messages(parts);
}

static void options(void) {
  static const int levels[] = {SOL_SOCKET,  IPPROTO_IP, IPPROTO_IPV6, IPPROTO_TCP, IPPROTO_UDP,
                               SOL_NETLINK, SOL_PACKET, SOL_RAW,      280,         999};
  long value = WORDS(int, 1, 2, 3, 4, 5, 6, 7, 8), size = WORDS(int, 4), more = WORDS(int, 32);
  for (unsigned level = 0; level < sizeof levels / sizeof *levels; level++)
    for (int option = 0; option < (levels[level] == IPPROTO_TCP ? 38 : level < 3 ? 84 : 24); option++) {
      FAIL(SYS_setsockopt, 3, levels[level], option, value, option % 3 ? 4 : 16);
      *(int *)size = 4, *(int *)more = 32;
      OK(SYS_getsockopt, 3, levels[level], option, value, option % 5 ? size : more);
    }
  FAIL(SYS_setsockopt, 3, SOL_SOCKET, SO_LINGER, WORDS(int, 1, 5), 8);
  FAIL(SYS_setsockopt, 3, SOL_SOCKET, SO_RCVTIMEO, WORDS(long, 1, 5), 2 * sizeof(long));
  FAIL(SYS_setsockopt, 3, SOL_SOCKET, SO_REUSEADDR, BAD, 4);
  FAIL(SYS_setsockopt, 3, SOL_SOCKET, SO_REUSEADDR, value, -1);
  FAIL(SYS_getsockopt, 3, SOL_SOCKET, SO_ERROR, value, BAD);
  OK(SYS_getsockopt, 3, SOL_SOCKET, SO_ERROR, WORDS(int, 111), size);
}

// Two sockets of one process, on which everything really happens.
static void talk(void) {
  long fds = room(), text = TEXT("hello, socket");
  CALL(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, fds);
  int a = ((int *)fds)[0], b = ((int *)fds)[1];
  CALL(SYS_sendto, a, text, 13, MSG_NOSIGNAL, 0, 0);
  CALL(SYS_recvfrom, b, room() + 64, 100, MSG_PEEK, room() + 256, WORDS(int, 110));
  CALL(SYS_read, b, room() + 64, 5);
  struct control passed = {{CMSG_LEN(8), SOL_SOCKET, SCM_RIGHTS}, {{0, 1}}};
  long parts = put((struct iovec[]){{(void *)text, 4}}, sizeof(struct iovec));
  CALL(SYS_sendmsg, a, message(0, 0, parts, 1, &passed, CMSG_SPACE(8)), 0);
  CALL(SYS_setsockopt, b, SOL_SOCKET, SO_PASSCRED, WORDS(int, 1), 4);
  struct control empty = {{0}};
  long into = put((struct iovec[]){{(void *)(room() + 512), 64}}, sizeof(struct iovec));
  CALL(SYS_recvmsg, b, message(room(), 64, into, 1, &empty, 100), MSG_CMSG_CLOEXEC);
  CALL(SYS_recvmsg, b, message(0, 0, into, 1, &empty, 8), MSG_DONTWAIT);
  CALL(SYS_getsockopt, b, SOL_SOCKET, SO_TYPE, room(), WORDS(int, 4));
  CALL(SYS_getsockname, b, room(), WORDS(int, 110));
  CALL(SYS_shutdown, a, SHUT_WR);
  CALL(SYS_recvfrom, b, room(), 4, 0, 0, 0);
  CALL(SYS_write, b, text, 3);
  CALL(SYS_recvfrom, 99, BAD, 4, 0, 0, 0);
  CALL(SYS_close, b);
  CALL(SYS_close, a);
}

int main(void) {
  answer_begin();
  talk();
  creating();
  addresses();
  messages();
  options();
  golden_end();
  return 0;
}
