#include "syscalls/types/fs/mount.hpp"

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint64_t kRemount = 0x20, kBind = 0x1000, kMove = 0x2000, kPropagates = 0x1e0000;
constexpr Constant kMountFlagNames[] = {
    {0x1, "MS_RDONLY"},          {0x2, "MS_NOSUID"},         {0x4, "MS_NODEV"},
    {0x8, "MS_NOEXEC"},          {0x10, "MS_SYNCHRONOUS"},   {kRemount, "MS_REMOUNT"},
    {0x40, "MS_MANDLOCK"},       {0x80, "MS_DIRSYNC"},       {0x100, "MS_NOSYMFOLLOW"},
    {0x400, "MS_NOATIME"},       {0x800, "MS_NODIRATIME"},   {kBind, "MS_BIND"},
    {kMove, "MS_MOVE"},          {0x4000, "MS_REC"},         {0x8000, "MS_SILENT"},
    {0x10000, "MS_POSIXACL"},    {0x20000, "MS_UNBINDABLE"}, {0x40000, "MS_PRIVATE"},
    {0x80000, "MS_SLAVE"},       {0x100000, "MS_SHARED"},    {0x200000, "MS_RELATIME"},
    {0x400000, "MS_KERNMOUNT"},  {0x800000, "MS_I_VERSION"}, {0x1000000, "MS_STRICTATIME"},
    {0x2000000, "MS_LAZYTIME"},  {0x4000000, "MS_SUBMOUNT"}, {0x8000000, "MS_NOREMOTELOCK"},
    {0x10000000, "MS_NOSEC"},    {0x20000000, "MS_BORN"},    {0x40000000, "MS_ACTIVE"},
    {0x80000000, "MS_NOUSER"},
};

constexpr uint64_t kMagicMask = 0xffff0000, kMagicValue = 0xc0ed0000;  // MS_MGC_MSK, MS_MGC_VAL
constexpr Constant kMagicNames[] = {{kMagicValue, "MS_MGC_VAL"}};
constexpr ConstantSet kMagic = enumeration(nullptr, kMagicNames);
constexpr Type kMagicType = named(kMagic);
constexpr WordPart kMagicParts[] = {part(kMagicMask, kMagicType), part_if_any(~kMagicMask, kPlainMountFlags)};

uint64_t flags_of(Decoder& decoder) {
  uint64_t flags = decoder.arg(3);
  return has_mount_magic(decoder, Addr{flags}) ? flags & ~kMagicMask : flags;
}

constexpr Constant kUnmountNames[] = {
    {1, "MNT_FORCE"}, {2, "MNT_DETACH"}, {4, "MNT_EXPIRE"}, {8, "UMOUNT_NOFOLLOW"}};
constexpr Constant kFsopenNames[] = {{1, "FSOPEN_CLOEXEC"}};
constexpr Constant kFsmountNames[] = {{1, "FSMOUNT_CLOEXEC"}, {2, "FSMOUNT_NAMESPACE"}};
constexpr Constant kFspickNames[] = {
    {1, "FSPICK_CLOEXEC"}, {2, "FSPICK_SYMLINK_NOFOLLOW"}, {4, "FSPICK_NO_AUTOMOUNT"}, {8, "FSPICK_EMPTY_PATH"}};
constexpr Constant kMoveNames[] = {
    {0x1, "MOVE_MOUNT_F_SYMLINKS"},   {0x2, "MOVE_MOUNT_F_AUTOMOUNTS"},  {0x4, "MOVE_MOUNT_F_EMPTY_PATH"},
    {0x10, "MOVE_MOUNT_T_SYMLINKS"},  {0x20, "MOVE_MOUNT_T_AUTOMOUNTS"}, {0x40, "MOVE_MOUNT_T_EMPTY_PATH"},
    {0x100, "MOVE_MOUNT_SET_GROUP"},  {0x200, "MOVE_MOUNT_BENEATH"},
};
constexpr Constant kOpenTreeNames[] = {
    {0x1, "OPEN_TREE_CLONE"},       {0x2, "OPEN_TREE_NAMESPACE"}, {0x80000, "OPEN_TREE_CLOEXEC"},
    {0x100, "AT_SYMLINK_NOFOLLOW"}, {0x800, "AT_NO_AUTOMOUNT"},   {0x1000, "AT_EMPTY_PATH"},
    {0x8000, "AT_RECURSIVE"},
};
constexpr uint64_t kIdMap = 0x100000;
#define ATTRIBUTES_BEFORE_IDMAP                                                                             \
  {0x1, "MOUNT_ATTR_RDONLY"}, {0x2, "MOUNT_ATTR_NOSUID"}, {0x4, "MOUNT_ATTR_NODEV"},                         \
      {0x8, "MOUNT_ATTR_NOEXEC"}, {0x70, "MOUNT_ATTR__ATIME"}, {0x10, "MOUNT_ATTR_NOATIME"},                 \
      {0x20, "MOUNT_ATTR_STRICTATIME"}, {0x80, "MOUNT_ATTR_NODIRATIME"}
