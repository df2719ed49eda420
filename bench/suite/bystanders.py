"""What a trace costs processes that it is not about: an exec of true, and a fork with an exit, before, while and after."""
import os
import shlex
import signal
import statistics
import subprocess
import time

from . import measure, tools
from .results import Table

BIG = ["python3", "-c",
       "import json, re, socket, ssl, time\nprint('ready', flush=True)\nwhile True: time.sleep(0.02)"]
SLEEPER = ["sleep", "1000"]
SMALL = ["sh", "-c", "echo ready; while read line; do echo $line; done"]


def dtrace(probes):
    return ["dtrace", "-q", "-o", tools.LOG, "-n", "BEGIN { printf(\"ready\\n\"); } %s { @ = count(); }" % probes]


CASES = {
    "dtrace pid$target:::entry -p": (SMALL, dtrace("pid$target:::entry")),
    "dtrace pid$target::: -p": (SMALL, dtrace("pid$target:::")),
    "ltrace -p python3": (BIG, ["ltrace", "-o", tools.LOG]),
    "truss -u libc -p python3": (BIG, ["truss", "-u", "libc", "-o", tools.LOG]),
    "ltrace -f python3": (None, ["ltrace", "-f", "-o", tools.LOG, "--", *BIG]),
    "dtrace -c sleep": (None, [*dtrace("pid$target:::entry"), "-c", shlex.join(SLEEPER)]),
    "strace --all -e none": (None, ["strace", "--all", "-e", "trace=none", "-o", tools.LOG]),
}


def execs():
    """Nanoseconds of an exec and of a fork, and of their CPU time."""
    return [int(word) for word in measure.run([tools.target("execs"), "100"]).stdout.split()]


def is_armed(words):
    """BEGIN's line says so; the other tools say nothing."""
    if words[0] != "dtrace" or not os.path.exists(tools.LOG):
        return False
    with open(tools.LOG, encoding="utf-8") as log:
        return "ready" in log.read()


def wait_until_armed(tracer, words):
    until = time.monotonic() + (60 if words[0] == "dtrace" else 2)
    while time.monotonic() < until and tracer.poll() is None and not is_armed(words):
        time.sleep(0.05)
    if tracer.poll() is not None or (words[0] == "dtrace" and not is_armed(words)):
        raise measure.Failed("%s: did not start" % " ".join(words))


def traced_meanwhile(target, words):
    if os.path.exists(tools.LOG):
        os.unlink(tools.LOG)
    tracer = subprocess.Popen([tools.STRUT, *words, *(["-p", str(target.pid)] if target else [])],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_armed(tracer, words)
        return execs()
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait()


def ratios(target, words):
    """Of an exec and of a fork, by the time that passes and by CPU time."""
    process = subprocess.Popen(target, stdin=subprocess.PIPE, stdout=subprocess.PIPE) if target else None
    if process:
        process.stdout.readline()
    before = execs()
    during = traced_meanwhile(process, words)
    after = execs()
    if process:
        process.kill()
        process.wait()
    return [2 * d / (b + a) for b, d, a in zip(before, during, after)]


def getppid_beside(words):
    """Microseconds a call of a process that nobody traces, while `words` trace sleep."""
    tracer = subprocess.Popen([*words, *SLEEPER], start_new_session=True) if words else None
    time.sleep(0.5)
    try:
        return measure.printed([tools.target("calls"), "getppid", "100000"]) / 1000
    finally:
        if tracer:
            os.killpg(tracer.pid, signal.SIGTERM)  # a tracer with -o leaves it to the command
            tracer.wait()


def run():
    calls = measure.interleaved({tool: lambda words=words: getppid_beside(words)
                                 for tool, words in tools.call_tracers().items() if words[-1:] != ["-c"]})
    yield Table("Calls of a process that is not traced", "µs a call", "getppid in a loop, while the tool traces `sleep`.",
                {"getppid": calls})
    if not tools.IS_ROOT:
        return
    seen = {name: [] for name in CASES}
    for _ in range(min(measure.ROUNDS, 3)):
        for name, case in CASES.items():
            seen[name].append(ratios(*case))
    kinds = ("exec", "fork", "exec, CPU time", "fork, CPU time")
    rows = {name: dict(zip(kinds, map(statistics.median, zip(*values)))) for name, values in seen.items()}
    yield Table("Processes that are not traced", "× native",
                "An exec of true, and a fork with an exit, while strut traces something else. The goal is 1.2 each.", rows,
                base="")
