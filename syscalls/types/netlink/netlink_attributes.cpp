#include "syscalls/types/netlink/netlink_attributes.hpp"

#include <array>
#include <string>

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/mac_address.hpp"
#include "syscalls/types/socket/socket.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

constexpr size_t kAttributeHeaderBytes = 4;
constexpr uint16_t kNested = 0x8000, kNetByteOrder = 0x4000;  // NLA_F_NESTED, NLA_F_NET_BYTEORDER
constexpr Constant kFlagNames[] = {{kNested, "NLA_F_NESTED"}, {kNetByteOrder, "NLA_F_NET_BYTEORDER"}};
constinit const ConstantSet kFlags = flag_set(nullptr, kFlagNames);

template <typename T>
Value attribute_number(Decoder& decoder, const NetlinkBytes& data, Show show) {
  if (!data.holds(sizeof(T))) return data.binary(decoder);
  return Decoder::number(static_cast<uint64_t>(data.get<T>()), show, sizeof(T));
}

Value attribute_named(Decoder& decoder, const NetlinkBytes& data, const Attribute& attribute) {
  constexpr size_t kLongest = 8;
  bool too_long = attribute.extent != Attribute::Extent::Any && data.size > kLongest;
  size_t bytes = attribute.extent == Attribute::Extent::Whole ? data.size : attribute.bytes;
  if (data.size < attribute.bytes || too_long || !data.holds(bytes)) return data.binary(decoder);
  uint64_t bits = 0;
  std::memcpy(&bits, data.bytes.data(), bytes);
  bool flags = attribute.names->naming == Naming::Flags;
  return Decoder::named(flags ? bits & 0xffffffff : bits, *attribute.names, static_cast<uint8_t>(bytes));
}

const Attribute* row_of(const AttributeSet& set, uint16_t type) {
  for (const Attribute& attribute : set.attributes)
    if (attribute.type == type) return &attribute;
  return set.all;
}

Value content(Decoder& decoder, const NetlinkBytes& data, const AttributeSet& set, uint16_t type,
              const AttributeContext& context) {
  const Attribute* attribute = row_of(set, type);
  if (!attribute) return data.binary(decoder);
  if (attribute->decode) return attribute->decode(decoder, data, context);
  if (attribute->nested) return decode_nested_attributes(decoder, data, *attribute->nested, context);
  if (attribute->names) return attribute_named(decoder, data, *attribute);
  bool whole = attribute->layout && data.holds(size_of(*attribute->layout, decoder.abi()));
  return whole ? decoder.structure(*attribute->layout, data.at) : data.binary(decoder);
}

/// The bytes after the content; Absent: none.
Value leftover(Decoder& decoder, const NetlinkBytes& data, const AttributeSet& set, uint16_t type,
               const AttributeContext& context) {
  const Attribute* attribute = row_of(set, type);
  return attribute && attribute->rest ? attribute->rest(decoder, data, context) : Value{};
}

Value bare_type(uint64_t bits, const ConstantSet* names) {
  return names ? Decoder::named(bits, *names, 2) : Decoder::number(bits, Show::Hex, 2);
}

Value type_value(Decoder& decoder, uint16_t bits, const ConstantSet* names) {
  std::span<Value> parts = decoder.arena().array<Value>(3);
  size_t count = 0;
  for (uint16_t flag : {kNested, kNetByteOrder})
    if (bits & flag) parts[count++] = Decoder::named(flag, kFlags, 2);
  parts[count++] = bare_type(bits & ~(kNested | kNetByteOrder), names);
  return count == 1 ? parts[0] : Value{Union{parts.first(count), bits, 2, true}, {}};
}

Value attribute_header(Decoder& decoder, const NetlinkBytes& bytes, const ConstantSet* names) {
  const FieldValue fields[] = {
      {"nla_len", Decoder::number(bytes.get<uint16_t>(), Show::Unsigned, 2)},
      {"nla_type", type_value(decoder, bytes.get<uint16_t>(2), names)},
  };
  return decoder.fields(fields);
}

constexpr uint8_t kMaxAttributeDepth = 8;

}  // namespace

Value decode_netlink_attributes(Decoder& decoder, const NetlinkBytes& bytes, const AttributeSet& set,
                                const AttributeContext& context) {
  if (context.depth == kMaxAttributeDepth) return bytes.binary(decoder);
  size_t most = decoder.full() ? bytes.size / kAttributeHeaderBytes + 1 : decoder.options().max_string_bytes;
  std::span<Value> items = decoder.arena().array<Value>(std::min(most, bytes.size / kAttributeHeaderBytes + 1));
  size_t held = 0;
  NetlinkBytes rest = bytes;
  bool cut = false;
  while (rest.size > 0) {
    if (cut = held == items.size(); cut) break;
    if (rest.size < kAttributeHeaderBytes || !rest.holds(kAttributeHeaderBytes)) {
      items[held++] = rest.size < kAttributeHeaderBytes ? rest.binary(decoder) : Decoder::address(raw(rest.at));
      break;
    }
    uint16_t length = rest.get<uint16_t>(), type = rest.get<uint16_t>(2) & ~(kNested | kNetByteOrder);
    Value header = attribute_header(decoder, rest, set.names);
    NetlinkBytes data = rest.first(length).from(kAttributeHeaderBytes);
    if (data.size > 0) {
      const Value parts[] = {header, content(decoder, data, set, type, context),
                             leftover(decoder, data, set, type, context)};
      items[held++] = list_of(decoder, std::span(parts).first(parts[2].absent() ? 2 : 3));
    } else {
      items[held++] = header;
    }
    if (length < kAttributeHeaderBytes) break;
    rest = rest.from(netlink_aligned(length));
  }
  return alone_or_array(decoder, items.first(held), cut);
}

