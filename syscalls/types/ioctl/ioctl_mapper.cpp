#include "syscalls/types/ioctl/ioctl_mapper.hpp"

#include <linux/dm-ioctl.h>

#include <algorithm>
#include <vector>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/reads.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/signed_number.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kMapperFlagNames[] = {
    {0x1, "DM_READONLY_FLAG"},
    {0x2, "DM_SUSPEND_FLAG"},
    {0x4, "DM_EXISTS_FLAG"},
    {0x8, "DM_PERSISTENT_DEV_FLAG"},
    {0x10, "DM_STATUS_TABLE_FLAG"},
    {0x20, "DM_ACTIVE_PRESENT_FLAG"},
    {0x40, "DM_INACTIVE_PRESENT_FLAG"},
    {0x100, "DM_BUFFER_FULL_FLAG"},
    {0x200, "DM_SKIP_BDGET_FLAG"},
    {0x400, "DM_SKIP_LOCKFS_FLAG"},
    {0x800, "DM_NOFLUSH_FLAG"},
    {0x1000, "DM_QUERY_INACTIVE_TABLE_FLAG"},
    {0x2000, "DM_UEVENT_GENERATED_FLAG"},
    {0x4000, "DM_UUID_FLAG"},
    {0x8000, "DM_SECURE_DATA_FLAG"},
    {0x10000, "DM_DATA_OUT_FLAG"},
    {0x20000, "DM_DEFERRED_REMOVE"},
    {0x40000, "DM_INTERNAL_SUSPEND_FLAG"},
    {0x80000, "DM_IMA_MEASUREMENT_FLAG"},
};
constinit const ConstantSet kMapperFlags = flag_set("DM_???", kMapperFlagNames);

/// The data behind the head.
struct Request {
  uint64_t at;  ///< of the head
  dm_ioctl head;
  /// True if `bytes` bytes from this offset are part of the request.
  bool has(uint64_t offset, size_t bytes) const { return offset + bytes <= head.data_size; }
};
using Items = std::vector<Value>;
using AddData = void (*)(Decoder&, const Request&, Items&);

Value misplaced(Decoder& decoder, std::string_view structure) {
  Value value = Decoder::bare("???");
  value.comment = joined(decoder.arena(), {"misplaced struct ", structure});
  return value;
}

/// The string at an offset, which ends with the request at the latest.
Value string_at(Decoder& decoder, const Request& request, uint64_t offset) {
  uint64_t room = request.head.data_size > offset ? request.head.data_size - offset : 0;
  Addr at{request.at + offset};
  if (room > decoder.options().max_string_bytes) return decoder.c_string(at, TextKind::Text);
  std::optional<std::string_view> bytes = decoder.all_bytes(at, room);
  return bytes ? decoder.text(bytes->substr(0, bytes->find('\0'))) : decoder.missing(at);
}

/// Structures that lie behind one another: each says where the next one is, from the start of the data or from itself.
struct Chain {
  std::string_view name;
  size_t bytes;
  bool from_start;
  /// The structure at an offset; `next` is how far it is to the next one.
  Value (*item)(Decoder&, const Request&, uint64_t offset, uint32_t& next);
};
void add_chain(Decoder& decoder, const Request& request, const Chain& chain, uint64_t most, Items& items) {
  constexpr uint64_t kMaxShown = 1u << 20;  // as of arrays: a request of 4 GB has place for 100 times as many
  uint64_t offset = request.head.data_start, least = 0;
  for (uint64_t i = 0; i < most; i++) {
    if (i == kMaxShown) return items.push_back(Decoder::bare("..."));
    if (offset < least || !request.has(offset, chain.bytes)) return items.push_back(misplaced(decoder, chain.name));
    uint32_t next = 0;
    items.push_back(chain.item(decoder, request, offset, next));
    if (std::holds_alternative<Unreadable>(items.back().is) || (most == UINT64_MAX && next == 0)) return;
    least = offset + chain.bytes;
    offset = next + (chain.from_start ? request.head.data_start : offset);
  }
}

// -- tables ---------------------------------------------------------------------------------------------------------
/// Reads a structure of a chain.
template <typename Link>
bool read_link(Decoder& decoder, Addr at, Link& link, uint32_t& next) {
  if (!decoder.read(at, link)) return false;
  next = link.next;
  return true;
}

