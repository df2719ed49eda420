#include "kassist/dtrace/news_wait.hpp"

#include <cerrno>

#include <sys/epoll.h>

#include "base/clock.hpp"

namespace strut {

Result<DNewsWait> DNewsWait::make() {
  OwnedFd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return fail({errno, "epoll_create1", {}, {}, {}});
  return DNewsWait(std::move(epoll));
}

Result<void> DNewsWait::listen_to(int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    return fail({errno, "epoll_ctl", {}, {}, {}});
  return {};
}

bool DNewsWait::wait(uint64_t until_ns) const {
  uint64_t now_ns = monotonic_ns(), rest_ns = until_ns > now_ns ? until_ns - now_ns : 0;
  timespec limit{static_cast<time_t>(rest_ns / 1'000'000'000), static_cast<long>(rest_ns % 1'000'000'000)};
  epoll_event event;
  return ::epoll_pwait2(epoll_.number(), &event, 1, &limit, nullptr) >= 0 || errno != EINTR;
}

}  // namespace strut
