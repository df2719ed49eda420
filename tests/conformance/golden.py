#!/usr/bin/env python3
"""Our text against texts of strace 7.2 that were recorded once, for target programs that do the same in every run.

A program of tests/targets/ takes part by a line `// strut: golden: OPTIONS | OPTIONS …` (an empty set counts): it makes
its calls between chdir("golden begin") and chdir("golden end"), with its data at fixed addresses and no pids, times or
random numbers but those it masks itself with `// strut: mask: REGEX`. What strace 7.2 wrote between the two stands in
golden/PROGRAM.N.log, whose first line holds the options. `golden.py record STRACE [PROGRAM …]` writes these files;
without arguments, or with names of programs, ours is compared with them.
"""
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCES = os.path.join(ROOT, "tests", "targets")
BUILT = os.path.join(ROOT, "build", "targets")
OURS = os.path.join(ROOT, "build", "strace")
BEGIN, END = 'chdir("golden begin")', 'chdir("golden end")'


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
        for sets in remarks(source, "golden"):
            options = [s.strip() for s in sets.split("|")]
            masks = [re.compile(m) for m in remarks(source, "mask")]
            yield name, options, masks
            if os.path.exists(os.path.join(BUILT, name + ".m32")):
                yield name + ".m32", options, masks


def text_of(tracer, options, program, masks):
    """What a tracer says of a program between the two marks, masked; the marks themselves left out."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
        subprocess.run(["setarch", "-R", tracer, *shlex.split(options), "-o", log, os.path.join(BUILT, program)], env=env,
                       cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        with open(log, errors="surrogateescape") as lines:
            text = lines.read()
    start, end = (re.search(re.escape(mark).replace("chdir\\(", r"[^\n]*chdir\(") + r"[^\n]*\n", text) for mark in (BEGIN, END))
    if not start or not end:
        return "%s did not reach both marks\n%s" % (program, text[-300:])
    text = text[start.end():end.start()]
    for mask in masks:
        text = mask.sub("MASKED", text)
    return text


def path_of(program, number):
    return os.path.join(HERE, "golden", "%s.%d.log" % (program, number))


def record(strace, wanted):
    os.makedirs(os.path.join(HERE, "golden"), exist_ok=True)
    for program, sets, masks in programs(wanted):
        for number, options in enumerate(sets):
            with open(path_of(program, number), "w", errors="surrogateescape") as out:
                out.write("# %s\n%s" % (options, text_of(strace, options, program, masks)))
    return 0


def check(wanted):
    passed = failed = 0
    for program, sets, masks in programs(wanted):
        for number, options in enumerate(sets):
            with open(path_of(program, number), errors="surrogateescape") as lines:
                heading, expected = lines.read().split("\n", 1)
            got = text_of(OURS, options, program, masks) if heading == "# " + options else "recorded with %s\n" % heading
            found = list(difflib.unified_diff(expected.split("\n"), got.split("\n"), "strace 7.2", "ours", lineterm="", n=0))
            passed, failed = passed + (not found), failed + bool(found)
            if found:
                print("FAIL %s %s" % (program, options))
                for line in found[:20]:
                    print("     " + line.encode("ascii", "backslashreplace").decode())
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if sys.argv[1:2] == ["record"]:
    sys.exit(record(sys.argv[2], sys.argv[3:]))
sys.exit(check(sys.argv[1:]))