constexpr Constant kAttributeNames[] = {ATTRIBUTES_BEFORE_IDMAP, {0x200000, "MOUNT_ATTR_NOSYMFOLLOW"}};
constexpr Constant kSetAttributeNames[] = {
    ATTRIBUTES_BEFORE_IDMAP, {kIdMap, "MOUNT_ATTR_IDMAP"}, {0x200000, "MOUNT_ATTR_NOSYMFOLLOW"}};
constexpr Constant kPropagationNames[] = {
    {0x20000, "MS_UNBINDABLE"}, {0x40000, "MS_PRIVATE"}, {0x80000, "MS_SLAVE"}, {0x100000, "MS_SHARED"}};

constexpr Constant kFsconfigNames[] = {
    {0, "FSCONFIG_SET_FLAG"}, {1, "FSCONFIG_SET_STRING"},      {2, "FSCONFIG_SET_BINARY"},
    {3, "FSCONFIG_SET_PATH"}, {4, "FSCONFIG_SET_PATH_EMPTY"},  {5, "FSCONFIG_SET_FD"},
    {6, "FSCONFIG_CMD_CREATE"}, {7, "FSCONFIG_CMD_RECONFIGURE"}, {8, "FSCONFIG_CMD_CREATE_EXCL"},
};
/// FSCONFIG_SET_BINARY's value: as many bytes as the last argument says, up to the megabyte that the kernel takes.
constexpr Type kBytesOfAux = pointer_to(kBinary, by_arg(4));
constexpr Type kBinaryValue = kEither<arg_within<4, 1 << 20>, kBytesOfAux, kAddress>;

// The two commands with an auxiliary number that is a descriptor of a directory, the one where it is any descriptor,
// and the others, where it is a number.
constexpr CommandRow kFsconfigRows[] = {
    command(0, kUnsignedResult, string("key"), address("value"), integer("aux")),
    command(1, kUnsignedResult, string("key"), string("value"), integer("aux")),
    command(2, kUnsignedResult, string("key"), arg("value", kBinaryValue), integer("aux")),
    command(3, kUnsignedResult, string("key"), path("value"), dirfd("aux")),
    command(4, kUnsignedResult, string("key"), path("value"), dirfd("aux")),
    command(5, kUnsignedResult, string("key"), address("value"), fd("aux")),
};

/// A user namespace's descriptor, if the idmap attribute is set or cleared; else whatever number is there.
bool has_plain_userns(Decoder& decoder, Addr attr) {
  bool maps = word_has<0, kIdMap, Width::B8>(decoder, attr) || word_has<8, kIdMap, Width::B8>(decoder, attr);
  return !maps || word_at(decoder, attr + 24, Width::B8) > INT32_MAX;
}
constexpr FieldType kMountAttrFields[] = {
    field("attr_set", named(kMountSetAttributes, Width::B8)),
    field("attr_clr", named(kMountSetAttributes, Width::B8)),
    field("propagation", named(kMountPropagation, Width::B8)),
    field("userns_fd", kEither<has_plain_userns, kU64, kFd>),
};
constexpr StructLayout kMountAttrLayout = {"mount_attr", kMountAttrFields};
static_assert(size_of(kMountAttrLayout, Abi::X86_64) == 32);

}  // namespace

constinit const ConstantSet kUnmountFlags = flag_set("MNT_???", kUnmountNames);
constinit const ConstantSet kFsopenFlags = flag_set("FSOPEN_???", kFsopenNames);
constinit const ConstantSet kFsmountFlags = flag_set("FSMOUNT_???", kFsmountNames);
constinit const ConstantSet kFspickFlags = flag_set("FSPICK_???", kFspickNames);
constinit const ConstantSet kMoveMountFlags = flag_set("MOVE_MOUNT_???", kMoveNames);
constinit const ConstantSet kOpenTreeFlags = flag_set("OPEN_TREE_???", kOpenTreeNames);
constinit const ConstantSet kMountAttributes = flag_set("MOUNT_ATTR_???", kAttributeNames);
constinit const ConstantSet kMountSetAttributes = flag_set("MOUNT_ATTR_???", kSetAttributeNames);
constinit const ConstantSet kMountPropagation = enumeration("MS_???", kPropagationNames);
constinit const ConstantSet kFsconfigCommands = enumeration("FSCONFIG_???", kFsconfigNames);
constinit const CommandTable kFsconfigTable = {1, 2, kFsconfigRows, 0xffffffff};
constinit const Type kMountAttr = extensible(kMountAttrLayout, by_arg(4), 32);  // MOUNT_ATTR_SIZE_VER0
constinit const ConstantSet kMountFlagSet = flag_set("MS_???", kMountFlagNames);
constinit const WordLayout kMountMagicWord = {.parts = kMagicParts};

bool has_mount_magic(Decoder&, Addr flags) { return (raw(flags) & kMagicMask) == kMagicValue; }

bool mount_ignores_type(Decoder& decoder, Addr) {
  return (flags_of(decoder) & (kRemount | kBind | kMove | kPropagates)) != 0;
}

bool mount_ignores_options(Decoder& decoder, Addr) {
  uint64_t flags = flags_of(decoder);
  return !(flags & kRemount) && (flags & (kBind | kMove | kPropagates));
}

}  // namespace strut
