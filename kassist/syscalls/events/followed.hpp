// The followed threads as records show them, and the state that threads of a process share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <signal.h>

#include "kassist/syscalls/events/new_program.hpp"
#include "kassist/transport/captured_memory.hpp"
#include "kassist/transport/order.hpp"
#include "kassist/transport/recorded_context.hpp"
#include "syscalls/call.hpp"
#include "trace/event.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// A signal on its way to a thread.
struct ComingSignal {
  int number = 0;
  siginfo_t info{};
  uint64_t at_ns = 0;
  Disposition disposition = Disposition::Unknown;
  /// The names for the ids in `info`, where they are requested.
  std::string sender;
  int32_t sender_here = 0;  ///< in strut's own pid namespace
  std::optional<FdTarget> file;
  uint64_t ip = 0;             ///< where the thread goes on; 0: unknown
  uint32_t nr = WIRE_NO_CALL;  ///< for its last call
};

/// A process with followed threads.
struct FollowedProcess {
  uint32_t threads = 0;  ///< followed ones that have not ended
  bool over = false;     ///< the last thread has ended; `leader_status` is known
  int leader_status = 0;
  /// The leader was replaced by a thread that exec'd. If no followed thread is left, that one is not followed: the
  /// process has no further events.
  bool has_heir = false;
  /// The signal that kills it at once, and the thread that handled it.
  struct Fatal {
    Tid taker;
    ComingSignal signal;
  };
  std::optional<Fatal> fatal;
};

/// Which one.
struct FollowedId {
  Tid tid;
  Pid pid;
};

/// The results of a thread's last hit of a function site.
struct SeenAtSites {
  SeenAtSites(Tid tid, const DecodeOptions& options, SocketDetails& sockets)
      : memory(tid), around(tid, options, sockets) {}
  void begin() {
    memory.begin();
    around.begin();
  }
  void add(RecordView record, const std::shared_ptr<const Batch>& batch) {
    memory.add(record, batch);
    around.add(record);
  }
  /// The thread has this id from now on, or other memory (execve).
  void move_to(Tid tid) {
    memory.move_to(tid);
    around.move_to(tid);
  }

  CapturedMemory memory;
  RecordedContext around;
};

/// One followed thread.
struct FollowedThread {
  FollowedThread(Tid tid, Pid pid, FollowedProcess& process, const DecodeOptions& options, SocketDetails& sockets)
      : tid(tid), pid(pid), process(&process), memory(tid), around(tid, options, sockets) {}

  Tid tid;
  Pid pid;
  FollowedProcess* process;
  CapturedMemory memory;
  RecordedContext around;
  std::unique_ptr<SeenAtSites> at_sites;  ///< nullptr: it has come to none
  std::string comm;

  /// Reads of its memory and questions that were answered late.
  uint64_t late() const {
    return memory.late() + around.late() + (at_sites ? at_sites->memory.late() + at_sites->around.late() : 0);
  }

  /// A record has the number of the last call: unreported calls have numbers, too.
  void note_number(uint32_t nr) {
    if (nr != WIRE_NO_CALL) last_nr = static_cast<int32_t>(nr);
  }

  bool inside = false;                ///< between enter and exit of a call that was or will be reported
  bool wanted = false;                ///< the call passed the filters
  bool announced = false;             ///< an EnterEvent reported it
  bool resumes = false;               ///< the thread was in that call when it was attached
  bool hidden = false;                ///< the launched command after a failed execve: strut's own calls follow
  bool replaced = false;              ///< the call that it is in replaced the process's memory (execve)
  std::optional<NewProgram> program;  ///< if memory of that execve was missed
  std::optional<Order::Entry> held;   ///< an entry that lacks memory: the return may bring it
  uint64_t next_sequence = 0;
  uint64_t looked_at_sequence = 0;  ///< next_sequence when it was last looked whether it lives
  uint64_t asleep_at_ns = 0;        ///< CLOCK_MONOTONIC: when a look found it asleep in the call it is in; 0: none did
  bool sleep_reported = false;      ///< a SleepingEvent reported it
  uint64_t seen_dead_ns = 0;        ///< CLOCK_MONOTONIC: when a look found that it no longer exists; 0: it did not
  Call call;
  DecodedCall decoded;
  KeptStack stack;  ///< for its current or last call, where it is requested
  int64_t last_nr = -1;
  Abi last_abi = Abi::X86_64;

  std::vector<ComingSignal> ignored;  ///< reported when its current call has returned
  bool stopped = false;               ///< in a group-stop that was reported
  int stops_by = 0;                   ///< a group-stop that is reported when its call has returned
  std::optional<Order::Entry> dying;  ///< the return of its last call, seen while the process was being killed
  struct End {
    int status;  ///< in wait4(2)'s form
    uint64_t at_ns;
  };
  std::optional<End> ended;  ///< a leader that is not reported before the other threads
};

/// Whether it is there and no zombie. Asks the system.
bool lives(const FollowedThread& thread);

}  // namespace strut
