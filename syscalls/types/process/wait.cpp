#include "syscalls/types/process/wait.hpp"

#include <sys/resource.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/process/group_id.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/wait.h>, <linux/resource.h>, <asm-generic/resource.h>.
constexpr Constant kWaitOptionNames[] = {
    {1, "WNOHANG"}, {4, "WEXITED"}, {2, "WSTOPPED"}, {8, "WCONTINUED"}, {0x1000000, "WNOWAIT"},
    {0x80000000, "__WCLONE"}, {0x40000000, "__WALL"}, {0x20000000, "__WNOTHREAD"},
};
constexpr Constant kWaitIdNames[] = {{0, "P_ALL"}, {1, "P_PID"}, {2, "P_PGID"}, {3, "P_PIDFD"}};
constexpr Constant kWhoNames[] = {
    {0xfffffffe, "RUSAGE_BOTH"}, {0xffffffff, "RUSAGE_CHILDREN"}, {0, "RUSAGE_SELF"}, {1, "RUSAGE_THREAD"},
};
constexpr Constant kResourceNames[] = {
    {0, "RLIMIT_CPU"}, {1, "RLIMIT_FSIZE"}, {2, "RLIMIT_DATA"}, {3, "RLIMIT_STACK"}, {4, "RLIMIT_CORE"},
    {5, "RLIMIT_RSS"}, {6, "RLIMIT_NPROC"}, {7, "RLIMIT_NOFILE"}, {8, "RLIMIT_MEMLOCK"}, {9, "RLIMIT_AS"},
    {10, "RLIMIT_LOCKS"}, {11, "RLIMIT_SIGPENDING"}, {12, "RLIMIT_MSGQUEUE"}, {13, "RLIMIT_NICE"},
    {14, "RLIMIT_RTPRIO"}, {15, "RLIMIT_RTTIME"},
};

constexpr FieldType kUsageTime[] = {field("tv_sec", kKernelLong), field("tv_usec", kKernelULong)};
constexpr StructLayout kUsageTimeLayout = {"timeval", kUsageTime};
constexpr FieldType kRusageFields[] = {
    field("ru_utime", structure(kUsageTimeLayout)), field("ru_stime", structure(kUsageTimeLayout)),
    detail("ru_maxrss", kKernelULong), detail("ru_ixrss", kKernelULong), detail("ru_idrss", kKernelULong),
    detail("ru_isrss", kKernelULong), detail("ru_minflt", kKernelULong), detail("ru_majflt", kKernelULong),
    detail("ru_nswap", kKernelULong), detail("ru_inblock", kKernelULong), detail("ru_oublock", kKernelULong),
    detail("ru_msgsnd", kKernelULong), detail("ru_msgrcv", kKernelULong), detail("ru_nsignals", kKernelULong),
    detail("ru_nvcsw", kKernelULong), detail("ru_nivcsw", kKernelULong),
};
constexpr StructLayout kRusageLayout = {"rusage", kRusageFields};
static_assert(size_of(kRusageLayout, Abi::X86_64) == sizeof(rusage) && size_of(kRusageLayout, Abi::I386) == 72);

constexpr Type kLimit = number(Width::KernelLong, Show::Resource);
constexpr Type kLimit64 = number(Width::B8, Show::Resource);
constexpr FieldType kRlimitFields[] = {field("rlim_cur", kLimit), field("rlim_max", kLimit)};
constexpr FieldType kRlimit64Fields[] = {field("rlim_cur", kLimit64), field("rlim_max", kLimit64)};
constexpr StructLayout kRlimitLayout = {"rlimit", kRlimitFields};
constexpr StructLayout kRlimit64Layout = {"rlimit64", kRlimit64Fields};
static_assert(size_of(kRlimitLayout, Abi::X86_64) == sizeof(rlimit) && size_of(kRlimitLayout, Abi::I386) == 8);

}  // namespace

constinit const ConstantSet kWaitOptions = flag_set("W???", kWaitOptionNames);
constinit const ConstantSet kWaitIds = enumeration("P_???", kWaitIdNames);
constinit const ConstantSet kRusageWho = enumeration("RUSAGE_???", kWhoNames);
constinit const ConstantSet kResources = enumeration("RLIMIT_???", kResourceNames);
constinit const Type kRusage = structure(kRusageLayout);
constinit const Type kRlimit = structure(kRlimitLayout);
constinit const Type kRlimit64 = structure(kRlimit64Layout);

}  // namespace strut
