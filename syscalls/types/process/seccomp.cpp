#include "syscalls/types/process/seccomp.hpp"

#include "syscalls/types/bpf/bpf_filter.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/seccomp.h>.
constexpr Constant kModeNames[] = {
    {0, "SECCOMP_MODE_DISABLED"}, {1, "SECCOMP_MODE_STRICT"}, {2, "SECCOMP_MODE_FILTER"},
};
constexpr Constant kActionNames[] = {
    {0x00000000, "SECCOMP_RET_KILL_THREAD"}, {0x00030000, "SECCOMP_RET_TRAP"}, {0x00050000, "SECCOMP_RET_ERRNO"},
    {0x7fc00000, "SECCOMP_RET_USER_NOTIF"}, {0x7ff00000, "SECCOMP_RET_TRACE"}, {0x7ffc0000, "SECCOMP_RET_LOG"},
    {0x7fff0000, "SECCOMP_RET_ALLOW"}, {0x80000000, "SECCOMP_RET_KILL_PROCESS"},
};
constexpr Constant kSeccompOpNames[] = {
    {0, "SECCOMP_SET_MODE_STRICT"}, {1, "SECCOMP_SET_MODE_FILTER"}, {2, "SECCOMP_GET_ACTION_AVAIL"},
    {3, "SECCOMP_GET_NOTIF_SIZES"},
};
constexpr Constant kFilterFlagNames[] = {
    {1, "SECCOMP_FILTER_FLAG_TSYNC"}, {2, "SECCOMP_FILTER_FLAG_LOG"}, {4, "SECCOMP_FILTER_FLAG_SPEC_ALLOW"},
    {8, "SECCOMP_FILTER_FLAG_NEW_LISTENER"}, {0x10, "SECCOMP_FILTER_FLAG_TSYNC_ESRCH"},
    {0x20, "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"},
};

constexpr FieldType kSizesFields[] = {
    field("seccomp_notif", kU16), field("seccomp_notif_resp", kU16), field("seccomp_data", kU16),
};
constexpr StructLayout kSizesLayout = {"seccomp_notif_sizes", kSizesFields};
static_assert(size_of(kSizesLayout, Abi::X86_64) == 6);
constexpr Type kSizes = structure(kSizesLayout), kAction = named(kSeccompActions);

constexpr CommandRow kSeccompRows[] = {
    command(1, kUnsignedResult, flags("flags", kSeccompFilterFlags), in("args", kSeccompProgram)),
    command(2, kUnsignedResult, hex32("flags"), in("args", kAction)),
    command(3, kUnsignedResult, hex32("flags"), out("args", kSizes)),
};

}  // namespace

constinit const ConstantSet kSeccompModes = enumeration("SECCOMP_MODE_???", kModeNames);
constinit const ConstantSet kSeccompActions = enumeration("SECCOMP_RET_???", kActionNames);
constinit const ConstantSet kSeccompFilterFlags = flag_set("SECCOMP_FILTER_FLAG_???", kFilterFlagNames);
constinit const ConstantSet kSeccompOps = enumeration("SECCOMP_???", kSeccompOpNames);
constinit const CommandTable kSeccompCommands = {0, 1, kSeccompRows};

}  // namespace strut
