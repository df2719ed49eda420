#include "cli/trace/options.hpp"

#include "cli/common/command_line.hpp"
#include "cli/strace/parsing.hpp"
#include "formatters/format_names.hpp"

namespace strut {
namespace {

constexpr CommandOption kOptions[] = {
    heading("Format"),
    {"--format", Takes::Value, kOwnFormat, kFormatNames, kFormatHelp},
    {"-o,--output", Takes::Value, 'o', "FILE", "write there instead of to stderr; `|COMMAND` writes to a command"},
    {"-A,--output-append-mode", Takes::Nothing, 'A', "", "append to FILE"},
    {"--output-separately", Takes::Nothing, kLongOutputSeparately, "", "one file for each process: FILE.PID (as -ff)"},

    heading("What is traced"),
    {"-p,--attach", Takes::Value, 'p', "PID", "this process; a list, or repeated"},
    {"-f", Takes::Nothing, 'f', "", "follow children; -ff writes one file for each, FILE.PID"},
    {"--follow-forks", Takes::Nothing, kLongFollowForks, "", "as -f"},
    {"-e", Takes::Value, 'e', "EXPRESSION",
     "trace=SET, signal=SET, inject=… as strace has them; SET alone is trace=SET"},
    {"--trace", Takes::Value, kLongQualifier, "CALLS",
     "these system calls: names, %class, /regex, separated by commas; !SET: all others"},
    {"-P,--trace-path", Takes::Value, 'P', "PATH", "only calls that touch PATH; may be repeated"},
    {"--trace-fds", Takes::Value, kLongQualifier + 1, "SET", "only calls on these descriptors"},
    {"--signals", Takes::Value, kLongQualifier + 5, "SET", "these signals"},
    {"--status", Takes::Value, kLongQualifier + 6, "SET",
     "calls that ended so: successful failed unfinished unavailable detached"},
    {"-z,--successful-only", Takes::Nothing, 'z', "", "only successful calls"},
    {"-Z,--failed-only", Takes::Nothing, 'Z', "", "only failed calls"},
    {"-b,--detach-on", Takes::Value, 'b', "execve", "let go of a process that executes another program"},
    {"--syscall-limit", Takes::Value, kLongSyscallLimit, "N", "stop after N calls"},
    {"--seccomp-bpf", Takes::Nothing, kLongSeccomp, "", "with -f: stop only at the calls that are traced"},
    {"--all", Takes::Nothing, kOwnAll, "", "every process, those to come too (kassist)"},
    {"--uid", Takes::Value, kOwnUid, "USER", "of --all: only of this effective user"},
    {"--cgroup", Takes::Value, kOwnCgroup, "DIR", "of --all: only in this cgroup2 directory, or below it"},
    {"--container", Takes::Value, kOwnContainer, "NAME", "of --all: only in the container with this name or id"},
    {"--comm", Takes::Value, kOwnComm, "NAME", "of --all: only where the command has this name"},

    heading("How the command starts"),
    {"-E,--env", Takes::Value, 'E', "NAME=VALUE", "set a variable of its environment; -E NAME removes it"},
    {"-u,--user", Takes::Value, 'u', "USER", "run it as this user, or UID:GID"},
    {"--argv0", Takes::Value, kLongArgv0, "NAME", "with this argv[0]"},
    {"-D", Takes::Nothing, 'D', "", "trace from a grandchild; -DD, -DDD: in a process group, a session of its own"},
    {"--daemonize", Takes::MaybeValue, kLongDaemonize, "HOW", "as -D; HOW: grandchild, pgroup, session"},
    {"-I,--interruptible", Takes::Value, 'I', "anywhere|waiting|never|never_tstp", "when signals may interrupt strut"},
    {"--kill-on-exit", Takes::Nothing, kLongKillOnExit, "", "kill what is traced when strut ends"},

    heading("How much is shown"),
    {"-s,--string-limit", Takes::Value, 's', "BYTES", "longest string shown (32)"},
    {"-v,--no-abbrev", Takes::Nothing, 'v', "", "structures in full"},
    {"--abbrev", Takes::Value, kLongQualifier + 2, "CALLS", "shorten the structures of these calls"},
    {"--verbose", Takes::Value, kLongQualifier + 3, "CALLS", "read what the arguments of these calls point to"},
    {"--raw", Takes::Value, kLongQualifier + 4, "CALLS", "arguments of these calls as numbers"},
    {"-y", Takes::Nothing, 'y', "", "paths behind descriptors; -yy: sockets, devices and more"},
    {"--decode-fds", Takes::MaybeValue, kLongDecodeFds, "SET",
     "as -y; SET: path socket dev pidfd signalfd eventfd all"},
    {"-Y", Takes::Nothing, 'Y', "", "names of processes behind pids"},
    {"--decode-pids", Takes::Value, kLongQualifier + 13, "SET", "comm, pidns"},
    {"--pidns-translation", Takes::Nothing, kLongPidnsTranslation, "", "as --decode-pids=pidns"},
    {"-k", Takes::Nothing, 'k', "", "the user stack of each event; -kk: with source lines"},
    {"--stack-trace", Takes::MaybeValue, kLongStackTrace, "symbol|source", "as -k"},
    {"--stack-trace-frame-limit", Takes::Value, kLongFrameLimit, "N", "at most N frames (256)"},
    {"--read", Takes::Value, kLongQualifier + 7, "SET", "dump what is read from these descriptors"},
    {"--write", Takes::Value, kLongQualifier + 8, "SET", "dump what is written to these descriptors"},
    {"--namespace", Takes::MaybeValue, kLongQualifier + 12, "new", "ids of the namespaces that calls make"},
    {"--secontext", Takes::MaybeValue, kLongSecontext, "full,mismatch", "SELinux contexts (not in this build)"},
    {"--kvm", Takes::Value, kLongQualifier + 11, "vcpu", "exit reasons of KVM (not in this build)"},

    heading("What the text looks like"),
    {"-a,--columns", Takes::Value, 'a', "COLUMN", "where results stand (40)"},
    {"-x", Takes::Nothing, 'x', "", "non-ASCII strings in hexadecimal; -xx: all strings"},
    {"--strings-in-hex", Takes::MaybeValue, kLongHexStrings, "OPTION",
     "as -xx; OPTION: non-ascii-chars, non-ascii, all, none"},
    {"-X,--const-print-style", Takes::Value, 'X', "raw|abbrev|verbose", "how named constants are shown"},
    {"-t", Takes::Nothing, 't', "", "time of day; -tt: with microseconds; -ttt: seconds since 1970"},
    {"--timestamps", Takes::MaybeValue, kLongTimestamps, "FORMAT,UNIT",
     "as -t; FORMAT: none time unix; UNIT: s ms us ns"},
    {"-r", Takes::Nothing, 'r', "", "time since the line before"},
    {"--relative-timestamps", Takes::MaybeValue, kLongRelativeTimestamps, "UNIT", "as -r"},
    {"-T", Takes::Nothing, 'T', "", "time spent in the call"},
    {"--syscall-times", Takes::MaybeValue, kLongSyscallTimes, "UNIT", "as -T"},
    {"-i,--instruction-pointer", Takes::Nothing, 'i', "", "the instruction pointer"},
    {"-n,--syscall-number", Takes::Nothing, 'n', "", "the call's number"},
    {"-N,--arg-names", Takes::Nothing, 'N', "", "names of arguments"},
    {"-q", Takes::Nothing, 'q', "", "no lines about attaching; -qq: about exits; -qqq: about anything"},
    {"--quiet", Takes::MaybeValue, kLongQuiet, "SET", "as -q; SET: attach exit path-resolution personality superseded"},
    {"--always-show-pid", Takes::Nothing, kLongAlwaysShowPid, "", "the pid in front of every line"},
    {"--color", Takes::Value, kLongColour, "auto|always|never", "STRACE_COLORS and NO_COLOR are heeded"},

    heading("Counts instead of lines"),
    {"-c,--summary-only", Takes::Nothing, 'c', "", "a table of calls, times and errors"},
    {"-C,--summary", Takes::Nothing, 'C', "", "besides the lines"},
    {"-w,--summary-wall-clock", Takes::Nothing, 'w', "", "wall-clock times"},
    {"-S,--summary-sort-by", Takes::Value, 'S', "COLUMN", "sort by this column"},
    {"-U,--summary-columns", Takes::Value, 'U', "COLUMNS", "show these columns"},
    {"-O,--summary-syscall-overhead", Takes::Value, 'O', "TIME", "what tracing itself costs for each call"},

    heading("Changing what calls do"),
    {"--inject", Takes::Value, kLongQualifier + 10, "SET:ACTION…",
     "error=E retval=N signal=S syscall=CALL delay_enter=TIME …"},
    {"--fault", Takes::Value, kLongQualifier + 9, "SET[:error=E]", "let calls fail"},

    heading("How strut traces"),
    {"--backend", Takes::Value, kOwnBackend, "auto|ptrace|kassist", "the way of tracing"},
    {"--stats", Takes::Value, kOwnStats, "FILE", "one JSON object about the run, at its end"},
    {"--no-brake", Takes::Nothing, kOwnNoBrake, "", "kassist loses events, and counts them, rather than hold a thread"},
    {"--ring-size", Takes::Value, kOwnRingSize, "MEGABYTES", "of kassist: its buffer"},
    {"--stack-bytes", Takes::Value, kOwnStackBytes, "BYTES|frames", "of kassist: what it copies of each stack"},
    {"-d,--debug", Takes::Nothing, 'd', "", "what strut makes of its options"},
    {"--tips", Takes::MaybeValue, kLongTips, "ID,FORMAT", "a hint"},
    {"-V,--version", Takes::Nothing, 'V', "", "the version"},
};

}  // namespace

const CommandText kTraceCommand = {
    "usage: strut trace [OPTIONS] COMMAND [ARGS]        a command\n"
    "       strut trace [OPTIONS] -p PID [COMMAND …]    running processes\n"
    "       strut trace [OPTIONS] --all                 every process",
    "Traces system calls and signals, as text or JSON. Options are strace's, with --format and what stands under \"How "
    "strut traces\" besides. Times are microseconds unless s, ms, us or ns stands behind them. The exit status is the "
    "command's.",
    Operands::Command, kOptions};

namespace {

Result<void> take(StraceParsing& parsing, const TypedOption& typed) {
  ScannedOption option{.id = typed.id, .long_name = typed.name};
  if (typed.value) option.value = *typed.value;
  return take_strace_option(parsing, option);
}

Result<void> parse(StraceParsing& parsing, std::span<const std::string> words) {
  CommandWords typed = TRY(parse_command(kTraceCommand, words));
  if (typed.help) return parsing.options.action = StraceAction::ShowHelp, Result<void>{};
  for (const TypedOption& option : typed.options) TRY_VOID(take(parsing, option));
  parsing.options.command = std::move(typed.operands);
  parsing.options.request.resolves_paths = true;
  return end_strace_options(parsing);
}

}  // namespace

Result<StraceOptions> parse_trace_options(std::span<const std::string> words, std::vector<std::string>& warnings) {
  StraceParsing parsing;
  Result<void> parsed = parse(parsing, words);
  warnings = std::move(parsing.warnings);
  if (!parsed) return fail(std::move(parsed.error()));
  return std::move(parsing.options);
}

std::string trace_help() { return help_of(kTraceCommand); }

}  // namespace strut
