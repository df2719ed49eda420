// Words of the socket calls: address families, socket types, protocols, message flags. socket(2), <linux/socket.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

class Decoder;

/// Address families that code asks for by number.
inline constexpr uint32_t kAfUnix = 1, kAfInet = 2, kAfAx25 = 3, kAfInet6 = 10, kAfNetlink = 16, kAfPacket = 17,
                          kAfBluetooth = 31, kAfRxrpc = 33, kAfNfc = 39;

extern const ConstantSet kAddressFamilies;
extern const ConstantSet kIpProtocols;
extern const ConstantSet kNetlinkProtocols;
extern const ConstantSet kSocketTypes;
extern const ConstantSet kAccept4Flags;
extern const ConstantSet kMessageFlags;
extern const ConstantSet kShutdownHow;

/// A type with SOCK_CLOEXEC and SOCK_NONBLOCK; a protocol, named by the family, argument 0.
Value socket_type(Decoder& decoder, uint64_t bits);
Value socket_protocol(Decoder& decoder, uint64_t bits);
inline constexpr Type kSocketType = notation::shown_by(socket_type);
inline constexpr Type kSocketProtocol = notation::shown_by(socket_protocol);

}  // namespace strut
