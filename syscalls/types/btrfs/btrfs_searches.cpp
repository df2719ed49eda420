#include "syscalls/types/btrfs/btrfs_searches.hpp"

#include <linux/btrfs.h>

#include <algorithm>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/btrfs/btrfs_words.hpp"
#include "syscalls/types/common/field_list.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- searches -------------------------------------------------------------------------------------------------------
constexpr uint64_t kFirstFree = 256, kLastFree = -256ull;

/// A bound that is the usual one is shown in full only.
template <uint16_t kOffset, uint64_t kUsual>
bool is_shown_bound(Decoder& decoder, Addr key) {
  return decoder.full() || decoder.read_number(key + kOffset, Width::B8) != kUsual;
}
constexpr FieldType kKeyFields[] = {
    field("tree_id", kBtrfsObject),
    field("min_objectid", kBtrfsObject, is_shown_bound<8, kFirstFree>),
    field("max_objectid", kBtrfsObject, is_shown_bound<16, kLastFree>),
    field("min_offset", kBtrfsLimit),
    field("max_offset", kBtrfsLimit),
    field("min_transid", kBtrfsLimit),
    field("max_transid", kBtrfsLimit),
    field("min_type", kBtrfsItemType),
    field("max_type", kBtrfsItemType),
    field("nr_items", kUInt),
    padding_bytes(36),
};
constexpr StructLayout kKey = {"btrfs_ioctl_search_key", kKeyFields};
static_assert(size_of(kKey, Abi::X86_64) == sizeof(btrfs_ioctl_search_key));

constexpr FieldType kItemFields[] = {
    field("transid", kU64), field("objectid", kBtrfsObject), field("offset", kU64), field("type", kBtrfsItemType),
    field("len", kUInt),
};
constexpr StructLayout kItem = {"btrfs_ioctl_search_header", kItemFields};

/// Linux fills in no more of a larger buffer.
constexpr uint64_t kMostRoom = 16u << 20;

/// Items, each behind the bytes of the one before, as long as they are within `room` bytes.
Value items(Decoder& decoder, uint64_t at, uint64_t room, uint32_t count) {
  std::vector<Value> found;
  uint64_t offset = 0;
  while (found.size() < count && offset + sizeof(btrfs_ioctl_search_header) <= room) {
    btrfs_ioctl_search_header head;
    if (!decoder.read(Addr{at + offset}, head)) break;
    found.push_back(decoder.structure(kItem, Addr{at + offset}));
    offset += sizeof head + head.len;
  }
  return decoder.listed(decoder.arena().copy(std::span<const Value>(found)));
}

/// What is found: the number of items, and in full the items.
Value answer_of(Decoder& decoder, uint64_t at, uint64_t* size, uint64_t room) {
  uint32_t count = 0;
  decoder.read(Addr{at + offsetof(btrfs_ioctl_search_key, nr_items)}, count);
  FieldList key, fields;
  fields.add("key", key.add("nr_items", Decoder::number(count, Show::Unsigned, 4)).structure(decoder));
  if (size) fields.add("buf_size", Decoder::number(*size, Show::Unsigned));
  if (!decoder.full()) return fields.structure(decoder, true);
  uint64_t buffer = at + sizeof(btrfs_ioctl_search_key) + (size ? sizeof *size : 0);
  return fields.add("buf", items(decoder, buffer, room, count)).structure(decoder);
}
Value decode_search(Decoder& decoder, uint64_t at, size_t) {
  std::byte first;
  if (!decoder.read(Addr{at}, first)) return decoder.missing(Addr{at});
  if (decoder.phase() == Phase::Exit) return answer_of(decoder, at, nullptr, sizeof(btrfs_ioctl_search_args::buf));
  FieldList fields;
  return fields.add("key", decoder.structure(kKey, Addr{at})).structure(decoder);
}
Value decode_search2(Decoder& decoder, uint64_t at, size_t) {
  uint64_t size;
  if (!decoder.read(Addr{at + offsetof(btrfs_ioctl_search_args_v2, buf_size)}, size)) return decoder.missing(Addr{at});
  if (decoder.phase() == Phase::Exit) return answer_of(decoder, at, &size, std::min(size, kMostRoom));
  FieldList fields;
  fields.add("key", decoder.structure(kKey, Addr{at}));
  return fields.add("buf_size", Decoder::number(size, Show::Unsigned)).structure(decoder);
}
constexpr Type kSearchMemory = whole_bytes(4096, fixed(4096));

