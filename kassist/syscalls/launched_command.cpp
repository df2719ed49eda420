#include "kassist/syscalls/launched_command.hpp"

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "process/wait_status.hpp"

namespace strut {

namespace {

constexpr uint64_t kPatience_ns = 1'000'000'000;

/// The end of a child that is not waited for yet.
struct ChildsEnd {
  bool has_ended = false;
  std::optional<int> status;  ///< nullopt: it is not known
};
ChildsEnd end_of(Pid child) {
  siginfo_t end{};
  bool is_known = ::waitid(P_PID, static_cast<id_t>(raw(child)), &end, WEXITED | WNOHANG | WNOWAIT) == 0;
  if (!is_known) return {true, std::nullopt};
  return {end.si_pid != 0, end.si_pid != 0 ? std::optional(wait_status_of(end)) : std::nullopt};
}

}  // namespace

Result<void> LaunchedCommand::look_for_end() {
  if (!child_ || !(builder_.awaits_heir() || builder_.command().is_hidden)) return {};
  ChildsEnd end = end_of(*child_);
  if (!end.has_ended) return {};
  if (builder_.awaits_heir()) TRY_VOID(builder_.report_heirs_end(end.status));
  // A command that executed a set-user-ID program is not shown any more, but waited for.
  if (builder_.command().is_hidden) builder_.end_hidden_command(end.status.value_or(0));
  return {};
}

void LaunchedCommand::end(int signal) const {
  if (!child_ || builder_.command().status) return;
  ::kill(raw(*child_), SIGCONT);
  ::kill(raw(*child_), signal);
}

void LaunchedCommand::take_status(Outcome& outcome) const {
  std::optional<int> reported = builder_.command().status;
  if (!child_ || !reported) return;
  outcome.status = *reported;
  outcome.command_ended = true;
  for (uint64_t until = monotonic_ns() + kPatience_ns; monotonic_ns() < until; ::usleep(200))
    if (::waitpid(raw(*child_), nullptr, WNOHANG) != 0) return;
}

}  // namespace strut
