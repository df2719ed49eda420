// Names in sock_diag(7) messages: <linux/inet_diag.h>, <linux/unix_diag.h>, <linux/netlink_diag.h>,
// <linux/packet_diag.h>, <linux/smc_diag.h>, <linux/tls.h>, <linux/mptcp.h>.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kTcpStates;
extern const ConstantSet kTcpStateBits;
extern const ConstantSet kInetDiagExtensions;
extern const ConstantSet kInetDiagAttributeNames;
extern const ConstantSet kInetDiagRequestNames;
extern const ConstantSet kInetDiagCodes;
extern const ConstantSet kShutdownFlags;
extern const ConstantSet kSocketMemory;
extern const ConstantSet kUlpAttributeNames;
extern const ConstantSet kTlsAttributeNames;
extern const ConstantSet kTlsVersions;
extern const ConstantSet kTlsCiphers;
extern const ConstantSet kTlsConfigurations;
extern const ConstantSet kSubflowAttributeNames;
extern const ConstantSet kSubflowFlags;
extern const ConstantSet kStorageListNames;
extern const ConstantSet kStorageNames;
extern const ConstantSet kUnixDiagAttributeNames;
extern const ConstantSet kUnixDiagShow;
extern const ConstantSet kNetlinkDiagAttributeNames;
extern const ConstantSet kNetlinkDiagShow;
extern const ConstantSet kNetlinkDiagProtocols;
extern const ConstantSet kNetlinkDiagFlags;
extern const ConstantSet kNetlinkStates;
extern const ConstantSet kPacketDiagAttributeNames;
extern const ConstantSet kPacketDiagShow;
extern const ConstantSet kPacketDiagFlags;
extern const ConstantSet kPacketVersions;
extern const ConstantSet kSmcDiagAttributeNames;
extern const ConstantSet kSmcDiagExtensions;
extern const ConstantSet kSmcStates;
extern const ConstantSet kSmcModes;
extern const ConstantSet kSmcRoles;
extern const ConstantSet kSmcDeclines;

}  // namespace strut
