#include "syscalls/types/netlink/netfilter.hpp"

#include "syscalls/notation.hpp"
#include "syscalls/types/netlink/netlink_attributes.hpp"
#include "syscalls/types/netlink/netlink_names.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/netfilter/nfnetlink.h> and the headers of the subsystems beside it.
constexpr Constant kSubsystemsList[] = {
    {0, "NFNL_SUBSYS_NONE"}, {1, "NFNL_SUBSYS_CTNETLINK"}, {2, "NFNL_SUBSYS_CTNETLINK_EXP"}, {3, "NFNL_SUBSYS_QUEUE"},
    {4, "NFNL_SUBSYS_ULOG"}, {5, "NFNL_SUBSYS_OSF"}, {6, "NFNL_SUBSYS_IPSET"}, {7, "NFNL_SUBSYS_ACCT"},
    {8, "NFNL_SUBSYS_CTNETLINK_TIMEOUT"}, {9, "NFNL_SUBSYS_CTHELPER"}, {10, "NFNL_SUBSYS_NFTABLES"},
    {11, "NFNL_SUBSYS_NFT_COMPAT"}, {12, "NFNL_SUBSYS_HOOK"},
};
constexpr Constant kBatchMessagesList[] = {
    {16, "NFNL_MSG_BATCH_BEGIN"}, {17, "NFNL_MSG_BATCH_END"},
};
constexpr Constant kConntrackMessagesList[] = {
    {0, "IPCTNL_MSG_CT_NEW"}, {1, "IPCTNL_MSG_CT_GET"}, {2, "IPCTNL_MSG_CT_DELETE"}, {3, "IPCTNL_MSG_CT_GET_CTRZERO"},
    {4, "IPCTNL_MSG_CT_GET_STATS_CPU"}, {5, "IPCTNL_MSG_CT_GET_STATS"}, {6, "IPCTNL_MSG_CT_GET_DYING"},
    {7, "IPCTNL_MSG_CT_GET_UNCONFIRMED"},
};
constexpr Constant kExpectationMessagesList[] = {
    {0, "IPCTNL_MSG_EXP_NEW"}, {1, "IPCTNL_MSG_EXP_GET"}, {2, "IPCTNL_MSG_EXP_DELETE"},
    {3, "IPCTNL_MSG_EXP_GET_STATS_CPU"},
};
constexpr Constant kQueueMessagesList[] = {
    {0, "NFQNL_MSG_PACKET"}, {1, "NFQNL_MSG_VERDICT"}, {2, "NFQNL_MSG_CONFIG"}, {3, "NFQNL_MSG_VERDICT_BATCH"},
};
constexpr Constant kUserLogMessagesList[] = {
    {0, "NFULNL_MSG_PACKET"}, {1, "NFULNL_MSG_CONFIG"},
};
constexpr Constant kOsfMessagesList[] = {
    {0, "OSF_MSG_ADD"}, {1, "OSF_MSG_REMOVE"},
};
constexpr Constant kIpSetMessagesList[] = {
    {0, "IPSET_CMD_NONE"}, {1, "IPSET_CMD_PROTOCOL"}, {2, "IPSET_CMD_CREATE"}, {3, "IPSET_CMD_DESTROY"},
    {4, "IPSET_CMD_FLUSH"}, {5, "IPSET_CMD_RENAME"}, {6, "IPSET_CMD_SWAP"}, {7, "IPSET_CMD_LIST"},
    {8, "IPSET_CMD_SAVE"}, {9, "IPSET_CMD_ADD"}, {10, "IPSET_CMD_DEL"}, {11, "IPSET_CMD_TEST"},
    {12, "IPSET_CMD_HEADER"}, {13, "IPSET_CMD_TYPE"}, {14, "IPSET_CMD_GET_BYNAME"}, {15, "IPSET_CMD_GET_BYINDEX"},
    {16, "IPSET_CMD_RESTORE"}, {17, "IPSET_CMD_HELP"}, {18, "IPSET_CMD_VERSION"}, {19, "IPSET_CMD_QUIT"},
    {20, "IPSET_CMD_COMMIT"},
};
constexpr Constant kAccountingMessagesList[] = {
    {0, "NFNL_MSG_ACCT_NEW"}, {1, "NFNL_MSG_ACCT_GET"}, {2, "NFNL_MSG_ACCT_GET_CTRZERO"}, {3, "NFNL_MSG_ACCT_DEL"},
    {4, "NFNL_MSG_ACCT_OVERQUOTA"},
};
constexpr Constant kTimeoutMessagesList[] = {
    {0, "IPCTNL_MSG_TIMEOUT_NEW"}, {1, "IPCTNL_MSG_TIMEOUT_GET"}, {2, "IPCTNL_MSG_TIMEOUT_DELETE"},
    {3, "IPCTNL_MSG_TIMEOUT_DEFAULT_SET"}, {4, "IPCTNL_MSG_TIMEOUT_DEFAULT_GET"},
};
constexpr Constant kHelperMessagesList[] = {
    {0, "NFNL_MSG_CTHELPER_NEW"}, {1, "NFNL_MSG_CTHELPER_GET"}, {2, "NFNL_MSG_CTHELPER_DEL"},
};
constexpr Constant kTablesMessagesList[] = {
    {0, "NFT_MSG_NEWTABLE"}, {1, "NFT_MSG_GETTABLE"}, {2, "NFT_MSG_DELTABLE"}, {3, "NFT_MSG_NEWCHAIN"},
    {4, "NFT_MSG_GETCHAIN"}, {5, "NFT_MSG_DELCHAIN"}, {6, "NFT_MSG_NEWRULE"}, {7, "NFT_MSG_GETRULE"},
    {8, "NFT_MSG_DELRULE"}, {9, "NFT_MSG_NEWSET"}, {10, "NFT_MSG_GETSET"}, {11, "NFT_MSG_DELSET"},
    {12, "NFT_MSG_NEWSETELEM"}, {13, "NFT_MSG_GETSETELEM"}, {14, "NFT_MSG_DELSETELEM"}, {15, "NFT_MSG_NEWGEN"},
    {16, "NFT_MSG_GETGEN"}, {17, "NFT_MSG_TRACE"}, {18, "NFT_MSG_NEWOBJ"}, {19, "NFT_MSG_GETOBJ"},
    {20, "NFT_MSG_DELOBJ"}, {21, "NFT_MSG_GETOBJ_RESET"}, {22, "NFT_MSG_NEWFLOWTABLE"}, {23, "NFT_MSG_GETFLOWTABLE"},
    {24, "NFT_MSG_DELFLOWTABLE"}, {25, "NFT_MSG_GETRULE_RESET"}, {26, "NFT_MSG_DESTROYTABLE"},
    {27, "NFT_MSG_DESTROYCHAIN"}, {28, "NFT_MSG_DESTROYRULE"}, {29, "NFT_MSG_DESTROYSET"},
    {30, "NFT_MSG_DESTROYSETELEM"}, {31, "NFT_MSG_DESTROYOBJ"}, {32, "NFT_MSG_DESTROYFLOWTABLE"},
    {33, "NFT_MSG_GETSETELEM_RESET"},
};
constexpr Constant kCompatMessagesList[] = {
    {0, "NFNL_MSG_COMPAT_GET"},
};
constexpr Constant kHookMessagesList[] = {
    {0, "NFNL_MSG_HOOK_GET"},
};
constexpr Constant kVersionsList[] = {
    {0, "NFNETLINK_V0"},
};

