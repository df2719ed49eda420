// Names of netlink messages and their flags, by protocol.
#pragma once

#include <cstdint>

#include "syscalls/constants.hpp"

namespace strut {

inline constexpr int kNetlinkRoute = 0, kNetlinkSockDiag = 4, kNetlinkXfrm = 6, kNetlinkSelinux = 7, kNetlinkAudit = 9,
                     kNetlinkNetfilter = 12, kNetlinkUevent = 15, kNetlinkGeneric = 16, kNetlinkCrypto = 21;
/// A netlink socket of an unknown protocol.
inline constexpr int kNetlinkUnknown = -1;
/// Types of messages: NLMSG_ERROR, and NLMSG_MIN_TYPE, below which all protocols have the same ones.
inline constexpr uint16_t kNetlinkError = 2, kFirstOfProtocol = 16;

/// The set that names messages of this type.
const ConstantSet& netlink_message_names(int protocol, uint16_t type);
/// The purpose of a message, as far as its flags depend on it.
enum class NetlinkVerb { None, Make, Ask, Delete };
const ConstantSet& netlink_flags(NetlinkVerb verb);
/// The flags that a message of this type may have.
const ConstantSet& netlink_flags(int protocol, uint16_t type);

}  // namespace strut
