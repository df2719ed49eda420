"""Calls of library functions."""
import os

from . import measure, tools
from .results import Table

LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
BPFTRACE = """
uprobe:%s:malloc, uprobe:%s:free /pid == cpid/ { printf("%%s(%%d\\n", func, arg0); }
uretprobe:%s:malloc, uretprobe:%s:free /pid == cpid/ { printf(") = %%p\\n", retval); }
""" % ((LIBC,) * 4)
GDB = ["-batch", "-ex", "set breakpoint pending on", "-ex", 'dprintf malloc,"malloc(%d)\\n",$rdi', "-ex",
       'dprintf free,"free(%p)\\n",$rdi', "-ex", "run"]


def tracers():
    kinds = {"native": ([], 2_000_000)}
    for backend in tools.backends():
        words = tools.strut("ltrace", backend, "-e", "malloc+free", "-o", tools.LOG)
        kinds["strut, " + backend] = (words, 4000 if backend == "ptrace" else 40000)
    kinds["ltrace"] = (["ltrace", "-e", "malloc+free", "-o", tools.LOG], 2000)
    kinds["bpftrace"] = (["bpftrace", "-q", "-o", tools.LOG, "-e", BPFTRACE, "-c"], 40000)
    kinds["gdb"] = (["gdb", *GDB, "--args"], 2000)
    kinds["uftrace"] = (["uftrace", "record", "--force", "-d", os.path.join(tools.FOLDER, "uftrace")], 40000)
    present = tools.present(kinds)
    return {name: kinds[name] for name in present}


def run():
    program = [tools.target("calls"), "malloc"]
    rows = {"malloc and free": measure.interleaved({
        tool: lambda words=words, number=number:
            measure.printed(tools.traced(words, [*program, str(number)])) / 1000
        for tool, (words, number) in tracers().items()})}
    yield Table("Library calls", "µs a round",
                "Each call with its argument and result; gdb's dprintf has no result. uftrace writes records, not text, "
                "and follows calls through the PLT.", rows)
