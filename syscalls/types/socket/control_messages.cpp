#include "syscalls/types/socket/control_messages.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/sockaddr.hpp"
#include "syscalls/types/socket/socket.hpp"
#include "syscalls/types/socket/socket_options.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint32_t kSolIp = 0, kSolSocket = 1;

// <asm-generic/socket.h>; SCM_RIGHTS, SCM_CREDENTIALS, SCM_SECURITY, SCM_PIDFD of the kernel's <linux/socket.h>.
constexpr Constant kSocketMessageNames[] = {
    {1, "SCM_RIGHTS"}, {2, "SCM_CREDENTIALS"}, {3, "SCM_SECURITY"}, {4, "SCM_PIDFD"}, {29, "SO_TIMESTAMP_OLD"},
    {35, "SO_TIMESTAMPNS_OLD"}, {37, "SO_TIMESTAMPING_OLD"}, {41, "SO_WIFI_STATUS"},
    {54, "SCM_TIMESTAMPING_OPT_STATS"}, {58, "SCM_TIMESTAMPING_PKTINFO"}, {61, "SO_TXTIME"},
    {63, "SO_TIMESTAMP_NEW"}, {64, "SO_TIMESTAMPNS_NEW"}, {65, "SO_TIMESTAMPING_NEW"}, {78, "SCM_DEVMEM_LINEAR"},
    {79, "SCM_DEVMEM_DMABUF"}, {81, "SCM_TS_OPT_ID"}, {84, "SCM_INQ"},
};
// <linux/in.h>
constexpr Constant kIpMessageNames[] = {
    {1, "IP_TOS"}, {2, "IP_TTL"}, {3, "SCM_SECURITY"}, {6, "IP_RECVOPTS"}, {7, "IP_RETOPTS"}, {8, "IP_PKTINFO"},
    {11, "IP_RECVERR"}, {20, "IP_ORIGDSTADDR"}, {23, "IP_CHECKSUM"}, {52, "IP_PROTOCOL"},
};
constinit const ConstantSet kSocketMessages = enumeration("SCM_???", kSocketMessageNames);
constinit const ConstantSet kIpMessages = enumeration("IP_???", kIpMessageNames);

/// The payload of one message: in the target, and its copy in the arena.
struct Payload {
  Addr at{};
  std::string_view bytes;

