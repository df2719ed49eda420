#include "syscalls/types/btrfs/btrfs.hpp"

#include <linux/btrfs.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/btrfs/btrfs_balance.hpp"
#include "syscalls/types/btrfs/btrfs_devices.hpp"
#include "syscalls/types/btrfs/btrfs_searches.hpp"
#include "syscalls/types/btrfs/btrfs_words.hpp"
#include "syscalls/types/common/uuid.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- volumes --------------------------------------------------------------------------------------------------------
constexpr FieldType kVolumeFields[] = {field("fd", kFd), padding_bytes(4),
                                       field("name", path_array(BTRFS_PATH_NAME_MAX + 1))};
constexpr StructLayout kVolume = {"btrfs_ioctl_vol_args", kVolumeFields};
static_assert(size_of(kVolume, Abi::X86_64) == sizeof(btrfs_ioctl_vol_args));

constexpr Constant kLimitNames[] = {{1, "BTRFS_QGROUP_LIMIT_MAX_RFER"},   {2, "BTRFS_QGROUP_LIMIT_MAX_EXCL"},
                                    {4, "BTRFS_QGROUP_LIMIT_RSV_RFER"},   {8, "BTRFS_QGROUP_LIMIT_RSV_EXCL"},
                                    {16, "BTRFS_QGROUP_LIMIT_RFER_CMPR"}, {32, "BTRFS_QGROUP_LIMIT_EXCL_CMPR"}};
constexpr Constant kInheritNames[] = {{1, "BTRFS_QGROUP_INHERIT_SET_LIMITS"}};
constinit const ConstantSet kLimitFlags = flag_set("BTRFS_QGROUP_LIMIT_???", kLimitNames);
constinit const ConstantSet kInheritFlags = flag_set("BTRFS_QGROUP_INHERIT_???", kInheritNames);
constexpr FieldType kLimitFields[] = {
    field("flags", named(kLimitFlags, Width::B8)), field("max_rfer", kU64), field("max_excl", kU64),
    field("rsv_rfer", kU64), field("rsv_excl", kU64),
};
constexpr StructLayout kLimit = {"btrfs_qgroup_limit", kLimitFields};

constexpr FieldType kInheritedFields[] = {
    field("flags", named(kInheritFlags, Width::B8)), field("num_qgroups", kU64), field("num_ref_copies", kU64),
    field("num_excl_copies", kU64), field("lim", structure(kLimit)), detail("qgroups", counted(kU64, by_field(1))),
};
constexpr StructLayout kInheritedLayout = {"btrfs_qgroup_inherit", kInheritedFields};
static_assert(size_of(kInheritedLayout, Abi::X86_64) == sizeof(btrfs_qgroup_inherit));
constexpr Type kInherited = structure(kInheritedLayout);

bool inherits(Decoder& decoder, Addr volume) {
  constexpr uint64_t kInherit = 4;
  auto flags = decoder.read_number(volume + offsetof(btrfs_ioctl_vol_args_v2, flags), Width::B8);
  return is_asked(decoder, volume) && flags && (*flags & kInherit);
}
constexpr FieldType kVolume2Fields[] = {
    asked(field("fd", kFd)),
    padding_bytes(4),
    answer(field("transid", kU64)),
    asked(field("flags", named(kBtrfsVolumeFlags, Width::B8))),
    field("size", kU64, inherits),
    field("qgroup_inherit", wide(pointer_to(kInherited)), inherits),
    at(offsetof(btrfs_ioctl_vol_args_v2, name), asked(field("name", path_array(BTRFS_SUBVOL_NAME_MAX + 1)))),
};
constexpr StructLayout kVolume2 = {"btrfs_ioctl_vol_args_v2", kVolume2Fields};
static_assert(size_of(kVolume2, Abi::X86_64) == sizeof(btrfs_ioctl_vol_args_v2));

/// Flags without brackets, though they are behind a pointer.
constexpr Type kFlags = unboxed(named(kBtrfsVolumeFlags, Width::B8)), kNumber = kU64;

constexpr Constant kDefragNames[] = {{1, "BTRFS_DEFRAG_RANGE_COMPRESS"}, {2, "BTRFS_DEFRAG_RANGE_START_IO"}};
constexpr Constant kCompressNames[] = {
    {0, "BTRFS_COMPRESS_NONE"}, {1, "BTRFS_COMPRESS_ZLIB"}, {2, "BTRFS_COMPRESS_LZO"}, {3, "BTRFS_COMPRESS_ZSTD"}};
