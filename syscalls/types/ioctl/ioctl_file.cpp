#include "syscalls/types/ioctl/ioctl_file.hpp"

#include <linux/fiemap.h>
#include <linux/fs.h>

#include <cstdio>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/counted_text.hpp"
#include "syscalls/types/common/hex.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/fs/file_attr.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kInodeFlagNames[] = {
    {0x1, "FS_SECRM_FL"},          {0x2, "FS_UNRM_FL"},            {0x4, "FS_COMPR_FL"},
    {0x8, "FS_SYNC_FL"},           {0x10, "FS_IMMUTABLE_FL"},      {0x20, "FS_APPEND_FL"},
    {0x40, "FS_NODUMP_FL"},        {0x80, "FS_NOATIME_FL"},        {0x100, "FS_DIRTY_FL"},
    {0x200, "FS_COMPRBLK_FL"},     {0x400, "FS_NOCOMP_FL"},        {0x800, "FS_ENCRYPT_FL"},
    {0x1000, "FS_INDEX_FL"},       {0x2000, "FS_IMAGIC_FL"},       {0x4000, "FS_JOURNAL_DATA_FL"},
    {0x8000, "FS_NOTAIL_FL"},      {0x10000, "FS_DIRSYNC_FL"},     {0x20000, "FS_TOPDIR_FL"},
    {0x40000, "FS_HUGE_FILE_FL"},  {0x80000, "FS_EXTENT_FL"},      {0x100000, "FS_VERITY_FL"},
    {0x200000, "FS_EA_INODE_FL"},  {0x400000, "FS_EOFBLOCKS_FL"},  {0x800000, "FS_NOCOW_FL"},
    {0x2000000, "FS_DAX_FL"},      {0x10000000, "FS_INLINE_DATA_FL"}, {0x20000000, "FS_PROJINHERIT_FL"},
    {0x40000000, "FS_CASEFOLD_FL"}, {0x80000000, "FS_RESERVED_FL"},
};
constexpr ConstantSet kInodeFlags = flag_set("FS_???_FL", kInodeFlagNames);
constexpr Type kInodeFlagWord = named(kInodeFlags);

constexpr Constant kShutdownNames[] = {
    {0, "FS_SHUTDOWN_FLAGS_DEFAULT"}, {1, "FS_SHUTDOWN_FLAGS_LOGFLUSH"}, {2, "FS_SHUTDOWN_FLAGS_NOLOGFLUSH"}};
constexpr ConstantSet kShutdownFlags = enumeration("FS_SHUTDOWN_FLAGS_???", kShutdownNames);
constexpr Type kShutdown = named(kShutdownFlags);

// struct fsxattr
#define FSXATTR_FIELDS(nextents)                                                              \
  field("fsx_xflags", named(kExtraFlags)), field("fsx_extsize", kUInt), nextents,             \
      field("fsx_projid", kHex32), field("fsx_cowextsize", kUInt), padding_bytes(8)
constexpr FieldType kFsxGotFields[] = {FSXATTR_FIELDS(field("fsx_nextents", kUInt))};
constexpr FieldType kFsxSetFields[] = {FSXATTR_FIELDS(padding(kUInt))};
constexpr StructLayout kFsxGotLayout = {"fsxattr", kFsxGotFields}, kFsxSetLayout = {"fsxattr", kFsxSetFields};
static_assert(size_of(kFsxGotLayout, Abi::X86_64) == sizeof(struct fsxattr));
constexpr Type kFsxGot = structure(kFsxGotLayout), kFsxSet = structure(kFsxSetLayout);

constexpr Type kLabel = char_array(256);  // FSLABEL_MAX

constexpr FieldType kTrimFields[] = {field("start", kHex64), field("len", kU64), field("minlen", kU64)};
constexpr StructLayout kTrimLayout = {"fstrim_range", kTrimFields};
static_assert(size_of(kTrimLayout, Abi::X86_64) == sizeof(struct fstrim_range));
constexpr Type kTrim = structure(kTrimLayout);

