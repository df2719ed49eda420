// Attributes of netlink messages: struct nlattr, and what follows it by type.
#pragma once

#include <cstdint>
#include <span>

#include "core/type.hpp"
#include "core/types/netlink_bytes.hpp"

namespace strut {

struct AttributeSet;

/// What the fixed part of a message says about its attributes.
struct AttributeContext {
  uint8_t family = 0;  ///< AF_…: what addresses are
  uint8_t depth = 0;   ///< how many attributes these are nested in
};

using AttributeDecode = Value (*)(Decoder&, const NetlinkBytes&, const AttributeContext&);

/// What an attribute of a type holds. Bytes too few for it are shown as binary text.
struct Attribute {
  uint16_t type;
  AttributeDecode decode = nullptr;
  const AttributeSet* nested = nullptr;    ///< attributes again
  const StructLayout* layout = nullptr;    ///< a structure
  const ConstantSet* names = nullptr;      ///< a number with names, of at least `bytes` bytes
  uint8_t bytes = 0;
  bool whole = false;                      ///< the number is as long as the attribute, at most eight bytes
};

/// A kind of attributes: their names, and what those hold that are not just bytes.
struct AttributeSet {
  const ConstantSet* names;
  std::span<const Attribute> attributes;
};

/// The attributes in these bytes.
Value decode_netlink_attributes(Decoder& decoder, const NetlinkBytes& bytes, const AttributeSet& set,
                                const AttributeContext& context);

// -- contents ---------------------------------------------------------------------------------------------
Value attribute_u8(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_u16(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_u32(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_u64(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_s32(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_x8(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_x16(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_port(Decoder&, const NetlinkBytes&, const AttributeContext&);      ///< htons(80)
Value attribute_net_long(Decoder&, const NetlinkBytes&, const AttributeContext&);  ///< htonl(1), in every style
Value attribute_text(Decoder&, const NetlinkBytes&, const AttributeContext&);      ///< all of it but a NUL at the end
Value attribute_c_string(Decoder&, const NetlinkBytes&, const AttributeContext&);  ///< up to the first NUL
Value attribute_interface(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_mac(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_address(Decoder&, const NetlinkBytes&, const AttributeContext&);   ///< of the message's family

}  // namespace strut
