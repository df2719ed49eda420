// The events of a target's life, in the order of their reports.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include <signal.h>

#include "base/ids.hpp"
#include "syscalls/call.hpp"
#include "syscalls/types/signal/siginfo.hpp"
#include "trace/unwinder.hpp"

namespace strut {

struct FunctionCall;
struct FunctionHit;

/// The thread an event belongs to, as formats name it.
struct ThreadName {
  Pid pid{};
  Tid tid{};
  int32_t shown = 0;      ///< the tid to print: in the innermost pid namespace it is `tid` in strut's own
  std::string_view comm;  ///< empty unless DecodeOptions::comms; valid during the event
};

/// A system call was entered; arguments from `decoded.ready` on are still Pending.
struct EnterEvent {
  const Call* call;
  const DecodedCall* decoded;
};
/// A system call returned (or, with !call->returned, never will). Not every exit has been announced by an enter:
/// a filter that decides at exit, or an attach in the middle, gives the exit alone, with all arguments in it.
struct ExitEvent {
  const Call* call;
  const DecodedCall* decoded;
};
/// The thread is asleep in a call, and has been in it for TraceRequest::sleeping_after_ns. Reported once for a call
/// that an EnterEvent reported.
struct SleepingEvent {
  const Call* call;
  const DecodedCall* decoded;
};
/// A signal's effect on its process.
enum class Disposition : uint8_t {
  Unknown,  ///< not asked for
  Default,
  Ignored,
  Caught,
};
/// A signal is delivered to a thread. `info` is in x86-64's layout, whatever the target's ABI.
struct SignalEvent {
  int number;
  siginfo_t info;
  SiginfoNames names{};  ///< for the ids in `info`, where they were requested (pid_of, fd_of have the ids)
  Disposition disposition = Disposition::Unknown;  ///< when it was delivered; TraceRequest::signal_dispositions
};
/// A group-stop (ptrace(2), "Group-stop").
struct StopEvent {
  int signal;
};
struct ExitedEvent {
  int status;  ///< 0..255
};
struct KilledEvent {
  int signal;
  bool core_dumped;
};
/// A thread other than the leader called execve: `thread` is the leader's id that is superseded by `by`.
struct SupersededEvent {
  Tid by;
};
/// The thread's id became `to` (it called execve and was not the leader). The event's thread is the old id.
struct RenamedEvent {
  Tid to;
};
/// strut began to follow this thread.
struct AttachedEvent {
  bool by_request;                  ///< named by -p (true), or a child that is followed (false)
  uint32_t threads = 1;             ///< by request: of its process, all attached now
  Tid parent{};                     ///< a child's creator; 0: unknown
  const SyscallDesc* by = nullptr;  ///< a child's: the call it returns from; nullptr: not known
};
/// strut let go of this thread, which runs on. `in_call`: a line may be open. Event::stack is that of a call that was
/// in progress when the thread was attached and has not returned.
struct DetachedEvent {
  bool in_call;
  const Call* call = nullptr;  ///< the current call, if its beginning was reported
  const DecodedCall* decoded = nullptr;
};
/// The thread's ABI differs from that of its last event.
struct AbiEvent {
  Abi abi;
};
/// This many events of this thread were lost here, exactly (kassist without the brake).
struct LostEvent {
  uint64_t count;
};
/// A function that is traced was called; arguments from `decoded.ready` on are still Pending. Event::ip is where it
/// returns to.
struct FunctionEntryEvent {
  const FunctionCall* call;
  const DecodedCall* decoded;
};
/// The call returned, or never will (FunctionCall::abandoned).
struct FunctionReturnEvent {
  const FunctionCall* call;
  const DecodedCall* decoded;
};
/// The process exec'd another program: its open calls are gone. Only reported where functions are traced.
struct ExecutedEvent {};

/// A thread is at a site of a function (trace/function_points.hpp): backends report it, and libcalls/ turns it into the
/// entries and returns above. No format sees one.
struct FunctionHitEvent {
  const FunctionHit* hit;
};

/// One thing that happened to one thread.
struct Event {
  ThreadName thread;
  Timestamp at;
  /// The number of the thread's last call and its ABI (-n on event lines); -1: not known.
  int64_t last_nr = -1;
  Abi abi = Abi::X86_64;
  /// Instruction pointer; 0: not known (exit lines).
  uint64_t ip = 0;
  uint32_t tracees = 1;  ///< threads traced at this moment, this one among them
  /// The user stack at the end of a call or at a signal, where it was asked for; nullptr: none. Valid during the event.
  const Stack* stack = nullptr;
  std::variant<EnterEvent, ExitEvent, SignalEvent, StopEvent, ExitedEvent, KilledEvent, SupersededEvent, RenamedEvent,
               AttachedEvent, DetachedEvent, AbiEvent, LostEvent, FunctionEntryEvent, FunctionReturnEvent,
               ExecutedEvent, FunctionHitEvent, SleepingEvent>
      what;
};

}  // namespace strut