// A descriptor in 64 bits.
constexpr FieldType kCloneFields[] = {field("src_fd", kFd), padding_bytes(4), field("src_offset", kU64),
                                      field("src_length", kU64), field("dest_offset", kU64)};
constexpr StructLayout kCloneLayout = {"file_clone_range", kCloneFields};
static_assert(size_of(kCloneLayout, Abi::X86_64) == sizeof(struct file_clone_range));
constexpr Type kClone = structure(kCloneLayout);

// struct file_dedupe_range: destinations follow the head; the call fills in how each went.
constexpr FieldType kWantedFields[] = {
    at(0, field("dest_fd", kFd)), at(8, field("dest_offset", kU64)), at(16, padding_bytes(16))};
constexpr FieldType kDoneFields[] = {
    at(16, field("bytes_deduped", kU64)), at(24, field("status", kInt)), at(28, padding_bytes(4))};
constexpr StructLayout kWantedLayout = {"file_dedupe_range_info", kWantedFields};
constexpr StructLayout kDoneLayout = {"file_dedupe_range_info", kDoneFields};
static_assert(size_of(kDoneLayout, Abi::X86_64) == sizeof(struct file_dedupe_range_info));
constexpr Type kWanted = structure(kWantedLayout), kDone = structure(kDoneLayout);
// Without destinations the call answers nothing.
constexpr FieldCondition kHasNone = unless<not_zero<16, 2>>, kIsRequest = any_of<is_asked, kHasNone>;
constexpr FieldType kDedupeFields[] = {
    field("src_offset", kU64, kIsRequest),
    field("src_length", kU64, kIsRequest),
    field("dest_count", kU16, kIsRequest),
    at(24, field("info", counted(kWanted, by_field(2)), kIsRequest)),
    at(24, field("info", counted(kDone, by_field(2)), unless<kIsRequest>)),
};
constexpr StructLayout kDedupeLayout = {"file_dedupe_range", kDedupeFields};
static_assert(size_of(kDedupeLayout, Abi::X86_64) == sizeof(struct file_dedupe_range));
constexpr Type kDedupe = structure(kDedupeLayout);

// <linux/fiemap.h>
constexpr Constant kMapFlagNames[] = {
    {1, "FIEMAP_FLAG_SYNC"}, {2, "FIEMAP_FLAG_XATTR"}, {4, "FIEMAP_FLAG_CACHE"}};
constexpr ConstantSet kFiemapFlags = flag_set("FIEMAP_FLAG_???", kMapFlagNames);
constexpr Constant kExtentNames[] = {
    {0x1, "FIEMAP_EXTENT_LAST"},           {0x2, "FIEMAP_EXTENT_UNKNOWN"},      {0x4, "FIEMAP_EXTENT_DELALLOC"},
    {0x8, "FIEMAP_EXTENT_ENCODED"},        {0x80, "FIEMAP_EXTENT_DATA_ENCRYPTED"}, {0x100, "FIEMAP_EXTENT_NOT_ALIGNED"},
    {0x200, "FIEMAP_EXTENT_DATA_INLINE"},  {0x400, "FIEMAP_EXTENT_DATA_TAIL"},  {0x800, "FIEMAP_EXTENT_UNWRITTEN"},
    {0x1000, "FIEMAP_EXTENT_MERGED"},      {0x2000, "FIEMAP_EXTENT_SHARED"},
};
constexpr ConstantSet kExtentFlags = flag_set("FIEMAP_EXTENT_???", kExtentNames);
constexpr FieldType kExtentFields[] = {field("fe_logical", kU64), field("fe_physical", kU64), field("fe_length", kU64),
                                       padding_bytes(16),        field("fe_flags", named(kExtentFlags)),
                                       padding_bytes(12)};
