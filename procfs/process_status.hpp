// The state of a process or thread in /proc: proc(5), "/proc/pid/status", "/proc/pid/task", "/proc/pid/maps".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace strut {

/// A few lines of /proc/ID/status.
struct ProcessStatus {
  Tid tid{};
  Pid pid{};
  Pid parent{};
  int32_t tracer = 0;  ///< the tracer, in the reader's pid namespace; 0: none
  char state = '?';    ///< R S D T t Z X I
  uid_t uid = 0;       ///< real
  uid_t effective_uid = 0;
  gid_t gid = 0;  ///< real
  gid_t effective_gid = 0;
  uint32_t threads = 0;
  uint64_t pending = 0;              ///< "SigPnd:", the thread's own; bit n-1 is signal n
  uint64_t process_pending = 0;      ///< "ShdPnd:"
  uint64_t blocked = 0;              ///< "SigBlk:"
  uint64_t ignored = 0;              ///< "SigIgn:"
  uint64_t caught = 0;               ///< "SigCgt:"
  uint32_t seccomp = 0;              ///< "Seccomp:": SECCOMP_MODE_ of <linux/seccomp.h>; 0: none
  bool kernel_thread = false;        ///< "Kthread:" of Linux 6.8; else no memory lines and not a zombie
  std::vector<int32_t> nested_tids;  ///< NSpid: from the reader's pid namespace inwards; empty before Linux 4.1
  std::vector<int32_t> nested_pids;  ///< NStgid
};

/// A thread's id in its own pid namespace. Without a status, or without NSpid in it: the reader's id.
int32_t own_tid(Tid tid, const Result<ProcessStatus>& status);

/// nullopt: the text lacks Pid or Tgid.
std::optional<ProcessStatus> parse_process_status(std::string_view text);

/// The Error's code is ESRCH if there is no such process or thread.
Result<ProcessStatus> process_status(Tid tid);

/// Whether it sleeps at this moment, interruptibly or not (proc(5), "/proc/pid/stat", state).
bool is_asleep(Tid tid);
/// proc(5), "/proc/pid/stat", state: 'R' it runs or waits for a CPU to run on, 't' it stands still for its tracer …
/// '\0': it is gone.
char state_of(Tid tid);

/// The threads of a process at this moment, in the order of /proc/PID/task. Error ESRCH: no such process.
Result<std::vector<Tid>> threads_of(Pid pid);

/// All processes of strut's pid namespace at this moment.
std::vector<Pid> processes();

/// The comm of a process or thread, without the newline that the file adds. nullopt: it is gone.
std::optional<std::string> comm_of(int32_t id);

/// A field of /proc/ID/stat that is a number, counted from 1 as proc(5) does: 4 and later (behind the last ')', because
/// the comm in parentheses may hold anything). nullopt: malformed or gone.
std::optional<int64_t> stat_field(std::string_view stat, int field);

/// The CPU a thread last ran on: field 39 of /proc/ID/stat. nullopt: malformed or gone.
std::optional<int> parse_last_cpu(std::string_view stat);

}  // namespace strut