constinit const ConstantSet kDefragFlags = flag_set("BTRFS_DEFRAG_RANGE_???", kDefragNames);
constinit const ConstantSet kCompress = enumeration("BTRFS_COMPRESS_???", kCompressNames);
constexpr FieldType kDefragFields[] = {
    field("start", kU64),
    field("len", kBtrfsLimit),
    field("flags", named(kDefragFlags, Width::B8)),
    field("extent_thresh", kUInt),
    field("compress_type", kWord<kCompress>),
    padding_bytes(16),
};
constexpr StructLayout kDefrag = {"btrfs_ioctl_defrag_range_args", kDefragFields};

// -- the file system ------------------------------------------------------------------------------------------------
constexpr Constant kSumNames[] = {{0, "BTRFS_CSUM_TYPE_CRC32"},
                                  {1, "BTRFS_CSUM_TYPE_XXHASH"},
                                  {2, "BTRFS_CSUM_TYPE_SHA256"},
                                  {3, "BTRFS_CSUM_TYPE_BLAKE2"}};
constexpr Constant kInfoNames[] = {{1, "BTRFS_FS_INFO_FLAG_CSUM_INFO"},
                                   {2, "BTRFS_FS_INFO_FLAG_GENERATION"},
                                   {4, "BTRFS_FS_INFO_FLAG_METADATA_UUID"}};
constinit const ConstantSet kSums = enumeration("BTRFS_CSUM_TYPE_???", kSumNames);
constinit const ConstantSet kInfoFlags = flag_set("BTRFS_FS_INFO_FLAG_???", kInfoNames);
template <uint64_t kFlag>
bool has_info(Decoder& decoder, Addr info) {
  auto flags = decoder.read_number(info + offsetof(btrfs_ioctl_fs_info_args, flags), Width::B8);
  return flags && (*flags & kFlag);
}
constexpr FieldType kInfoFields[] = {
    field("max_id", kU64),
    field("num_devices", kU64),
    field("fsid", kUuid),
    field("nodesize", kUInt),
    field("sectorsize", kUInt),
    field("clone_alignment", kUInt),
    field("csum_type", named(kSums, Width::B2), has_info<1>),
    field("csum_size", kU16, has_info<1>),
    field("flags", named(kInfoFlags, Width::B8)),
    field("generation", kU64, has_info<2>),
    field("metadata_uuid", kUuid, has_info<4>),
    at(1016, padding(kHex64)),
};
constexpr StructLayout kInfo = {"btrfs_ioctl_fs_info_args", kInfoFields};
static_assert(size_of(kInfo, Abi::X86_64) == sizeof(btrfs_ioctl_fs_info_args));

constexpr Constant kReadOnlyNames[] = {{1, "BTRFS_FEATURE_COMPAT_RO_FREE_SPACE_TREE"},
                                       {2, "BTRFS_FEATURE_COMPAT_RO_FREE_SPACE_TREE_VALID"},
                                       {4, "BTRFS_FEATURE_COMPAT_RO_VERITY"},
                                       {8, "BTRFS_FEATURE_COMPAT_RO_BLOCK_GROUP_TREE"}};