// -- names and inodes -----------------------------------------------------------------------------------------------
/// The tree is part of the answer where it was left to the kernel.
Value decode_lookup(Decoder& decoder, uint64_t at, size_t) {
  std::array<uint64_t, 2> ids;
  if (!decoder.read(Addr{at}, ids)) return decoder.missing(Addr{at});
  FieldList fields;
  Value tree = Decoder::named(ids[0], kBtrfsObjects, 8);
  if (decoder.phase() == Phase::Enter)
    return fields.add("treeid", tree).add("objectid", Decoder::named(ids[1], kBtrfsObjects, 8)).structure(decoder);
  const Value* before = decoder.at_enter(2);
  const Struct* asked = before ? std::get_if<Struct>(&before->is) : nullptr;
  const Named* id = asked && !asked->fields.empty() ? std::get_if<Named>(&asked->fields[0].value.is) : nullptr;
  if (id && id->bits == 0) fields.add("treeid", tree);
  constexpr uint16_t kName = offsetof(btrfs_ioctl_ino_lookup_args, name);
  static constexpr Type kNameType = path_array(BTRFS_INO_LOOKUP_PATH_MAX);
  return fields.add("name", decoder.object(kNameType, Addr{at + kName})).structure(decoder);
}

/// struct btrfs_data_container: four counts, then words.
struct Container {
  uint32_t bytes_left, bytes_missing, count, missed;
};
constexpr FieldType kInodeFields[] = {field("inum", kU64), field("offset", kU64), field("root", kU64)};
constexpr StructLayout kInodeLayout = {"inode", kInodeFields};
constexpr Type kInode = structure(kInodeLayout);

/// Each word is the place of a string, from the words on.
Value strings_of(Decoder& decoder, uint64_t words, uint32_t count) {
  std::vector<Value> found;
  constexpr uint32_t kMostStrings = 1024;  // of a container of 64 KiB, which is the kernel's limit, few have more
  for (uint64_t i = 0; i < std::min(count, kMostStrings); i++) {
    std::optional<uint64_t> offset = decoder.read_number(Addr{words + 8 * i}, Width::B8);
    if (!offset) break;
    found.push_back(decoder.c_string(Addr{words + *offset}, TextKind::Path));
  }
  return decoder.listed(decoder.arena().copy(std::span<const Value>(found)));
}
using ContentsOf = Value (*)(Decoder&, uint64_t words, uint32_t count);
Value inodes_of(Decoder& decoder, uint64_t words, uint32_t count) {
  return decoder.array(kInode, Addr{words}, count / 3);
}

Value container_at(Decoder& decoder, uint64_t at, ContentsOf contents) {
  Container head;
  if (!decoder.reaches(Addr{at})) return Decoder::address(at);
  if (!decoder.read(Addr{at}, head)) return decoder.missing(Addr{at});
  FieldList fields;
  auto add = [&](const char* name, uint32_t number) { fields.add(name, Decoder::number(number, Show::Unsigned, 4)); };
  add("bytes_left", head.bytes_left);
  add("bytes_missing", head.bytes_missing);
  add("elem_cnt", head.count);
  add("elem_missed", head.missed);
  if (!decoder.full()) return fields.structure(decoder, true);
  return fields.add("val", contents(decoder, at + sizeof head, head.count)).structure(decoder);
}

template <const ContentsOf* kContents>
Value decode_container(Decoder& decoder, uint64_t at, size_t) {
  std::optional<uint64_t> pointer = decoder.read_number(Addr{at}, Width::B8);
  if (!pointer) return decoder.missing(Addr{at});
  return decoder.phase() == Phase::Exit ? container_at(decoder, *pointer, *kContents) : Decoder::address(*pointer);
}
constexpr ContentsOf kStringContents = strings_of, kInodeContents = inodes_of;
constexpr Type kContainerMemory = wide(pointer_to(kSearchMemory));
constexpr Type kPathContainer = reading(custom(decode_container<&kStringContents>, 8, Width::B8), kContainerMemory);
constexpr Type kInodeContainer = reading(custom(decode_container<&kInodeContents>, 8, Width::B8), kContainerMemory);

