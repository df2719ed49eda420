// Address families: a table of which others are made.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

// <linux/socket.h> of the kernel, as <bits/socket.h> names them; AF_MCTP is Linux 5.15's.
inline constexpr Constant kAddressFamilyNames[] = {
    {0, "AF_UNSPEC"}, {1, "AF_UNIX"}, {2, "AF_INET"}, {3, "AF_AX25"}, {4, "AF_IPX"}, {5, "AF_APPLETALK"},
    {6, "AF_NETROM"}, {7, "AF_BRIDGE"}, {8, "AF_ATMPVC"}, {9, "AF_X25"}, {10, "AF_INET6"}, {11, "AF_ROSE"},
    {12, "AF_DECnet"}, {13, "AF_NETBEUI"}, {14, "AF_SECURITY"}, {15, "AF_KEY"}, {16, "AF_NETLINK"}, {17, "AF_PACKET"},
    {18, "AF_ASH"}, {19, "AF_ECONET"}, {20, "AF_ATMSVC"}, {21, "AF_RDS"}, {22, "AF_SNA"}, {23, "AF_IRDA"},
    {24, "AF_PPPOX"}, {25, "AF_WANPIPE"}, {26, "AF_LLC"}, {27, "AF_IB"}, {28, "AF_MPLS"}, {29, "AF_CAN"},
    {30, "AF_TIPC"}, {31, "AF_BLUETOOTH"}, {32, "AF_IUCV"}, {33, "AF_RXRPC"}, {34, "AF_ISDN"}, {35, "AF_PHONET"},
    {36, "AF_IEEE802154"}, {37, "AF_CAIF"}, {38, "AF_ALG"}, {39, "AF_NFC"}, {40, "AF_VSOCK"}, {41, "AF_KCM"},
    {42, "AF_QIPCRTR"}, {43, "AF_SMC"}, {44, "AF_XDP"}, {45, "AF_MCTP"},
};

}  // namespace strut
