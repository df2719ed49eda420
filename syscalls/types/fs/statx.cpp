#include "syscalls/types/fs/statx.hpp"

#include "syscalls/decoder.hpp"
#include "syscalls/types/fs/at_flags.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint64_t kSyncTypes = 0x6000;  // AT_STATX_SYNC_TYPE of <linux/fcntl.h>
constexpr Constant kSyncNames[] = {
    {0, "AT_STATX_SYNC_AS_STAT"}, {0x2000, "AT_STATX_FORCE_SYNC"}, {0x4000, "AT_STATX_DONT_SYNC"}};
constexpr ConstantSet kSyncFlags = {Naming::Flags, nullptr, kSyncNames, NumberBase::Hex, false, true};
constexpr Type kSync = named(kSyncFlags), kOtherFlags = named(kAtStatxFlags);
constexpr WordPart kFlagParts[] = {part(kSyncTypes, kSync), part_if_any(~kSyncTypes, kOtherFlags)};
// Bits of stx_mask (<linux/stat.h>) that say which members count.
constexpr uint64_t kTypeOrMode = 0x3, kLinks = 0x4, kUser = 0x8, kGroup = 0x10, kAccessTime = 0x20, kModifyTime = 0x40,
                   kChangeTime = 0x80, kInode = 0x100, kBytes = 0x200, kBlocks = 0x400, kBirthTime = 0x800,
                   kStatxMountId = 0x1000, kDioAlign = 0x2000, kSubvolume = 0x8000, kDioReadAlign = 0x20000;
constexpr Constant kMaskNames[] = {
    {0xfff, "STATX_ALL"},         {0x7ff, "STATX_BASIC_STATS"},  {0x1, "STATX_TYPE"},
    {0x2, "STATX_MODE"},          {kLinks, "STATX_NLINK"},       {kUser, "STATX_UID"},
    {kGroup, "STATX_GID"},        {kAccessTime, "STATX_ATIME"},  {kModifyTime, "STATX_MTIME"},
    {kChangeTime, "STATX_CTIME"}, {kInode, "STATX_INO"},         {kBytes, "STATX_SIZE"},
    {kBlocks, "STATX_BLOCKS"},    {kBirthTime, "STATX_BTIME"},   {kStatxMountId, "STATX_MNT_ID"},
    {kDioAlign, "STATX_DIOALIGN"}, {0x4000, "STATX_MNT_ID_UNIQUE"}, {kSubvolume, "STATX_SUBVOL"},
    {0x10000, "STATX_WRITE_ATOMIC"}, {kDioReadAlign, "STATX_DIO_READ_ALIGN"},
};
constexpr Constant kStatxAttributeNames[] = {
    {0x4, "STATX_ATTR_COMPRESSED"},   {0x10, "STATX_ATTR_IMMUTABLE"},    {0x20, "STATX_ATTR_APPEND"},
    {0x40, "STATX_ATTR_NODUMP"},      {0x800, "STATX_ATTR_ENCRYPTED"},   {0x1000, "STATX_ATTR_AUTOMOUNT"},
    {0x2000, "STATX_ATTR_MOUNT_ROOT"}, {0x100000, "STATX_ATTR_VERITY"},  {0x200000, "STATX_ATTR_DAX"},
    {0x400000, "STATX_ATTR_WRITE_ATOMIC"},
};
constexpr ConstantSet kAttributes = flag_set("STATX_ATTR_???", kStatxAttributeNames);

constexpr FieldType kTimestampFields[] = {field("tv_sec", kS64), field("tv_nsec", kUInt), padding_bytes(4)};
constexpr StructLayout kTimestampLayout = {"statx_timestamp", kTimestampFields};
static_assert(size_of(kTimestampLayout, Abi::I386) == 16);

constexpr Type kTimestamp = dated(structure(kTimestampLayout), Dated::Nanoseconds);

/// True if stx_mask says that the kernel filled in any of these.
template <uint64_t kBits>
bool filled(Decoder& decoder, Addr at) {
  uint32_t mask = 0;
  return decoder.read(at, mask) && (mask & kBits);
}

/// The attributes show atomic writes.
bool writes_atomically(Decoder& decoder, Addr at) {
  constexpr uint64_t kWriteAtomic = 0x400000;  // STATX_ATTR_WRITE_ATOMIC
  return decoder.read_number(at + 8, Width::B8).value_or(0) & kWriteAtomic;
}

// In the order in which they are shown.
constexpr FieldType kStatxFields[] = {
    at(0, field("stx_mask", named(kStatxMask))),
    at(4, detail("stx_blksize", kUInt)),
    at(8, field("stx_attributes", named(kAttributes, Width::B8))),
    at(16, detail("stx_nlink", kUInt, filled<kLinks>)),
    at(20, detail("stx_uid", kId, filled<kUser>)),
    at(24, detail("stx_gid", kId, filled<kGroup>)),
    at(28, field("stx_mode", number(Width::B2, Show::FileMode), filled<kTypeOrMode>)),
    at(32, detail("stx_ino", kU64, filled<kInode>)),
    at(40, field("stx_size", kU64, filled<kBytes>)),
    at(48, detail("stx_blocks", kU64, filled<kBlocks>)),
    at(56, detail("stx_attributes_mask", named(kAttributes, Width::B8))),
    at(64, detail("stx_atime", kTimestamp, filled<kAccessTime>)),
    at(80, detail("stx_btime", kTimestamp, filled<kBirthTime>)),
    at(96, detail("stx_ctime", kTimestamp, filled<kChangeTime>)),
    at(112, detail("stx_mtime", kTimestamp, filled<kModifyTime>)),
    at(128, detail("stx_rdev_major", kUInt)),
    at(132, detail("stx_rdev_minor", kUInt)),
    at(136, detail("stx_dev_major", kUInt)),
    at(140, detail("stx_dev_minor", kUInt)),
    at(144, detail("stx_mnt_id", kHex64, filled<kStatxMountId>)),
    at(152, detail("stx_dio_mem_align", kUInt, filled<kDioAlign>)),
    at(156, detail("stx_dio_offset_align", kUInt, filled<kDioAlign>)),
    at(160, detail("stx_subvol", kHex64, filled<kSubvolume>)),
    at(168, detail("stx_atomic_write_unit_min", kUInt, writes_atomically)),
    at(172, detail("stx_atomic_write_unit_max", kUInt, writes_atomically)),
    at(176, detail("stx_atomic_write_segments_max", kUInt, writes_atomically)),
    at(180, detail("stx_dio_read_offset_align", kUInt, filled<kDioReadAlign>)),
    at(184, detail("stx_atomic_write_unit_max_opt", kUInt, writes_atomically)),
    at(188, padding_bytes(68)),
};
constexpr StructLayout kStatxLayout = {"statx", kStatxFields};
static_assert(size_of(kStatxLayout, Abi::X86_64) == 256 && size_of(kStatxLayout, Abi::I386) == 256);

}  // namespace

constinit const ConstantSet kStatxMask = flag_set("STATX_???", kMaskNames);
constinit const Type kStatxBuf = structure(kStatxLayout);

constinit const WordLayout kStatxFlagWord = {.parts = kFlagParts};

}  // namespace strut
