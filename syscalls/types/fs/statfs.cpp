#include "syscalls/types/fs/statfs.hpp"

#include <sys/vfs.h>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kStatfsMagicNames[] = {
    {0x2f, "QNX4_SUPER_MAGIC"}, {0x187, "AUTOFS_SUPER_MAGIC"}, {0x1373, "DEVFS_SUPER_MAGIC"},
    {0x137f, "MINIX_SUPER_MAGIC"}, {0x138f, "MINIX_SUPER_MAGIC2"}, {0x1cd1, "DEVPTS_SUPER_MAGIC"},
    {0x2468, "MINIX2_SUPER_MAGIC"}, {0x2478, "MINIX2_SUPER_MAGIC2"}, {0x3434, "NILFS_SUPER_MAGIC"},
    {0x4244, "HFS_SUPER_MAGIC"}, {0x482b, "HFSPLUS_SUPER_MAGIC"}, {0x4d44, "MSDOS_SUPER_MAGIC"},
    {0x4d5a, "MINIX3_SUPER_MAGIC"}, {0x517b, "SMB_SUPER_MAGIC"}, {0x564c, "NCP_SUPER_MAGIC"},
    {0x5df5, "EXOFS_SUPER_MAGIC"}, {0x6969, "NFS_SUPER_MAGIC"}, {0x7275, "ROMFS_MAGIC"},
    {0x72b6, "JFFS2_SUPER_MAGIC"}, {0x9660, "ISOFS_SUPER_MAGIC"}, {0x9fa0, "PROC_SUPER_MAGIC"},
    {0x9fa1, "OPENPROM_SUPER_MAGIC"}, {0x9fa2, "USBDEVICE_SUPER_MAGIC"}, {0xadf5, "ADFS_SUPER_MAGIC"},
    {0xadff, "AFFS_SUPER_MAGIC"}, {0xef51, "EXT2_OLD_SUPER_MAGIC"}, {0xef53, "EXT2_SUPER_MAGIC"},
    {0xf15f, "ECRYPTFS_SUPER_MAGIC"}, {0x11954, "UFS_MAGIC"}, {0x27e0eb, "CGROUP_SUPER_MAGIC"},
    {0x414a53, "EFS_SUPER_MAGIC"}, {0xc0ffee, "HOSTFS_SUPER_MAGIC"}, {0xc36400, "CEPH_SUPER_MAGIC"},
    {0x1021994, "TMPFS_MAGIC"}, {0x1021997, "V9FS_MAGIC"}, {0x1161970, "GFS2_MAGIC"},
    {0x12fd16d, "XIAFS_SUPER_MAGIC"}, {0x12ff7b4, "XENIX_SUPER_MAGIC"}, {0x12ff7b5, "SYSV4_SUPER_MAGIC"},
    {0x12ff7b6, "SYSV2_SUPER_MAGIC"}, {0x12ff7b7, "COH_SUPER_MAGIC"}, {0x9041934, "ANON_INODE_FS_MAGIC"},
    {0xbad1dea, "FUTEXFS_SUPER_MAGIC"}, {0x11307854, "MTD_INODE_FS_MAGIC"}, {0x13661366, "BALLOON_KVM_MAGIC"},
    {0x15013346, "UDF_SUPER_MAGIC"}, {0x1badface, "BFS_MAGIC"}, {0x2011bab0, "EXFAT_SUPER_MAGIC"},
    {0x24051905, "UBIFS_SUPER_MAGIC"}, {0x28cd3d45, "CRAMFS_MAGIC"}, {0x2fc12fc1, "ZFS_SUPER_MAGIC"},
    {0x3153464a, "JFS_SUPER_MAGIC"}, {0x42465331, "BEFS_SUPER_MAGIC"}, {0x42494e4d, "BINFMTFS_MAGIC"},
    {0x43415d53, "SMACK_MAGIC"}, {0x444d4142, "DMA_BUF_MAGIC"}, {0x453dcd28, "CRAMFS_MAGIC_WEND"},
    {0x454d444d, "DEVMEM_MAGIC"}, {0x474d454d, "GUEST_MEMFD_MAGIC"}, {0x47504653, "GPFS_SUPER_MAGIC"},
    {0x4e554c4c, "NULL_FS_MAGIC"}, {0x50494446, "PID_FS_MAGIC"}, {0x50495045, "PIPEFS_MAGIC"},
    {0x52654973, "REISERFS_SUPER_MAGIC"}, {0x5345434d, "SECRETMEM_MAGIC"}, {0x5346414f, "AFS_SUPER_MAGIC"},
    {0x5346544e, "NTFS_SB_MAGIC"}, {0x534f434b, "SOCKFS_MAGIC"}, {0x54190100, "UFS_CIGAM"},
    {0x57ac6e9d, "STACK_END_MAGIC"}, {0x58295829, "ZSMALLOC_MAGIC"}, {0x58465342, "XFS_SUPER_MAGIC"},
    {0x5a3c69f0, "AAFS_MAGIC"}, {0x5a4f4653, "ZONEFS_MAGIC"}, {0x6165676c, "PSTOREFS_MAGIC"},
    {0x61756673, "AUFS_SUPER_MAGIC"}, {0x62646576, "BDEVFS_MAGIC"}, {0x62656570, "CONFIGFS_MAGIC"},
    {0x62656572, "SYSFS_MAGIC"}, {0x63677270, "CGROUP2_SUPER_MAGIC"}, {0x64626720, "DEBUGFS_MAGIC"},
    {0x64646178, "DAXFS_MAGIC"}, {0x65735543, "FUSE_CTL_SUPER_MAGIC"}, {0x65735546, "FUSE_SUPER_MAGIC"},
    {0x68191122, "QNX6_SUPER_MAGIC"}, {0x6b414653, "AFS_FS_MAGIC"}, {0x6c6f6f70, "BINDERFS_SUPER_MAGIC"},
    {0x6e736673, "NSFS_MAGIC"}, {0x73636673, "SECURITYFS_MAGIC"}, {0x73717368, "SQUASHFS_MAGIC"},
    {0x73727279, "BTRFS_TEST_MAGIC"}, {0x73757245, "CODA_SUPER_MAGIC"}, {0x7461636f, "OCFS2_SUPER_MAGIC"},
    {0x74726163, "TRACEFS_MAGIC"}, {0x794c7630, "OVERLAYFS_SUPER_MAGIC"}, {0x858458f6, "RAMFS_MAGIC"},
    {0x9123683e, "BTRFS_SUPER_MAGIC"}, {0x958458f6, "HUGETLBFS_MAGIC"}, {0xa501fcf5, "VXFS_SUPER_MAGIC"},
    {0xabba1974, "XENFS_SUPER_MAGIC"}, {0xca451a4e, "BCACHEFS_SUPER_MAGIC"}, {0xcafe4a11, "BPF_FS_MAGIC"},
    {0xde5e81e4, "EFIVARFS_MAGIC"}, {0xe0f5e1e2, "EROFS_SUPER_MAGIC_V1"}, {0xf2f52010, "F2FS_SUPER_MAGIC"},
    {0xf97cff8c, "SELINUX_MAGIC"}, {0xf995e849, "HPFS_SUPER_MAGIC"}, {0xfe534d42, "SMB2_SUPER_MAGIC"},
    {0xff534d42, "CIFS_SUPER_MAGIC"},
};