  template <typename T>
  T get(size_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
};

Value binary(const Payload& data) { return {Text{data.bytes, TextKind::Binary, false, false}, {}}; }

/// An array of numbers, cut as every array is.
template <typename Number, typename Each>
Value numbers(Decoder& decoder, const Payload& data, Each each) {
  size_t count = data.bytes.size() / sizeof(Number);
  if (count == 0) return binary(data);
  size_t shown = decoder.full() ? count : std::min(count, decoder.options().max_string_bytes);
  std::span<Value> items = decoder.arena().array<Value>(shown);
  for (size_t i = 0; i < shown; i++) items[i] = each(data.get<Number>(i * sizeof(Number)));
  return {Array{items, ArrayStyle::List, shown < count, {}}, {}};
}

Value rights(Decoder& decoder, const Payload& data) {
  return numbers<int32_t>(decoder, data, [&](int32_t fd) { return decoder.fd(fd); });
}

Value credentials(Decoder& decoder, const Payload& data) {
  if (data.bytes.size() < 12) return binary(data);
  const FieldValue fields[] = {
      {"pid", decoder.process_id(data.get<int32_t>(0))},
      {"uid", Decoder::number(data.get<uint32_t>(4), Show::Id, 4)},
      {"gid", Decoder::number(data.get<uint32_t>(8), Show::Id, 4)},
  };
  return decoder.fields(fields);
}

Value security(Decoder&, const Payload& data) { return {Text{data.bytes, TextKind::Path, false, false}, {}}; }

Value pidfd(Decoder& decoder, const Payload& data) {
  return data.bytes.size() < 4 ? binary(data) : decoder.fd(data.get<int32_t>(0));
}

Value structure_or_unknown(Decoder& decoder, const Payload& data, const Type& type) {
  bool whole = data.bytes.size() >= size_of(type, decoder.abi());
  return whole ? decoder.object(type, data.at) : Decoder::bare("???");
}

constexpr Type kThreeTimes = array_of(kTimespec, 3);
constexpr Type kThreeTimes64 = array_of(kTimespec64, 3);

Value timestamp(Decoder& decoder, const Payload& data) { return structure_or_unknown(decoder, data, kTimeval); }
Value timestamp64(Decoder& decoder, const Payload& data) { return structure_or_unknown(decoder, data, kTimeval64); }
Value timestamp_ns(Decoder& decoder, const Payload& data) { return structure_or_unknown(decoder, data, kTimespec); }
Value timestamp_ns64(Decoder& decoder, const Payload& data) { return structure_or_unknown(decoder, data, kTimespec64); }
Value timestamps(Decoder& decoder, const Payload& data) { return structure_or_unknown(decoder, data, kThreeTimes); }
Value timestamps64(Decoder& decoder, const Payload& data) { return structure_or_unknown(decoder, data, kThreeTimes64); }

Value octets(Decoder& decoder, const Payload& data) {
  return numbers<uint8_t>(decoder, data, [](uint8_t octet) { return Decoder::number(octet, Show::Hex, 1); });
}

Value unsigneds(Decoder& decoder, const Payload& data) {
  return numbers<uint32_t>(decoder, data, [](uint32_t number) { return Decoder::number(number, Show::Unsigned, 4); });
}

Value ip_protocol(Decoder& decoder, const Payload& data) {
  if (data.bytes.size() < 4) return binary(data);
  Value protocol = Decoder::named(data.get<uint32_t>(0), kIpProtocols);
  return {Array{decoder.arena().copy(std::span<const Value>(&protocol, 1)), ArrayStyle::Boxed, false, {}}, {}};
}

Value packet_info(Decoder& decoder, const Payload& data) {
  if (data.bytes.size() < 12) return binary(data);
  const FieldValue fields[] = {
      {"ipi_ifindex", interface_index(decoder, data.get<uint32_t>(0))},
      {"ipi_spec_dst", Decoder::number(data.get<uint32_t>(4), Show::Inet4, 4)},
      {"ipi_addr", Decoder::number(data.get<uint32_t>(8), Show::Inet4, 4)},
  };
  return decoder.fields(fields);
}

constexpr size_t kErrorBytes = 16, kSockaddrInBytes = 16;  // struct sock_extended_err of <linux/errqueue.h>

Value received_error(Decoder& decoder, const Payload& data) {
  if (data.bytes.size() < kErrorBytes + kSockaddrInBytes) return binary(data);
  auto byte = [&](size_t at) { return Decoder::number(data.get<uint8_t>(at), Show::Unsigned, 1); };
  auto word = [&](size_t at) { return Decoder::number(data.get<uint32_t>(at), Show::Unsigned, 4); };
  const FieldValue fields[] = {
      {"ee_errno", word(0)}, {"ee_origin", byte(4)}, {"ee_type", byte(5)}, {"ee_code", byte(6)},
      {"ee_info", word(8)}, {"ee_data", word(12)},
      {"offender", decode_sockaddr(decoder, data.at + kErrorBytes, kSockaddrInBytes)},
  };
  return decoder.fields(fields);
}

Value original_destination(Decoder& decoder, const Payload& data) {
  if (data.bytes.size() < kSockaddrInBytes) return binary(data);
  return decode_sockaddr(decoder, data.at, static_cast<int64_t>(data.bytes.size()));
}

struct Message {
  uint32_t level, type;
  Value (*decode)(Decoder&, const Payload&);
};
constexpr Message kMessages[] = {
    {kSolSocket, 1, rights}, {kSolSocket, 2, credentials}, {kSolSocket, 3, security}, {kSolSocket, 4, pidfd},
    {kSolSocket, 29, timestamp}, {kSolSocket, 35, timestamp_ns}, {kSolSocket, 37, timestamps},
    {kSolSocket, 63, timestamp64}, {kSolSocket, 64, timestamp_ns64}, {kSolSocket, 65, timestamps64},
    {kSolIp, 1, octets}, {kSolIp, 2, unsigneds}, {kSolIp, 3, security}, {kSolIp, 6, octets}, {kSolIp, 7, octets},
    {kSolIp, 8, packet_info}, {kSolIp, 11, received_error}, {kSolIp, 20, original_destination},
    {kSolIp, 23, unsigneds}, {kSolIp, 52, ip_protocol},
};

Value decode_payload(Decoder& decoder, uint32_t level, uint32_t type, const Payload& data) {
  for (const Message& message : kMessages)
    if (message.level == level && message.type == type) return message.decode(decoder, data);
  return binary(data);
}

Value message_type(uint32_t level, uint32_t type) {
  if (level == kSolSocket) return Decoder::named(type, kSocketMessages);
  if (level == kSolIp) return Decoder::named(type, kIpMessages);
  return Decoder::number(type, Show::Hex, 4);
}

/// A header and its data: struct cmsghdr, its length a size_t of the ABI.
struct Header {
  uint64_t length = 0;
  uint32_t level = 0, type = 0;
};

Header header_at(std::string_view bytes, size_t word) {
  Header header;
  std::memcpy(&header.length, bytes.data(), word);
  std::memcpy(&header.level, bytes.data() + word, 4);
  std::memcpy(&header.type, bytes.data() + word + 4, 4);
  return header;
}

Value message_value(Decoder& decoder, const Header& header, const Payload& data) {
  FieldList fields;
  fields.add("cmsg_len",
             Decoder::number(header.length, Show::Unsigned, static_cast<uint8_t>(pointer_bytes(decoder.abi()))));
  fields.add("cmsg_level", Decoder::named(header.level, kSocketLevels));
  fields.add("cmsg_type", message_type(header.level, header.type));
  if (!data.bytes.empty()) fields.add("cmsg_data", decode_payload(decoder, header.level, header.type, data));
  return fields.structure(decoder);
}

/// The most that a socket takes here; bytes beyond it are not shown.
uint64_t max_control_bytes() {
  static const uint64_t bytes = [] {
    uint64_t most = 0;
    std::ifstream("/proc/sys/net/core/optmem_max") >> most;
    return most != 0 ? most : UINT64_MAX;
  }();
  return bytes;
}

}  // namespace

