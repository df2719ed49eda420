// Sockets of all kinds behind descriptors, and descriptors sent through them, as -y, -yy and -Y show them.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void streams(int family, const void* any, socklen_t bytes) {
  int server = socket(family, SOCK_STREAM, 0), client = socket(family, SOCK_STREAM, 0);
  bind(server, any, bytes);
  fstat(server, &(struct stat){0});
  listen(server, 1);
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  getsockname(server, (struct sockaddr*)&name, &length);
  connect(client, (struct sockaddr*)&name, length);
  int peer = accept(server, NULL, NULL);
  send(client, "hello", 5, 0);
  char buffer[16];
  recv(peer, buffer, sizeof buffer, 0);
  shutdown(client, SHUT_RDWR);
  close(client);
  fstat(peer, &(struct stat){0});
  close(peer);
  close(server);
  int unbound = socket(family, SOCK_STREAM, 0);
  fstat(unbound, &(struct stat){0});
  close(unbound);
}

static void datagrams(int family, const void* any, socklen_t bytes) {
  int one = socket(family, SOCK_DGRAM, 0), other = socket(family, SOCK_DGRAM, 0);
  bind(one, any, bytes);
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  getsockname(one, (struct sockaddr*)&name, &length);
  sendto(other, "x", 1, 0, (struct sockaddr*)&name, length);
  connect(other, (struct sockaddr*)&name, length);
  send(other, "y", 1, 0);
  char buffer[4];
  recv(one, buffer, sizeof buffer, 0);
  close(one);
  close(other);
}

static void local_sockets(void) {
  struct sockaddr_un path = {AF_UNIX, "a.socket"}, abstract = {AF_UNIX, {0}};
  memcpy(abstract.sun_path, "\0strut-around", 13);
  streams(AF_UNIX, &path, sizeof path);
  streams(AF_UNIX, &abstract, offsetof(struct sockaddr_un, sun_path) + 13);
  unlink("a.socket");
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  write(pair[0], "z", 1);
  close(pair[0]);
  fstat(pair[1], &(struct stat){0});
  close(pair[1]);
  int datagram = socket(AF_UNIX, SOCK_DGRAM, 0);
  bind(datagram, (struct sockaddr*)&path, sizeof path);
  fstat(datagram, &(struct stat){0});
  close(datagram);
  unlink("a.socket");
}

/// Sends descriptors and credentials to itself.
static void rights(void) {
  int pair[2], on = 1;
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  struct ucred self = {getpid(), getuid(), getgid()};
  int sent[2] = {open("/dev/null", O_RDWR), open("/etc/passwd", O_RDONLY)};
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof sent) + CMSG_SPACE(sizeof self)];
  } control = {0};
  char byte = 'c';
  struct iovec vector = {&byte, 1};
  struct msghdr message = {NULL, 0, &vector, 1, control.bytes, sizeof control.bytes, 0};
  struct cmsghdr* part = CMSG_FIRSTHDR(&message);
  *part = (struct cmsghdr){CMSG_LEN(sizeof sent), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(part), sent, sizeof sent);
  part = CMSG_NXTHDR(&message, part);
  *part = (struct cmsghdr){CMSG_LEN(sizeof self), SOL_SOCKET, SCM_CREDENTIALS};
  memcpy(CMSG_DATA(part), &self, sizeof self);
  sendmsg(pair[0], &message, 0);
  struct mmsghdr several = {message, 0};
  sendmmsg(pair[0], &several, 1, 0);
  close(sent[0]);
  close(sent[1]);
  memset(&control, 0, sizeof control);
  recvmsg(pair[1], &message, 0);
  message.msg_controllen = sizeof control.bytes;
  several.msg_hdr = message;
  recvmmsg(pair[1], &several, 1, 0, NULL);
  getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &self, &(socklen_t){sizeof self});
  close(pair[0]);
  close(pair[1]);
}

static void netlink(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  struct {
    struct nlmsghdr header;
    struct rtgenmsg message;
  } question = {{sizeof question, RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0}, {AF_UNSPEC}};
  struct sockaddr_nl kernel = {AF_NETLINK, 0, 0, 0};
  sendto(fd, &question, sizeof question, 0, (struct sockaddr*)&kernel, sizeof kernel);
  static char answer[16384];
  recv(fd, answer, sizeof answer, 0);
  send(fd, &question, sizeof question, 0);
  close(fd);
}

int main(void) {
  struct sockaddr_in any = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}, {0}};
  struct sockaddr_in6 any6 = {AF_INET6, 0, 0, IN6ADDR_LOOPBACK_INIT, 0};
  streams(AF_INET, &any, sizeof any);
  streams(AF_INET6, &any6, sizeof any6);
  datagrams(AF_INET, &any, sizeof any);
  datagrams(AF_INET6, &any6, sizeof any6);
  local_sockets();
  rights();
  netlink();
  close(socket(AF_PACKET, SOCK_RAW, 0));
  close(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  return 0;
}
