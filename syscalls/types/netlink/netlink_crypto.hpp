// Messages of NETLINK_CRYPTO: <linux/cryptouser.h>.
#pragma once

#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {

/// Adds the part after the header: struct crypto_user_alg and its attributes.
void add_crypto_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                        size_t& held);

}  // namespace strut
