"""docs/benchmarks.md and its charts, and the same tables as plain text."""
import datetime
import os
import platform
import re
import subprocess

from . import chart, measure, tools
from .results import Curve, Table

DOCS = os.path.join(tools.ROOT, "docs")
CHARTS = os.path.join(DOCS, "charts")


def first_line(argv):
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout.decode(errors="replace").splitlines()[0].strip()
    except (OSError, IndexError):
        return ""


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        model = re.search(r"model name\s*: (.*)", info.read())
    return f"{os.cpu_count()} × {model[1] if model else platform.machine()}, Linux {platform.release()}"


def versions():
    asked = {"strace": ["strace", "-V"], "ltrace": ["ltrace", "-V"], "perf": ["perf", "--version"],
             "bpftrace": ["bpftrace", "--version"], "uftrace": ["uftrace", "--version"], "gdb": ["gdb", "--version"]}
    for name, argv in asked.items():
        found = re.search(r"v?(\d+\.\d+(\.\d+)?)\b(?!.*\d+\.\d+)", first_line(argv))
        if found:
            yield f"{name} {found[1]}"


def cell(table, case, tool):
    value = table.rows[case].get(tool)
    if value is None:
        return "—"
    ratio = table.ratio(case, tool)
    return chart.number(value) + (f" ({chart.number(ratio)}×)" if ratio is not None else "")


def rows_of(result):
    """The result as rows of words, the first one the heads."""
    if isinstance(result, Table):
        heads = ["", *result.tools()]
        return [heads, *([case, *(cell(result, case, tool) for tool in heads[1:])] for case in result.rows)]
    sizes = sorted({x for points in result.series.values() for x, _ in points})
    rows = [[result.x, *(f"{size:,}" for size in sizes), "exponent"]]
    for tool, points in result.series.items():
        values, exponent = dict(points), result.exponent(tool)
        rows.append([tool, *(chart.number(values[size]) if size in values else "—" for size in sizes),
                     "—" if exponent is None else f"{exponent:.2f}"])
    return rows


def unit_of(result):
    return f"{result.unit}; {result.better} is better" if isinstance(result, Table) else f"{result.y} by {result.x}"


def plain(result):
    rows = rows_of(result)
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(word.ljust(wide[i]) if i == 0 else word.rjust(wide[i]) for i, word in enumerate(row)) for row in rows]
    return "\n".join([f"{result.title} ({unit_of(result)})", *("  " + line for line in lines), ""])


def section(result):
    rows = rows_of(result)
    if isinstance(result, Table) and len(rows[0]) > len(rows):  # tools are many: one a line
        rows = [list(column) for column in zip(*rows)]
    body = ["| " + " | ".join(row) + " |" for row in rows]
    body.insert(1, "|---" * len(rows[0]) + "|")
    name = re.sub(r"[^a-z]+", "-", result.title.lower()).strip("-")
    draw = chart.bars if isinstance(result, Table) else chart.lines
    with open(os.path.join(CHARTS, name + ".svg"), "w", encoding="utf-8") as file:
        file.write(draw(result))
    return "\n".join([f"## {result.title}", "", result.about, "", f"In {unit_of(result)}.", "", *body, "",
                      f"![{result.title}](charts/{name}.svg)", ""])


def write(results):
    os.makedirs(CHARTS, exist_ok=True)
    for old in os.listdir(CHARTS):
        os.unlink(os.path.join(CHARTS, old))
    missing = tools.missing()
    version = first_line([tools.STRUT, "--version"])
    head = ["# Benchmarks", "",
            f"`make bench` wrote this page on {datetime.date.today().isoformat()}: {machine()}.", "",
            f"{version}; {', '.join(versions())}."
            + (f" Not installed: {', '.join(missing)} (`make bench-deps`)." if missing else ""), "",
            f"Every figure is the median of ROUNDS={measure.ROUNDS} runs of all tools in turn, so that other work on the machine",
            f"(load {os.getloadavg()[2]:.0f} at the end) meets all of them. A ratio in brackets is to the native run. Your machine",
            "differs: run it there.", ""]
    with open(os.path.join(DOCS, "benchmarks.md"), "w", encoding="utf-8") as file:
        file.write("\n".join([*head, *map(section, results)]))
