#include "cli/strace/take.hpp"

#include <algorithm>
#include <climits>

#include <unistd.h>

#include "base/plain_text.hpp"
#include "cli/common/numbers.hpp"

namespace strut {

std::unexpected<Error> invalid_argument(const StraceParsing& parsing, std::string_view value) {
  return refuse("invalid " + parsing.spelling + " argument: '" + std::string(value) + "'", Hint::TryHelp);
}

namespace {

Taken set(bool& flag) { return flag = true, Taken{}; }
Taken count(int& times) { return times++, Taken{}; }
Taken add(std::vector<std::string>& list, std::string_view value) { return list.emplace_back(value), Taken{}; }

Taken take_interruptible(StraceParsing& p, std::string_view value) {
  constexpr const char* kWords[] = {"anywhere", "waiting", "never", "never_tstp"};
  auto number = parse_number(value, std::size(kWords)).value_or(0);
  for (size_t i = 0; i < std::size(kWords); i++)
    if (same_ignoring_case(value, kWords[i])) number = i + 1;
  if (same_ignoring_case(value, "always")) number = 1;
  if (number == 0) return invalid_argument(p, value);
  p.options.request.interruptible = Interruptible(number);
  return {};
}

Taken take_attach(StraceParsing& p, std::string_view value) {
  std::vector<Pid>& pids = p.options.request.attach;
  for (auto piece = next_piece(value, ", \t\n"); !piece.empty(); piece = next_piece(value, ", \t\n")) {
    auto number = parse_number(piece, INT_MAX);
    if (!number || *number == 0) return refuse("Invalid process id: '" + std::string(piece) + "'");
    if (static_cast<pid_t>(*number) == ::getpid()) return refuse("I'm sorry, I can't let you do that, Dave.");
    if (std::find(pids.begin(), pids.end(), Pid(*number)) == pids.end()) pids.push_back(Pid(*number));
  }
  return {};
}

Taken take_detach_on(StraceParsing& p, std::string_view value) {
  if (value != "execve") return refuse("Syscall '" + std::string(value) + "' for -b isn't supported");
  p.options.request.detach_on = TRY(parse_syscall_set("execve,execveat"));
  return {};
}

Taken take_daemonize(StraceParsing& p, std::string_view value) {
  using Daemon = TraceRequest::Daemon;
  p.daemon.spelled = true;
  Daemon& daemon = p.options.request.daemon;
  if (same_ignoring_case(value, "grandchild")) daemon = Daemon::Grandchild;
  else if (same_ignoring_case(value, "pgroup") || same_ignoring_case(value, "pgrp")) daemon = Daemon::ProcessGroup;
  else if (same_ignoring_case(value, "session")) daemon = Daemon::Session;
  else return invalid_argument(p, value);
  return {};
}

Taken take_syscall_limit(StraceParsing& p, std::string_view value) {
  auto number = parse_number(value, INT64_MAX);
  if (!number || *number == 0) return invalid_argument(p, value);
  p.options.request.call_limit = *number;
  return {};
}

Taken take_frame_limit(StraceParsing& p, std::string_view value) {
  auto number = parse_number(value, INT_MAX);
  if (!number || *number == 0) return invalid_argument(p, value);
  p.frame_limit = static_cast<size_t>(*number);
  return {};
}

Taken take_stack_trace(StraceParsing& p, std::string_view value) {
  if (!value.empty() && value != "symbol" && value != "source") return invalid_argument(p, value);
  p.stack_traces++;
  p.options.request.stack_lines = value == "source";
  return {};
}

/// -k names functions, -kk lines too.
Taken take_stack_letter(StraceParsing& p) {
  p.options.request.stack_lines = p.stack_traces++ > 0;
  return {};
}

Taken take_status(StraceParsing& p, StatusFilter only) {
  p.status_letters++;
  p.options.request.status = only;
  return {};
}

/// Letters, and long options that mean the same, without a value.
Taken take_letter(StraceParsing& p, char letter) {
  StraceOptions& options = p.options;
  switch (letter) {
    case 'A': return set(options.append);
    case 'c': return take_summary(p, SummaryMode::Only);
    case 'C': return take_summary(p, SummaryMode::Also);
    case 'd': return set(options.debug);
    case 'D': return count(p.daemon.letters);
    case 'f': return count(p.follow.letters);
    case 'F': return set(p.follow_by_old_letter);
    case 'i': return set(options.style.ip);
    case 'k': return take_stack_letter(p);
    case 'n': return set(options.style.syscall_number);
    case 'N': return set(options.style.arg_names);
    case 'q': return count(p.quiet.letters);
    case 'r': return take_relative_timestamps(p, "us");
    case 't': return count(p.timestamps.letters);
    case 'T': return take_syscall_times(p, "us");
    case 'v': return take_qualifier(p, "abbrev", "none");
    case 'V': return set(p.version);
    case 'w': return set(options.summary_style.wall_clock);
    case 'x': return count(p.hex.letters);
    case 'y': return count(p.fds.letters);
    case 'Y': return take_qualifier(p, "decode-pids", "comm");
    case 'z': return take_status(p, {true, false, false, false, false});
    case 'Z': return take_status(p, {false, true, false, false, false});
  }
  CHECK_THAT(!"no case takes this letter of the table");
  return {};
}

Taken take_letter(StraceParsing& p, char letter, std::string_view value) {
  StraceOptions& options = p.options;
  switch (letter) {
    case 'a': return take_columns(p, value);
    case 'b': return take_detach_on(p, value);
    case 'e': return take_qualifier(p, value);
    case 'E': return add(options.environment, value);
    case 'I': return take_interruptible(p, value);
    case 'o': return options.output.emplace(value), Taken{};
    case 'O': return take_overhead(p, value);
    case 'p': return take_attach(p, value);
    case 'P': return add(options.trace_paths, value);
    case 's': return take_string_limit(p, value);
    case 'S': return take_sort_by(p, value);
    case 'u': return options.user.emplace(value), Taken{};
    case 'U': return take_summary_columns(p, value);
    case 'X': return take_names_as(p, value);
  }
  CHECK_THAT(!"no case takes this letter of the table");
  return {};
}

Taken take_long_only(StraceParsing& p, const ScannedOption& option) {
  StraceOptions& options = p.options;
  std::string_view value = option.value.value_or("");
  auto value_or = [&](std::string_view otherwise) { return option.value.value_or(otherwise); };
  switch (option.id) {
    case kLongArgv0: return options.argv0.emplace(value), Taken{};
    case kLongAlwaysShowPid: return set(p.always_show_pid);
    case kLongColour: return take_colour(p, value);
    case kLongDaemonize: return take_daemonize(p, value_or("grandchild"));
    case kLongDecodeFds: return take_qualifier(p, "decode-fds", value_or("path"));
    case kLongFollowForks: return set(p.follow.spelled);
    case kLongFrameLimit: return take_frame_limit(p, value);
    case kLongHexStrings: return take_hex_strings(p, value_or("all"));
    case kLongKillOnExit: return set(options.request.kill_on_exit);
    case kLongOutputSeparately: return set(p.output_separately);
    case kLongPidnsTranslation: return take_qualifier(p, "decode-pids", "pidns");
    case kLongQuiet: return take_qualifier(p, "quiet", value_or("attach,personality"));
    case kLongRelativeTimestamps: return take_relative_timestamps(p, value_or("us"));
    case kLongSeccomp: return set(options.request.seccomp_filter);
    case kLongSecontext: return set(options.style.secontext);
    case kLongStackTrace: return take_stack_trace(p, value_or("symbol"));
    case kLongSyscallLimit: return take_syscall_limit(p, value);
    case kLongSyscallTimes: return take_syscall_times(p, value_or("us"));
    case kLongTimestamps: return take_timestamps(p, value);
    case kLongTips: return take_tips(p, value);
  }
  CHECK_THAT(!"no case takes this long option of the table");
  return {};
}

}  // namespace

Taken take_strace_option(StraceParsing& p, const ScannedOption& option) {
  p.spelling = option.letter ? std::string("-") + option.letter : "--" + std::string(option.long_name);
  if (option.id >= kOwnBackend) return take_own_option(p.options.own, option);
  if (option.id >= kLongQualifier) return take_qualifier(p, option.long_name, option.value.value_or("new"));
  if (option.id >= kLongArgv0) return take_long_only(p, option);
  return option.value ? take_letter(p, char(option.id), *option.value) : take_letter(p, char(option.id));
}

}  // namespace strut
