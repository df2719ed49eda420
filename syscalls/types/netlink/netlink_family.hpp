// Netlink messages that begin with an address family: NETLINK_ROUTE's and NETLINK_SOCK_DIAG's.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

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
