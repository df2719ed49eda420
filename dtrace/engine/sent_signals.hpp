// Signals that calls send: kill(2), tkill(2), tgkill(2), rt_sigqueueinfo(2), rt_tgsigqueueinfo(2),
// pidfd_send_signal(2).
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "syscalls/call.hpp"

namespace strut {

/// A process that was sent a signal, in strut's numbers; `tid` is its first thread where the call names none.
struct SentSignal {
  Pid pid{};
  Tid tid{};
  uint32_t signal = 0;
};

/// The processes that a successful call sent a signal to: none for any other call, for signal 0, and for kill(-1), with
/// its unknown recipients. Of a group, its current members.
std::vector<SentSignal> sent_signals(const Call& call);

}  // namespace strut