constexpr Constant kIgnoreNames[] = {{1, "BTRFS_LOGICAL_INO_ARGS_IGNORE_OFFSET"}};
constinit const ConstantSet kIgnore = flag_set("BTRFS_LOGICAL_INO_ARGS_???", kIgnoreNames);
template <uint16_t kFrom, uint16_t kBytes>
bool is_asked_reserved(Decoder& decoder, Addr structure) {
  return is_asked(decoder, structure) && not_zero<kFrom, kBytes>(decoder, structure);
}
constexpr Type kReserved3 = array_of(kHex64, 3);
constexpr FieldType kPathFields[] = {
    asked(field("inum", kU64)),
    asked(field("size", kU64)),
    padding_bytes(32),
    field("fspath", kPathContainer),
};
constexpr StructLayout kPathLayout = {"btrfs_ioctl_ino_path_args", kPathFields};
constexpr FieldType kInodesFields[] = {
    asked(field("logical", kU64)),
    asked(field("size", kU64)),
    field("reserved", kReserved3, is_asked_reserved<16, 24>),
    asked(field("flags", named(kIgnore, Width::B8))),
    field("inodes", kInodeContainer),
};
constexpr StructLayout kInodesLayout = {"btrfs_ioctl_logical_ino_args", kInodesFields};
static_assert(size_of(kPathLayout, Abi::X86_64) == sizeof(btrfs_ioctl_ino_path_args) &&
              size_of(kInodesLayout, Abi::X86_64) == sizeof(btrfs_ioctl_logical_ino_args));

// -- spaces ---------------------------------------------------------------------------------------------------------
constexpr FieldType kSpaceFields[] = {field("flags", named(kBtrfsBlockGroups, Width::B8)), field("total_bytes", kU64),
                                      field("used_bytes", kU64)};
constexpr StructLayout kSpaceLayout = {"btrfs_ioctl_space_info", kSpaceFields};
constexpr Type kSpace = structure(kSpaceLayout);

Value decode_spaces(Decoder& decoder, uint64_t at, size_t) {
  btrfs_ioctl_space_args args;
  if (!decoder.read(Addr{at}, args)) return decoder.missing(Addr{at});
  FieldList fields;
  Value slots = Decoder::number(args.space_slots, Show::Unsigned);
  if (decoder.phase() == Phase::Enter) return fields.add("space_slots", slots).structure(decoder);
  fields.add("total_spaces", Decoder::number(args.total_spaces, Show::Unsigned));
  bool has_spaces = args.space_slots != 0 && args.total_spaces != 0;
  if (!has_spaces || !decoder.full()) return fields.structure(decoder, has_spaces);
  uint64_t count = std::min<uint64_t>(args.space_slots, args.total_spaces);
  return fields.add("spaces", decoder.array(kSpace, Addr{at + sizeof args}, count)).structure(decoder);
}

}  // namespace

constinit const Type kBtrfsSearch =
    reading(custom(decode_search, sizeof(btrfs_ioctl_search_args), Width::B8), kSearchMemory);
constinit const Type kBtrfsSearch2 =
    reading(custom(decode_search2, sizeof(btrfs_ioctl_search_args_v2), Width::B8), kSearchMemory);
constinit const Type kBtrfsLookup =
    reading(custom(decode_lookup, sizeof(btrfs_ioctl_ino_lookup_args), Width::B8), kSearchMemory);
constinit const Type kBtrfsPaths = structure(kPathLayout);
constinit const Type kBtrfsInodes = structure(kInodesLayout);
constinit const Type kBtrfsSpaces =
    reading(custom(decode_spaces, sizeof(btrfs_ioctl_space_args), Width::B8), kSearchMemory);

}  // namespace strut