constexpr Constant kIncompatibleNames[] = {
    {0x1, "BTRFS_FEATURE_INCOMPAT_MIXED_BACKREF"},    {0x2, "BTRFS_FEATURE_INCOMPAT_DEFAULT_SUBVOL"},
    {0x4, "BTRFS_FEATURE_INCOMPAT_MIXED_GROUPS"},     {0x8, "BTRFS_FEATURE_INCOMPAT_COMPRESS_LZO"},
    {0x10, "BTRFS_FEATURE_INCOMPAT_COMPRESS_ZSTD"},   {0x20, "BTRFS_FEATURE_INCOMPAT_BIG_METADATA"},
    {0x40, "BTRFS_FEATURE_INCOMPAT_EXTENDED_IREF"},   {0x80, "BTRFS_FEATURE_INCOMPAT_RAID56"},
    {0x100, "BTRFS_FEATURE_INCOMPAT_SKINNY_METADATA"}, {0x200, "BTRFS_FEATURE_INCOMPAT_NO_HOLES"},
    {0x400, "BTRFS_FEATURE_INCOMPAT_METADATA_UUID"},  {0x800, "BTRFS_FEATURE_INCOMPAT_RAID1C34"},
    {0x1000, "BTRFS_FEATURE_INCOMPAT_ZONED"},         {0x2000, "BTRFS_FEATURE_INCOMPAT_EXTENT_TREE_V2"},
};
constinit const ConstantSet kCompatible = flag_set("BTRFS_FEATURE_COMPAT_???", {});
constinit const ConstantSet kReadOnly = flag_set("BTRFS_FEATURE_COMPAT_RO_???", kReadOnlyNames);
constinit const ConstantSet kIncompatible = flag_set("BTRFS_FEATURE_INCOMPAT_???", kIncompatibleNames);
constexpr FieldType kFeatureFields[] = {
    field("compat_flags", named(kCompatible, Width::B8)),
    field("compat_ro_flags", named(kReadOnly, Width::B8)),
    field("incompat_flags", named(kIncompatible, Width::B8)),
};
constexpr StructLayout kFeatureLayout = {"btrfs_ioctl_feature_flags", kFeatureFields};
constexpr Type kFeatures = structure(kFeatureLayout), kTwoFeatures = array_of(kFeatures, 2);

/// What is supported, what can be set, what can be cleared.
Value decode_supported(Decoder& decoder, uint64_t at, size_t) {
  constexpr std::string_view kRemarks[] = {"supported", "safe to set", "safe to clear"};
  constexpr uint64_t kBytes = sizeof(btrfs_ioctl_feature_flags);
  std::array<std::byte, kBytes * std::size(kRemarks)> all;
  if (!decoder.read_bytes(Addr{at}, all)) return decoder.missing(Addr{at});
  std::span<Value> items = decoder.arena().array<Value>(std::size(kRemarks));
  for (size_t i = 0; i < items.size(); i++) {
    items[i] = decoder.structure(kFeatureLayout, Addr{at + i * kBytes});
    items[i].comment = kRemarks[i];
  }
  return {Array{items}, {}};
}
constexpr Type kSupported = custom(decode_supported, 3 * sizeof(btrfs_ioctl_feature_flags), Width::B8);

// -- quotas ---------------------------------------------------------------------------------------------------------
constexpr FieldType kAssignFields[] = {field("assign", kU64), field("src", kU64), field("dst", kU64)};
constexpr StructLayout kAssign = {"btrfs_ioctl_qgroup_assign_args", kAssignFields};
constexpr FieldType kCreateFields[] = {field("create", kU64), field("qgroupid", kU64)};
constexpr StructLayout kCreate = {"btrfs_ioctl_qgroup_create_args", kCreateFields};
constexpr FieldType kGroupLimitFields[] = {field("qgroupid", kU64), field("lim", kStructure<kLimit>)};
constexpr StructLayout kGroupLimit = {"btrfs_ioctl_qgroup_limit_args", kGroupLimitFields};
constexpr Constant kQuotaNames[] = {{1, "BTRFS_QUOTA_CTL_ENABLE"}, {2, "BTRFS_QUOTA_CTL_DISABLE"}};
constinit const ConstantSet kQuotaCommands = enumeration("BTRFS_QUOTA_CTL_???", kQuotaNames);
constexpr FieldType kQuotaFields[] = {field("cmd", named(kQuotaCommands, Width::B8)), padding(kU64)};
constexpr StructLayout kQuota = {"btrfs_ioctl_quota_ctl_args", kQuotaFields};
constexpr FieldType kRescanFields[] = {field("flags", kU64), padding_bytes(56)};
constexpr StructLayout kRescan = {"btrfs_ioctl_quota_rescan_args", kRescanFields};
constexpr FieldType kRescanStatusFields[] = {field("flags", kU64), field("progress", kBtrfsObject), padding_bytes(48)};
constexpr StructLayout kRescanStatus = {"btrfs_ioctl_quota_rescan_args", kRescanStatusFields};

