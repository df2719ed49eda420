"""Interleaved runs: each round runs every tool once, in an order of its own, so that a busy machine is busy for all."""
import os
import random
import statistics
import subprocess
import time

ROUNDS = int(os.environ.get("ROUNDS", "3"))
LONGEST_S = 120  # a tool that takes longer has no figure


class Failed(Exception):
    """A tool that did not do its work. It has no figure, and the reason is printed."""


def run(argv, **options):
    """The finished process. Failed: it took too long, or could not be started."""
    try:
        return subprocess.run(argv, stderr=subprocess.PIPE, timeout=LONGEST_S, check=False,
                              **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options})
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(str(error)) from error


def last_line(stderr):
    return (stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]


def printed(argv):
    """The number in the first line that the program itself prints."""
    process = run(argv)
    for line in process.stdout.decode(errors="replace").splitlines():
        try:
            return float(line)
        except ValueError:
            continue
    raise Failed("%s: no figure (%s)" % (argv[0], last_line(process.stderr)))


def seconds(argv):
    """From start to end."""
    began = time.perf_counter()
    process = run(argv, stdout=subprocess.DEVNULL)
    took = time.perf_counter() - began
    if process.returncode != 0:
        raise Failed("%s: status %d (%s)" % (argv[0], process.returncode, last_line(process.stderr)))
    return took


def interleaved(measures, rounds=ROUNDS):
    """Medians by name. `measures`: functions that return a number; one that fails is left out, and said."""
    values = {name: [] for name in measures}
    failed = {}
    for _ in range(rounds):
        for name in random.sample(list(measures), len(measures)):
            if name in failed:
                continue
            try:
                values[name].append(measures[name]())
            except Failed as error:
                failed[name] = str(error)
    for name, reason in failed.items():
        print("  no figure for %s: %s" % (name, reason), flush=True)
    return {name: statistics.median(got) for name, got in values.items() if got and name not in failed}