Value decode_control_messages(Decoder& decoder, Addr at, uint64_t passed_bytes) {
  uint64_t bytes = std::min(passed_bytes, max_control_bytes());
  const size_t word = pointer_bytes(decoder.abi()), header_bytes = word + 8;
  if (raw(at) == 0 || bytes < header_bytes) return Decoder::address(raw(at));
  std::optional<std::string_view> all = decoder.all_bytes(at, bytes);
  if (!all) return decoder.missing(at);
  std::span<Value> items = decoder.arena().array<Value>(all->size() / header_bytes);
  size_t held = 0, from = 0;
  while (all->size() - from >= header_bytes) {
    std::string_view rest = all->substr(from);
    Header header = header_at(rest, word);
    size_t used = std::clamp<uint64_t>(header.length, header_bytes, rest.size());
    Payload data{at + from + header_bytes, rest.substr(header_bytes, used - header_bytes)};
    items[held++] = message_value(decoder, header, data);
    from += std::min((used + word - 1) / word * word, rest.size());
    if (header.length < header_bytes) break;  // no message is so short: where the next begins is unknown
  }
  bool left_over = from < all->size() || bytes < passed_bytes;
  return {Array{items.first(held), ArrayStyle::List, false, left_over ? at + from : Addr{}}, {}};
}

}  // namespace strut
