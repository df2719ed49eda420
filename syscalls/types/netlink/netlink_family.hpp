// Netlink messages that begin with an address family: NETLINK_ROUTE's and NETLINK_SOCK_DIAG's.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/netlink/netlink_attributes.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {

/// A family as the first byte of a message.
inline constexpr Type kFamilyByte = notation::named(kAddressFamilies, Width::B1);
inline constexpr uint8_t kBridgeFamily = 7;  ///< AF_BRIDGE

/// The content of a message of one kind after its header.
struct FamilyForm {
  const StructLayout* fixed;                  ///< the first field is the family, a byte
  const AttributeSet* attributes = nullptr;   ///< the following attributes; nullptr: bytes without form, unless `ends`
  bool ends = false;                          ///< nothing after it is shown
};

/// Adds the fixed part and the attributes of a message of this form; nullptr: none is known for its family.
void add_family_payload(Decoder& decoder, const FamilyForm* form, const NetlinkBytes& payload, std::span<Value> items,
                        size_t& held);

}  // namespace strut