constexpr StructLayout kExtentLayout = {"fiemap_extent", kExtentFields};
static_assert(size_of(kExtentLayout, Abi::I386) == 56);
constexpr Type kExtent = structure(kExtentLayout);
constexpr FieldType kFiemapFields[] = {
    asked(field("fm_start", kU64)),
    asked(field("fm_length", kU64)),
    field("fm_flags", named(kFiemapFlags)),
    answer(field("fm_mapped_extents", kUInt)),
    asked(field("fm_extent_count", kUInt)),
    padding_bytes(4),
    detail("fm_extents", counted(kExtent, by_field(3)), is_answered),
};
constexpr StructLayout kFiemapLayout = {"fiemap", kFiemapFields};
static_assert(size_of(kFiemapLayout, Abi::X86_64) == sizeof(struct fiemap));
constexpr Type kFiemap = structure(kFiemapLayout);

constexpr FieldType kMountNsFields[] = {field("size", kUInt), field("nr_mounts", kUInt), field("mnt_ns_id", kHex64)};
constexpr StructLayout kMountNsLayout = {"mnt_ns_info", kMountNsFields};
constexpr Type kMountNs = structure(kMountNsLayout);

// struct fsuuid2, struct fs_sysfs_path: a length, and room for more.
constexpr Type kUuidBytes = whole(bytes(by_field_in(0, 16), TextKind::Binary));
constexpr CountedText kSysfsName = {.room = 128, .length_in_front = 1, .width = Width::B1, .has_nul = false};
constexpr FieldType kUuidFields[] = {field("len", kU8), field("uuid", kUuidBytes)};
constexpr FieldType kSysfsPathFields[] = {field("len", kU8), field("name", kCountedText<kSysfsName>)};
constexpr StructLayout kUuidLayout = {"fsuuid2", kUuidFields}, kSysfsPathLayout = {"fs_sysfs_path", kSysfsPathFields};
constexpr Type kFsUuid = structure(kUuidLayout), kSysfsPath = structure(kSysfsPathLayout);
static_assert(size_of(kUuidLayout, Abi::X86_64) == 17 && size_of(kSysfsPathLayout, Abi::X86_64) == 129);

// struct logical_block_metadata_cap
constexpr Constant kIntegrityNames[] = {{1, "LBMD_PI_CAP_INTEGRITY"}, {2, "LBMD_PI_CAP_REFTAG"}};
constexpr ConstantSet kIntegrity = flag_set("LBMD_PI_CAP_???", kIntegrityNames);
constexpr Constant kChecksumNames[] = {
    {0, "LBMD_PI_CSUM_NONE"}, {1, "LBMD_PI_CSUM_IP"}, {2, "LBMD_PI_CSUM_CRC16_T10DIF"}, {4, "LBMD_PI_CSUM_CRC64_NVME"}};
constexpr ConstantSet kChecksums = enumeration("LBMD_PI_CSUM_???", kChecksumNames);
constexpr FieldType kMetadataFields[] = {
    field("lbmd_flags", named(kIntegrity)),  field("lbmd_interval", kU16),      field("lbmd_size", kU8),
    field("lbmd_opaque_size", kU8),          field("lbmd_opaque_offset", kU8),  field("lbmd_pi_size", kU8),
    field("lbmd_pi_offset", kU8),            field("lbmd_guard_tag_type", named(kChecksums, Width::B1)),
    field("lbmd_app_tag_size", kU8),         field("lbmd_ref_tag_size", kU8),   field("lbmd_storage_tag_size", kU8),
    padding(kU8),
};
constexpr StructLayout kMetadataLayout = {"logical_block_metadata_cap", kMetadataFields};
static_assert(size_of(kMetadataLayout, Abi::X86_64) == 16);

// struct epoll_params
Value busy_time(Decoder& decoder, uint64_t microseconds) {
  if (microseconds == 0) return Decoder::number(0, Show::Unsigned, 4);
  char text[32];
  int length =
      std::snprintf(text, sizeof text, "%llu.%06llu s", static_cast<unsigned long long>(microseconds / 1000000),
                    static_cast<unsigned long long>(microseconds % 1000000));
  return remarked(decoder.arena(), microseconds,
                  joined(decoder.arena(), {std::string_view(text, static_cast<size_t>(length))}), 4);
}
bool is_padded(Decoder& decoder, Addr params) {
  constexpr size_t kPaddingAt = 7;
  return decoder.read_number(params + kPaddingAt, Width::B1).value_or(0) != 0;
}
constexpr FieldType kPollFields[] = {field("busy_poll_usecs", shown_by(busy_time, Width::B4)),
                                     field("busy_poll_budget", kU16), field("prefer_busy_poll", kHex8),
                                     field("__pad", kHex8, is_padded)};
