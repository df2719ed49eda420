// Attributes of netlink messages: struct nlattr, and its content by type.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "syscalls/type.hpp"
#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {

struct AttributeSet;

/// The facts in the fixed part of a message that its attributes depend on.
struct AttributeContext {
  uint8_t family = 0;  ///< AF_…: the family of addresses
  uint8_t depth = 0;   ///< how many attributes these are nested in
};

using AttributeDecode = Value (*)(Decoder&, const NetlinkBytes&, const AttributeContext&);

/// The content of an attribute of one type. Too few bytes for it are shown as binary text.
struct Attribute {
  uint16_t type;
  AttributeDecode decode = nullptr;
  const AttributeSet* nested = nullptr;    ///< attributes again
  const StructLayout* layout = nullptr;    ///< a structure
  const ConstantSet* names = nullptr;      ///< a number with names, of at least `bytes` bytes
  uint8_t bytes = 0;
  /// The permitted length of an attribute with a named number, and the part that is the number; else it is binary text.
  enum class Extent : uint8_t {
    Any,      ///< any length: its first `bytes` bytes
    Short,    ///< at most eight bytes: the first `bytes` of them
    Whole,    ///< at most eight bytes: all of them
  } extent = Extent::Any;
  AttributeDecode rest = nullptr;          ///< the bytes after `decode`'s value; Absent: none
};

// Rows of the tables of attributes.
constexpr Attribute holds(uint16_t type, AttributeDecode decode) { return {type, decode}; }
constexpr Attribute nests(uint16_t type, const AttributeSet& set) { return {type, nullptr, &set}; }
constexpr Attribute is(uint16_t type, const StructLayout& layout) { return {type, nullptr, nullptr, &layout}; }
constexpr Attribute names(uint16_t type, const ConstantSet& set, uint8_t bytes) {
  return {type, nullptr, nullptr, nullptr, &set, bytes};
}
/// The number is as long as the attribute, but has at least so many bytes.
constexpr Attribute names_all(uint16_t type, const ConstantSet& set, uint8_t least) {
  return {type, nullptr, nullptr, nullptr, &set, least, Attribute::Extent::Whole};
}
constexpr Attribute names_short(uint16_t type, const ConstantSet& set, uint8_t bytes) {
  return {type, nullptr, nullptr, nullptr, &set, bytes, Attribute::Extent::Short};
}
/// Two values: the second has the bytes after the first.
constexpr Attribute holds_both(uint16_t type, AttributeDecode first, AttributeDecode rest) {
  return {type, first, nullptr, nullptr, nullptr, 0, Attribute::Extent::Any, rest};
}

/// A kind of attributes: their names (nullptr: numbers without names), and the contents of those that are not just
/// bytes.
struct AttributeSet {
  const ConstantSet* names;
  std::span<const Attribute> attributes;
  const Attribute* all = nullptr;          ///< the content of each, whatever its type (lists with indices as types)
};

/// The attributes in these bytes.
Value decode_netlink_attributes(Decoder& decoder, const NetlinkBytes& bytes, const AttributeSet& set,
                                const AttributeContext& context);

/// One level further down: for attributes that a function decodes.
Value decode_nested_attributes(Decoder& decoder, const NetlinkBytes& bytes, const AttributeSet& set,
                               const AttributeContext& context);

// -- contents ---------------------------------------------------------------------------------------------
Value attribute_u8(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_u16(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_u32(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_u64(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_s32(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_x8(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_x16(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_port(Decoder&, const NetlinkBytes&, const AttributeContext&);      ///< htons(80), in every style
Value attribute_net_long(Decoder&, const NetlinkBytes&, const AttributeContext&);  ///< htonl(1), in every style
Value attribute_text(Decoder&, const NetlinkBytes&, const AttributeContext&);      ///< all of it but a NUL at the end
Value attribute_c_string(Decoder&, const NetlinkBytes&, const AttributeContext&);  ///< up to the first NUL
Value attribute_interface(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_mac(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_address(Decoder&, const NetlinkBytes&, const AttributeContext&);   ///< for the message's family
Value attribute_x32(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_x64(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_id(Decoder&, const NetlinkBytes&, const AttributeContext&);  ///< a uid or gid
Value attribute_fd(Decoder&, const NetlinkBytes&, const AttributeContext&);
Value attribute_ticks(Decoder&, const NetlinkBytes&, const AttributeContext&);  ///< 150 /* 1.50 s */
Value attribute_s64(Decoder&, const NetlinkBytes&, const AttributeContext&);

/// An address of one family, whatever the message's is.
template <uint32_t kFamily>
Value attribute_address_of(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_address(decoder, data, {static_cast<uint8_t>(kFamily)});
}

/// As many elements of a type as the bytes hold; less than one: binary text.
Value decode_attribute_array(Decoder& decoder, const NetlinkBytes& data, const Type& element);
template <const Type& kElement>
Value attribute_array(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return decode_attribute_array(decoder, data, kElement);
}

/// An item of an array with a named index.
Value indexed_item(Decoder& decoder, size_t index, const ConstantSet& indices, const Value& value);
/// An array of numbers with named indices.
template <typename Number, const ConstantSet& kIndices>
Value attribute_indexed(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  size_t count = data.bytes.size() / sizeof(Number);
  if (count == 0) return data.binary(decoder);
  size_t shown = decoder.full() ? count : std::min(count, decoder.options().max_string_bytes);
  std::span<Value> items = decoder.arena().array<Value>(shown);
  constexpr Show kShow = std::is_signed_v<Number> ? Show::Signed : Show::Unsigned;
  for (size_t i = 0; i < shown; i++) {
    auto bits =
        static_cast<uint64_t>(int64_t{static_cast<std::make_signed_t<Number>>(data.get<Number>(i * sizeof(Number)))});
    items[i] = indexed_item(decoder, i, kIndices, Decoder::number(bits, kShow, sizeof(Number)));
  }
  return {Array{items, ArrayStyle::Indexed, shown < count, {}}, {}};
}

}  // namespace strut
