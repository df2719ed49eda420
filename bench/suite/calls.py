"""System calls: what one costs by the program's own clock."""
from . import measure, tools
from .results import Table

CASES = {"getppid": ("getppid", 20000), "getppid, openat, read, close": ("mix", 4000)}
MANY = 10  # times as many where the target does not stop


def a_round(words, case, number):
    return lambda: measure.printed(tools.traced(words, [tools.target("calls"), case, str(number)])) / 1000


def numbers(tool, number):
    stops = tool.startswith("strace") or tool.endswith("ptrace")
    return number if stops else number * MANY


def tracers():
    """With strace and its target on one CPU, too, where it is at its best."""
    kinds = tools.call_tracers()
    if "strace" in kinds:
        kinds["strace, one CPU"] = ["taskset", "-c", "0", *kinds["strace"]]
    return kinds


def run():
    rows = {}
    for title, (case, number) in CASES.items():
        rows[title] = measure.interleaved({tool: a_round(words, case, numbers(tool, number))
                                           for tool, words in tracers().items()})
    others = tools.call_tracers("-e", "trace=kill")
    rows["getppid, of which no line is asked for"] = measure.interleaved(
        {tool: a_round(words, "getppid", numbers(tool, 20000)) for tool, words in others.items()})
    yield Table("System calls", "µs a round",
                "Each call is a line in a file. bpftrace prints numbers and addresses, the others decode arguments.", rows)