Value target_at(Decoder& decoder, const Request& request, uint64_t offset, uint32_t& next, bool has_status) {
  dm_target_spec target;
  Addr at{request.at + offset};
  if (!read_link(decoder, at, target, next)) return decoder.missing(at);
  FieldList fields;
  fields.add("sector_start", Decoder::number(target.sector_start, Show::Unsigned));
  fields.add("length", Decoder::number(target.length, Show::Unsigned));
  if (has_status) fields.add("status", signed_number(target.status));
  static constexpr Type kTypeName = char_array(DM_MAX_TYPE_NAME);
  fields.add("target_type", decoder.object(kTypeName, at + offsetof(dm_target_spec, target_type)));
  return fields.add("string", string_at(decoder, request, offset + sizeof target)).structure(decoder);
}
template <bool kHasStatus>
Value decode_target(Decoder& decoder, const Request& request, uint64_t offset, uint32_t& next) {
  return target_at(decoder, request, offset, next, kHasStatus);
}
constexpr Chain kLoaded = {"dm_target_spec", sizeof(dm_target_spec), false, decode_target<false>};
constexpr Chain kReported = {"dm_target_spec", sizeof(dm_target_spec), true, decode_target<true>};

template <const Chain& kChain>
void add_targets(Decoder& decoder, const Request& request, Items& items) {
  add_chain(decoder, request, kChain, request.head.target_count, items);
}

// -- lists ----------------------------------------------------------------------------------------------------------
Value name_at(Decoder& decoder, const Request& request, uint64_t offset, uint32_t& next) {
  dm_name_list head;
  Addr at{request.at + offset};
  if (!read_link(decoder, at, head, next)) return decoder.missing(at);
  FieldList fields;
  fields.add("dev", Decoder::number(head.dev, Show::Device));
  return fields.add("name", string_at(decoder, request, offset + offsetof(dm_name_list, name))).structure(decoder);
}
constexpr Type kMapperVersion = array_of(kUInt, 3);
Value version_at(Decoder& decoder, const Request& request, uint64_t offset, uint32_t& next) {
  dm_target_versions head;
  Addr at{request.at + offset};
  if (!read_link(decoder, at, head, next)) return decoder.missing(at);
  FieldList fields;
  fields.add("name", string_at(decoder, request, offset + sizeof head));
  Value version = decoder.object(kMapperVersion, at + offsetof(dm_target_versions, version));
  return fields.add("version", version).structure(decoder);
}
constexpr Chain kNames = {"dm_name_list", sizeof(dm_name_list), false, name_at};
constexpr Chain kVersions = {"dm_target_versions", sizeof(dm_target_versions), false, version_at};

template <const Chain& kChain>
void add_list(Decoder& decoder, const Request& request, Items& items) {
  add_chain(decoder, request, kChain, UINT64_MAX, items);
}

constexpr Type kMapperDevice64 = number(Width::B8, Show::Device);
void add_dependencies(Decoder& decoder, const Request& request, Items& items) {
  dm_target_deps head;
  uint64_t offset = request.head.data_start;
  Addr at{request.at + offset};
  auto misplace = [&] { items.push_back(misplaced(decoder, "dm_target_deps")); };
  if (!request.has(offset, sizeof head)) return misplace();
  if (!decoder.read(at, head)) return items.push_back(decoder.missing(at));
  if (!request.has(offset, sizeof head + uint64_t{head.count} * sizeof(uint64_t))) return misplace();
  FieldList fields;
  fields.add("count", Decoder::number(head.count, Show::Unsigned, 4));
  items.push_back(fields.add("deps", decoder.array(kMapperDevice64, at + sizeof head, head.count)).structure(decoder));
}

// -- words ----------------------------------------------------------------------------------------------------------
void add_string(Decoder& decoder, const Request& request, Items& items) {
  FieldList fields;
  items.push_back(fields.add("string", string_at(decoder, request, request.head.data_start)).structure(decoder));
}
void add_message(Decoder& decoder, const Request& request, Items& items) {
  dm_target_msg head;
  uint64_t offset = request.head.data_start;
  Addr at{request.at + offset};
  if (!request.has(offset, sizeof head)) return items.push_back(misplaced(decoder, "dm_target_msg"));
  if (!decoder.read(at, head)) return items.push_back(decoder.missing(at));
  FieldList fields;
  fields.add("sector", Decoder::number(head.sector, Show::Unsigned));
  items.push_back(fields.add("message", string_at(decoder, request, offset + sizeof head)).structure(decoder));
}

