// Address families that few programs use: each adds its fields behind sa_family.
#pragma once

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/socket/sockaddr_bytes.hpp"

namespace strut {

/// False: the address is too short for the family and nothing was added.
using AddSockaddrFields = bool (*)(Decoder&, const SockaddrBytes&, FieldList&);

bool add_ax25(Decoder&, const SockaddrBytes&, FieldList&);
bool add_ipx(Decoder&, const SockaddrBytes&, FieldList&);
bool add_x25(Decoder&, const SockaddrBytes&, FieldList&);
bool add_tipc(Decoder&, const SockaddrBytes&, FieldList&);
bool add_bluetooth(Decoder&, const SockaddrBytes&, FieldList&);
bool add_rxrpc(Decoder&, const SockaddrBytes&, FieldList&);
bool add_ieee802154(Decoder&, const SockaddrBytes&, FieldList&);
bool add_alg(Decoder&, const SockaddrBytes&, FieldList&);
bool add_nfc(Decoder&, const SockaddrBytes&, FieldList&);
bool add_qipcrtr(Decoder&, const SockaddrBytes&, FieldList&);
bool add_xdp(Decoder&, const SockaddrBytes&, FieldList&);
bool add_mctp(Decoder&, const SockaddrBytes&, FieldList&);

}  // namespace strut
