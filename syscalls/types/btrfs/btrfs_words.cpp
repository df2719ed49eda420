#include "syscalls/types/btrfs/btrfs_words.hpp"

#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

constexpr Constant kObjectNames[] = {
    {1, "BTRFS_ROOT_TREE_OBJECTID"},
    {2, "BTRFS_EXTENT_TREE_OBJECTID"},
    {3, "BTRFS_CHUNK_TREE_OBJECTID"},
    {4, "BTRFS_DEV_TREE_OBJECTID"},
    {5, "BTRFS_FS_TREE_OBJECTID"},
    {6, "BTRFS_ROOT_TREE_DIR_OBJECTID"},
    {7, "BTRFS_CSUM_TREE_OBJECTID"},
    {8, "BTRFS_QUOTA_TREE_OBJECTID"},
    {9, "BTRFS_UUID_TREE_OBJECTID"},
    {10, "BTRFS_FREE_SPACE_TREE_OBJECTID"},
    {11, "BTRFS_BLOCK_GROUP_TREE_OBJECTID"},
    {256, "BTRFS_FIRST_FREE_OBJECTID"},
    {0xffffffffffffff00, "BTRFS_LAST_FREE_OBJECTID"},
    {UINT64_MAX, "UINT64_MAX"},
};
constexpr Constant kBtrfsLimitNames[] = {{UINT64_MAX, "UINT64_MAX"}};
constexpr Constant kItemTypeNames[] = {
    {1, "BTRFS_INODE_ITEM_KEY"},
    {12, "BTRFS_INODE_REF_KEY"},
    {13, "BTRFS_INODE_EXTREF_KEY"},
    {24, "BTRFS_XATTR_ITEM_KEY"},
    {36, "BTRFS_VERITY_DESC_ITEM_KEY"},
    {37, "BTRFS_VERITY_MERKLE_ITEM_KEY"},
    {48, "BTRFS_ORPHAN_ITEM_KEY"},
    {60, "BTRFS_DIR_LOG_ITEM_KEY"},
    {72, "BTRFS_DIR_LOG_INDEX_KEY"},
    {84, "BTRFS_DIR_ITEM_KEY"},
    {96, "BTRFS_DIR_INDEX_KEY"},
    {108, "BTRFS_EXTENT_DATA_KEY"},
    {128, "BTRFS_EXTENT_CSUM_KEY"},
    {132, "BTRFS_ROOT_ITEM_KEY"},
    {144, "BTRFS_ROOT_BACKREF_KEY"},
    {156, "BTRFS_ROOT_REF_KEY"},
    {168, "BTRFS_EXTENT_ITEM_KEY"},
    {169, "BTRFS_METADATA_ITEM_KEY"},
    {176, "BTRFS_TREE_BLOCK_REF_KEY"},
    {178, "BTRFS_EXTENT_DATA_REF_KEY"},
    {180, "BTRFS_EXTENT_REF_V0_KEY"},
    {182, "BTRFS_SHARED_BLOCK_REF_KEY"},
    {184, "BTRFS_SHARED_DATA_REF_KEY"},
    {192, "BTRFS_BLOCK_GROUP_ITEM_KEY"},
    {198, "BTRFS_FREE_SPACE_INFO_KEY"},
    {199, "BTRFS_FREE_SPACE_EXTENT_KEY"},
    {200, "BTRFS_FREE_SPACE_BITMAP_KEY"},
    {204, "BTRFS_DEV_EXTENT_KEY"},
    {216, "BTRFS_DEV_ITEM_KEY"},
    {228, "BTRFS_CHUNK_ITEM_KEY"},
    {240, "BTRFS_QGROUP_STATUS_KEY"},
    {242, "BTRFS_QGROUP_INFO_KEY"},
    {244, "BTRFS_QGROUP_LIMIT_KEY"},
    {246, "BTRFS_QGROUP_RELATION_KEY"},
    {248, "BTRFS_TEMPORARY_ITEM_KEY"},
    {249, "BTRFS_PERSISTENT_ITEM_KEY"},
    {250, "BTRFS_DEV_REPLACE_KEY"},
    {251, "BTRFS_UUID_KEY_SUBVOL"},
    {252, "BTRFS_UUID_KEY_RECEIVED_SUBVOL"},
    {253, "BTRFS_STRING_ITEM_KEY"},
    {UINT32_MAX, "UINT32_MAX"},
};
constexpr Constant kVolumeNames[] = {
    {1, "BTRFS_SUBVOL_CREATE_ASYNC"}, {2, "BTRFS_SUBVOL_RDONLY"}, {4, "BTRFS_SUBVOL_QGROUP_INHERIT"}};
constexpr Constant kGroupNames[] = {
    {0x1, "BTRFS_BLOCK_GROUP_DATA"},
    {0x2, "BTRFS_BLOCK_GROUP_SYSTEM"},
    {0x4, "BTRFS_BLOCK_GROUP_METADATA"},
    {0x8, "BTRFS_BLOCK_GROUP_RAID0"},
    {0x10, "BTRFS_BLOCK_GROUP_RAID1"},
    {0x20, "BTRFS_BLOCK_GROUP_DUP"},
    {0x40, "BTRFS_BLOCK_GROUP_RAID10"},
    {0x80, "BTRFS_BLOCK_GROUP_RAID5"},
    {0x100, "BTRFS_BLOCK_GROUP_RAID6"},
    {1ull << 48, "BTRFS_AVAIL_ALLOC_BIT_SINGLE"},
    {1ull << 49, "BTRFS_SPACE_INFO_GLOBAL_RSV"},
};

}  // namespace

constinit const ConstantSet kBtrfsObjects = enumeration(nullptr, kObjectNames, NumberBase::Unsigned);
constinit const ConstantSet kBtrfsLimits = enumeration(nullptr, kBtrfsLimitNames, NumberBase::Unsigned);
constinit const ConstantSet kBtrfsItemTypes = enumeration(nullptr, kItemTypeNames, NumberBase::Unsigned);
constinit const ConstantSet kBtrfsVolumeFlags = flag_set("BTRFS_SUBVOL_???", kVolumeNames);
constinit const ConstantSet kBtrfsBlockGroups = flag_set("BTRFS_BLOCK_GROUP_???", kGroupNames);

}  // namespace strut
