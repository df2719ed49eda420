// Routes with next hops, and the ways by which they lead.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/rtnetlink.h>
#include <stdint.h>
#include <sys/socket.h>

static int sock;
static unsigned char message[1024];
static size_t length, attribute;

static void put16(unsigned value) {
  memcpy(message + length, &(uint16_t){value}, 2);
  length += 2;
}

static void put32(unsigned value) {
  memcpy(message + length, &(uint32_t){value}, 4);
  length += 4;
}

static void begin(unsigned type) {
  memset(message, 0, sizeof message);
  *(struct nlmsghdr *)message = (struct nlmsghdr){.nlmsg_type = RTM_NEWROUTE, .nlmsg_flags = NLM_F_REQUEST};
  message[sizeof(struct nlmsghdr)] = AF_INET;
  attribute = length = sizeof(struct nlmsghdr) + sizeof(struct rtmsg);
  put16(0);
  put16(type);
}

static void end(void) {
  memcpy(message + attribute, &(uint16_t){length - attribute}, 2);
  ((struct nlmsghdr *)message)->nlmsg_len = length;
  OK(SYS_sendto, sock, (long)golden_at_end(message, length), length, 0, 0, 0);
}

// Interface numbers that no machine has, with as many attributes as asked for.
static void hop(unsigned interface, int attributes) {
  put16(8 + 8 * attributes);
  put16(RTNH_F_ONLINK | 3 << 8);
  put32(interface);
  for (int i = 0; i < attributes; i++) {
    put16(8);
    put16(RTA_PRIORITY);
    put32(7);
  }
}

static void hops(void) {
  for (int count = 0; count <= 3; count++)
    for (int attributes = 0; attributes <= 2; attributes++) {
      begin(RTA_MULTIPATH);
      for (int i = 0; i < count; i++) hop(100000 + i, attributes);
      end();
    }
  begin(RTA_MULTIPATH);
  hop(-5, 1);
  hop(100002, 0);
  end();
  begin(RTA_MULTIPATH);
  hop(100001, 0);
  hop(100002, 1);
  end();
  begin(RTA_MULTIPATH);
  put32(7);  // no next hop
  end();
}

static void ways(void) {
  static const unsigned kFamilies[] = {AF_INET, AF_INET6, 0x400 | AF_INET, 0x400 | AF_INET6};
  for (int i = 0; i < 4; i++) {
    begin(RTA_VIA);
    put16(kFamilies[i]);
    for (int words = i % 2 ? 4 : 1; words > 0; words--) put32(0x04030201);
    end();
  }
}

int main(void) {
  sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  bind(sock, (struct sockaddr *)&address, sizeof address);
  answer_begin();
  hops();
  ways();
  golden_end();
  return 0;
}
