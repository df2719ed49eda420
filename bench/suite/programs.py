"""Programs that people run, from start to end."""
import os

from . import measure, tools
from .results import Table

PROGRAMS = {
    "true": ["/bin/true"],
    "find /usr/share": ["find", "/usr/share"],
    "git status": ["git", "-C", tools.ROOT, "status", "--short"],
    "gcc -O1 -c": ["gcc", "-O1", "-D_GNU_SOURCE", "-c", "-o", os.path.join(tools.FOLDER, "o"),
                   os.path.join(tools.ROOT, "bench", "targets", "calls.c")],
    "python3 -c 'import ssl'": ["python3", "-c", "import ssl"],
}


def run():
    rows = {}
    for title, argv in PROGRAMS.items():
        rows[title] = measure.interleaved({
            tool: lambda words=words, argv=argv: measure.seconds(tools.traced(words, argv)) * 1000
            for tool, words in tools.call_tracers().items()})
    yield Table("Whole programs", "ms", "All system calls in a file, children's too (bpftrace: the first process's alone). "
                "The tool's own start and end are included.", rows)
