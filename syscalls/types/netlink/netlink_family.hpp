// Netlink messages that begin with an address family: NETLINK_ROUTE's and NETLINK_SOCK_DIAG's.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

/// What a message of a kind holds behind its header.
struct FamilyForm {
  const StructLayout* fixed;                  ///< its first field is the family, a byte
  const AttributeSet* attributes = nullptr;   ///< what follows; nullptr: bytes without form, unless `ends`
  bool ends = false;                          ///< nothing follows that would be told
};

/// Adds the fixed part and the attributes of a message of this form; nullptr: none is known for its family.
void add_family_payload(Decoder& decoder, const FamilyForm* form, const NetlinkBytes& payload, std::span<Value> items,
                        size_t& held);

}  // namespace strut
