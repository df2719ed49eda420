"""What the tests of `truss` are made of: how it is run, and what is expected of it."""
import os
import re
import signal
import subprocess

import tier
from tier import FOLDER, expect, start

TRUSS = tier.tool("truss")
TRUSSED = tier.target("trussed")
PATIENCE = 60
HEX = r"0x[0-9A-F]{8,16}"


def end_those_left():
    """Of a test that failed: commands that make processes without end would be in the way of all that come."""
    for id in filter(str.isdigit, os.listdir("/proc")):
        try:
            if FOLDER in contents("/proc/%s/cmdline" % id):
                os.kill(int(id), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


def finish(process, given=None):
    return tier.finish(process, PATIENCE, given)


def command(words, backend=None):
    return [TRUSS, *(["--backend=" + backend] if backend else []), *words]


def truss(*words, backend=None, given=None, **more):
    """(status, the command's output, truss's text)"""
    if given is not None:
        more["stdin"] = subprocess.PIPE
    return finish(start(command(words, backend), **more), given)


def contents(path):
    with open(path, errors="surrogateescape") as text:
        return text.read()


def has_lines(text, patterns):
    """Each pattern matches a whole line, in this order."""
    lines, at = text.split("\n"), 0
    for pattern in patterns:
        while at < len(lines) and not re.fullmatch(pattern, lines[at]):
            at += 1
        expect(at < len(lines), "no line %r (in this order) in\n%s" % (pattern, text[-4000:]))
        at += 1


def has_no_line(text, pattern):
    for line in text.split("\n"):
        expect(not re.fullmatch(pattern, line), "a line %r in\n%s" % (line, text[-2000:]))


def result(call, value):
    """A call's line: the result stands in column 48, or behind a blank."""
    return call + r"(?:\t+| )" + value


def state_of(pid):
    """R, S, T … as /proc says; X: it is no more."""
    try:
        return contents("/proc/%d/stat" % pid).rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def wait_until(holds, what):
    tier.wait_until(holds, what, PATIENCE)
