#include "syscalls/types/fs/quota.hpp"

#include <linux/dqblk_xfs.h>

#include "syscalls/call.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// QCMD(cmd, type): the command above eight bits of type.
constexpr unsigned kTypeBits = 8;

constexpr Constant kQuotaCommandNames[] = {
    // quotactl(2) of Linux 2.4 and before
    {0x100, "Q_V1_QUOTAON"}, {0x200, "Q_V1_QUOTAOFF"}, {0x300, "Q_V1_GETQUOTA"}, {0x400, "Q_V1_SETQUOTA"},
    {0x500, "Q_V1_SETUSE"}, {0x600, "Q_V1_SYNC"}, {0x700, "Q_SETQLIM"}, {0x800, "Q_V1_GETSTATS"},
    {0x900, "Q_V2_GETINFO"}, {0xa00, "Q_V2_SETINFO"}, {0xb00, "Q_V2_SETGRACE"}, {0xc00, "Q_V2_SETFLAGS"},
    {0xd00, "Q_V2_GETQUOTA"}, {0xe00, "Q_V2_SETQUOTA"}, {0xf00, "Q_V2_SETUSE"}, {0x1000, "Q_V1_RSQUASH"},
    {0x1100, "Q_V2_GETSTATS"},
    // <linux/dqblk_xfs.h>, <linux/quota.h>
    {0x5801, "Q_XQUOTAON"},   {0x5802, "Q_XQUOTAOFF"},  {0x5803, "Q_XGETQUOTA"},     {0x5804, "Q_XSETQLIM"},
    {0x5805, "Q_XGETQSTAT"},  {0x5806, "Q_XQUOTARM"},   {0x5807, "Q_XQUOTASYNC"},    {0x5808, "Q_XGETQSTATV"},
    {0x5809, "Q_XGETNEXTQUOTA"}, {0x800001, "Q_SYNC"},  {0x800002, "Q_QUOTAON"},     {0x800003, "Q_QUOTAOFF"},
    {0x800004, "Q_GETFMT"},   {0x800005, "Q_GETINFO"},  {0x800006, "Q_SETINFO"},     {0x800007, "Q_GETQUOTA"},
    {0x800008, "Q_SETQUOTA"}, {0x800009, "Q_GETNEXTQUOTA"},
};
constexpr ConstantSet kCommands = enumeration("Q_???", kQuotaCommandNames);
constexpr Constant kQuotaTypeNames[] = {{0, "USRQUOTA"}, {1, "GRPQUOTA"}, {2, "PRJQUOTA"}};
constexpr ConstantSet kTypes = enumeration("???QUOTA", kQuotaTypeNames);
constexpr Type kCommand = named(kCommands), kOfType = named(kTypes);
constexpr WordPart kCommandParts[] = {shifted(kTypeBits, part(0xffffff00, kCommand)), part(0xff, kOfType)};
constexpr Constant kFormatNames[] = {
    {1, "QFMT_VFS_OLD"}, {2, "QFMT_VFS_V0"}, {3, "QFMT_OCFS2"}, {4, "QFMT_VFS_V1"}, {5, "QFMT_SHMEM"}};
constexpr ConstantSet kFormats = enumeration("QFMT_???", kFormatNames);
constexpr Type kFormat = named(kFormats);

constexpr Constant kInfoFlagNames[] = {{0x1, "DQF_ROOT_SQUASH"}, {0x10000, "DQF_SYS_FILE"}};
constexpr ConstantSet kInfoFlags = flag_set("DQF_???", kInfoFlagNames);
constexpr Constant kInfoValidNames[] = {{1, "IIF_BGRACE"}, {2, "IIF_IGRACE"}, {4, "IIF_FLAGS"}};
constexpr ConstantSet kInfoValid = flag_set("IIF_???", kInfoValidNames);
constexpr FieldType kInfoFields[] = {field("dqi_bgrace", kU64), field("dqi_igrace", kU64),
                                     field("dqi_flags", named(kInfoFlags)), field("dqi_valid", named(kInfoValid))};
constexpr StructLayout kInfoLayout = {"if_dqinfo", kInfoFields};
constexpr Type kInfo = structure(kInfoLayout);

