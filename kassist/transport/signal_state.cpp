#include "kassist/transport/signal_state.hpp"

#include <csignal>
#include <cstring>

#include <pthread.h>
#include <ucontext.h>

namespace strut {

namespace {

volatile uint32_t found_bytes;

/// The words that software may use are the last ones of the legacy area.
void look(int, siginfo_t*, void* context) {
  constexpr size_t kLegacyBytes = 512;
  const auto* state = reinterpret_cast<const char*>(static_cast<ucontext_t*>(context)->uc_mcontext.fpregs);
  _fpx_sw_bytes words{};
  if (state) std::memcpy(&words, state + kLegacyBytes - sizeof words, sizeof words);
  if (words.magic1 == FP_XSTATE_MAGIC1) found_bytes = words.extended_size;
}

}  // namespace

uint32_t signal_state_bytes() {
  int signal = SIGRTMAX;
  struct sigaction looking{}, before{};
  looking.sa_sigaction = look;
  looking.sa_flags = SA_SIGINFO;
  sigset_t only, mask;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  found_bytes = 0;
  if (::sigaction(signal, &looking, &before) != 0) return 0;
  ::pthread_sigmask(SIG_UNBLOCK, &only, &mask);
  ::pthread_kill(::pthread_self(), signal);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  ::sigaction(signal, &before, nullptr);
  return found_bytes;
}

}  // namespace strut
