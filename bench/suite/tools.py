"""The tracers that are compared, as the words in front of a command; and what they are built from and write to."""
import atexit
import os
import shlex
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = tempfile.mkdtemp(prefix="strut-bench.")
LOG = os.path.join(FOLDER, "log")
STRUT = os.path.join(ROOT, "build", "strut")
PEERS = {
    "strace": "strace",
    "ltrace": "ltrace",
    "perf trace": "perf",
    "bpftrace": "bpftrace",
    "uftrace": "uftrace",
    "gdb": "gdb",
    "addr2line": "addr2line",
    "nginx": "nginx",
    "wrk": "wrk",
}
IS_ROOT = os.geteuid() == 0
CALL_SCRIPT = """
tracepoint:raw_syscalls:sys_enter /pid == cpid/ { printf("%d(%p, %p", args->id, args->args[0], args->args[1]); }
tracepoint:raw_syscalls:sys_exit /pid == cpid/ { printf(") = %d\\n", args->ret); }
"""


@atexit.register
def remove_folder():
    shutil.rmtree(FOLDER, ignore_errors=True)


def has(peer):
    return shutil.which(PEERS[peer]) is not None


def missing():
    return [peer for peer in PEERS if not has(peer)]


def target(name, *options):
    """A program of bench/targets, compiled."""
    path = os.path.join(FOLDER, name + "".join(options))
    if not os.path.exists(path):
        source = os.path.join(ROOT, "bench", "targets", name + ".c")
        subprocess.run(["gcc", "-O1", "-Wall", "-D_GNU_SOURCE", "-pthread", *options, source, "-o", path], check=True)
    return path


def traced(words, argv):
    """The command line: tools whose words end in -c take the command as one word."""
    argv = full_path(argv)
    return [*words, shlex.join(argv)] if words and words[-1] == "-c" else [*words, *argv]


def strut(tool, backend, *options):
    return [STRUT, tool, "--backend=" + backend, *options]


def backends():
    return ["ptrace", "kassist"] if IS_ROOT else ["ptrace"]


def full_path(argv):
    """bpftrace wants one: it refuses a name that PATH has twice."""
    return [shutil.which(argv[0]) or argv[0], *argv[1:]]


def present(tools):
    """Those whose peer is installed and may be used."""
    needs_root = {"perf trace", "bpftrace"}
    return {name: words for name, words in tools.items()
            if name.split(",")[0] not in PEERS or (has(name.split(",")[0]) and (IS_ROOT or name not in needs_root))}


def call_tracers(*options):
    """All system calls as text in a file; bpftrace prints numbers and words alone. `options`: strace's own."""
    tools = {"native": []}
    for backend in backends():
        tools["strut, " + backend] = strut("strace", backend, "-f", "-o", LOG, *options)
    tools["strace"] = ["strace", "-f", "-o", LOG, *options]
    if options:  # without any, each call stops there, too
        tools["strut, --seccomp-bpf"] = strut("strace", "ptrace", "-f", "--seccomp-bpf", "-o", LOG, *options)
        tools["strace, --seccomp-bpf"] = ["strace", "-f", "--seccomp-bpf", "-o", LOG, *options]
    else:
        tools["perf trace"] = ["perf", "trace", "-o", LOG]
        tools["bpftrace"] = ["bpftrace", "-q", "-o", LOG, "-e", CALL_SCRIPT, "-c"]
    return present(tools)
