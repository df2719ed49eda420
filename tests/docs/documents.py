"""Examples of the project's documents: commands behind "$ " in blocks of README.md, docs/*.md and the manual pages, and the output
that stands below each."""
import glob
import os
import re
import shlex

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# "..." and the ellipsis stand for any lines.
ELLIPSES = ("...", "\u2026")
ESCAPES = {"\\-": "-", "\\&": "", "\\(aq": "'", "\\(ga": "`", "\\(dq": '"', "\\e": "\\", "\\ ": " "}


class Example:
    def __init__(self, command):
        self.command = command
        self.output = []


def pages():
    return sorted(glob.glob(os.path.join(ROOT, "docs", "*.[1-8]")))


def plain(line):
    """A line of a manual page's block as it is shown."""
    return re.sub(r"\\(?:\(..|.)", lambda escape: ESCAPES.get(escape[0], escape[0]), line)


def blocks(path):
    """The lines of each block of code."""
    begin, end = (r"\.EX$", r"\.EE$") if not path.endswith(".md") else (r"```\w*$", r"```$")
    block = None
    with open(path) as text:
        for line in text.read().split("\n"):
            if block is None and re.match(begin, line):
                block = []
            elif block is not None and re.match(end, line):
                yield block
                block = None
            elif block is not None:
                block.append(line if path.endswith(".md") else plain(line))


def goes_on(command):
    """True if a shell would wait for another line."""
    try:
        shlex.split(command)
    except ValueError:
        return True
    return False


def examples(block):
    """The examples of a block; none if it shows no command."""
    found, whole = [], True
    for line in block:
        if line.startswith("$ ") and whole:
            found.append(Example(line[2:]))
            whole = not goes_on(found[-1].command)
        elif not whole:
            found[-1].command += "\n" + line
            whole = not goes_on(found[-1].command)
        elif found:
            found[-1].output.append(line)
    return found


def masked(line):
    """Without what differs from run to run: addresses, ids, times, the CPU, the number of variables; blanks count as one."""
    line = re.sub(r"^Linux [\w.+-]+", "Linux N", line)
    line = re.sub(r"\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]", "+O) [O]", line)
    line = re.sub(r"0x[0-9a-fA-F]{3,}|\b[0-9a-f]{16}\b", "0xH", line)
    line = re.sub(r"\d+(\.\d+)+|\d{3,}", "N", line)
    line = re.sub(r"\d+(?= vars)", "N", line)
    line = re.sub(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d+ N?[\d:]+ ", "DAY ", line)
    line = re.sub(r"^ {1,2}\d+ ", " C ", line)
    return re.sub(r"\s+", " ", line).rstrip()


def fits(wanted, got):
    """Whether lines are those of an example."""
    if not wanted:
        return not got
    if wanted[0].strip() in ELLIPSES:
        return any(fits(wanted[1:], got[at:]) for at in range(len(got) + 1))
    return bool(got) and masked(wanted[0]) == masked(got[0]) and fits(wanted[1:], got[1:])
