#include "syscalls/types/netlink/generic_netlink.hpp"

#include <linux/genetlink.h>

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {
namespace {

// <linux/genetlink.h>, <linux/netlink.h>
constexpr Constant kControlCommandsList[] = {
    {0, "CTRL_CMD_UNSPEC"}, {1, "CTRL_CMD_NEWFAMILY"}, {2, "CTRL_CMD_DELFAMILY"}, {3, "CTRL_CMD_GETFAMILY"},
    {4, "CTRL_CMD_NEWOPS"}, {5, "CTRL_CMD_DELOPS"}, {6, "CTRL_CMD_GETOPS"}, {7, "CTRL_CMD_NEWMCAST_GRP"},
    {8, "CTRL_CMD_DELMCAST_GRP"}, {9, "CTRL_CMD_GETMCAST_GRP"}, {10, "CTRL_CMD_GETPOLICY"},
};
constexpr Constant kControlAttributeNamesList[] = {
    {0, "CTRL_ATTR_UNSPEC"}, {1, "CTRL_ATTR_FAMILY_ID"}, {2, "CTRL_ATTR_FAMILY_NAME"}, {3, "CTRL_ATTR_VERSION"},
    {4, "CTRL_ATTR_HDRSIZE"}, {5, "CTRL_ATTR_MAXATTR"}, {6, "CTRL_ATTR_OPS"}, {7, "CTRL_ATTR_MCAST_GROUPS"},
    {8, "CTRL_ATTR_POLICY"}, {9, "CTRL_ATTR_OP_POLICY"}, {10, "CTRL_ATTR_OP"},
};
constexpr Constant kOperationAttributeNamesList[] = {
    {0, "CTRL_ATTR_OP_UNSPEC"}, {1, "CTRL_ATTR_OP_ID"}, {2, "CTRL_ATTR_OP_FLAGS"},
};
constexpr Constant kOperationFlagsList[] = {
    {0x1, "GENL_ADMIN_PERM"}, {0x2, "GENL_CMD_CAP_DO"}, {0x4, "GENL_CMD_CAP_DUMP"}, {0x8, "GENL_CMD_CAP_HASPOL"},
    {0x10, "GENL_UNS_ADMIN_PERM"},
};
constexpr Constant kGroupAttributeNamesList[] = {
    {0, "CTRL_ATTR_MCAST_GRP_UNSPEC"}, {1, "CTRL_ATTR_MCAST_GRP_NAME"}, {2, "CTRL_ATTR_MCAST_GRP_ID"},
};
constexpr Constant kPolicyAttributeNamesList[] = {
    {0, "NL_POLICY_TYPE_ATTR_UNSPEC"}, {1, "NL_POLICY_TYPE_ATTR_TYPE"}, {2, "NL_POLICY_TYPE_ATTR_MIN_VALUE_S"},
    {3, "NL_POLICY_TYPE_ATTR_MAX_VALUE_S"}, {4, "NL_POLICY_TYPE_ATTR_MIN_VALUE_U"},
    {5, "NL_POLICY_TYPE_ATTR_MAX_VALUE_U"}, {6, "NL_POLICY_TYPE_ATTR_MIN_LENGTH"},
    {7, "NL_POLICY_TYPE_ATTR_MAX_LENGTH"}, {8, "NL_POLICY_TYPE_ATTR_POLICY_IDX"},
    {9, "NL_POLICY_TYPE_ATTR_POLICY_MAXTYPE"}, {10, "NL_POLICY_TYPE_ATTR_BITFIELD32_MASK"},
    {11, "NL_POLICY_TYPE_ATTR_PAD"}, {12, "NL_POLICY_TYPE_ATTR_MASK"},
};
constexpr Constant kPolicyTypesList[] = {
    {0, "NL_ATTR_TYPE_INVALID"}, {1, "NL_ATTR_TYPE_FLAG"}, {2, "NL_ATTR_TYPE_U8"}, {3, "NL_ATTR_TYPE_U16"},
    {4, "NL_ATTR_TYPE_U32"}, {5, "NL_ATTR_TYPE_U64"}, {6, "NL_ATTR_TYPE_S8"}, {7, "NL_ATTR_TYPE_S16"},
    {8, "NL_ATTR_TYPE_S32"}, {9, "NL_ATTR_TYPE_S64"}, {10, "NL_ATTR_TYPE_BINARY"}, {11, "NL_ATTR_TYPE_STRING"},
    {12, "NL_ATTR_TYPE_NUL_STRING"}, {13, "NL_ATTR_TYPE_NESTED"}, {14, "NL_ATTR_TYPE_NESTED_ARRAY"},
    {15, "NL_ATTR_TYPE_BITFIELD32"}, {16, "NL_ATTR_TYPE_SINT"}, {17, "NL_ATTR_TYPE_UINT"},
};
constexpr Constant kOperationPolicyNamesList[] = {
    {0, "CTRL_ATTR_POLICY_UNSPEC"}, {1, "CTRL_ATTR_POLICY_DO"}, {2, "CTRL_ATTR_POLICY_DUMP"},
};

constinit const ConstantSet kControlCommands = enumeration("CTRL_CMD_???", kControlCommandsList);
constinit const ConstantSet kControlAttributeNames = enumeration("CTRL_ATTR_???", kControlAttributeNamesList);
constinit const ConstantSet kOperationAttributeNames = enumeration("CTRL_ATTR_OP_???", kOperationAttributeNamesList);
constinit const ConstantSet kOperationFlags = flag_set("GENL_???", kOperationFlagsList);
constinit const ConstantSet kGroupAttributeNames = enumeration("CTRL_ATTR_MCAST_GRP_???", kGroupAttributeNamesList);
constinit const ConstantSet kPolicyAttributeNames = enumeration("NL_POLICY_TYPE_ATTR_???", kPolicyAttributeNamesList);
constinit const ConstantSet kPolicyTypes = enumeration("NL_ATTR_TYPE_???", kPolicyTypesList);
constinit const ConstantSet kOperationPolicyNames = enumeration("CTRL_ATTR_POLICY_???", kOperationPolicyNamesList);
constinit const ConstantSet kGenericFamilies = enumeration("GENERIC_FAMILY_???", {});

// -- attributes of the family that describes families (nlctrl) ------------------------------------------------

constexpr Attribute kOperationList[] = {names_short(1, kControlCommands, 4), names_short(2, kOperationFlags, 4)};
constinit const AttributeSet kGenericOperation = {&kOperationAttributeNames, kOperationList};
constexpr Attribute kGenericGroupList[] = {holds(1, attribute_text), holds(2, attribute_x32)};
constinit const AttributeSet kGenericGroup = {&kGroupAttributeNames, kGenericGroupList};
constexpr Attribute kPolicyList[] = {
    names_short(1, kPolicyTypes, 4), holds(2, attribute_s64), holds(3, attribute_s64), holds(4, attribute_u64),
    holds(5, attribute_u64), holds(6, attribute_u32), holds(7, attribute_u32), holds(8, attribute_x32),
    holds(9, attribute_x32), holds(10, attribute_x32), holds(12, attribute_x64),
};
constinit const AttributeSet kPolicy = {&kPolicyAttributeNames, kPolicyList};
constexpr Attribute kOperationPolicyList[] = {holds(1, attribute_u32), holds(2, attribute_u32)};
constinit const AttributeSet kOperationPolicy = {&kOperationPolicyNames, kOperationPolicyList};

// Lists: an attribute's type is an index.
constexpr Attribute kEachOperation = nests(0, kGenericOperation), kEachGroup = nests(0, kGenericGroup),
                    kEachPolicy = nests(0, kPolicy);
constexpr Attribute kEachOperationPolicy = nests(0, kOperationPolicy);
constinit const AttributeSet kOperations = {nullptr, {}, &kEachOperation};
constinit const AttributeSet kGroups = {nullptr, {}, &kEachGroup};
constinit const AttributeSet kPoliciesOfFamily = {nullptr, {}, &kEachPolicy};
constexpr Attribute kEachFamilyPolicy = nests(0, kPoliciesOfFamily);
constinit const AttributeSet kPolicies = {nullptr, {}, &kEachFamilyPolicy};
constinit const AttributeSet kOperationPolicies = {nullptr, {}, &kEachOperationPolicy};

constexpr Attribute kControlList[] = {
    holds(1, attribute_x16),      holds(2, attribute_text), holds(3, attribute_u32), holds(4, attribute_u32),
    holds(5, attribute_u32),      nests(6, kOperations),    nests(7, kGroups),       nests(8, kPolicies),
    nests(9, kOperationPolicies), holds(10, attribute_u32),
};
constinit const AttributeSet kControl = {&kControlAttributeNames, kControlList};
constinit const AttributeSet kUnknown = {nullptr, {}};

Value generic_header(Decoder& decoder, uint16_t type, const NetlinkBytes& payload) {
  auto command = payload.get<uint8_t>();
  auto reserved = payload.get<uint16_t>(2);
  FieldList fields;
  fields.add("cmd", type == GENL_ID_CTRL ? Decoder::named(command, kControlCommands, 1)
                                         : Decoder::number(command, Show::Hex, 1));
  fields.add("version", Decoder::number(payload.get<uint8_t>(1), Show::Unsigned, 1));
  if (reserved != 0) fields.add("reserved", Decoder::number(reserved, Show::Hex, 2));
  return fields.structure(decoder);
}

}  // namespace

Value generic_message_type(Decoder& decoder, uint16_t type) {
  std::optional<std::string> name = decoder.around().generic_family(type);
  if (!name) return Decoder::named(type, kGenericFamilies, 2);
  Arena& arena = decoder.arena();
  return {Alias{arena.copy(std::string_view(*name)), arena.make(Decoder::number(type, Show::Hex, 2))}, {}};
}

void add_generic_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                         size_t& held) {
  auto add = [&](const Value& value) { items[held++] = value; };
  if (!payload.holds(sizeof(genlmsghdr))) return add(payload.binary(decoder));
  add(generic_header(decoder, type, payload));
  NetlinkBytes rest = payload.from(sizeof(genlmsghdr));
  if (rest.size > 0) add(decode_netlink_attributes(decoder, rest, type == GENL_ID_CTRL ? kControl : kUnknown, {}));
}

}  // namespace strut
