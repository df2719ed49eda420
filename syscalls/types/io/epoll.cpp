#include "syscalls/types/io/epoll.hpp"

#include <sys/epoll.h>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/eventpoll.h>, <sys/eventfd.h>
constexpr Constant kEventNames[] = {
    {0x1, "EPOLLIN"}, {0x2, "EPOLLPRI"}, {0x4, "EPOLLOUT"}, {0x8, "EPOLLERR"}, {0x10, "EPOLLHUP"},
    {0x20, "EPOLLNVAL"}, {0x40, "EPOLLRDNORM"}, {0x80, "EPOLLRDBAND"}, {0x100, "EPOLLWRNORM"},
    {0x200, "EPOLLWRBAND"}, {0x400, "EPOLLMSG"}, {0x2000, "EPOLLRDHUP"}, {1u << 28, "EPOLLEXCLUSIVE"},
    {1u << 29, "EPOLLWAKEUP"}, {1u << 30, "EPOLLONESHOT"}, {1u << 31, "EPOLLET"},
};
constexpr Constant kOperationNames[] = {{1, "EPOLL_CTL_ADD"}, {2, "EPOLL_CTL_DEL"}, {3, "EPOLL_CTL_MOD"}};
constexpr Constant kCreateFlagNames[] = {{02000000, "EPOLL_CLOEXEC"}};
constexpr Constant kEventfdFlagNames[] = {{1, "EFD_SEMAPHORE"}, {02000000, "EFD_CLOEXEC"}, {04000, "EFD_NONBLOCK"}};

constinit const ConstantSet kEvents = flag_set("EPOLL???", kEventNames);

constexpr FieldType kEpollEventFields[] = {field("events", named(kEvents)), field("data", kHex64)};
constexpr StructLayout kEpollEventLayout = {"epoll_event", kEpollEventFields, true};
static_assert(size_of(kEpollEventLayout, Abi::X86_64) == sizeof(epoll_event));

}  // namespace

constinit const ConstantSet kEpollCreateFlags = flag_set("EPOLL_???", kCreateFlagNames);
constinit const ConstantSet kEpollOperations = enumeration("EPOLL_CTL_???", kOperationNames);
constinit const ConstantSet kEventfdFlags = flag_set("EFD_???", kEventfdFlagNames);
constinit const Type kEpollEvent = structure(kEpollEventLayout);

}  // namespace strut
