#include "cli/strace/help.hpp"

#include <cstdio>
#include <ctime>
#include <iterator>

namespace strut {
namespace {

constexpr const char* kHelp = R"(usage: strace [OPTIONS] COMMAND [ARGS]     trace a command
       strace [OPTIONS] -p PID [COMMAND …]  trace running processes

What to trace
  -e trace=SET         these system calls: names, numbers, %class, /regex, separated by
                       commas; !SET is all others, ?name may be unknown, @64 @32 @x32 limit
                       a name to an ABI. Classes: %file %desc %process %network %signal %ipc
                       %memory %creds %clock %pure %stat %lstat %fstat %%stat %statfs
                       %fstatfs %%statfs. A bare `-e SET` is the same.
  -e signal=SET        these signals: INT,SIGTERM,!CHLD …
  -e status=SET        calls that ended so: successful failed unfinished unavailable detached
  -z, -Z               only successful, only failed calls
  -P PATH              only calls that touch PATH (--trace-path; may be repeated)
  -e trace-fds=SET     only calls on these descriptors (also -e fd=)
  -f                   follow children (--follow-forks)
  -p PID,…             attach (--attach; may be repeated)
  -b execve            let go of a process that executes another program (--detach-on)
  --syscall-limit=N    stop after N calls

Starting the command
  -E NAME=VALUE        set a variable of its environment; -E NAME removes it (--env)
  -u USER | UID:GID    as this user (--user)
  --argv0=NAME         with this argv[0]
  -D, -DD, -DDD        keep it a child of the caller: trace from a detached grandchild, in a
                       process group, in a session of its own (--daemonize[=grandchild|pgroup|session])
  -I WHEN              when signals may interrupt strut: anywhere, waiting, never, never_tstp
  --kill-on-exit       kill what is traced when strut ends
  --seccomp-bpf        with -f: stop only at the calls that are traced

What lines look like
  -o FILE              write there instead of to stderr; `|COMMAND` pipes (--output)
  -A                   append to FILE (--output-append-mode)
  -ff                  -f, and a file per process: FILE.PID (--output-separately)
  -s BYTES             longest string shown, 32 (--string-limit)
  -a COLUMN            where results stand, 40 (--columns)
  -v                   structures in full; -e abbrev=SET, -e verbose=SET choose calls
  -e raw=SET           arguments as numbers;  -X raw|abbrev|verbose for named constants
  -x, -xx              non-ASCII strings, all strings in hexadecimal (--strings-in-hex[=…])
  -y, -yy              paths behind descriptors; sockets, devices and more (--decode-fds=SET)
  -Y                   names of processes behind pids (--decode-pids=comm,pidns)
  -t, -tt, -ttt        time of day; with microseconds; seconds since 1970
                       (--timestamps=[none|time|unix],[s|ms|us|ns])
  -r                   time since the line before (--relative-timestamps[=s|ms|us|ns])
  -T                   time spent in the call (--syscall-times[=s|ms|us|ns])
  -i, -n, -N           instruction pointer, call number, names of arguments
  -k, -kk              the user stack of each event; with source lines (--stack-trace[=source],
                       --stack-trace-frame-limit=N)
  -e read=SET, -e write=SET   dump what goes through these descriptors
  -q, -qq, -qqq        say less: of attaching, of exits, of anything (--quiet=attach,exit,
                       path-resolution,personality,superseded)
  --always-show-pid    the pid in front of every line
  --color=auto|always|never   STRACE_COLORS and NO_COLOR are heeded

Counting
  -c, -C               a table of calls, times and errors instead of lines, besides them
  -w                   wall-clock times in it
  -S COLUMN, -U COLUMNS  sort by, show these: time-percent total-time min-time max-time
                       avg-time wall-total wall-min wall-max wall-avg calls errors name
  -O TIME              what tracing itself costs per call

Tampering
  -e inject=SET:ACTION…[:when=FIRST[..LAST][+[STEP]]]
                       actions: error=E retval=N signal=S syscall=CALL delay_enter=TIME
                       delay_exit=TIME poke_enter=@argN=HEX poke_exit=@argN=HEX
  -e fault=SET[:error=E][:when=…]

strut's own
  --backend=auto|ptrace|kassist, --stats FILE (one JSON object at the end)
  --no-brake           kassist loses, and counts, rather than hold who is too fast
  --ring-size=MEGABYTES, --stack-bytes=BYTES|frames  of kassist: its buffer; what it takes of each stack
  --all                trace every process, those to come too, instead of PROG and -p (kassist)
  --uid=USER --cgroup=DIR --container=NAME --comm=NAME
                       of --all: only of this effective user, in this cgroup (a directory of
                       cgroup2, or below it) or container (its name or id), of this command's
                       name; all that are given must fit
  -d debug output, -h this help, -V the version, --tips a hint

Times are microseconds unless s, ms, us or ns stands behind them. Long options may be
shortened. The status is the command's.
)";

constexpr const char* kTips[] = {
    "`-e trace=%file` shows what a program looks for on disk; add -Z for what it did not find.",
    "`-P /path` shows only calls that touch one file, whatever descriptor it has by then.",
    "`-f -tt -T` together tell which thread waited for what, when, and how long.",
    "`-e inject=openat:error=ENOSPC:when=3` lets the third openat fail: try your error paths.",
    "`-c -w` counts wall-clock time: calls that wait stand at the top.",
    "`-y` says which file a descriptor is, `-yy` which connection.",
    "`-o '|grep open'` filters the trace without touching the program's own output.",
    "`-ff -o log` writes one file per thread, so that nothing is interleaved.",
    "`--stats FILE` leaves a JSON object about the run: events, losses, start-up time.",
    "`strut doctor` says which ways of tracing work on this machine, and what stands in the way of the others.",
    "`-e status=unfinished` shows the calls in which processes died.",
    "`--syscall-limit=100` lets go of the program after a hundred calls.",
};

}  // namespace

std::string strace_help() { return kHelp; }

void show_tip(const StraceOptions& options) {
  if (options.tips == Tips::No) return;
  uint64_t any = static_cast<uint64_t>(clock()) + static_cast<uint64_t>(time(nullptr));
  const char* tip = kTips[options.tip.value_or(any) % std::size(kTips)];
  if (options.tips == Tips::Full) std::fputs("strut tip\n=========\n\n", stderr);
  std::fprintf(stderr, "Tip: %s\n", tip);
}

}  // namespace strut
