// strace's command line as a value. strace 7.2's messages were taken from its runs.
#include <doctest/doctest.h>

#include <unistd.h>

#include <initializer_list>

#include "cli/common/message.hpp"
#include "cli/strace/options.hpp"
#include "cli/trace/options.hpp"

namespace strut::test {
namespace {

struct Parsed {
  Result<StraceOptions> result = fail({});
  std::vector<std::string> warnings;
  const StraceOptions* operator->() const { return &*result; }
};

using Parse = Result<StraceOptions> (*)(std::span<const std::string> words, std::vector<std::string>& warnings);

Parsed parse(std::initializer_list<const char*> words, Parse by = parse_strace_options) {
  std::vector<std::string> owned(words.begin(), words.end());
  Parsed parsed;
  parsed.result = by(owned, parsed.warnings);
  return parsed;
}

std::string refusal(std::initializer_list<const char*> words) {
  Parsed parsed = parse(words);
  if (parsed.result) return "";
  const Error& error = parsed.result.error();
  return error.why + (error.advice == kTryHelp ? " (hint)" : "");
}

}  // namespace

TEST_CASE("options: letters may be clustered and arguments attached") {
  Parsed parsed = parse({"-fttTofile", "-s100", "-eopen", "ls", "-l"});
  REQUIRE(parsed.result);
  CHECK(parsed->request.follow);
  CHECK(parsed->style.absolute_time == AbsoluteTime::TimeOfDay);
  CHECK(parsed->style.absolute_precision == Precision::Microseconds);
  CHECK(parsed->style.call_time);
  CHECK(parsed->output == "file");
  CHECK(parsed->request.decode.max_string_bytes == 100);
  CHECK(parsed->request.decode.max_string_bytes == 100);
  CHECK(parsed->command == std::vector<std::string>{"ls", "-l"});
}

TEST_CASE("options: the clock is needed where a time is shown") {
  CHECK_FALSE(parse({"ls"})->request.need_times);
  CHECK_FALSE(parse({"-f", "-o", "file", "ls"})->request.need_times);
  CHECK(parse({"-f", "ls"}, parse_trace_options)->request.need_times == parse({"-f", "ls"})->request.need_times);
  for (const char* option : {"-t", "-ttt", "--timestamps=ns", "-r", "-T", "-c", "-C", "-w"}) {
    Parsed parsed = option == std::string_view("-w") ? parse({"-c", option, "ls"}) : parse({option, "ls"});
    REQUIRE(parsed.result);
    CHECK_MESSAGE(parsed->request.need_times, option);
  }
}

TEST_CASE("options: stacks, with and without lines") {
  CHECK(parse({"ls"})->request.stack_frames == 0);
  CHECK(parse({"-k", "ls"})->request.stack_frames == 256);
  CHECK_FALSE(parse({"-k", "ls"})->request.stack_lines);
  CHECK(parse({"-kk", "ls"})->request.stack_lines);
  CHECK(parse({"--stack-trace=source", "ls"})->request.stack_lines);
  CHECK_FALSE(parse({"--stack-trace=symbol", "ls"})->request.stack_lines);
  CHECK(parse({"-k", "--stack-trace-frame-limit=7", "ls"})->request.stack_frames == 7);
  CHECK(parse({"-k", "--stack-bytes=8192", "ls"})->own.stack_bytes == 8192);
  CHECK_FALSE(parse({"-k", "--stack-bytes=12", "ls"}).result);
  CHECK_FALSE(parse({"-k", "--stack-bytes=8192", "ls"})->own.frames_only);
  CHECK(parse({"-k", "--stack-bytes=frames", "ls"})->own.frames_only);
}

TEST_CASE("options: long ones take = or the next word and may be shortened") {
  CHECK(parse({"--string-limit=7", "ls"})->request.decode.max_string_bytes == 7);
  CHECK(parse({"--string-limit", "7", "ls"})->request.decode.max_string_bytes == 7);
  CHECK(parse({"--string-l", "7", "ls"})->request.decode.max_string_bytes == 7);
  CHECK(parse({"--follow", "ls"})->request.follow);
  CHECK(refusal({"--sys", "ls"}) ==
        "option '--sys' is ambiguous; possibilities: '--syscall-limit' '--syscall-number' '--syscall-times' (hint)");
  CHECK(refusal({"--follow-forks=1", "ls"}) == "option '--follow-forks' doesn't allow an argument (hint)");
  CHECK(refusal({"--string-limit"}) == "option '--string-limit' requires an argument (hint)");
  CHECK(refusal({"-s"}) == "option requires an argument -- 's' (hint)");
  CHECK(refusal({"-fK", "ls"}) == "invalid option -- 'K' (hint)");
  CHECK(refusal({"--nope=1"}) == "unrecognized option '--nope=1' (hint)");
}

TEST_CASE("options: names of one option are not ambiguous") {
  CHECK(parse({"--daemo", "ls"})->request.daemon == TraceRequest::Daemon::Grandchild);
  CHECK(parse({"--fail", "ls"})->request.status.failed);
}

TEST_CASE("options: strut's own are taken in full only, so that strace's abbreviations keep working") {
  Parsed parsed = parse({"--stats", "f", "--backend=ptrace", "ls"});
  REQUIRE(parsed.result);
  CHECK(parsed->own.stats_file == "f");
  CHECK(parsed->own.backend == BackendChoice::Ptrace);
  CHECK_FALSE(parse({"--stat=failed", "ls"})->request.status.successful);
  CHECK_FALSE(parse({"--backend=sun", "ls"}).result);
  CHECK(parse({"--format=json", "ls"})->own.format == find_format("json"));
  CHECK(parse({"--format=json", "ls"}, parse_trace_options)->own.format == find_format("json"));
  CHECK_FALSE(parse({"--forma=json", "ls"}).result);
  CHECK_FALSE(parse({"--format=xml", "ls"}).result);
  CHECK_FALSE(parse({"--format=chrome", "-c", "ls"}).result);
}

TEST_CASE("options: relative names of -P are files where strace's text is not the measure") {
  CHECK_FALSE(parse({"-P", "f", "ls"})->request.resolves_paths);
  CHECK(parse({"-P", "f", "--all"})->request.resolves_paths);
  CHECK(parse({"-P", "f", "ls"}, parse_trace_options)->request.resolves_paths);
}

TEST_CASE("options: a trace of all processes names them, and shows signals and ends if they are asked for") {
  Parsed all = parse({"--all"});
  CHECK(all->request.need_comm);
  CHECK(all->style.pid_leader == PidLeader::Always);
  CHECK(all->style.quiet_exit);
  CHECK(all->request.signals.none());
  CHECK_FALSE(parse({"--all", "-e", "quiet=none"})->style.quiet_exit);
  CHECK(parse({"--all", "-e", "signal=SIGHUP"})->request.signals.count() == 1);
  CHECK_FALSE(parse({"ls"})->style.quiet_exit);
}

TEST_CASE("options: the first word that is none ends them") {
  Parsed parsed = parse({"-f", "ls", "-y"});
  CHECK(parsed->command.size() == 2);
  CHECK(parsed->style.fd_shows == 0);
  CHECK(parse({"-f", "--", "-ls"})->command == std::vector<std::string>{"-ls"});
  CHECK(parse({"-"})->command == std::vector<std::string>{"-"});
  CHECK(refusal({"-f"}) == "must have PROG [ARGS] or -p PID (hint)");
  CHECK(refusal({"--"}) == "must have PROG [ARGS] or -p PID (hint)");
}

TEST_CASE("options: -p takes lists, and each process once") {
  CHECK(parse({"-p", "3,4 5\t6\n3", "-p7"})->request.attach ==
        std::vector<Pid>{Pid{3}, Pid{4}, Pid{5}, Pid{6}, Pid{7}});
  CHECK(refusal({"-p", "x"}) == "Invalid process id: 'x'");
  CHECK(refusal({"-p", "0"}) == "Invalid process id: '0'");
  CHECK(refusal({"-p", "-5"}) == "Invalid process id: '-5'");
  CHECK(refusal({"-p", "99999999999"}) == "Invalid process id: '99999999999'");
  CHECK(refusal({"-p", std::to_string(getpid()).c_str()}) == "I'm sorry, I can't let you do that, Dave.");
}

TEST_CASE("options: numbers are bounded") {
  CHECK(parse({"-s", " +3", "ls"})->request.decode.max_string_bytes == 3);
  CHECK(refusal({"-s", "-1", "ls"}) == "invalid -s argument: '-1' (hint)");
  CHECK(refusal({"-s", "1073741824", "ls"}) == "invalid -s argument: '1073741824' (hint)");
  CHECK(refusal({"--string-l=x", "ls"}) == "invalid --string-limit argument: 'x' (hint)");
  CHECK(refusal({"-a", "2147483648", "ls"}) == "invalid -a argument: '2147483648' (hint)");
  CHECK(refusal({"--syscall-limit=0", "ls"}) == "invalid --syscall-limit argument: '0' (hint)");
}

TEST_CASE("options: -e knows its qualifiers, and takes anything else for a set of calls") {
  Parsed parsed = parse({"-e", "openat", "-e", "signal=!INT,17", "-e", "read=3,4", "-e", "w=!5", "ls"});
  REQUIRE(parsed.result);
  const TraceRequest& request = parsed->request;
  CHECK(request.calls.contains(Abi::X86_64, 257));
  CHECK_FALSE(request.calls.contains(Abi::X86_64, 0));
  CHECK_FALSE(request.signals[2]);
  CHECK(request.signals[3]);
  CHECK(request.decode.dump_reads.contains(4));
  CHECK_FALSE(request.decode.dump_reads.contains(5));
  CHECK(request.decode.dump_writes.contains(4));
  CHECK_FALSE(request.decode.dump_writes.contains(5));
  CHECK(refusal({"-e", "foo=open", "ls"}) == "invalid system call 'foo=open'");
  CHECK(refusal({"-e", "read=x", "ls"}) == "invalid descriptor 'x'");
  CHECK(refusal({"-e", "read=3,all", "ls"}) == "invalid descriptor 'all'");
  CHECK(refusal({"-e", "status=", "ls"}) == "invalid status ''");
  CHECK(refusal({"-e", "trace=brk@16", "ls"}) ==
        "incorrect personality designator '16' in qualification 'brk@16' (hint)");
}

TEST_CASE("options: the later -e of a kind replaces the earlier one") {
  Parsed parsed = parse(
      {"-e", "trace=brk", "-e", "trace=read", "-v", "-e", "abbrev=read", "-e", "raw=brk", "-e", "raw=read", "ls"});
  CHECK(parsed->request.calls.contains(Abi::X86_64, 0));
  CHECK_FALSE(parsed->request.calls.contains(Abi::X86_64, 12));
  CHECK(parsed->style.full.contains(Abi::X86_64, 12));
  CHECK_FALSE(parsed->style.full.contains(Abi::X86_64, 0));
  CHECK(parsed->style.raw.contains(Abi::X86_64, 0));
  CHECK_FALSE(parsed->style.raw.contains(Abi::X86_64, 12));
}

TEST_CASE("options: a filter of no descriptors lets nothing through") {
  Parsed none = parse({"-e", "fd=none", "ls"});
  CHECK_FALSE((none->request.fds.empty() && !none->request.fds_inverted));
  CHECK(parse({"-e", "fds=all", "ls"})->request.fds_inverted);
}

TEST_CASE("options: statuses") {
  CHECK(parse({"-z", "ls"})->request.status.successful);
  CHECK_FALSE(parse({"-z", "ls"})->request.status.failed);
  Parsed parsed = parse({"-z", "-Z", "ls"});
  CHECK(parsed->request.status.failed);
  CHECK(parsed.warnings.size() == 1);
  CHECK(parse({"-e", "status=!failed", "ls"})->request.status.detached);
}

TEST_CASE("options: what is quiet by letters, by words, and by writing to a file") {
  CHECK_FALSE(parse({"ls"})->style.quiet_attach);
  CHECK(parse({"-q", "ls"})->style.quiet_attach);
  CHECK_FALSE(parse({"-q", "ls"})->style.quiet_exit);
  CHECK(parse({"-qq", "ls"})->style.quiet_exit);
  CHECK(parse({"-qqq", "ls"})->style.quiet_superseded);
  CHECK(parse({"-qqq", "ls"})->says_path_resolution);
  CHECK_FALSE(parse({"-e", "quiet=path-resolution", "ls"})->says_path_resolution);
  CHECK(parse({"-o", "f", "ls"})->style.quiet_attach);
  CHECK_FALSE(parse({"-o", "f", "--quiet=exit", "ls"})->style.quiet_attach);
  CHECK_FALSE(parse({"-o", "f", "-p", "1"})->style.quiet_attach);
  CHECK(refusal({"-q", "--quiet", "ls"}) == "-q and -e quiet/--quiet cannot be provided simultaneously");
}

TEST_CASE("options: the pid in front") {
  CHECK(parse({"-f", "ls"})->style.pid_leader == PidLeader::WhenSeveral);
  CHECK(parse({"-f", "ls"})->style.bracketed_pid);
  CHECK(parse({"-f", "-o", "x", "ls"})->style.pid_leader == PidLeader::Always);
  CHECK_FALSE(parse({"-f", "-o", "x", "ls"})->style.bracketed_pid);
  CHECK(parse({"-p", "1,2", "-o", "x"})->style.pid_leader == PidLeader::Always);
  CHECK(parse({"-p", "1", "-o", "x"})->style.pid_leader == PidLeader::WhenSeveral);
  CHECK(parse({"-p", "1,2"})->style.bracketed_pid);
  CHECK(parse({"-ff", "-o", "x", "ls"})->style.pid_leader == PidLeader::Never);
  CHECK(parse({"-ff", "--always-show-pid", "-o", "x", "ls"})->style.pid_leader == PidLeader::Always);
  CHECK(parse({"--always-show-pid", "ls"})->style.pid_leader == PidLeader::Always);
  CHECK_FALSE(parse({"--always-show-pid", "ls"})->style.bracketed_pid);
  CHECK_FALSE(parse({"-f", "--always-show-pid", "ls"})->style.bracketed_pid);
}

TEST_CASE("options: a file per thread") {
  CHECK(parse({"-ff", "-o", "x", "ls"})->separate_output);
  CHECK(parse({"--follow-forks", "--output-separately", "-o", "x", "ls"})->separate_output);
  CHECK(parse({"--output-separately", "-o", "x", "ls"})->separate_output);
  CHECK_FALSE(parse({"-f", "--output-separately", "-o", "x", "ls"})->separate_output);
  CHECK_FALSE(parse({"-ff", "ls"})->separate_output);
  CHECK(refusal({"-ff", "--output-separately", "ls"}) ==
        "-ff and --output-separately cannot be provided simultaneously");
  CHECK(refusal({"-f", "--follow-forks", "ls"}) == "-f and --follow-forks cannot be provided simultaneously");
  CHECK(refusal({"-ff", "-o", "|cat", "ls"}) ==
        "piping the output and -ff/--output-separately are mutually exclusive (hint)");
}

TEST_CASE("options: times and their digits") {
  CHECK(parse({"-ttt", "ls"})->style.absolute_time == AbsoluteTime::UnixTime);
  Parsed parsed = parse({"--timestamps=format:unix,precision:ns", "ls"});
  CHECK(parsed->style.absolute_time == AbsoluteTime::UnixTime);
  CHECK(parsed->style.absolute_precision == Precision::Nanoseconds);
  CHECK(parse({"--timestamps=unix", "--timestamps=ms", "ls"})->style.absolute_time == AbsoluteTime::UnixTime);
  CHECK(parse({"--timestamps=none", "ls"})->style.absolute_time == AbsoluteTime::No);
  CHECK(parse({"--relative-timestamps=s", "ls"})->style.relative_precision == Precision::Seconds);
  CHECK(parse({"-T", "ls"})->style.call_precision == Precision::Microseconds);
  CHECK(refusal({"--abs=format:ns", "ls"}) == "invalid --absolute-timestamps argument: 'format:ns' (hint)");
  CHECK(refusal({"-t", "--timestamps", "ls"}) == "-t and --absolute-timestamps cannot be provided simultaneously");
}

TEST_CASE("options: the summary") {
  Parsed parsed = parse({"-c", "-w", "-S", "calls", "-U", "calls,errors", "-O", "1.5ms", "ls"});
  REQUIRE(parsed.result);
  CHECK(parsed->summary == SummaryMode::Only);
  CHECK(parsed->summary_style.order == SummaryOrder::Calls);
  CHECK(parsed->summary_style.columns ==
        std::vector<SummaryColumn>{SummaryColumn::Calls, SummaryColumn::Errors, SummaryColumn::Name});
  CHECK(parsed->summary_style.overhead_ns == 1'500'000);
  for (const char* name : {"time_percent", "total_time", "time_total", "min_time", "time_min", "max_time", "time_max",
                           "avg_time", "time_avg", "wall_total", "total_wall", "wall_min", "min_wall", "wall_max",
                           "max_wall", "wall_avg", "avg_wall", "syscall_name"}) {
    CHECK_MESSAGE(parse({"-c", "-U", name, "ls"}).result, name);
    CHECK_MESSAGE(parse({"-c", "-S", name, "ls"}).result, name);
  }
  CHECK(parse({"-c", "-S", "time_avg", "ls"})->summary_style.order == SummaryOrder::AvgTime);
  CHECK(refusal({"-c", "-U", "percent_time", "ls"}) == "unknown column name: 'percent_time' (hint)");
  CHECK_FALSE(parsed->request.measure_system_time);
  CHECK_FALSE(parsed->request.decode_arguments);
  CHECK(parse({"-c", "ls"})->request.measure_system_time);
  CHECK(parse({"-c", "-P", "/x", "ls"})->request.decode_arguments);
  CHECK(refusal({"-c", "-C", "ls"}) == "-c/--summary-only and -C/--summary are mutually exclusive (hint)");
  CHECK(refusal({"-w", "ls"}) ==
        "-w/--summary-wall-clock must be given with (-c/--summary-only or -C/--summary) (hint)");
  CHECK(refusal({"-c", "-U", "calls,calls,name", "ls"}) ==
        "call summary column has been provided more than once: 'calls' (-U option residual: 'calls,name') (hint)");
  CHECK(parse({"-c", "-i", "-T", "ls"}).warnings ==
        std::vector<std::string>{"-i/--instruction-pointer has no effect with -c/--summary-only",
                                 "-T/--syscall-times has no effect with -c/--summary-only"});
}

TEST_CASE("options: how the command starts") {
  Parsed parsed = parse({"-E", "A=b", "-E", "C", "-u", "me", "--argv0=x", "-DD", "-I4", "ls"});
  REQUIRE(parsed.result);
  CHECK(parsed->environment == std::vector<std::string>{"A=b", "C"});
  CHECK(parsed->user == "me");
  CHECK(parsed->argv0 == "x");
  CHECK(parsed->request.daemon == TraceRequest::Daemon::ProcessGroup);
  CHECK(parsed->request.interruptible == Interruptible::NeverAndTstp);
  CHECK(parse({"-I", "Waiting", "ls"})->request.interruptible == Interruptible::WhileWaiting);
  CHECK(refusal({"-DDDD", "ls"}) == "Too many -D's (4), maximum supported -D count is 3 (hint)");
  CHECK(refusal({"-D", "-p1"}) == "PROG [ARGS] must be specified with -D/--daemonize (hint)");
  CHECK(refusal({"--argv0=x", "-p1"}) == "PROG [ARGS] must be specified with --argv0 (hint)");
  CHECK(refusal({"--kill-on-exit", "-p1"}) == "--kill-on-exit and -p/--attach are mutually exclusive options");
}

TEST_CASE("options: seccomp-bpf is given up where it cannot be had") {
  CHECK(parse({"-f", "--seccomp-bpf", "-e", "brk", "ls"})->request.seccomp_filter);
  CHECK(parse({"-f", "--seccomp-bpf", "-e", "brk", "ls"})->request.kill_on_exit);
  for (const Parsed& parsed : {parse({"--seccomp-bpf", "-e", "brk", "ls"}), parse({"-f", "--seccomp-bpf", "ls"}),
                               parse({"-f", "--seccomp-bpf", "-b", "execve", "-e", "brk", "ls"}),
                               parse({"-f", "--seccomp-bpf", "--syscall-limit=1", "-e", "brk", "ls"})}) {
    REQUIRE(parsed.result);
    CHECK_FALSE(parsed->request.seccomp_filter);
    CHECK_FALSE(parsed->request.kill_on_exit);
    CHECK(parsed.warnings.size() == 1);
  }
}

TEST_CASE("options: help, version and tips need no command") {
  CHECK(parse({"-h", "-K"})->action == StraceAction::ShowHelp);
  CHECK(refusal({"-K", "-h"}) == "invalid option -- 'K' (hint)");
  CHECK(parse({"-V", "-w"})->action == StraceAction::ShowVersion);
  CHECK(parse({"--tips=3,full"})->action == StraceAction::ShowTips);
  CHECK(parse({"--tips=3,full"})->tip == 3);
  CHECK(refusal({"--tips=none"}) == "must have PROG [ARGS] or -p PID (hint)");
  CHECK(refusal({"--tips=id:x", "ls"}) == "invalid --tips argument: 'id:x' (hint)");
}

}  // namespace strut::test