constexpr Constant kBlockValidNames[] = {{1, "QIF_BLIMITS"}, {2, "QIF_SPACE"},  {4, "QIF_ILIMITS"},
                                         {8, "QIF_INODES"},  {0x10, "QIF_BTIME"}, {0x20, "QIF_ITIME"}};
constexpr ConstantSet kBlockValid = flag_set("QIF_???", kBlockValidNames);
#define DQBLK_FIELDS                                                                                         \
  field("dqb_bhardlimit", kU64), field("dqb_bsoftlimit", kU64), field("dqb_curspace", kU64),                 \
      field("dqb_ihardlimit", kU64), field("dqb_isoftlimit", kU64), field("dqb_curinodes", kU64),            \
      detail("dqb_btime", kU64), detail("dqb_itime", kU64), detail("dqb_valid", named(kBlockValid))
constexpr FieldType kBlockFields[] = {DQBLK_FIELDS};
constexpr FieldType kNextBlockFields[] = {DQBLK_FIELDS, field("dqb_id", kUInt)};
constexpr StructLayout kBlockLayout = {"if_dqblk", kBlockFields}, kNextBlockLayout = {"if_nextdqblk", kNextBlockFields};
static_assert(size_of(kBlockLayout, Abi::X86_64) == 72 && size_of(kBlockLayout, Abi::I386) == 68);
constexpr Type kBlock = structure(kBlockLayout), kNextBlock = structure(kNextBlockLayout);

// <linux/dqblk_xfs.h>
constexpr Constant kXfsStateNames[] = {
    {0x1, "FS_QUOTA_UDQ_ACCT"}, {0x2, "FS_QUOTA_UDQ_ENFD"},  {0x4, "FS_QUOTA_GDQ_ACCT"},
    {0x8, "FS_QUOTA_GDQ_ENFD"}, {0x10, "FS_QUOTA_PDQ_ACCT"}, {0x20, "FS_QUOTA_PDQ_ENFD"},
};
constexpr ConstantSet kXfsStates = flag_set("FS_QUOTA_???", kXfsStateNames);
constexpr Type kXfsState = named(kXfsStates);
constexpr Constant kXfsTypeNames[] = {{1, "FS_USER_QUOTA"}, {2, "FS_PROJ_QUOTA"}, {4, "FS_GROUP_QUOTA"}};
constexpr ConstantSet kXfsTypes = flag_set("FS_???_QUOTA", kXfsTypeNames);
constexpr Type kXfsType = named(kXfsTypes);

constexpr FieldType kXfsDiskFields[] = {
    field("d_version", kS8),         field("d_flags", named(kXfsTypes, Width::B1)),
    field("d_fieldmask", number(Width::B2, Show::Hex)), field("d_id", kUInt),
    field("d_blk_hardlimit", kU64),  field("d_blk_softlimit", kU64),
    field("d_ino_hardlimit", kU64),  field("d_ino_softlimit", kU64),
    field("d_bcount", kU64),         field("d_icount", kU64),
    detail("d_itimer", kInt),        detail("d_btimer", kInt),
    detail("d_iwarns", kU16),        detail("d_bwarns", kU16),
    padding_bytes(4),                detail("d_rtb_hardlimit", kU64),
    detail("d_rtb_softlimit", kU64), detail("d_rtbcount", kU64),
    detail("d_rtbtimer", kInt),      detail("d_rtbwarns", kU16),
    padding_bytes(10),
};
constexpr StructLayout kXfsDiskLayout = {"fs_disk_quota", kXfsDiskFields};
static_assert(size_of(kXfsDiskLayout, Abi::X86_64) == sizeof(struct fs_disk_quota));
constexpr Type kXfsDisk = structure(kXfsDiskLayout);

constexpr FieldType kXfsFileFields[] = {field("qfs_ino", kU64), field("qfs_nblks", kU64), field("qfs_nextents", kUInt)};
constexpr StructLayout kXfsFileLayout = {"fs_qfilestat", kXfsFileFields};
constexpr Type kXfsFile = structure(kXfsFileLayout);
constexpr FieldType kXfsStatFields[] = {
    field("qs_version", kS8),         detail("qs_flags", named(kXfsStates, Width::B2)),
    padding(kS8),                     detail("qs_uquota", kXfsFile),
    detail("qs_gquota", kXfsFile),    detail("qs_incoredqs", kUInt),
    detail("qs_btimelimit", kInt),    detail("qs_itimelimit", kInt),
    detail("qs_rtbtimelimit", kInt),  detail("qs_bwarnlimit", kU16),
    detail("qs_iwarnlimit", kU16),
};
constexpr StructLayout kXfsStatLayout = {"fs_quota_stat", kXfsStatFields};
static_assert(size_of(kXfsStatLayout, Abi::X86_64) == sizeof(struct fs_quota_stat));
constexpr Type kXfsStat = structure(kXfsStatLayout);
constexpr FieldType kXfsFileVFields[] = {field("qfs_ino", kU64), field("qfs_nblks", kU64), field("qfs_nextents", kUInt),
                                         padding_bytes(4)};