Value attribute_u8(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint8_t>(d, data, Show::Unsigned);
}
Value attribute_u16(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint16_t>(d, data, Show::Unsigned);
}
Value attribute_u32(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint32_t>(d, data, Show::Unsigned);
}
Value attribute_u64(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint64_t>(d, data, Show::Unsigned);
}
Value attribute_s32(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<int32_t>(d, data, Show::Signed);
}
Value attribute_x8(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint8_t>(d, data, Show::Hex);
}
Value attribute_x16(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint16_t>(d, data, Show::Hex);
}
Value attribute_port(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(2)) return data.binary(decoder);
  Value host = Decoder::number(__builtin_bswap16(data.get<uint16_t>()), Show::Unsigned, 2);
  return {Form{"htons", decoder.arena().copy(std::span<const Value>(&host, 1)), nullptr}, {}};
}
Value attribute_net_long(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(4)) return data.binary(decoder);
  Value host = Decoder::number(__builtin_bswap32(data.get<uint32_t>()), Show::Unsigned, 4);
  return {Form{"htonl", decoder.arena().copy(std::span<const Value>(&host, 1)), nullptr}, {}};
}

Value attribute_x32(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint32_t>(d, data, Show::Hex);
}
Value attribute_x64(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint64_t>(d, data, Show::Hex);
}
Value attribute_id(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<uint32_t>(d, data, Show::Id);
}
Value decode_nested_attributes(Decoder& decoder, const NetlinkBytes& bytes, const AttributeSet& set,
                               const AttributeContext& context) {
  return decode_netlink_attributes(decoder, bytes, set, {context.family, static_cast<uint8_t>(context.depth + 1)});
}

Value attribute_ticks(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  uint64_t ticks = 0;
  if (data.size == 0 || data.size > sizeof ticks || !data.holds(data.size)) return data.binary(decoder);
  std::memcpy(&ticks, data.bytes.data(), data.size);
  return ticks_value(decoder.arena(), ticks);
}
Value attribute_fd(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return data.holds(4) ? decoder.fd(data.get<int32_t>()) : data.binary(decoder);
}
Value attribute_s64(Decoder& d, const NetlinkBytes& data, const AttributeContext&) {
  return attribute_number<int64_t>(d, data, Show::Signed);
}

Value decode_attribute_array(Decoder& decoder, const NetlinkBytes& data, const Type& element) {
  size_t count = data.size / size_of(element, decoder.abi());
  return count == 0 ? data.binary(decoder) : decoder.array(element, data.at, count);
}

Value indexed_item(Decoder& decoder, size_t index, const ConstantSet& indices, const Value& value) {
  const char* name = indices.name_of(index);
  std::string number = std::to_string(index);
  const FieldValue item[] = {
      {name ? std::string_view(name) : decoder.arena().copy(std::string_view(number)), Decoder::named(index, indices)},
      {"", value},
  };
  return decoder.fields(item);
}

Value attribute_text(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(data.size)) return Decoder::address(raw(data.at));
  std::string_view text = data.bytes;
  text = text.substr(0, decoder.options().max_string_bytes);
  bool terminated = text.back() == '\0';
  if (terminated) text.remove_suffix(1);
  return {Text{text, TextKind::Text, !terminated, false}, {}};
}

Value attribute_c_string(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(data.size)) return Decoder::address(raw(data.at));
  size_t length = strnlen(data.bytes.data(), data.bytes.size());
  size_t most = std::min(length, decoder.options().max_string_bytes);
  return {Text{data.bytes.substr(0, most), TextKind::Text, length == data.size || most < length, false}, {}};
}

Value attribute_interface(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return data.holds(4) ? interface_index(decoder, data.get<uint32_t>()) : data.binary(decoder);
}

Value attribute_mac(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kLongest = 32;  // MAX_ADDR_LEN of the kernel's <linux/netdevice.h>
  return data.size <= kLongest && data.holds(data.size) ? mac_address(decoder, data.bytes) : data.binary(decoder);
}

Value attribute_address(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  if (context.family == kAfInet && data.holds(4)) return Decoder::number(data.get<uint32_t>(), Show::Inet4, 4);
  if (context.family == kAfInet6 && data.holds(16)) return {data.get<Inet6>(), {}};
  return data.binary(decoder);
}

}  // namespace strut