// -- sending and receiving ------------------------------------------------------------------------------------------
/// struct btrfs_ioctl_timespec, which has no gaps in 32-bit programs.
constexpr FieldType kTimeFields[] = {field("sec", kU64), field("nsec", kUInt), padding_bytes(4)};
constexpr StructLayout kTimeLayout = {"btrfs_ioctl_timespec", kTimeFields};
constexpr StructLayout kTightTimeLayout = {"btrfs_ioctl_timespec", std::span(kTimeFields).first(2), true};
constexpr Type kTime64 = dated(structure(kTimeLayout), Dated::Nanoseconds);
constexpr Type kTime32 = dated(structure(kTightTimeLayout), Dated::Nanoseconds);
template <const Type& kTime>
constexpr FieldType kReceivedFields[] = {
    asked(field("uuid", kUuid)),
    asked(field("stransid", kU64)),
    answer(field("rtransid", kU64)),
    asked(field("stime", kTime)),
    answer(field("rtime", kTime)),
    asked(field("flags", kU64)),
    padding_bytes(128),
};
constexpr StructLayout kReceived64 = {"btrfs_ioctl_received_subvol_args", kReceivedFields<kTime64>};
constexpr StructLayout kReceived32 = {"btrfs_ioctl_received_subvol_args", kReceivedFields<kTime32>};
static_assert(size_of(kReceived64, Abi::X86_64) == sizeof(btrfs_ioctl_received_subvol_args));

constexpr Constant kSendNames[] = {{1, "BTRFS_SEND_FLAG_NO_FILE_DATA"},
                                   {2, "BTRFS_SEND_FLAG_OMIT_STREAM_HEADER"},
                                   {4, "BTRFS_SEND_FLAG_OMIT_END_CMD"}};
constinit const ConstantSet kSendFlags = flag_set("BTRFS_SEND_FLAG_???", kSendNames);
template <bool kFull>
bool is_full(Decoder& decoder, Addr) {
  return decoder.full() == kFull;
}
constexpr FieldType kSendFields[] = {
    field("send_fd", kFd),
    padding_bytes(4),
    field("clone_sources_count", kU64),
    field("clone_sources", pointer_to(kBtrfsObject, by_field(2)), is_full<true>),
    overlapping(field("clone_sources", kAddress, is_full<false>)),
    field("parent_root", kBtrfsObject),
    field("flags", named(kSendFlags, Width::B8)),
    padding_bytes(32),
};
constexpr StructLayout kSend = {"btrfs_ioctl_send_args", kSendFields};