// -- commands: the members of the head that they use, and the data behind it ----------------------------------------
/// Members of struct dm_ioctl besides its version, its size and its flags.
enum Members : uint8_t {
  kStart = 1 << 0,    ///< where the data begin
  kNamed = 1 << 1,    ///< the device: those of its number, its name and its UUID that are given
  kTargets = 1 << 2,  ///< counts
  kOpens = 1 << 3,
  kEvent = 1 << 4,
  kEventOfResume = 1 << 5,  ///< unless DM_SUSPEND_FLAG is set
  kStatus = kNamed | kTargets | kOpens | kEvent,
};
/// When there are data behind the head.
enum class Present : uint8_t { Always, IfRoom, IfTargets };
struct OnePhase {
  uint8_t members = 0;
  Present present = Present::Always;
  AddData add = nullptr;
};
struct Shape {
  OnePhase asked, answered;
};
constexpr Shape kShapeOfVersion = {{kNamed}, {kNamed}}, kShapeOfAll = {};
constexpr Shape kShapeOfList = {{kStart}, {kStart, Present::IfRoom, add_list<kNames>}};
constexpr Shape kShapeOfVersions = {{kStart}, {kStart, Present::IfRoom, add_list<kVersions>}};
constexpr Shape kShapeOfDevice = {{kNamed}, {kStatus}}, kShapeOfRemoval = {{kNamed | kEvent}, {kNamed}};
constexpr Shape kShapeOfSuspension = {{kNamed | kEventOfResume}, {kStatus}};
constexpr Shape kShapeOfRename = {{kStart | kNamed | kEvent, Present::Always, add_string}, {kStart | kStatus}};
constexpr OnePhase kTableReported = {kStart | kStatus, Present::IfTargets, add_targets<kReported>};
constexpr Shape kShapeOfWait = {{kStart | kNamed | kEvent}, kTableReported};
constexpr Shape kShapeOfTable = {{kStart | kNamed}, kTableReported};
constexpr Shape kShapeOfLoad = {{kStart | kNamed | kTargets, Present::IfTargets, add_targets<kLoaded>},
                                {kStart | kStatus}};
constexpr Shape kShapeOfDependencies = {{kStart | kNamed}, {kStart | kStatus, Present::IfRoom, add_dependencies}};
constexpr Shape kShapeOfMessage = {{kStart | kNamed, Present::IfRoom, add_message}, {kStart | kStatus}};
constexpr Shape kShapeOfGeometry = {{kStart | kNamed, Present::Always, add_string}, {kStart | kNamed}};

void add_number(FieldList& fields, const char* name, uint32_t number) {
  fields.add(name, Decoder::number(number, Show::Unsigned, 4));
}
void add_identity(Decoder& decoder, const Request& request, FieldList& fields) {
  static constexpr Type kName = char_array(DM_NAME_LEN), kIdentifier = char_array(DM_UUID_LEN);
  Addr at{request.at};
  if (request.head.dev != 0) fields.add("dev", Decoder::number(request.head.dev, Show::Device));
  if (request.head.name[0] != 0) fields.add("name", decoder.object(kName, at + offsetof(dm_ioctl, name)));
  if (request.head.uuid[0] != 0) fields.add("uuid", decoder.object(kIdentifier, at + offsetof(dm_ioctl, uuid)));
}
void add_members(Decoder& decoder, const Request& request, uint8_t members, FieldList& fields) {
  const dm_ioctl& head = request.head;
  bool shows_event = members & kEvent || (members & kEventOfResume && !(head.flags & DM_SUSPEND_FLAG));
  if (members & kStart) add_number(fields, "data_start", head.data_start);
  if (members & kNamed) add_identity(decoder, request, fields);
  if (members & kTargets) add_number(fields, "target_count", head.target_count);
  if (members & kOpens) {
    auto count = static_cast<uint64_t>(int64_t{head.open_count});
    fields.add("open_count", Decoder::number(count, Show::Signed, 4));
  }
  if (shows_event) add_number(fields, "event_nr", head.event_nr);
  fields.add("flags", Decoder::named(head.flags, kMapperFlags));
}

