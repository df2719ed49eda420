// Socket options and control messages whose memory ends early, members that have no sign, addresses of IEEE 802.15.4.
// The recorded texts are strut's, found equal to those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>

// An option whose value ends where memory ends, whole and one byte short.
static void option(int level, int name, const void *value, int bytes) {
  long at = (long)golden_at_end(value, bytes);
  OK(SYS_getsockopt, -1, level, name, at, WORDS(int, bytes));
  OK(SYS_getsockopt, -1, level, name, at + 1, WORDS(int, bytes));
  OK(SYS_getsockopt, -1, level, name, BAD, WORDS(int, bytes));
  OK(SYS_setsockopt, -1, level, name, at, bytes);
  OK(SYS_setsockopt, -1, level, name, at + 1, bytes);
}

static void message(int level, int type, const void *value, size_t bytes) {
  struct {
    struct cmsghdr header;
    char value[16];
  } control = {{CMSG_LEN(bytes), level, type}};
  memcpy(control.value, value, bytes);
  struct msghdr header = {.msg_control = golden_at_end(&control, CMSG_LEN(bytes)), .msg_controllen = CMSG_LEN(bytes)};
  OK(SYS_sendmsg, -1, PUT(header), 0);
}

int main(void) {
  answer_begin();
  static const int words[] = {-3, 17, 5};
  for (int bytes = 4; bytes <= 12; bytes += 4) {
    if (bytes <= 8) option(SOL_SOCKET, SO_LINGER, words, bytes);
    option(SOL_SOCKET, SO_PEERCRED, words, bytes);
    option(SOL_PACKET, PACKET_STATISTICS, words, bytes);
  }
  for (int bytes = 3; bytes <= 9; bytes++)
    OK(SYS_getsockopt, -1, SOL_NETLINK, NETLINK_LIST_MEMBERSHIPS, PUT(words), WORDS(int, bytes));
  message(SOL_IP, IP_TTL, words, 4);
  struct sockaddr_ll link = {.sll_family = AF_PACKET, .sll_ifindex = -2, .sll_hatype = 1};
  OK(SYS_bind, -1, PUT(link), sizeof link);
  for (unsigned type = 0; type < 5; type++) {
    unsigned short node[] = {AF_IEEE802154, 0xa3a2, type, 0, 0xa9a8, 0xabaa, 0xadac, 0xafae, 0xb1b0, 0xb3b2};
    for (int bytes = 19; bytes <= 21; bytes++) FAIL(SYS_connect, -1, PUT(node), bytes);
    node[4] = 0xffff;
    for (unsigned number = 0xfffd; number <= 0xffff; number++) FAIL(SYS_connect, -1, (node[5] = number, PUT(node)), 20);
  }
  golden_end();
  return 0;
}
