#include "syscalls/types/netlink/netlink_family.hpp"

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

Value family_value(uint8_t family) { return Decoder::named(family, kAddressFamilies, 1); }

/// A fixed part of which the family only is there, or can be read.
Value family_only(Decoder& decoder, const NetlinkBytes& payload, std::string_view name) {
  FieldList fields;
  fields.add(name, family_value(payload.get<uint8_t>()));
  bool unreadable = !payload.holds(payload.size);
  if (unreadable) fields.add("", Decoder::address(raw(payload.at) + 1));
  return fields.structure(decoder, !unreadable);
}

Value unknown_form(Decoder& decoder, const NetlinkBytes& payload) {
  FieldList fields;
  fields.add("family", family_value(payload.get<uint8_t>()));
  if (payload.size > 1) fields.add("data", payload.from(1).binary(decoder));
  return fields.structure(decoder);
}

}  // namespace

void add_family_payload(Decoder& decoder, const FamilyForm* form, const NetlinkBytes& payload, std::span<Value> items,
                        size_t& held) {
  auto add = [&](const Value& value) { items[held++] = value; };
  if (!payload.holds(1)) return add(Decoder::address(raw(payload.at)));
  if (!form) return add(unknown_form(decoder, payload));
  size_t bytes = size_of(*form->fixed, decoder.abi());
  if (!payload.holds(bytes)) {
    NetlinkBytes part = payload.size >= bytes ? payload.first(bytes) : payload;
    return add(family_only(decoder, part, form->fixed->fields[0].name));
  }
  add(decoder.structure(*form->fixed, payload.at));
  NetlinkBytes rest = payload.from(netlink_aligned(bytes));
  if (rest.size == 0 || form->ends) return;
  if (!form->attributes) return add(rest.binary(decoder));
  add(decode_netlink_attributes(decoder, rest, *form->attributes, {payload.get<uint8_t>()}));
}

}  // namespace strut
