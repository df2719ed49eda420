#include "dtrace/engine/signal_fates.hpp"

#include <csignal>

#include "procfs/process_status.hpp"

namespace strut {
namespace {

constexpr uint64_t bit_of(int signal) { return signal > 0 && signal <= 64 ? uint64_t{1} << (signal - 1) : 0; }

/// signal(7), "Standard signals": action Ign; and Cont, of a process that is not stopped.
constexpr uint64_t kIgnoredByDefault = bit_of(SIGCHLD) | bit_of(SIGURG) | bit_of(SIGWINCH) | bit_of(SIGCONT);

}  // namespace

bool is_handled(Pid pid, int signal) {
  auto status = process_status(leader_of(pid));
  return status && (status->caught & bit_of(signal)) != 0;
}

bool is_discarded(Tid tid, int signal) {
  auto status = process_status(tid);
  if (!status) return false;
  uint64_t ignored = status->ignored | (kIgnoredByDefault & ~status->caught);
  return (ignored & ~status->blocked & bit_of(signal)) != 0;
}

}  // namespace strut
