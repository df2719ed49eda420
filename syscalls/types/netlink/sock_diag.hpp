// Messages of NETLINK_SOCK_DIAG: sock_diag(7), requests of ss(8) and their answers.
#pragma once

#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {

/// Adds the part after the header: a request of a socket family (`asked`: NLM_F_REQUEST), or an answer with attributes.
void add_sock_diag_payload(Decoder& decoder, uint16_t type, bool asked, const NetlinkBytes& payload,
                           std::span<Value> items, size_t& held);

}  // namespace strut
