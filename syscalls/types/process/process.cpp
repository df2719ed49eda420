#include "syscalls/types/process/process.hpp"

#include "syscalls/decoder.hpp"

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

/// A descriptor of the process that is argument kOwner of kcmp(2); only the caller's own can be looked up.
template <size_t kOwner>
bool is_own(Decoder& decoder, Addr) {
  return static_cast<int32_t>(decoder.arg(kOwner)) == raw(decoder.call().pid);
}
constexpr Type kOtherFd = unnamed(kFd);
template <size_t kOwner>
constexpr Type kFdOf = kEither<is_own<kOwner>, kFd, kOtherFd>;

constexpr FieldType kEpollSlotFields[] = {field("efd", kFdOf<1>), field("tfd", kFdOf<1>), field("toff", kUInt)};
constexpr StructLayout kEpollSlotLayout = {"kcmp_epoll_slot", kEpollSlotFields};
constexpr Type kEpollSlot = structure(kEpollSlotLayout);

constexpr CommandRow kKcmpRows[] = {
    command(0, kUnsignedResult, arg("idx1", kFdOf<0>), arg("idx2", kFdOf<1>)),
    command(1, kUnsignedResult), command(2, kUnsignedResult), command(3, kUnsignedResult), command(4, kUnsignedResult),
    command(5, kUnsignedResult), command(6, kUnsignedResult),
    command(7, kUnsignedResult, arg("idx1", kFdOf<0>), in("idx2", kEpollSlot)),
};

}  // namespace

constinit const ConstantSet kExecveatFlags = flag_set("AT_???", kExecveatNames);
constinit const ConstantSet kPidfdFlags = flag_set("PIDFD_???", kPidfdNames);
constinit const ConstantSet kPidfdSignalFlags = flag_set("PIDFD_SIGNAL_???", kPidfdSignalNames);
constinit const ConstantSet kKcmpTypes = enumeration("KCMP_???", kKcmpNames);
constinit const CommandTable kKcmpCommands = {2, 3, kKcmpRows};

}  // namespace strut
