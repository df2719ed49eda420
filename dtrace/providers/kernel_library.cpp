#include "dtrace/providers/kernel_library.hpp"

namespace strut {

// A connection. While its state changes, the structure has the old one, and arg2 of the tracepoint the new one: then
// the connection is given as a struct inet_sock.
#define STRUT_TCPS(type, state) \
  "translator tcpsinfo_t < " type " *S > {" \
  "tcps_addr = (uintptr_t)S;" \
  "tcps_lport = ((struct sock *)S)->__sk_common.skc_num;" \
  "tcps_rport = ntohs(((struct sock *)S)->__sk_common.skc_dport);" \
  "tcps_laddr = ((struct sock *)S)->__sk_common.skc_family == AF_INET6 ? inet_ntoa6(&((struct sock " \
  "*)S)->__sk_common.skc_v6_rcv_saddr) : inet_ntoa(&((struct sock *)S)->__sk_common.skc_rcv_saddr);" \
  "tcps_raddr = ((struct sock *)S)->__sk_common.skc_family == AF_INET6 ? inet_ntoa6(&((struct sock " \
  "*)S)->__sk_common.skc_v6_daddr) : inet_ntoa(&((struct sock *)S)->__sk_common.skc_daddr);" \
  "tcps_state = " state ";" \
  "tcps_suna = ((struct tcp_sock *)S)->snd_una;" \
  "tcps_snxt = ((struct tcp_sock *)S)->snd_nxt;" \
  "tcps_rnxt = ((struct tcp_sock *)S)->rcv_nxt;" \
  "tcps_swnd = ((struct tcp_sock *)S)->snd_wnd;" \
  "tcps_snd_ws = ((struct tcp_sock *)S)->rx_opt.snd_wscale;" \
  "tcps_rwnd = ((struct tcp_sock *)S)->rcv_wnd;" \
  "tcps_rcv_ws = ((struct tcp_sock *)S)->rx_opt.rcv_wscale;" \
  "tcps_cwnd = ((struct tcp_sock *)S)->snd_cwnd;" \
  "tcps_cwnd_ssthresh = ((struct tcp_sock *)S)->snd_ssthresh;" \
  "tcps_mss = ((struct tcp_sock *)S)->mss_cache;" \
  "};"

// An IP header of either version is a struct iphdr here: both begin with the version (RFC 791, RFC 8200). A packet that
// is sent has its network header set; one that is received begins with it (include/linux/skbuff.h).
constexpr std::string_view kKernelLibrary = R"(
inline struct iphdr *strut_sent[struct sk_buff *s] = (struct iphdr *)(s->head + s->network_header);
inline struct iphdr *strut_received[struct sk_buff *s] = (struct iphdr *)s->data;
inline int strut_is_ip[struct sk_buff *s] = s->protocol == 0x0008 || s->protocol == 0xdd86;
inline int strut_carried[struct iphdr *h] = h->version == 6 ? ((struct ipv6hdr *)h)->nexthdr : h->protocol;
inline uintptr_t strut_carrier_end[struct iphdr *h] = (uintptr_t)h + (h->version == 6 ? 40 : h->ihl * 4);

typedef struct pktinfo { uintptr_t pkt_addr; } pktinfo_t;
translator pktinfo_t < struct sk_buff *S > { pkt_addr = (uintptr_t)S; };
translator pktinfo_t < struct sock *S > { pkt_addr = (uintptr_t)0; };

typedef struct csinfo { uintptr_t cs_addr; uint64_t cs_cid; zoneid_t cs_zoneid; } csinfo_t;
translator csinfo_t < struct sock *S > { cs_addr = (uintptr_t)S; cs_cid = (uint64_t)S; cs_zoneid = 0; };

typedef struct ifinfo { string if_name; int8_t if_local; uintptr_t if_addr; } ifinfo_t;
translator ifinfo_t < struct net_device *D > {
  if_name = stringof(D->name);
  if_local = (D->flags & 8) != 0;
  if_addr = (uintptr_t)D;
};

typedef struct ipinfo { uint8_t ip_ver; uint32_t ip_plength; string ip_saddr; string ip_daddr; } ipinfo_t;
translator ipinfo_t < struct iphdr *H > {
  ip_ver = H->version;
  ip_plength = H->version == 6 ? ntohs(((struct ipv6hdr *)H)->payload_len) : ntohs(H->tot_len) - H->ihl * 4;
  ip_saddr = H->version == 6 ? inet_ntoa6(&((struct ipv6hdr *)H)->saddr) : inet_ntoa(&H->saddr);
  ip_daddr = H->version == 6 ? inet_ntoa6(&((struct ipv6hdr *)H)->daddr) : inet_ntoa(&H->daddr);
};
translator ipinfo_t < struct sock *S > {
  ip_ver = S->__sk_common.skc_family == AF_INET6 ? 6 : 4;
  ip_plength = 0;
  ip_saddr = S->__sk_common.skc_family == AF_INET6 ? inet_ntoa6(&S->__sk_common.skc_v6_rcv_saddr)
                                                   : inet_ntoa(&S->__sk_common.skc_rcv_saddr);
  ip_daddr = S->__sk_common.skc_family == AF_INET6 ? inet_ntoa6(&S->__sk_common.skc_v6_daddr)
                                                   : inet_ntoa(&S->__sk_common.skc_daddr);
};

typedef struct ipv4info {
  uint8_t ipv4_ver; uint8_t ipv4_ihl; uint8_t ipv4_tos; uint16_t ipv4_length; uint16_t ipv4_ident; uint8_t ipv4_flags;
  uint16_t ipv4_offset; uint8_t ipv4_ttl; uint8_t ipv4_protocol; string ipv4_protostr; uint16_t ipv4_checksum;
  ipaddr_t ipv4_src; ipaddr_t ipv4_dst; string ipv4_saddr; string ipv4_daddr; struct iphdr *ipv4_hdr;
} ipv4info_t;
translator ipv4info_t < struct iphdr *H > {
  ipv4_ver = H->version == 4 ? 4 : 0;
  ipv4_ihl = H->version == 4 ? H->ihl * 4 : 0;
  ipv4_tos = H->version == 4 ? H->tos : 0;
  ipv4_length = H->version == 4 ? ntohs(H->tot_len) : 0;
  ipv4_ident = H->version == 4 ? ntohs(H->id) : 0;
  ipv4_flags = H->version == 4 ? ntohs(H->frag_off) >> 13 : 0;
  ipv4_offset = H->version == 4 ? ntohs(H->frag_off) & 0x1fff : 0;
  ipv4_ttl = H->version == 4 ? H->ttl : 0;
  ipv4_protocol = H->version == 4 ? H->protocol : 0;
  ipv4_protostr = H->version != 4 ? "<null>" : H->protocol == 6 ? "TCP" : H->protocol == 17 ? "UDP"
                  : H->protocol == 1 ? "ICMP" : H->protocol == 2 ? "IGMP" : lltostr(H->protocol);
  ipv4_checksum = H->version == 4 ? ntohs(H->check) : 0;
  ipv4_src = H->version == 4 ? H->saddr : 0;
  ipv4_dst = H->version == 4 ? H->daddr : 0;
  ipv4_saddr = H->version == 4 ? inet_ntoa(&H->saddr) : "<null>";
  ipv4_daddr = H->version == 4 ? inet_ntoa(&H->daddr) : "<null>";
  ipv4_hdr = H;
};

typedef struct ipv6info {
  uint8_t ipv6_ver; uint8_t ipv6_tclass; uint16_t ipv6_plen; uint8_t ipv6_nexthdr; string ipv6_nextstr;
  uint8_t ipv6_hlim; string ipv6_saddr; string ipv6_daddr; struct ipv6hdr *ipv6_hdr;
} ipv6info_t;
translator ipv6info_t < struct ipv6hdr *H > {
  ipv6_ver = H->version == 6 ? 6 : 0;
  ipv6_tclass = H->version == 6 ? H->priority << 4 | H->flow_lbl[0] >> 4 : 0;
  ipv6_plen = H->version == 6 ? ntohs(H->payload_len) : 0;
  ipv6_nexthdr = H->version == 6 ? H->nexthdr : 0;
  ipv6_nextstr = H->version != 6 ? "<null>" : H->nexthdr == 6 ? "TCP" : H->nexthdr == 17 ? "UDP"
                 : H->nexthdr == 58 ? "IPv6-ICMP" : lltostr(H->nexthdr);
  ipv6_hlim = H->version == 6 ? H->hop_limit : 0;
  ipv6_saddr = H->version == 6 ? inet_ntoa6(&H->saddr) : "<null>";
  ipv6_daddr = H->version == 6 ? inet_ntoa6(&H->daddr) : "<null>";
  ipv6_hdr = H;
};

typedef struct tcpinfo {
  uint16_t tcp_sport; uint16_t tcp_dport; uint32_t tcp_seq; uint32_t tcp_ack; uint8_t tcp_offset; uint8_t tcp_flags;
  uint16_t tcp_window; uint16_t tcp_checksum; uint16_t tcp_urgent; struct tcphdr *tcp_hdr;
} tcpinfo_t;
translator tcpinfo_t < struct tcphdr *T > {
  tcp_sport = ntohs(T->source);
  tcp_dport = ntohs(T->dest);
  tcp_seq = ntohl(T->seq);
  tcp_ack = ntohl(T->ack_seq);
  tcp_offset = T->doff * 4;
  tcp_flags = *((uint8_t *)T + 13);
  tcp_window = ntohs(T->window);
  tcp_checksum = ntohs(T->check);
  tcp_urgent = ntohs(T->urg_ptr);
  tcp_hdr = T;
};
translator tcpinfo_t < struct sock *S > {
  tcp_sport = S->__sk_common.skc_num;
  tcp_dport = ntohs(S->__sk_common.skc_dport);
};

typedef struct tcpsinfo {
  uintptr_t tcps_addr; uint16_t tcps_lport; uint16_t tcps_rport; string tcps_laddr; string tcps_raddr;
  int32_t tcps_state; uint32_t tcps_suna; uint32_t tcps_snxt; uint32_t tcps_rnxt; uint32_t tcps_swnd;
  int32_t tcps_snd_ws; uint32_t tcps_rwnd; int32_t tcps_rcv_ws; uint32_t tcps_cwnd; uint32_t tcps_cwnd_ssthresh;
  int32_t tcps_mss;
} tcpsinfo_t;
)" STRUT_TCPS("struct sock", "S->__sk_common.skc_state") STRUT_TCPS("struct inet_sock", "arg2") R"(
typedef struct tcplsinfo { int32_t tcps_state; } tcplsinfo_t;
translator tcplsinfo_t < int old > { tcps_state = old; };

inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;
inline string tcp_state_string[int32_t state] =
  state == TCP_STATE_CLOSED ? "state-closed" :
  state == TCP_STATE_LISTEN ? "state-listen" :
  state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
  state == TCP_STATE_SYN_RECEIVED || state == 12 ? "state-syn-received" :
  state == TCP_STATE_ESTABLISHED ? "state-established" :
  state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
  state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
  state == TCP_STATE_CLOSING ? "state-closing" :
  state == TCP_STATE_LAST_ACK ? "state-last-ack" :
  state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
  state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
  "<unknown>";
inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

typedef struct udpsinfo { uintptr_t udps_addr; } udpsinfo_t;
translator udpsinfo_t < struct sock *S > { udps_addr = (uintptr_t)S; };
typedef struct udpinfo {
  uint16_t udp_sport; uint16_t udp_dport; uint16_t udp_length; uint16_t udp_checksum; struct udphdr *udp_hdr;
} udpinfo_t;
translator udpinfo_t < struct udphdr *U > {
  udp_sport = ntohs(U->source);
  udp_dport = ntohs(U->dest);
  udp_length = ntohs(U->len);
  udp_checksum = ntohs(U->check);
  udp_hdr = U;
};

inline int B_WRITE = 1;
inline int B_READ = 0;
typedef struct bufinfo {
  int b_flags; size_t b_bcount; uint64_t b_addr; uint64_t b_blkno; uint64_t b_lblkno; size_t b_resid; size_t b_bufsize;
  uint64_t b_iodone; int b_error; dev_t b_edev;
} bufinfo_t;
translator bufinfo_t < struct bio *B > {
  b_flags = B->bi_opf;
  b_bcount = B->bi_iter.bi_size;
  b_addr = (uint64_t)B;
  b_blkno = B->bi_iter.bi_sector;
  b_lblkno = B->bi_iter.bi_sector;
  b_resid = 0;
  b_bufsize = B->bi_iter.bi_size;
  b_iodone = (uint64_t)B->bi_end_io;
  b_error = B->bi_status;
  b_edev = B->bi_bdev->bd_dev;
};
typedef struct devinfo {
  int dev_major; int dev_minor; int dev_instance; string dev_name; string dev_statname; string dev_pathname;
} devinfo_t;
translator devinfo_t < struct block_device *D > {
  dev_major = D->bd_dev >> 20;
  dev_minor = D->bd_dev & 0xfffff;
  dev_instance = 0;
  dev_name = stringof(D->bd_disk->disk_name);
  dev_statname = stringof(D->bd_disk->disk_name);
  dev_pathname = strjoin("/dev/", stringof(D->bd_disk->disk_name));
};
)";

}  // namespace strut
