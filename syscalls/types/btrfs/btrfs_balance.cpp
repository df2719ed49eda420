#include "syscalls/types/btrfs/btrfs_balance.hpp"

#include <linux/btrfs.h>

#include "syscalls/types/btrfs/btrfs_words.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kBalanceNames[] = {{1, "BTRFS_BALANCE_DATA"},
                                      {2, "BTRFS_BALANCE_SYSTEM"},
                                      {4, "BTRFS_BALANCE_METADATA"},
                                      {8, "BTRFS_BALANCE_FORCE"},
                                      {16, "BTRFS_BALANCE_RESUME"}};
constexpr Constant kStateNames[] = {{1, "BTRFS_BALANCE_STATE_RUNNING"},
                                    {2, "BTRFS_BALANCE_STATE_PAUSE_REQ"},
                                    {4, "BTRFS_BALANCE_STATE_CANCEL_REQ"}};
constexpr Constant kArgsNames[] = {
    {0x1, "BTRFS_BALANCE_ARGS_PROFILES"},       {0x2, "BTRFS_BALANCE_ARGS_USAGE"},
    {0x4, "BTRFS_BALANCE_ARGS_DEVID"},          {0x8, "BTRFS_BALANCE_ARGS_DRANGE"},
    {0x10, "BTRFS_BALANCE_ARGS_VRANGE"},        {0x20, "BTRFS_BALANCE_ARGS_LIMIT"},
    {0x40, "BTRFS_BALANCE_ARGS_LIMIT_RANGE"},   {0x80, "BTRFS_BALANCE_ARGS_STRIPES_RANGE"},
    {0x100, "BTRFS_BALANCE_ARGS_CONVERT"},      {0x200, "BTRFS_BALANCE_ARGS_SOFT"},
    {0x400, "BTRFS_BALANCE_ARGS_USAGE_RANGE"},
};
constexpr Constant kControlNames[] = {{1, "BTRFS_BALANCE_CTL_PAUSE"}, {2, "BTRFS_BALANCE_CTL_CANCEL"}};
constinit const ConstantSet kBalanceFlags = flag_set("BTRFS_BALANCE_???", kBalanceNames);
constinit const ConstantSet kBalanceStates = flag_set("BTRFS_BALANCE_STATE_???", kStateNames);
constinit const ConstantSet kBalanceArgs = flag_set("BTRFS_BALANCE_ARGS_???", kArgsNames);
constexpr FieldType kFilterFields[] = {
    field("profiles", named(kBtrfsBlockGroups, Width::B8)),
    field("usage", kU64),
    field("devid", kBtrfsDevice),
    field("pstart", kU64),
    field("pend", kU64),
    field("vstart", kU64),
    field("vend", kU64),
    field("target", kU64),
    field("flags", named(kBalanceArgs, Width::B8)),
    at(128, padding(kU64)),
};
constexpr StructLayout kFilterLayout = {"btrfs_balance_args", kFilterFields, true};
constexpr Type kFilter = structure(kFilterLayout);
static_assert(size_of(kFilterLayout, Abi::X86_64) == sizeof(btrfs_balance_args));
constexpr FieldType kBalanceFields[] = {
    field("flags", named(kBalanceFlags, Width::B8)),
    answer(field("state", named(kBalanceStates, Width::B8))),
    field("data", kFilter),
    field("meta", kFilter),
    field("sys", kFilter),
    at(1016, padding(kU64)),
};
constexpr StructLayout kBalance = {"btrfs_ioctl_balance_args", kBalanceFields};
static_assert(size_of(kBalance, Abi::X86_64) == sizeof(btrfs_ioctl_balance_args));

}  // namespace

constinit const ConstantSet kBtrfsBalanceControls = enumeration("BTRFS_BALANCE_CTL_???", kControlNames);
constinit const Type kBtrfsBalance = structure(kBalance);

}  // namespace strut