constinit const ConstantSet kSubsystems = enumeration("NFNL_SUBSYS_???", kSubsystemsList);
constinit const ConstantSet kBatchMessages = enumeration(nullptr, kBatchMessagesList);
constinit const ConstantSet kConntrackMessages = enumeration("IPCTNL_MSG_CT_???", kConntrackMessagesList);
constinit const ConstantSet kExpectationMessages = enumeration("IPCTNL_MSG_EXP_???", kExpectationMessagesList);
constinit const ConstantSet kQueueMessages = enumeration("NFQNL_MSG_???", kQueueMessagesList);
constinit const ConstantSet kUserLogMessages = enumeration("NFULNL_MSG_???", kUserLogMessagesList);
constinit const ConstantSet kOsfMessages = enumeration("OSF_MSG_???", kOsfMessagesList);
constinit const ConstantSet kIpSetMessages = enumeration("IPSET_CMD_???", kIpSetMessagesList);
constinit const ConstantSet kAccountingMessages = enumeration("NFNL_MSG_ACCT_???", kAccountingMessagesList);
constinit const ConstantSet kTimeoutMessages = enumeration("IPCTNL_MSG_TIMEOUT_???", kTimeoutMessagesList);
constinit const ConstantSet kHelperMessages = enumeration("NFNL_MSG_CTHELPER_???", kHelperMessagesList);
constinit const ConstantSet kTablesMessages = enumeration("NFT_MSG_???", kTablesMessagesList);
constinit const ConstantSet kCompatMessages = enumeration("NFNL_MSG_COMPAT_???", kCompatMessagesList);
constinit const ConstantSet kHookMessages = enumeration("NFT_MSG_HOOK_???", kHookMessagesList);
constinit const ConstantSet kVersions = enumeration("NFNETLINK_???", kVersionsList);

constexpr uint64_t bits(std::initializer_list<int> types) {
  uint64_t set = 0;
  for (int type : types) set |= 1ull << type;
  return set;
}