constexpr StructLayout kXfsFileVLayout = {"fs_qfilestatv", kXfsFileVFields};
constexpr Type kXfsFileV = structure(kXfsFileVLayout);
constexpr FieldType kXfsStatVFields[] = {
    field("qs_version", kS8),        padding(kU8),
    detail("qs_flags", named(kXfsStates, Width::B2)), detail("qs_incoredqs", kUInt),
    detail("qs_uquota", kXfsFileV),  detail("qs_gquota", kXfsFileV),
    detail("qs_pquota", kXfsFileV),  detail("qs_btimelimit", kInt),
    detail("qs_itimelimit", kInt),   detail("qs_rtbtimelimit", kInt),
    detail("qs_bwarnlimit", kU16),   detail("qs_iwarnlimit", kU16),
    padding_bytes(64),
};
constexpr StructLayout kXfsStatVLayout = {"fs_quota_statv", kXfsStatVFields};
static_assert(size_of(kXfsStatVLayout, Abi::X86_64) == sizeof(struct fs_quota_statv));
constexpr Type kXfsStatV = structure(kXfsStatVLayout);

// The arguments after the device or descriptor. The address is in the fourth register also where there is no id.
constexpr ArgType kQuotaId = id("id"), kFormatId = flags("id", kFormats), kFile = from_register(3, path("addr"));
constexpr ArgType takes(const Type& object) { return from_register(3, in("addr", object)); }
constexpr ArgType gives(const Type& object) { return from_register(3, out("addr", object)); }
template <typename... Args>
constexpr CommandRow quota(uint64_t value, const Args&... args) {
  return command(value << kTypeBits, kUnsignedResult, args...);
}
constexpr CommandRow kQuotaRows[] = {
    quota(0x5801, takes(kXfsState)),      // Q_XQUOTAON
    quota(0x5802, takes(kXfsState)),      // Q_XQUOTAOFF
    quota(0x5803, kQuotaId, gives(kXfsDisk)),  // Q_XGETQUOTA
    quota(0x5804, kQuotaId, takes(kXfsDisk)),  // Q_XSETQLIM
    quota(0x5805, gives(kXfsStat)),       // Q_XGETQSTAT
    quota(0x5806, takes(kXfsType)),       // Q_XQUOTARM
    quota(0x5807),                        // Q_XQUOTASYNC
    quota(0x5808, gives(kXfsStatV)),      // Q_XGETQSTATV
    quota(0x5809, kQuotaId, gives(kXfsDisk)),  // Q_XGETNEXTQUOTA
    quota(0x800001),                      // Q_SYNC
    quota(0x800002, kFormatId, kFile),    // Q_QUOTAON
    quota(0x800003),                      // Q_QUOTAOFF
    quota(0x800004, gives(kFormat)),      // Q_GETFMT
    quota(0x800005, gives(kInfo)),        // Q_GETINFO
    quota(0x800006, takes(kInfo)),        // Q_SETINFO
    quota(0x800007, kQuotaId, gives(kBlock)),  // Q_GETQUOTA
    quota(0x800008, kQuotaId, takes(kBlock)),  // Q_SETQUOTA
    quota(0x800009, kQuotaId, gives(kNextBlock)),  // Q_GETNEXTQUOTA
};
constexpr uint64_t kCommandBits = 0xffffff00;

}  // namespace

constinit const CommandTable kQuotaTable = {0, 2, kQuotaRows, kCommandBits};
constinit const CommandTable kQuotaFdTable = {1, 2, kQuotaRows, kCommandBits};

constinit const WordLayout kQuotaCommandForm = {.parts = kCommandParts, .form = "QCMD", .plain = &kUInt};

}  // namespace strut
