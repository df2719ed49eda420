"""Memory of the largest process of each tool."""
from . import measure, tools
from .results import Table


def peak_mb(argv):
    return measure.printed([tools.target("peak"), *argv]) / 1024


def run():
    argv = ["/bin/true"]
    rows = {"strace of true": measure.interleaved({
        tool: lambda words=words: peak_mb(tools.traced(words, argv)) for tool, words in tools.call_tracers().items() if words},
        1)}
    functions = tools.present({**{"strut, " + backend: tools.strut("ltrace", backend, "-o", tools.LOG)
                                  for backend in tools.backends()}, "ltrace": ["ltrace", "-o", tools.LOG]})
    rows["ltrace of python3 -c pass"] = measure.interleaved({
        tool: lambda words=words: peak_mb(tools.traced(words, ["python3", "-c", "pass"])) for tool, words in functions.items()}, 1)
    yield Table("Memory", "MB", "The resident set of the largest process of the tool, at its greatest.", rows, base="")
