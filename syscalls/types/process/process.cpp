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
Value descriptor_of(Decoder& decoder, uint64_t number) {
  int32_t fd = static_cast<int32_t>(number);
  bool own = static_cast<int32_t>(decoder.arg(kOwner)) == raw(decoder.call().pid);
  return own ? decoder.fd(fd) : Value{Fd{fd, nullptr, false}, {}};
}
template <size_t kOwner>
Value decode_descriptor_of(Decoder& decoder, uint64_t bits, size_t) { return descriptor_of<kOwner>(decoder, bits); }
Value decode_descriptor_at(Decoder& decoder, uint64_t at, size_t) {
  auto number = decoder.read_number(Addr{at}, Width::B4);
  return number ? descriptor_of<1>(decoder, *number) : decoder.missing(Addr{at});
}
constexpr Type kFdOfFirst = custom(decode_descriptor_of<0>), kFdOfSecond = custom(decode_descriptor_of<1>);
constexpr Type kFdInSlot = custom(decode_descriptor_at, 4, Width::B4);

constexpr FieldType kEpollSlotFields[] = {field("efd", kFdInSlot), field("tfd", kFdInSlot), field("toff", kUInt)};
constexpr StructLayout kEpollSlotLayout = {"kcmp_epoll_slot", kEpollSlotFields};
constexpr Type kEpollSlot = structure(kEpollSlotLayout);

constexpr CommandRow kKcmpRows[] = {
    command(0, kUnsignedResult, arg("idx1", kFdOfFirst), arg("idx2", kFdOfSecond)),
    command(1, kUnsignedResult), command(2, kUnsignedResult), command(3, kUnsignedResult), command(4, kUnsignedResult),
    command(5, kUnsignedResult), command(6, kUnsignedResult),
    command(7, kUnsignedResult, arg("idx1", kFdOfFirst), in("idx2", kEpollSlot)),
};

}  // namespace

constinit const ConstantSet kExecveatFlags = flag_set("AT_???", kExecveatNames);
constinit const ConstantSet kPidfdFlags = flag_set("PIDFD_???", kPidfdNames);
constinit const ConstantSet kPidfdSignalFlags = flag_set("PIDFD_SIGNAL_???", kPidfdSignalNames);
constinit const ConstantSet kKcmpTypes = enumeration("KCMP_???", kKcmpNames);
constinit const CommandTable kKcmpCommands = {2, 3, kKcmpRows};

}  // namespace strut
