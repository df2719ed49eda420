#include "syscalls/types/fs/mount_ids.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/extensible.hpp"
#include "syscalls/types/fs/mount.hpp"
#include "syscalls/types/fs/statfs.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {
namespace {

using namespace strut::notation;

enum Wanted : uint64_t {
  kSbBasic = 0x1,
  kMntBasic = 0x2,
  kPropagateFrom = 0x4,
  kMntRoot = 0x8,
  kMntPoint = 0x10,
  kFsType = 0x20,
  kMntNsId = 0x40,
  kMntOpts = 0x80,
  kFsSubtype = 0x100,
  kSbSource = 0x200,
  kOptArray = 0x400,
  kOptSecArray = 0x800,
  kSupportedMask = 0x1000,
  kUidMap = 0x2000,
  kGidMap = 0x4000,
};
constexpr Constant kWantedNames[] = {
    {kSbBasic, "STATMOUNT_SB_BASIC"},       {kMntBasic, "STATMOUNT_MNT_BASIC"},
    {kPropagateFrom, "STATMOUNT_PROPAGATE_FROM"}, {kMntRoot, "STATMOUNT_MNT_ROOT"},
    {kMntPoint, "STATMOUNT_MNT_POINT"},     {kFsType, "STATMOUNT_FS_TYPE"},
    {kMntNsId, "STATMOUNT_MNT_NS_ID"},      {kMntOpts, "STATMOUNT_MNT_OPTS"},
    {kFsSubtype, "STATMOUNT_FS_SUBTYPE"},   {kSbSource, "STATMOUNT_SB_SOURCE"},
    {kOptArray, "STATMOUNT_OPT_ARRAY"},     {kOptSecArray, "STATMOUNT_OPT_SEC_ARRAY"},
    {kSupportedMask, "STATMOUNT_SUPPORTED_MASK"}, {kUidMap, "STATMOUNT_MNT_UIDMAP"},
    {kGidMap, "STATMOUNT_MNT_GIDMAP"},
};
constexpr ConstantSet kWanted = flag_set("STATMOUNT_???", kWantedNames);
constexpr Constant kSbFlagNames[] = {
    {0x1, "MS_RDONLY"}, {0x10, "MS_SYNCHRONOUS"}, {0x80, "MS_DIRSYNC"}, {0x2000000, "MS_LAZYTIME"}};
constexpr ConstantSet kSbFlags = flag_set("MS_???", kSbFlagNames);
constexpr Constant kMountPropagationNames[] = {
    {0x20000, "MS_UNBINDABLE"}, {0x40000, "MS_PRIVATE"}, {0x80000, "MS_SLAVE"}, {0x100000, "MS_SHARED"}};
constexpr ConstantSet kPropagation = flag_set("MS_???", kMountPropagationNames);

constexpr Constant kStatFlagNames[] = {{1, "STATMOUNT_BY_FD"}};
constexpr Constant kListFlagNames[] = {{1, "LISTMOUNT_REVERSE"}};

// -- requests -----------------------------------------------------------------------------------
constexpr uint64_t kFirstRequestSize = 24, kSecondRequestSize = 32;  // MNT_ID_REQ_SIZE_VER0, _VER1
constexpr Constant kRootNames[] = {{~0ull, "LSMT_ROOT"}};
constexpr ConstantSet kRoot = enumeration(nullptr, kRootNames);
enum class Request : uint8_t { Stat, List };

struct IdRequest {
  uint32_t size = 0, fd = 0;
  uint64_t id = 0, param = 0, ns_id = 0;
};

/// A request with its own size as first word: only that if it is too small, `???` where it cannot be read.
Value size_then(Decoder& decoder, uint32_t size, std::span<const FieldValue> rest) {
  std::span<FieldValue> fields = decoder.arena().array<FieldValue>(rest.size() + 1);
  fields[0] = {"size", Decoder::number(size, Show::Unsigned)};
  std::ranges::copy(rest, fields.begin() + 1);
  return decoder.fields(fields);
}

template <Request kRequest>
Value decode_request(Decoder& decoder, uint64_t at, size_t) {
  IdRequest request;
  if (!decoder.read(Addr{at}, request.size)) return decoder.missing(Addr{at});
  if (request.size < kFirstRequestSize) return size_then(decoder, request.size, {});
  uint64_t known = request.size < kSecondRequestSize ? kFirstRequestSize : kSecondRequestSize;
  if (!decoder.read_bytes(Addr{at}, std::as_writable_bytes(std::span(&request, 1)).first(known))) {
    const FieldValue unread[] = {{"", Decoder::bare("???")}};
    return size_then(decoder, request.size, unread);
  }
  bool lists = kRequest == Request::List;
  FieldValue fields[5] = {
      {"mnt_ns_fd", decoder.fd(static_cast<int32_t>(request.fd))},
      {"mnt_id", lists ? Decoder::named(request.id, kRoot, 8) : Decoder::number(request.id, Show::Hex)},
      {"param", lists ? Decoder::number(request.param, Show::Hex) : Decoder::named(request.param, kWanted, 8)},
  };
  size_t count = 3;
  if (known == kSecondRequestSize) fields[count++] = {"mnt_ns_id", Decoder::number(request.ns_id, Show::Hex)};
  Value excess = known == kSecondRequestSize ? decode_excess(decoder, Addr{at}, known, request.size) : Value{};
  if (!excess.absent()) fields[count++] = {"", excess};
  return size_then(decoder, request.size, std::span<const FieldValue>(fields, count));
}

// -- struct statmount ---------------------------------------------------------------------------
// Strings stand behind the structure; its fields say where.
constexpr uint64_t kHeadBytes = 512;
constexpr int kSizeAt = 0, kMaskAt = 8;
constexpr size_t kLongestString = 4096;

/// The part of the buffer that the structure claims to fill, if it is within the caller's buffer.
uint64_t filled_bytes(Decoder& decoder, Addr at) {
  uint64_t size = decoder.read_number(at + kSizeAt, Width::B4).value_or(0);
  return size <= decoder.arg(2) ? size : 0;
}

/// A NUL-terminated string within the structure's bytes. nullopt: it is outside, or cannot be read.
struct Found {
  std::string_view text;
  bool ends;  ///< with a NUL
};
std::optional<Found> string_at(Decoder& decoder, Addr structure, uint64_t offset) {
  uint64_t end = filled_bytes(decoder, structure);
  if (end < kHeadBytes || offset >= end - kHeadBytes) return std::nullopt;
  uint64_t most = std::min<uint64_t>(end - kHeadBytes - offset, kLongestString);
  std::span<char> text = decoder.arena().array<char>(most);
  if (!decoder.read_bytes(structure + kHeadBytes + offset, std::as_writable_bytes(text))) return std::nullopt;
  size_t length = strnlen(text.data(), most);
  return Found{{text.data(), length}, length < most};
}
/// Strings that are cut lack their last byte: a NUL's place.
Value string_value(Decoder& decoder, const Found& found) {
  std::string_view text = found.ends || found.text.empty() ? found.text : found.text.substr(0, found.text.size() - 1);
  return decoder.text(text, TextKind::Path, !found.ends);
}

template <int kFieldAt>
Value decode_string(Decoder& decoder, uint64_t at, size_t) {
  Addr structure{at - kFieldAt};
  uint64_t offset = decoder.read_number(Addr{at}, Width::B4).value_or(0);
  std::optional<Found> found = string_at(decoder, structure, offset);
  return found ? string_value(decoder, *found) : Decoder::number(offset, Show::Hex, 4);
}
template <int kFieldAt>
constexpr Type kStringField = custom(decode_string<kFieldAt>, 4, Width::B4);

/// As many strings, one behind the other, as the field before says.
template <int kFieldAt>
Value decode_strings(Decoder& decoder, uint64_t at, size_t) {
  Addr structure{at - kFieldAt};
  uint64_t offset = decoder.read_number(Addr{at}, Width::B4).value_or(0);
  uint64_t wanted = decoder.read_number(Addr{at - 4}, Width::B4).value_or(0);
  constexpr uint64_t kMost = 4096;
  uint64_t shown = decoder.full() ? wanted : std::min<uint64_t>(wanted, decoder.options().max_string_bytes);
  std::span<Value> items = decoder.arena().array<Value>(std::min(shown, kMost));
  size_t count = 0;
  if (!string_at(decoder, structure, offset)) return Decoder::number(offset, Show::Hex, 4);
  while (count < items.size()) {
    std::optional<Found> found = string_at(decoder, structure, offset);
    items[count++] = found ? string_value(decoder, *found) : Decoder::bare("???");
    if (!found || !found->ends) break;
    offset += found->text.size() + 1;
  }
  return {Array{items.first(count), ArrayStyle::List, count == shown && shown < wanted}, {}};
}
template <int kFieldAt>
constexpr Type kStringsField = custom(decode_strings<kFieldAt>, 4, Width::B4);

template <uint64_t kBits>
bool got(Decoder& decoder, Addr at) {
  return decoder.read_number(at + kMaskAt, Width::B8).value_or(0) & kBits;
}

constexpr FieldType kStatmountFields[] = {
    field("size", kUInt),
    field("mnt_opts", kStringField<4>, got<kMntOpts>),
    field("mask", named(kWanted, Width::B8)),
    field("sb_dev_major", kUInt, got<kSbBasic>),
    field("sb_dev_minor", kUInt, got<kSbBasic>),
    field("sb_magic", named(kFilesystemMagic, Width::B8), got<kSbBasic>),
    field("sb_flags", named(kSbFlags), got<kSbBasic>),
    field("fs_type", kStringField<36>, got<kFsType>),
    field("mnt_id", kHex64, got<kMntBasic>),
    field("mnt_parent_id", kHex64, got<kMntBasic>),
    field("mnt_id_old", kHex32, got<kMntBasic>),
    field("mnt_parent_id_old", kHex32, got<kMntBasic>),
    field("mnt_attr", named(kMountSetAttributes, Width::B8), got<kMntBasic>),
    field("mnt_propagation", named(kPropagation, Width::B8), got<kMntBasic>),
    field("mnt_peer_group", kHex64, got<kMntBasic>),
    field("mnt_master", kHex64, got<kMntBasic>),
    field("propagate_from", kHex64, got<kPropagateFrom>),
    field("mnt_root", kStringField<104>, got<kMntRoot>),
    field("mnt_point", kStringField<108>, got<kMntPoint>),
    field("mnt_ns_id", kHex64, got<kMntNsId>),
    field("fs_subtype", kStringField<120>, got<kFsSubtype>),
    field("sb_source", kStringField<124>, got<kSbSource>),
    field("opt_num", kUInt, got<kOptArray>),
    field("opt_array", kStringsField<132>, got<kOptArray>),
    field("opt_sec_num", kUInt, got<kOptSecArray>),
    field("opt_sec_array", kStringsField<140>, got<kOptSecArray>),
    field("supported_mask", named(kWanted, Width::B8), got<kSupportedMask>),
    field("mnt_uidmap_num", kUInt, got<kUidMap>),
    field("mnt_uidmap", kStringsField<156>, got<kUidMap>),
    field("mnt_gidmap_num", kUInt, got<kGidMap>),
    field("mnt_gidmap", kStringsField<164>, got<kGidMap>),
    padding_bytes(344),
};
constexpr Type kStatmountRead = whole_bytes(1u << 16, by_arg(2));
constexpr StructLayout kStatmountLayout = {"statmount", kStatmountFields};
static_assert(size_of(kStatmountLayout, Abi::X86_64) == kHeadBytes &&
              size_of(kStatmountLayout, Abi::I386) == kHeadBytes);
static_assert(offset_of(kStatmountLayout, 30, Abi::X86_64) == 164 && offset_of(kStatmountLayout, 23, Abi::I386) == 132);

/// As much of the structure as the caller gave room for; the rest reads as zeros.
Value decode_statmount(Decoder& decoder, uint64_t at, size_t) {
  uint64_t given = std::min(decoder.arg(2), kHeadBytes);
  if (given < sizeof(uint32_t)) return Decoder::address(at);
  std::span<std::byte> copy = decoder.arena().array<std::byte>(kHeadBytes);
  std::ranges::fill(copy, std::byte{0});
  if (!decoder.read_bytes(Addr{at}, copy.first(given))) return decoder.missing(Addr{at});
  return decoder.structure(kStatmountLayout, Addr{at}, copy);
}

// -- listns -------------------------------------------------------------------------------------
constexpr Constant kNamespaceNames[] = {
    {0x80, "TIME_NS"},       {0x20000, "MNT_NS"},      {0x2000000, "CGROUP_NS"}, {0x4000000, "UTS_NS"},
    {0x8000000, "IPC_NS"},   {0x10000000, "USER_NS"}, {0x20000000, "PID_NS"},   {0x40000000, "NET_NS"},
};
constexpr ConstantSet kNamespaces = flag_set("???_NS", kNamespaceNames);
constexpr Constant kUserNames[] = {{~0ull, "LISTNS_CURRENT_USER"}};
constexpr ConstantSet kUsers = enumeration(nullptr, kUserNames);

struct NsRequest {
  uint32_t size = 0, spare = 0;
  uint64_t ns_id = 0;
  uint32_t ns_type = 0, spare2 = 0;
  uint64_t user_ns_id = 0;
};
static_assert(sizeof(NsRequest) == 32);

Value decode_ns_request(Decoder& decoder, uint64_t at, size_t) {
  NsRequest request;
  if (!decoder.read(Addr{at}, request.size)) return decoder.missing(Addr{at});
  if (request.size < sizeof request) return size_then(decoder, request.size, {});
  if (!decoder.read(Addr{at}, request)) {
    const FieldValue unread[] = {{"", Decoder::bare("???")}};
    return size_then(decoder, request.size, unread);
  }
  FieldValue fields[6];
  size_t count = 0;
  if (request.spare) fields[count++] = {"spare", Decoder::number(request.spare, Show::Hex)};
  fields[count++] = {"ns_id", Decoder::number(request.ns_id, Show::Hex)};
  fields[count++] = {"ns_type", Decoder::named(request.ns_type, kNamespaces)};
  if (request.spare2) fields[count++] = {"spare2", Decoder::number(request.spare2, Show::Hex)};
  fields[count++] = {"user_ns_id", Decoder::named(request.user_ns_id, kUsers, 8)};
  Value excess = decode_excess(decoder, Addr{at}, sizeof request, request.size);
  if (!excess.absent()) fields[count++] = {"", excess};
  return size_then(decoder, request.size, std::span<const FieldValue>(fields, count));
}

// The memory that is read: the request with the bytes after its known part, and the file of its descriptor.
constexpr FieldType kRequestFields[] = {field("", kWhole<4096>), at(4, field("mnt_ns_fd", kFd))};
constexpr StructLayout kRequestLayout = {"mnt_id_req", kRequestFields};
constexpr Type kRequestRead = structure(kRequestLayout);

}  // namespace

constinit const ConstantSet kStatmountFlags = flag_set("STATMOUNT_???", kStatFlagNames);
constinit const ConstantSet kListmountFlags = flag_set("LISTMOUNT_???", kListFlagNames);
constinit const Type kStatmountRequest = reading(custom(decode_request<Request::Stat>), kRequestRead);
constinit const Type kListmountRequest = reading(custom(decode_request<Request::List>), kRequestRead);
constinit const Type kStatmountBuf = reading(custom(decode_statmount), kStatmountRead);
constinit const Type kNamespaceRequest = reading(custom(decode_ns_request), kWhole<4096>);

bool lists_no_ids(Decoder& decoder, Addr) { return decoder.call().error != 0 && decoder.arg(2) != 0; }

}  // namespace strut
