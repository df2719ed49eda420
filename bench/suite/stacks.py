"""User stacks of system calls."""
from . import measure, tools
from .results import Table


def with_stacks():
    kinds = {"native": []}
    for backend in tools.backends():
        kinds["strut, " + backend] = tools.strut("strace", backend, "-f", "-k", "-o", tools.LOG)
    kinds["strace"] = ["strace", "-f", "-k", "-o", tools.LOG]
    return tools.present(kinds)


def run():
    argv = ["/usr/bin/python3", "-c", "import os"]
    rows = {"python3 -c 'import os'": measure.interleaved({
        tool: lambda words=words: measure.seconds(tools.traced(words, argv)) * 1000
        for tool, words in with_stacks().items()}, min(measure.ROUNDS, 3))}
    yield Table("Stacks of all system calls (-k)", "ms", "Each call with its user stack, named.", rows)
