#include "core/types/process.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/fcntl.h>, <linux/pidfd.h>, <linux/kcmp.h>.
constexpr Constant kExecveatNames[] = {
    {0x100, "AT_SYMLINK_NOFOLLOW"}, {0x1000, "AT_EMPTY_PATH"}, {0x10000, "AT_EXECVE_CHECK"},
};
constexpr Constant kPidfdNames[] = {{04000, "PIDFD_NONBLOCK"}, {0200, "PIDFD_THREAD"}, {0x200, "PIDFD_AUTOKILL"}};
constexpr Constant kPidfdSignalNames[] = {
    {1, "PIDFD_SIGNAL_THREAD"}, {2, "PIDFD_SIGNAL_THREAD_GROUP"}, {4, "PIDFD_SIGNAL_PROCESS_GROUP"},
};
constexpr Constant kKcmpNames[] = {
    {0, "KCMP_FILE"}, {1, "KCMP_VM"}, {2, "KCMP_FILES"}, {3, "KCMP_FS"},
    {4, "KCMP_SIGHAND"}, {5, "KCMP_IO"}, {6, "KCMP_SYSVSEM"}, {7, "KCMP_EPOLL_TFD"},
};

constexpr FieldType kEpollSlotFields[] = {field("efd", kFd), field("tfd", kFd), field("toff", kUInt)};
constexpr StructLayout kEpollSlotLayout = {"kcmp_epoll_slot", kEpollSlotFields};
constexpr Type kEpollSlot = structure(kEpollSlotLayout);

constexpr CommandRow kKcmpRows[] = {
    command(0, kSignedResult, fd("idx1"), fd("idx2")),
    command(1, kSignedResult), command(2, kSignedResult), command(3, kSignedResult), command(4, kSignedResult),
    command(5, kSignedResult), command(6, kSignedResult),
    command(7, kSignedResult, fd("idx1"), in("idx2", kEpollSlot)),
};

}  // namespace

constinit const ConstantSet kExecveatFlags = flag_set("AT_???", kExecveatNames);
constinit const ConstantSet kPidfdFlags = flag_set("PIDFD_???", kPidfdNames);
constinit const ConstantSet kPidfdSignalFlags = flag_set("PIDFD_SIGNAL_???", kPidfdSignalNames);
constinit const ConstantSet kKcmpTypes = enumeration("KCMP_???", kKcmpNames);
constinit const CommandTable kKcmpCommands = {2, 3, kKcmpRows};

}  // namespace strut