constexpr Type kOneVolume = structure(kVolume);
constexpr CommandRow kRows[] = {
    ioctl_bare(0x9406),                                     // BTRFS_IOC_TRANS_START
    ioctl_bare(0x9407),                                     // BTRFS_IOC_TRANS_END
    ioctl_bare(0x9408),                                     // BTRFS_IOC_SYNC
    ioctl_bare(0x941c),                                     // BTRFS_IOC_SCRUB_CANCEL
    ioctl_bare(0x942e),                                     // BTRFS_IOC_QUOTA_RESCAN_WAIT
    ioctl_takes(0x40049421, named(kBtrfsBalanceControls)),  // BTRFS_IOC_BALANCE_CTL
    ioctl_sets(0x40089413, kNumber),                        // BTRFS_IOC_DEFAULT_SUBVOL
    ioctl_sets(0x40089416, kNumber),                        // BTRFS_IOC_WAIT_SYNC
    ioctl_sets(0x4008941a, kFlags),                         // BTRFS_IOC_SUBVOL_SETFLAGS
    ioctl_sets(0x4010942a, kStructure<kCreate>),            // BTRFS_IOC_QGROUP_CREATE
    ioctl_sets(0x40189429, kStructure<kAssign>),            // BTRFS_IOC_QGROUP_ASSIGN
    ioctl_sets(0x40309410, kStructure<kDefrag>),            // BTRFS_IOC_DEFRAG_RANGE
    ioctl_sets(0x40309439, kTwoFeatures),                   // BTRFS_IOC_SET_FEATURES
    ioctl_sets(0x4040942c, kStructure<kRescan>),            // BTRFS_IOC_QUOTA_RESCAN
    ioctl_sets(0x40449426, kStructure<kSend>),              // BTRFS_IOC_SEND, i386
    ioctl_sets(0x40489426, kStructure<kSend>),              // BTRFS_IOC_SEND
    ioctl_sets(0x50009401, kOneVolume),                     // BTRFS_IOC_SNAP_CREATE
    ioctl_bare(0x50009402),                                 // BTRFS_IOC_DEFRAG
    ioctl_sets(0x50009403, kOneVolume),                     // BTRFS_IOC_RESIZE
    ioctl_sets(0x50009404, kOneVolume),                     // BTRFS_IOC_SCAN_DEV
    ioctl_sets(0x50009405, kOneVolume),                     // BTRFS_IOC_FORGET_DEV
    ioctl_sets(0x5000940a, kOneVolume),                     // BTRFS_IOC_ADD_DEV
    ioctl_sets(0x5000940b, kOneVolume),                     // BTRFS_IOC_RM_DEV
    ioctl_bare(0x5000940c),                                 // BTRFS_IOC_BALANCE
    ioctl_sets(0x5000940e, kOneVolume),                     // BTRFS_IOC_SUBVOL_CREATE
    ioctl_sets(0x5000940f, kOneVolume),                     // BTRFS_IOC_SNAP_DESTROY
    ioctl_exchanges(0x50009417, kStructure<kVolume2>),      // BTRFS_IOC_SNAP_CREATE_V2
    ioctl_exchanges(0x50009418, kStructure<kVolume2>),      // BTRFS_IOC_SUBVOL_CREATE_V2
    ioctl_gets(0x80089418, kNumber),                        // BTRFS_IOC_START_SYNC
    ioctl_gets(0x80089419, kFlags),                         // BTRFS_IOC_SUBVOL_GETFLAGS
    ioctl_gets(0x80189439, kFeatures),                      // BTRFS_IOC_GET_FEATURES
    ioctl_gets(0x8030942b, kStructure<kGroupLimit>),        // BTRFS_IOC_QGROUP_LIMIT
    ioctl_gets(0x8040942d, kStructure<kRescanStatus>),      // BTRFS_IOC_QUOTA_RESCAN_STATUS
    ioctl_gets(0x80489439, kSupported),                     // BTRFS_IOC_GET_SUPPORTED_FEATURES
    ioctl_gets(0x8400941f, kStructure<kInfo>),              // BTRFS_IOC_FS_INFO
    ioctl_gets(0x84009422, kBtrfsBalance),                  // BTRFS_IOC_BALANCE_PROGRESS
    ioctl_sets(0x90009427, kOneVolume),                     // BTRFS_IOC_DEVICES_READY
    ioctl_exchanges(0xc0109414, kBtrfsSpaces),              // BTRFS_IOC_SPACE_INFO
    ioctl_sets(0xc0109428, kStructure<kQuota>),             // BTRFS_IOC_QUOTA_CTL
    ioctl_exchanges(0xc0389423, kBtrfsPaths),               // BTRFS_IOC_INO_PATHS
    ioctl_exchanges(0xc0389424, kBtrfsInodes),              // BTRFS_IOC_LOGICAL_INO
    ioctl_exchanges(0xc0709411, kBtrfsSearch2),             // BTRFS_IOC_TREE_SEARCH_V2
    ioctl_exchanges(0xc0c09425, kStructure<kReceived32>),   // BTRFS_IOC_SET_RECEIVED_SUBVOL, i386
    ioctl_exchanges(0xc0c89425, kStructure<kReceived64>),   // BTRFS_IOC_SET_RECEIVED_SUBVOL
    ioctl_exchanges(0xc400941b, kBtrfsScrub),               // BTRFS_IOC_SCRUB
    ioctl_exchanges(0xc400941d, kBtrfsScrubProgress),       // BTRFS_IOC_SCRUB_PROGRESS
    ioctl_exchanges(0xc4009420, kBtrfsBalance),             // BTRFS_IOC_BALANCE_V2
    ioctl_exchanges(0xc4089434, kBtrfsDeviceErrors),        // BTRFS_IOC_GET_DEV_STATS
    ioctl_exchanges(0xca249435, kBtrfsReplacement),         // BTRFS_IOC_DEV_REPLACE, i386
    ioctl_exchanges(0xca289435, kBtrfsReplacement),         // BTRFS_IOC_DEV_REPLACE
    ioctl_exchanges(0xd0009411, kBtrfsSearch),              // BTRFS_IOC_TREE_SEARCH
    ioctl_exchanges(0xd0009412, kBtrfsLookup),              // BTRFS_IOC_INO_LOOKUP
    ioctl_exchanges(0xd000941e, kBtrfsDeviceInfo),          // BTRFS_IOC_DEV_INFO
};

}  // namespace

constinit const IoctlRows kBtrfsIoctls = {kRows};

}  // namespace strut