constexpr StructLayout kPollLayout = {"epoll_params", kPollFields};
static_assert(size_of(kPollLayout, Abi::X86_64) == 8);

constexpr CommandRow kFileRows[] = {
    ioctl_bare(0x3e01),                 // COUNTER_ENABLE_EVENTS_IOCTL
    ioctl_bare(0x3e02),                 // COUNTER_DISABLE_EVENTS_IOCTL
    command(0xb701, kFdResult),                // NS_GET_USERNS
    command(0xb702, kFdResult),                // NS_GET_PARENT
    ioctl_bare(0xb703),                 // NS_GET_NSTYPE
    ioctl_gets(0xb704, kId, "uid"),            // NS_GET_OWNER_UID
    ioctl_sets(0x40046602, kInodeFlagWord, "attr"),  // FS_IOC32_SETFLAGS
    command(0x40049409, kUnsignedResult, integer("src_fd")),      // FICLONE
    ioctl_sets(0x40086602, kInodeFlagWord, "attr"),  // FS_IOC_SETFLAGS
    ioctl_sets(0x40088a01, kStructure<kPollLayout>),  // EPIOCSPARAMS
    ioctl_sets(0x401c5820, kFsxSet, "arg"),    // FS_IOC_FSSETXATTR
    ioctl_sets(0x4020940d, kClone, "arg"),     // FICLONERANGE
    ioctl_sets(0x41009432, kLabel),     // FS_IOC_SETFSLABEL
    ioctl_sets(0x8004587d, kShutdown),  // FS_IOC_SHUTDOWN
    ioctl_gets(0x80046601, kInodeFlagWord, "attr"),  // FS_IOC32_GETFLAGS
    ioctl_takes(0x8004b706, kInt),      // NS_GET_PID_FROM_PIDNS
    ioctl_takes(0x8004b707, kInt),      // NS_GET_TGID_FROM_PIDNS
    ioctl_takes(0x8004b708, kInt),      // NS_GET_PID_IN_PIDNS
    ioctl_takes(0x8004b709, kInt),      // NS_GET_TGID_IN_PIDNS
    ioctl_gets(0x80086601, kInodeFlagWord, "attr"),  // FS_IOC_GETFLAGS
    ioctl_gets(0x80088a02, kStructure<kPollLayout>),  // EPIOCGPARAMS
    ioctl_gets(0x8008b705, kHex64),     // NS_GET_MNTNS_ID
    ioctl_gets(0x8010b70a, kMountNs),   // NS_MNT_GET_INFO
    command(0x8010b70b, kFdResult, out("argp", kMountNs)),   // NS_MNT_GET_NEXT
    command(0x8010b70c, kFdResult, out("argp", kMountNs)),   // NS_MNT_GET_PREV
    ioctl_gets(0x80111500, kFsUuid, "arg"),      // FS_IOC_GETFSUUID
    ioctl_gets(0x801c581f, kFsxGot, "arg"),    // FS_IOC_FSGETXATTR
    ioctl_gets(0x80811501, kSysfsPath, "arg"),  // FS_IOC_GETFSSYSFSPATH
    ioctl_gets(0x81009431, kLabel),     // FS_IOC_GETFSLABEL
    ioctl_bare(0xc0045877),             // FIFREEZE
    ioctl_bare(0xc0045878),             // FITHAW
    ioctl_gets(0xc0101502, kStructure<kMetadataLayout>, "arg"),  // FS_IOC_GETLBMD_CAP
    ioctl_sets(0xc0185879, kTrim),      // FITRIM
    ioctl_changes(0xc0189436, kDedupe),  // FIDEDUPERANGE
    ioctl_changes(0xc020660b, kFiemap),  // FS_IOC_FIEMAP
};

}  // namespace

constinit const IoctlRows kFileIoctls = {kFileRows};

}  // namespace strut