constexpr uint64_t kValid = 0x20;  // ST_VALID: f_flags is filled in
constexpr Constant kStatfsMountFlagNames[] = {
    {kValid, "ST_VALID"},    {0x1, "ST_RDONLY"},      {0x2, "ST_NOSUID"},    {0x4, "ST_NODEV"},
    {0x8, "ST_NOEXEC"},      {0x10, "ST_SYNCHRONOUS"}, {0x40, "ST_MANDLOCK"}, {0x400, "ST_NOATIME"},
    {0x800, "ST_NODIRATIME"}, {0x1000, "ST_RELATIME"}, {0x2000, "ST_NOSYMFOLLOW"},
};
constexpr ConstantSet kMountFlags = flag_set("ST_???", kStatfsMountFlagNames);

constexpr Type kWords = array_of(kHex32, 2);
constexpr FieldType kFsidFields[] = {field("val", kWords)};
constexpr StructLayout kFsidLayout = {"fsid_t", kFsidFields};
constexpr Type kFsid = structure(kFsidLayout);

template <int kOffset, Width kWidth>
bool has_flags(Decoder& decoder, Addr at) {
  return decoder.read_number(at + kOffset, kWidth).value_or(0) & kValid;
}

bool has_native_flags(Decoder& decoder, Addr at) {
  return pointer_bytes(decoder.abi()) == 8 ? has_flags<80, Width::B8>(decoder, at)
                                           : has_flags<44, Width::B4>(decoder, at);
}
constexpr FieldType kStatfsFields[] = {
    field("f_type", named(kFilesystemMagic, Width::Long)),
    field("f_bsize", kULong),
    field("f_blocks", kULong),
    field("f_bfree", kULong),
    field("f_bavail", kULong),
    field("f_files", kULong),
    field("f_ffree", kULong),
    field("f_fsid", kFsid),
    field("f_namelen", kULong),
    field("f_frsize", kULong),
    field("f_flags", named(kMountFlags, Width::Long), has_native_flags),
    padding(kULong), padding(kULong), padding(kULong), padding(kULong),
};
constexpr StructLayout kStatfsLayout = {"statfs", kStatfsFields};
static_assert(size_of(kStatfsLayout, Abi::X86_64) == sizeof(struct statfs));
static_assert(size_of(kStatfsLayout, Abi::I386) == 64);

constexpr FieldType kStatfs64Fields[] = {
    field("f_type", named(kFilesystemMagic)),
    field("f_bsize", kUInt),
    field("f_blocks", kU64),
    field("f_bfree", kU64),
    field("f_bavail", kU64),
    field("f_files", kU64),
    field("f_ffree", kU64),
    field("f_fsid", kFsid),
    field("f_namelen", kUInt),
    field("f_frsize", kUInt),
    field("f_flags", named(kMountFlags), has_flags<64, Width::B4>),
    padding_bytes(16),
};
constexpr StructLayout kStatfs64Layout = {"statfs64", kStatfs64Fields, true};
static_assert(size_of(kStatfs64Layout, Abi::I386) == 84);

}  // namespace

constinit const ConstantSet kFilesystemMagic = enumeration(nullptr, kStatfsMagicNames);
constinit const Type kStatfsBuf = structure(kStatfsLayout);
// A structure of its own size alone, which argument 1 must be.
constexpr uint32_t kStatfs64Bytes = size_of(kStatfs64Layout, Abi::I386);
constinit const Type kStatfs64Buf = extensible(kStatfs64Layout, by_arg(1), kStatfs64Bytes, kStatfs64Bytes);

}  // namespace strut