bool has_data(const OnePhase& phase, const dm_ioctl& head) {
  if (!phase.add) return false;
  return phase.present == Present::IfTargets ? head.target_count != 0
                                             : phase.present == Present::Always || head.data_start != head.data_size;
}

/// The head; true if it is one that the kernel knows.
bool add_head(Decoder& decoder, const Request& request, uint8_t members, Items& items) {
  FieldList fields;
  Value version = decoder.object(kMapperVersion, Addr{request.at});
  bool is_known = request.head.version[0] == DM_VERSION_MAJOR, is_whole = request.head.data_size >= sizeof(dm_ioctl);
  if (!is_known) version.comment = "unsupported device mapper ABI version";
  fields.add("version", version);
  if (is_known) {
    Value size = Decoder::number(request.head.data_size, Show::Unsigned, 4);
    if (!is_whole) size.comment = "data_size too small";
    fields.add("data_size", size);
  }
  if (is_known && is_whole) add_members(decoder, request, members, fields);
  items.push_back(fields.structure(decoder));
  return is_known && is_whole;
}

/// Reads the head, of an unknown version only that.
bool read_head(Decoder& decoder, Request& request) {
  Addr at{request.at};
  if (!decoder.reaches(at) || !decoder.read(at, request.head.version)) return false;
  return request.head.version[0] != DM_VERSION_MAJOR || decoder.read(at, request.head);
}

/// A head that cannot be read is shown as a number.
template <const Shape& kShape>
Value decode_request(Decoder& decoder, uint64_t at, size_t) {
  Request request{at, {}};
  if (!read_head(decoder, request))
    return Decoder::number(at, Show::Hex, static_cast<uint8_t>(pointer_bytes(decoder.abi())));
  const OnePhase& phase = decoder.phase() == Phase::Enter ? kShape.asked : kShape.answered;
  Items items;
  Array list;
  if (add_head(decoder, request, phase.members, items) && has_data(phase, request.head)) {
    if (decoder.full()) phase.add(decoder, request, items);
    else list.cut = true;
  }
  list.items = decoder.arena().copy(std::span<const Value>(items));
  return {list, {}};
}
constexpr uint32_t kMaxBytes = 1 << 14;  // the largest buffer of libdevmapper's first try
constexpr Type kRequestMemory = whole_bytes(kMaxBytes, fixed(kMaxBytes));
template <const Shape& kShape>
constexpr CommandRow request(uint64_t number) {
  constexpr Type kRequest = reading(custom(decode_request<kShape>), kReadsOne<kRequestMemory>);
  ArgType argument = arg("argp", kRequest, Direction::InOut);
  argument.shows_both = true;
  return command(number, kUnsignedResult, argument);
}

constexpr CommandRow kMapperRows[] = {
    request<kShapeOfVersion>(0xc138fd00),       // DM_VERSION
    request<kShapeOfAll>(0xc138fd01),           // DM_REMOVE_ALL
    request<kShapeOfList>(0xc138fd02),          // DM_LIST_DEVICES
    request<kShapeOfDevice>(0xc138fd03),        // DM_DEV_CREATE
    request<kShapeOfRemoval>(0xc138fd04),       // DM_DEV_REMOVE
    request<kShapeOfRename>(0xc138fd05),        // DM_DEV_RENAME
    request<kShapeOfSuspension>(0xc138fd06),    // DM_DEV_SUSPEND
    request<kShapeOfDevice>(0xc138fd07),        // DM_DEV_STATUS
    request<kShapeOfWait>(0xc138fd08),          // DM_DEV_WAIT
    request<kShapeOfLoad>(0xc138fd09),          // DM_TABLE_LOAD
    request<kShapeOfDevice>(0xc138fd0a),        // DM_TABLE_CLEAR
    request<kShapeOfDependencies>(0xc138fd0b),  // DM_TABLE_DEPS
    request<kShapeOfTable>(0xc138fd0c),         // DM_TABLE_STATUS
    request<kShapeOfVersions>(0xc138fd0d),      // DM_LIST_VERSIONS
    request<kShapeOfMessage>(0xc138fd0e),       // DM_TARGET_MSG
    request<kShapeOfGeometry>(0xc138fd0f),      // DM_DEV_SET_GEOMETRY
    request<kShapeOfVersion>(0xc138fd10),       // DM_DEV_ARM_POLL
};

}  // namespace

constinit const IoctlRows kMapperIoctls = {kMapperRows};

}  // namespace strut
