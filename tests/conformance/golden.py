#!/usr/bin/env python3
"""Our text against texts of strace 7.2 that were recorded once, for target programs that do the same in every run.

Where the head of a program says that its recorded texts are strut's, they show only that our text has not changed.

A program of tests/targets/ takes part by a line `// strut: golden: OPTIONS | OPTIONS …` (an empty set counts), or several:
it makes its calls between golden_begin() and golden_end() (tests/targets/golden.h), with its data at fixed addresses, ids
of processes only where it tells them with golden_pid(), and no times or random numbers but those it masks itself with
`// strut: mask: REGEX`. What strace 7.2 wrote between the two stands in
golden/PROGRAM.N.log, whose first line holds the options. `golden.py record STRACE [PROGRAM …]` writes these files;
without arguments, or with names of programs, ours is compared with them, and `golden.py against STRACE [PROGRAM …]`
compares with what that strace writes now.
"""
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import layout

ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCES = os.path.join(ROOT, "tests", "targets")
BUILT = os.path.join(ROOT, "build", "targets")
OURS = os.path.join(ROOT, "build", "strace")
SETS_OF_32_BITS = 4  # looks are those of 64 bits; what differs is what is decoded
MASKS = [re.compile(r"(?:pipe|socket):\[\d+\]")]
# What the kernel has a program call where somebody else's probe is.
OTHERS_PROBES = re.compile(r"^.*\bu(?:ret)?probe\(\) += .*\n", re.M)
GAP = re.compile(r"^(.*\)) += ", re.M)
# -Y names whatever process has an id today; only the target's own is part of the text.
# A name ends where it began: 1<<CAP_CHOWN is none.
STRANGER = re.compile(r"(?<=\d)<(?!golden|<)[^<>\n]*>")
# Addresses in programs, libraries and stacks differ from machine to machine: data belongs into the page.
LAYOUT = re.compile(r"\b0x(?:5[56]|7f)[0-9a-f]{10}\b|\b0x(?:56|f7)[0-9a-f]{6}\b")
# Descriptors that nobody has, decimal or hexadecimal as the options will have it.
MARK = r"close\((?:fd=)?(?:%d|%#x)\)"
BEGIN, END = (MARK % (n, n) for n in (0x601de001, 0x601de002))


def remarks(source, word):
    """The texts behind `// strut: WORD:` in a source."""
    with open(source) as lines:
        return re.findall(r"^// strut: %s: ?(.*)$" % word, lines.read(), re.M)


def programs(wanted):
    """(name, option sets, masks) of every program that takes part, 32-bit variants included."""
    for file in sorted(os.listdir(SOURCES)):
        name, ending = os.path.splitext(file)
        source = os.path.join(SOURCES, file)
        if ending != ".c" or wanted and name not in wanted:
            continue
        sets = remarks(source, "golden")
        if sets:
            options = [s.strip() for line in sets for s in line.split("|")]
            masks = [re.compile(m) for m in remarks(source, "mask")]
            yield name, options, masks
            if os.path.exists(os.path.join(BUILT, name + ".m32")):
                yield name + ".m32", options[:SETS_OF_32_BITS], masks


class Unmarked(Exception):
    """A log without the marks, or with addresses of a run."""


def traced(tracer, options, program):
    """The log of a run, and the ids of its processes, which the program tells on stdout."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # its length moves results
        log = os.path.join(folder, "log")
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
        run = subprocess.run([*layout.FIXED, tracer, *shlex.split(options), "-o", log, os.path.join(BUILT, program)], env=env,
                             cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        with open(log, errors="surrogateescape") as lines:
            return lines.read().replace(os.path.realpath(folder), "/here"), run.stdout.decode().split()


def clash(pids, expected):
    """True if an id, as either base writes it, is a number that is expected elsewhere: masking would hide the wrong one."""
    numbers = set(re.findall(r"\b(?:0x)?[0-9a-f]+\b", expected))
    return any(pid in numbers or "%#x" % int(pid) in numbers for pid in pids)


def loosened(text, options):
    """A masked text without what the masked parts decide: the place of the result behind them, and with -Y strangers' names."""
    if "-Y" in shlex.split(options):
        text = GAP.sub(r"\1 = ", STRANGER.sub("", text))
    return re.sub(r"^.*(?:PID\d|MASKED).*$", lambda line: GAP.sub(r"\1 = ", line[0], count=1), text, flags=re.M)


def text_of(tracer, options, program, masks, expected=""):
    """What a tracer says of a program between the two marks, masked; the marks themselves left out. Runs again where
    an id happens to be a number that is expected elsewhere."""
    for _ in range(50):
        text, pids = traced(tracer, options, program)
        if not clash(pids, expected):
            break
    start, end = (re.search("^.*%s.*\n" % mark, text, re.M) for mark in (BEGIN, END))
    if not start or not end:
        raise Unmarked("%s did not reach both marks with %s: …%s" % (program, options, text[-300:]))
    text = text[start.end():end.start()]
    if "uretprobe" not in expected:
        text = OTHERS_PROBES.sub("", text)
    for number, pid in enumerate(pids):
        text = re.sub(r"\b(?:%s|%#x)\b" % (pid, int(pid)), "PID%d" % number, text)
    for mask in [*MASKS, *masks]:
        text = mask.sub("MASKED", text)
    if stray := LAYOUT.search(text):
        raise Unmarked("%s with %s tells where it was loaded: %s" % (program, options, stray[0]))
    return text


def path_of(program, number):
    return os.path.join(HERE, "golden", "%s.%d.log" % (program, number))


def record(strace, wanted):
    os.makedirs(os.path.join(HERE, "golden"), exist_ok=True)
    for program, sets, masks in programs(wanted):
        for number, options in enumerate(sets):
            text = text_of(strace, options, program, masks)
            with open(path_of(program, number), "w", errors="surrogateescape") as out:
                out.write("# %s\n%s" % (options, text))
    return 0


def recorded(program, number, options, masks):
    with open(path_of(program, number), errors="surrogateescape") as lines:
        heading, text = lines.read().split("\n", 1)
    return text if heading == "# " + options else "recorded with %s\n" % heading


def check(wanted, expected_of=recorded):
    passed = failed = 0
    for program, sets, masks in programs(wanted):
        for number, options in enumerate(sets):
            expected = expected_of(program, number, options, masks)
            try:
                got = text_of(OURS, options, program, masks, expected)
            except (Unmarked, OSError, ValueError, subprocess.TimeoutExpired) as why:
                got = str(why)
            wanted_lines, lines = (loosened(text, options).split("\n") for text in (expected, got))
            found = list(difflib.unified_diff(wanted_lines, lines, "strace 7.2", "ours", lineterm="", n=0))
            passed, failed = passed + (not found), failed + bool(found)
            if found:
                print("FAIL %s %s" % (program, options))
                for line in found[:int(os.environ.get("LINES_SHOWN", "20"))]:
                    print("     " + line.encode("ascii", "backslashreplace").decode())
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


STRACE = os.path.abspath(sys.argv[2]) if sys.argv[2:] and os.path.exists(sys.argv[2]) else "".join(sys.argv[2:3])
if sys.argv[1:2] == ["record"]:
    sys.exit(record(STRACE, sys.argv[3:]))
if sys.argv[1:2] == ["against"]:
    sys.exit(check(sys.argv[3:], lambda program, _, options, masks: text_of(STRACE, options, program, masks)))
sys.exit(check(sys.argv[1:]))