/// A subsystem's messages, and which of them make, ask and delete: bit n is type n.
struct Subsystem {
  uint8_t number;
  const ConstantSet* messages;
  uint64_t makes, asks, deletes;
};
constexpr Subsystem kKnownSubsystems[] = {
    {1, &kConntrackMessages, bits({0}), bits({1, 3, 4, 5, 6, 7}), bits({2})},
    {2, &kExpectationMessages, bits({0}), bits({1, 3}), bits({2})},
    {3, &kQueueMessages, 0, 0, 0},
    {4, &kUserLogMessages, 0, 0, 0},
    {5, &kOsfMessages, 0, 0, 0},
    {6, &kIpSetMessages, 0, 0, 0},
    {7, &kAccountingMessages, bits({0}), bits({1, 2}), bits({3})},
    {8, &kTimeoutMessages, bits({0}), bits({1}), bits({2})},
    {9, &kHelperMessages, bits({0}), bits({1}), bits({2})},
    {10, &kTablesMessages, bits({0, 3, 6, 9, 12, 15, 18, 22}), bits({1, 4, 7, 10, 13, 16, 19, 21, 23, 25, 33}),
     bits({2, 5, 8, 11, 14, 20, 24, 26, 27, 28, 29, 30, 31, 32})},
    {11, &kCompatMessages, 0, bits({0}), 0},
    {12, &kHookMessages, 0, bits({0}), 0},
};

const Subsystem* subsystem_of(uint16_t type) {
  for (const Subsystem& subsystem : kKnownSubsystems)
    if (subsystem.number == type >> 8) return &subsystem;
  return nullptr;
}

bool is_batch(uint16_t type) { return kBatchMessages.name_of(type) != nullptr; }

constexpr size_t kNetfilterHeaderBytes = 4, kResourceAt = 2;

/// The resource, in network order. nf_tables' messages name their subsystem, in either order.
Value resource(Decoder& decoder, uint16_t type, uint16_t bits) {
  constexpr uint16_t kTables = 10;  // NFNL_SUBSYS_NFTABLES
  bool tables = type >> 8 == kTables;
  if (tables && bits == kTables) return Decoder::named(bits, kSubsystems, 2);
  uint16_t host = __builtin_bswap16(bits);
  bool reported = tables && host == kTables;
  Value number = reported ? Decoder::named(host, kSubsystems, 2) : Decoder::number(host, Show::Unsigned, 2);
  const Value* plain = reported ? decoder.arena().make(Decoder::number(bits, Show::Hex, 2)) : nullptr;
  return {Form{"htons", decoder.arena().copy(std::span<const Value>(&number, 1)), plain}, {}};
}

Value netfilter_header(Decoder& decoder, uint16_t type, const NetlinkBytes& payload) {
  const FieldValue fields[] = {
      {"nfgen_family", Decoder::named(payload.get<uint8_t>(), kAddressFamilies, 1)},
      {"version", Decoder::named(payload.get<uint8_t>(1), kVersions, 1)},
      {"res_id", resource(decoder, type, payload.get<uint16_t>(kResourceAt))},
  };
  return decoder.fields(fields);
}

constinit const AttributeSet kNameless = {nullptr, {}};

}  // namespace

Value netfilter_message_type(Decoder& decoder, uint16_t type) {
  if (is_batch(type)) return Decoder::named(type, kBatchMessages, 2);
  const Subsystem* subsystem = subsystem_of(type);
  uint64_t message = type & 0xff;
  const Value* number = decoder.arena().make(Decoder::named(type >> 8, kSubsystems, 1));
  std::span<Value> parts = decoder.arena().array<Value>(2);
  parts[0] = {Shifted{.value = number, .by = 8}, {}};
  parts[1] = subsystem ? Decoder::named(message, *subsystem->messages, 1) : Decoder::number(message, Show::Hex, 1);
  return {Union{.parts = parts, .bits = type, .bytes = 2, .apart = true}, {}};
}

const ConstantSet& netfilter_flags(uint16_t type) {
  const Subsystem* subsystem = subsystem_of(type);
  uint64_t message = (type & 0xff) < 64 ? 1ull << (type & 0xff) : 0;
  if (!subsystem) return netlink_flags(NetlinkVerb::None);
  if (subsystem->makes & message) return netlink_flags(NetlinkVerb::Make);
  if (subsystem->asks & message) return netlink_flags(NetlinkVerb::Ask);
  return netlink_flags(subsystem->deletes & message ? NetlinkVerb::Delete : NetlinkVerb::None);
}

void add_netfilter_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                           size_t& held) {
  auto add = [&](const Value& value) { items[held++] = value; };
  if (!payload.holds(kNetfilterHeaderBytes)) return add(payload.binary(decoder));
  add(netfilter_header(decoder, type, payload));
  NetlinkBytes rest = payload.from(kNetfilterHeaderBytes);
  if (rest.size == 0) return;
  add(is_batch(type) ? rest.binary(decoder) : decode_netlink_attributes(decoder, rest, kNameless, {}));
}

}  // namespace strut
