#include <algorithm>

#include "cli/strace/parsing.hpp"

namespace strut {
namespace {

using Checked = Result<void>;

Checked check_command(const StraceParsing& p) {
  const StraceOptions& options = p.options;
  bool command = !options.command.empty();
  if (options.own.filters() && !options.own.all)
    return refuse("--uid, --cgroup, --container and --comm choose among --all processes");
  if (options.own.all && (command || !options.request.attach.empty()))
    return refuse("--all traces every process: it takes neither PROG [ARGS] nor -p");
  if (options.own.all) return {};
  if (!command && options.request.attach.empty()) return refuse("must have PROG [ARGS] or -p PID", Hint::TryHelp);
  if (!command && options.argv0) return refuse("PROG [ARGS] must be specified with --argv0", Hint::TryHelp);
  return {};
}

Checked together(const Repeated& repeated, std::string_view letter, std::string_view word) {
  if (repeated.letters == 0 || !repeated.spelled) return {};
  return refuse(std::string(letter) + " and " + std::string(word) + " cannot be provided simultaneously");
}

Checked complete_daemon(StraceParsing& p) {
  using Daemon = TraceRequest::Daemon;
  TRY_VOID(together(p.daemon, "-D", "--daemonize"));
  if (p.daemon.letters > int(Daemon::Session))
    return refuse("Too many -D's (" + std::to_string(p.daemon.letters) + "), maximum supported -D count is 3",
                  Hint::TryHelp);
  if (p.daemon.letters) p.options.request.daemon = Daemon(p.daemon.letters);
  if (p.options.request.daemon != Daemon::No && p.options.command.empty())
    return refuse("PROG [ARGS] must be specified with -D/--daemonize", Hint::TryHelp);
  return {};
}

Checked complete_looks(StraceParsing& p) {
  StraceStyle& style = p.options.style;
  TRY_VOID(together(p.timestamps, "-t", "--absolute-timestamps"));
  TRY_VOID(together(p.hex, "-x", "--strings-in-hex"));
  TRY_VOID(together(p.fds, "-y", "--decode-fds"));
  if (p.timestamps.letters) style.absolute_time = AbsoluteTime::TimeOfDay;
  if (p.timestamps.letters > 1) style.absolute_precision = Precision::Microseconds;
  if (p.timestamps.letters > 2) style.absolute_time = AbsoluteTime::UnixTime;
  if (p.hex.letters) style.hex_strings = p.hex.letters > 1 ? HexStrings::All : HexStrings::NonAscii;
  if (p.fds.letters) style.fd_shows = p.fds.letters > 1 ? kFdAll : kFdPath;
  return {};
}

bool follows(const StraceParsing& p) { return p.follow.letters || p.follow.spelled; }

/// Why --seccomp-bpf cannot be had; empty: it can.
std::string_view against_seccomp(const StraceParsing& p) {
  const TraceRequest& request = p.options.request;
  if (!request.detach_on.empty()) return "--seccomp-bpf is not enabled because it is not compatible with -b";
  if (request.call_limit) return "--seccomp-bpf is not enabled because it is not compatible with --syscall-limit";
  if (!follows(p)) return "--seccomp-bpf cannot be used without -f/--follow-forks, disabling";
  return {};
}

void complete_seccomp(StraceParsing& p) {
  TraceRequest& request = p.options.request;
  if (!request.seccomp_filter) return;
  if (std::string_view why = against_seccomp(p); !why.empty()) {
    p.warnings.emplace_back(why);
    request.seccomp_filter = false;
    return;
  }
  if (!request.attach.empty()) p.warnings.emplace_back("--seccomp-bpf is not enabled for processes attached with -p");
  if (request.calls == SyscallSet::all()) {
    p.warnings.emplace_back(
        "Seccomp filter is requested but there are no syscalls to filter.  See -e trace to filter syscalls.");
    request.seccomp_filter = false;
  } else if (request.attach.empty()) {
    request.kill_on_exit = true;
  }
}

Checked check_follow(const StraceParsing& p) {
  TRY_VOID(together(p.follow, "-f", "--follow-forks"));
  if (p.follow.letters > 1 && p.output_separately)
    return refuse("-ff and --output-separately cannot be provided simultaneously");
  return {};
}

Checked complete_follow(StraceParsing& p) {
  if (p.follow_by_old_letter)
    p.warnings.emplace_back(follows(p) ? "deprecated option -F ignored"
                                       : "option -F is deprecated, please use -f/--follow-forks instead");
  p.options.request.follow = follows(p) || p.follow_by_old_letter || p.options.own.all;
  // A single -f takes --output-separately back: strace 7.2 lets the letters alone decide where there are any.
  p.options.separate_output = p.follow.letters ? p.follow.letters > 1 : p.output_separately;
  if (p.options.separate_output && p.options.summary != SummaryMode::No)
    return refuse("(-c/--summary-only or -C/--summary) and -ff/--output-separately are mutually exclusive",
                  Hint::TryHelp);
  return {};
}

void warn_of_looks_in_summary(StraceParsing& p) {
  const StraceStyle& style = p.options.style;
  const struct {
    bool given;
    const char* option;
  } kUseless[] = {
      {style.ip, "-i/--instruction-pointer"},
      {p.stack_traces != 0, "-k/--stack-trace"},
      {style.syscall_number, "-n/--syscall-number"},
      {style.arg_names, "-N/--arg-names"},
      {style.relative_time, "-r/--relative-timestamps"},
      {style.absolute_time != AbsoluteTime::No, "-t/--absolute-timestamps"},
      {style.call_time, "-T/--syscall-times"},
      {style.fd_shows != 0, "-y/--decode-fds"},
  };
  for (const auto& [given, option] : kUseless)
    if (given) p.warnings.push_back(std::string(option) + " has no effect with -c/--summary-only");
}

Checked complete_summary(StraceParsing& p) {
  constexpr const char* kEither = "(-c/--summary-only or -C/--summary)";
  if (p.options.summary == SummaryMode::Only) warn_of_looks_in_summary(p);
  if (p.options.summary != SummaryMode::No) return check_counts(*p.options.own.format);
  auto needs = [&](const char* option) {
    return refuse(std::string(option) + " must be given with " + kEither, Hint::TryHelp);
  };
  if (p.options.summary_style.wall_clock) return needs("-w/--summary-wall-clock");
  if (p.columns_chosen) return needs("-U/--summary-columns");
  if (p.sorted) p.warnings.push_back(std::string("-S/--summary-sort-by has no effect without ") + kEither);
  return {};
}

void complete_output(StraceParsing& p) {
  StraceOptions& options = p.options;
  if (!options.output) {
    if (p.output_separately && !options.request.follow)
      p.warnings.emplace_back("--output-separately has no effect without -o/--output");
    if (options.append) p.warnings.emplace_back("-A/--output-append-mode has no effect without -o/--output");
    options.separate_output = false;
  }
  if (p.status_letters > 1)
    p.warnings.emplace_back(
        "Only the last of -z/--successful-only/-Z/--failed-only options will take effect. "
        "See status qualifier for more complex filters.");
  if (p.frame_limit != 0 && p.stack_traces == 0)
    p.warnings.emplace_back("--stack-trace-frame-limit has no effect without -k/--stack-trace");
}

Checked check_rest(const StraceParsing& p) {
  const StraceOptions& options = p.options;
  if (options.separate_output && (options.output->starts_with('|') || options.output->starts_with('!')))
    return refuse("piping the output and -ff/--output-separately are mutually exclusive", Hint::TryHelp);
  if (options.request.kill_on_exit && !options.request.attach.empty())
    return refuse("--kill-on-exit and -p/--attach are mutually exclusive options");
  return together(p.quiet, "-q", "-e quiet/--quiet");
}

void complete_quiet(StraceParsing& p) {
  constexpr uint32_t kByLetters[] = {0, kQuietAttach | kQuietPersonality, kQuietAttach | kQuietPersonality | kQuietExit,
                                     kQuietAll};
  if (p.quiet.letters) p.quiet_bits = kByLetters[std::min(p.quiet.letters, 3)];
  else if (!p.quiet.spelled && p.options.output && !p.options.command.empty()) p.quiet_bits = kByLetters[1];
  if (p.options.own.all) p.quiet_bits |= p.quiet.spelled ? kQuietAttach : kQuietAttach | kQuietExit;
  StraceStyle& style = p.options.style;
  style.quiet_attach = (p.quiet_bits & kQuietAttach) != 0;
  style.quiet_exit = (p.quiet_bits & kQuietExit) != 0;
  style.quiet_personality = (p.quiet_bits & kQuietPersonality) != 0;
  style.quiet_superseded = (p.quiet_bits & kQuietSuperseded) != 0;
  p.options.says_path_resolution =
      p.quiet.letters > 0 || (p.quiet_bits & kQuietPath) == 0;  // -qqq is silent of it in strace(1) only
}

/// strace(1), -I: how signals act unless it is said.
Interruptible usual_interruptible(const StraceOptions& options) {
  if (options.request.daemon != TraceRequest::Daemon::No) return Interruptible::NeverAndTstp;
  if (options.output && !options.command.empty()) return Interruptible::Never;
  return Interruptible::WhileWaiting;
}

/// True if more than one process may be traced in the course of the run.
bool may_be_several(const StraceOptions& options) {
  size_t processes = options.request.attach.size() + (options.command.empty() ? 0 : 1);
  return options.request.follow || processes > 1;
}

/// Lines of a whole machine's trace name the process; its signals and ends are shown if they are asked for. strace has
/// no such trace, so that -P is not bound to match as strace does.
void complete_system_wide(StraceParsing& p) {
  if (!p.options.own.all) return;
  p.options.style.pid_leader = p.options.separate_output ? PidLeader::Never : PidLeader::Always;
  p.options.style.bracketed_pid = !p.options.output;
  p.options.request.need_comm = p.options.request.resolves_paths = true;
  if (!p.signals_chosen) p.options.style.signals = p.options.request.signals = {};
}

/// Derives settings of the backend and the text from all options together.
void derive(StraceParsing& p) {
  StraceOptions& options = p.options;
  StraceStyle& style = options.style;
  TraceRequest& request = options.request;
  style.full = ~request.decode.abbreviate;
  style.raw = request.decode.raw;
  style.signals = request.signals;
  request.decode.fd_targets = style.fd_shows != 0 || !options.trace_paths.empty();  // -P looks behind descriptors
  request.decode.fd_details = (style.fd_shows & ~kFdPath) != 0;
  request.need_comm = request.decode.comms;
  if (request.interruptible == Interruptible::Default) request.interruptible = usual_interruptible(options);
  request.need_ip = style.ip;
  constexpr size_t kUsualFrames = 256;  // strace(1), --stack-trace-frame-limit
  if (p.stack_traces != 0) request.stack_frames = p.frame_limit ? p.frame_limit : kUsualFrames;
  if (p.always_show_pid) style.pid_leader = PidLeader::Always;
  else if (options.separate_output) style.pid_leader = PidLeader::Never;
  else if (options.output && may_be_several(options)) style.pid_leader = PidLeader::Always;
  style.bracketed_pid = style.pid_leader == PidLeader::WhenSeveral;
  bool counts = options.summary != SummaryMode::No;
  request.measure_system_time = counts && !options.summary_style.wall_clock;
  request.need_return_times = counts || style.call_time;
  request.need_times = request.need_return_times || style.relative_time || style.absolute_time != AbsoluteTime::No;
  if (options.summary != SummaryMode::Only) request_details(*options.own.format, request);
  request.decode_arguments = options.summary != SummaryMode::Only || !options.trace_paths.empty() ||
                             !request.fds.empty() || request.fds_inverted;
}

}  // namespace

Result<void> complete_strace_options(StraceParsing& p) {
  TRY_VOID(check_command(p));
  TRY_VOID(complete_daemon(p));
  TRY_VOID(complete_looks(p));
  TRY_VOID(check_follow(p));
  complete_seccomp(p);
  TRY_VOID(complete_follow(p));
  TRY_VOID(complete_summary(p));
  complete_output(p);
  TRY_VOID(check_rest(p));
  complete_quiet(p);
  derive(p);
  complete_system_wide(p);
  return {};
}

}  // namespace strut
