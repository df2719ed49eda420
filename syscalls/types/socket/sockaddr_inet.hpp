// The fields of IPv4 and IPv6 socket addresses, which other addresses contain.
#pragma once

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/socket/sockaddr_bytes.hpp"

namespace strut {

/// Add the members after the family; false if the address is too short.
bool add_inet(Decoder& decoder, const SockaddrBytes& address, FieldList& fields);
bool add_inet6(Decoder& decoder, const SockaddrBytes& address, FieldList& fields);

}  // namespace strut
