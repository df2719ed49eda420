#include "syscalls/types/netlink/sock_diag_smc.hpp"

#include <array>

#include <linux/smc_diag.h>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/netlink/sock_diag_names.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr FieldType kCursorFields[] = {field("reserved", kU16), field("wrap", kU16), field("count", kUInt)};
constexpr StructLayout kCursorLayout = {"smc_diag_cursor", kCursorFields};
constexpr Type kCursor = structure(kCursorLayout);
constexpr Type kFlagByte = number(Width::B1, Show::HexPadded);
constexpr FieldType kConnectionFields[] = {
    field("token", kUInt), field("sndbuf_size", kUInt), field("rmbe_size", kUInt), field("peer_rmbe_size", kUInt),
    field("rx_prod", kCursor), field("rx_cons", kCursor), field("tx_prod", kCursor), field("tx_cons", kCursor),
    field("rx_prod_flags", kFlagByte), field("rx_conn_state_flags", kFlagByte), field("tx_prod_flags", kFlagByte),
    field("tx_conn_state_flags", kFlagByte), field("tx_prep", kCursor), field("tx_sent", kCursor),
    field("tx_fin", kCursor),
};
constexpr StructLayout kConnection = {"smc_diag_conninfo", kConnectionFields};

constexpr FieldType kSmcLinkFields[] = {
    field("link_id", kU8), field("ibname", char_array(64)), field("ibport", kU8), field("gid", char_array(40)),
    field("peer_gid", char_array(40)),
};
constexpr StructLayout kLinkLayout = {"smc_diag_linkinfo", kSmcLinkFields};
constexpr Type kSmcLink = structure(kLinkLayout);
constexpr FieldType kGroupFields[] = {field("lnk", array_of(kSmcLink, 1)), field("role", named(kSmcRoles, Width::B1))};
constexpr StructLayout kSmcGroup = {"smc_diag_lgrinfo", kGroupFields};
static_assert(size_of(kConnection, Abi::X86_64) == sizeof(smc_diag_conninfo));
static_assert(size_of(kSmcGroup, Abi::X86_64) == sizeof(smc_diag_lgrinfo));

/// struct smcd_diag_dmbinfo, with two last members that came later: they are there if any byte of them is.
constexpr FieldType kBufferFields[] = {
    field("linkid", kUInt), field("peer_gid", kHex64), field("my_gid", kHex64), field("token", kHex64),
    field("peer_token", kHex64), field("peer_gid_ext", kHex64), field("my_gid_ext", kHex64),
};
constexpr StructLayout kBuffer = {"smcd_diag_dmbinfo", kBufferFields};
constexpr StructLayout kOldBuffer = {"smcd_diag_dmbinfo", std::span(kBufferFields).first(5)};

Value buffer(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  size_t old_bytes = size_of(kOldBuffer, decoder.abi()), bytes = size_of(kBuffer, decoder.abi());
  if (!data.holds(old_bytes)) return data.binary(decoder);
  if (data.size == old_bytes) return decoder.structure(kOldBuffer, data.at);
  std::span<std::byte> copy = decoder.arena().array<std::byte>(bytes);
  std::memcpy(copy.data(), data.bytes.data(), std::min(data.bytes.size(), bytes));
  return decoder.structure(kBuffer, data.at, copy);
}

Value fallback(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(sizeof(uint32_t) * 2)) return data.binary(decoder);
  const FieldValue fields[] = {
      {"reason", number_with_names(decoder.arena(), data.get<uint32_t>(), kSmcDeclines, 4)},
      {"peer_diagnosis", number_with_names(decoder.arena(), data.get<uint32_t>(4), kSmcDeclines, 4)},
  };
  return decoder.fields(fields);
}

constexpr Attribute kSmcList[] = {
    is(1, kConnection), is(2, kSmcGroup), names_short(3, kShutdownFlags, 1), holds(4, buffer), holds(5, fallback),
};

}  // namespace

constinit const AttributeSet kSmcDiagAttributes = {&kSmcDiagAttributeNames, kSmcList};

}  // namespace strut
