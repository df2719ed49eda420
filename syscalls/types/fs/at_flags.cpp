#include "syscalls/types/fs/at_flags.hpp"

namespace strut {
namespace {

constexpr Constant kAtNames[] = {
    {0x100, "AT_SYMLINK_NOFOLLOW"}, {0x200, "AT_REMOVEDIR"}, {0x400, "AT_SYMLINK_FOLLOW"},
    {0x800, "AT_NO_AUTOMOUNT"},     {0x1000, "AT_EMPTY_PATH"}, {0x8000, "AT_RECURSIVE"},
};
constexpr Constant kAccessNames[] = {
    {0x100, "AT_SYMLINK_NOFOLLOW"}, {0x200, "AT_EACCESS"}, {0x1000, "AT_EMPTY_PATH"}};
constexpr Constant kLookupNames[] = {{0x100, "AT_SYMLINK_NOFOLLOW"}, {0x1000, "AT_EMPTY_PATH"}};
constexpr Constant kMountNames[] = {
    {0x100, "AT_SYMLINK_NOFOLLOW"}, {0x800, "AT_NO_AUTOMOUNT"}, {0x1000, "AT_EMPTY_PATH"}, {0x8000, "AT_RECURSIVE"}};
constexpr Constant kHandleNames[] = {
    {0x1, "AT_HANDLE_MNT_ID_UNIQUE"}, {0x2, "AT_HANDLE_CONNECTABLE"}, {0x200, "AT_HANDLE_FID"},
    {0x400, "AT_SYMLINK_FOLLOW"},     {0x1000, "AT_EMPTY_PATH"}};
constexpr Constant kModeNames[] = {{0, "F_OK"}, {4, "R_OK"}, {2, "W_OK"}, {1, "X_OK"}};

}  // namespace

constinit const ConstantSet kAtFlags = flag_set("AT_???", kAtNames);
constinit const ConstantSet kAtStatxFlags = flag_set(nullptr, kAtNames);
constinit const ConstantSet kAtAccessFlags = flag_set("AT_???", kAccessNames);
constinit const ConstantSet kAtLookupFlags = flag_set("AT_???", kLookupNames);
constinit const ConstantSet kAtMountFlags = flag_set("AT_???", kMountNames);
constinit const ConstantSet kAtHandleFlags = flag_set("AT_???", kHandleNames);
constinit const ConstantSet kAccessModes = flag_set("?_OK", kModeNames);

}  // namespace strut
