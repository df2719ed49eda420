// The contents of sock_diag(7) messages' attributes, and the addresses in these messages.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/shown_bytes.hpp"
#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kInetRequestAttributes;
extern const AttributeSet kInetDiagAttributes;
extern const AttributeSet kUnixDiagAttributes;
extern const AttributeSet kNetlinkDiagAttributes;
extern const AttributeSet kPacketDiagAttributes;

/// 16 bytes of which an IPv4 address uses four.
Value inet_of_16(Decoder& decoder, std::string_view bytes);
inline constexpr Type kInetOf16 = kBytesShownBy<inet_of_16, 16>;
inline constexpr Type kBinaryOf16 = notation::whole(notation::bytes(notation::fixed(16), TextKind::Binary));
/// An address in 16 bytes, by the conditions of IPv4 and of IPv6; another family's are binary text.
template <FieldCondition kIsInet, FieldCondition kIsInet6>
inline constexpr Type kAddressOf16 =
    notation::kEither<kIsInet, kInetOf16, notation::kEither<kIsInet6, notation::kInet6, kBinaryOf16>>;
/// As kAddressOf16, of a family that is known.
Value sixteen_byte_address(Decoder& decoder, const NetlinkBytes& bytes, uint8_t family);

}  // namespace strut
