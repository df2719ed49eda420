"""How time grows: with calls, with the threads of an attached process, with the probes of a D program."""
import os
import signal
import subprocess
import time

from . import measure, tools
from .results import Curve

CALLS = [1000, 10_000, 100_000, 1_000_000]
THREADS = [1, 10, 100, 1000, 5000]
PROBES = [10, 100, 1000, 10_000, 100_000, 300_000]
STOPPING = 100_000  # the most calls of a tool that stops the target


def curve(sizes, kinds, figure):
    """Points of each tool. `kinds`: the largest size of a tool; `figure`: the function that measures (tool, size)."""
    series = {tool: [] for tool in kinds}
    for size in sizes:
        got = measure.interleaved({tool: lambda tool=tool, size=size: figure(tool, size)
                                   for tool, most in kinds.items() if size <= most}, min(measure.ROUNDS, 3))
        for tool, value in got.items():
            series[tool].append((size, value))
    return {tool: points for tool, points in series.items() if points}


# -- calls ------------------------------------------------------------------------------------------------------------------
def calls():
    words = {tool: argv for tool, argv in tools.call_tracers().items() if not tool.startswith(("perf", "bpf"))}
    most = {tool: CALLS[-1] if tool in ("native", "strut, kassist") else STOPPING for tool in words}
    series = curve(CALLS, most, lambda tool, size: measure.seconds(
        tools.traced(words[tool], [tools.target("calls"), "getppid", str(size)])))
    return Curve("A run by its system calls", "calls", "s", "`getppid` in a loop, from the tool's start to its end.", series)


# -- threads ----------------------------------------------------------------------------------------------------------------
def attach_words():
    return tools.present({**{"strut, " + backend: tools.strut("strace", backend, "-f", "-o", tools.LOG)
                             for backend in tools.backends()},
                          "strace": ["strace", "-f", "-o", tools.LOG]})


def attach(words, size):
    """Seconds until the tool says that the process is attached."""
    target = subprocess.Popen([tools.target("threads"), str(size)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    target.stdout.readline()
    began = time.perf_counter()
    tracer = subprocess.Popen([*words, "-p", str(target.pid)], stderr=subprocess.PIPE)
    line = tracer.stderr.readline()
    took = time.perf_counter() - began
    tracer.send_signal(signal.SIGINT)
    tracer.communicate()
    target.communicate()
    if b"attached" not in line:
        raise measure.Failed(measure.last_line(line))
    return took


def threads():
    words = attach_words()
    series = curve(THREADS, dict.fromkeys(words, THREADS[-1]), lambda tool, size: attach(words[tool], size))
    return Curve("Attaching, by threads", "threads", "s", "`strace -f -p`, until it says that the process is attached.", series)


# -- probes -----------------------------------------------------------------------------------------------------------------
def program_of(functions):
    """A program with so many functions, of which main calls none."""
    path = os.path.join(tools.FOLDER, f"functions{functions}")
    if not os.path.exists(path):
        with open(path + ".s", "w", encoding="utf-8") as file:
            file.write(".text\n.globl main\nmain: xor %eax,%eax\nret\n")
            for i in range(functions):
                file.write(f".type f{i},@function\nf{i}: push %rbp\npop %rbp\nret\n.size f{i},.-f{i}\n")
            file.write('.section .note.GNU-stack,"",@progbits\n')
        subprocess.run(["gcc", "-o", path, path + ".s"], check=True)
    return path


def armed(backend, size):
    words = tools.strut("dtrace", backend, "-q", "-o", tools.LOG)
    return measure.seconds([*words, "-x", f"maxprobes={2 * size}", "-n", "pid$target:a.out:f*:entry { @ = count(); }",
                            "-c", program_of(size)])


def probes():
    kinds = {"strut, " + backend: PROBES[-1] for backend in tools.backends()}
    series = curve(PROBES, kinds, lambda tool, size: armed(tool.split(", ")[1], size))
    return Curve("A D program, by its probes", "probes", "s",
                 "`pid$target:a.out:f*:entry` of a program that ends at once: armed, and released.", series)


def run():
    yield calls()
    yield threads()
    yield probes()
