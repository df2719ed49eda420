// Threads of strut's that do not tell leave its signals to the one that does.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace strut {

std::thread without_signals(auto work) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(work));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace strut
