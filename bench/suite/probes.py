"""D: what a hit costs its process, by engine and by what is done there; and how many lines a printing clause gives."""
import os
import re
import time

from . import measure, tools
from .results import Table

CLAUSES = {
    "count()": "{ @ = count(); }",
    "a predicate that is false": "/arg0 == -1/ { @ = count(); }",
    "quantize() by function": "{ @[probefunc] = quantize(arg0); }",
    "self->": "{ self->n = arg0; } ",
    "printf()": '{ printf("%d\\n", arg0); }',
    "ustack()": "{ @[ustack()] = count(); }",
}
# The same for bpftrace, where it has it.
PEER = {
    "count()": "{ @ = count(); }",
    "a predicate that is false": "/arg0 == 18446744073709551615/ { @ = count(); }",
    "quantize() by function": "{ @[func] = hist(arg0); }",
    "self->": "{ @n[tid] = arg0; }",
    "printf()": '{ printf("%d\\n", arg0); }',
    "ustack()": "{ @[ustack()] = count(); }",
}
MANY = {"ptrace": 5000, "kassist": 200000}


def dtrace(engine, clause):
    return [*tools.strut("dtrace", engine, "-q", "-o", tools.LOG), "-n", "pid$target:a.out:hot:entry " + clause, "-c"]


def a_hit(words, number):
    """Microseconds, by the program's own clock."""
    return lambda: measure.printed(tools.traced(words, [tools.target("hits"), str(number)])) / 1000


def engines(title):
    kinds = {}
    fewer = 20 if title == "ustack()" else 1
    for engine in tools.backends():
        kinds["strut, " + engine] = a_hit(dtrace(engine, CLAUSES[title]), MANY[engine] // fewer)
    if tools.present({"bpftrace": []}):
        script = "uprobe:%s:hot %s" % (tools.target("hits"), PEER[title])
        kinds["bpftrace"] = a_hit(["bpftrace", "-q", "-o", tools.LOG, "-e", script, "-c"], MANY["kassist"] // fewer)
    return kinds


def lines_a_second(engine):
    """Of a whole run, less what a run with one line takes. Failed: a line is lost."""
    def took(number):
        if os.path.exists(tools.LOG):
            os.unlink(tools.LOG)  # dtrace adds to it
        began = time.perf_counter()
        a_hit(dtrace(engine, CLAUSES["printf()"]), number)()
        passed = time.perf_counter() - began
        with open(tools.LOG, encoding="utf-8") as log:
            got = sum(1 for line in log if re.fullmatch(r"\d+\n", line))
        if got != number:
            raise measure.Failed("%s: %d lines of %d" % (engine, got, number))
        return passed
    many = MANY[engine] * 3
    return many / max(took(many) - took(1), 1e-9)


def run():
    rows = {title: measure.interleaved(engines(title)) for title in CLAUSES}
    yield Table("A hit of a D probe", "µs a hit",
                "`pid$target:a.out:hot:entry` with this clause; bpftrace's uprobe with its counterpart.", rows, base="")
    rates = measure.interleaved({"strut, " + engine: lambda engine=engine: lines_a_second(engine) for engine in tools.backends()},
                                min(measure.ROUNDS, 3))
    yield Table("Lines of a clause with printf()", "lines/s", "All of them are in the file.", {"printf()": rates}, better="more",
                base="")
