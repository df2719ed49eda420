"""What the tests of `truss` are made of: how it is run, and what is expected of it."""
import os
import re
import signal
import subprocess
import tempfile
import time

import kassist_here

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

TRUSS = os.path.join(ROOT, "build", "truss")
TRUSSED = os.path.join(ROOT, "build", "targets", "trussed")
FOLDER = tempfile.mkdtemp(prefix="strut-truss.")
WANTED = os.environ.get("BACKENDS", "ptrace kassist").split()
BACKENDS = kassist_here.backends_for_functions(WANTED)
PATIENCE = 60
TESTS = []
HEX = r"0x[0-9A-F]{8,16}"


class Wrong(Exception):
    """What a test did not find as it should be."""


def test(function):
    """Once, by whichever backend truss chooses."""
    TESTS.append((function.__name__, function))
    return function


def each_backend(function):
    for backend in WANTED:
        TESTS.append(("%s by %s" % (function.__name__, backend), lambda b=backend: function(b)))
    return function


def expect(good, what):
    if not good:
        raise Wrong(what)


def equal(got, wanted, what):
    expect(got == wanted, "%s: %r, not %r" % (what, got, wanted))


def start(words, **more):
    more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.Popen(words, text=True, errors="surrogateescape", start_new_session=True, **more)


def end_those_left():
    """Of a test that failed: commands that make processes without end would be in the way of all that come."""
    for id in filter(str.isdigit, os.listdir("/proc")):
        try:
            if FOLDER in contents("/proc/%s/cmdline" % id):
                os.kill(int(id), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


def finish(process, given=None):
    try:
        out, err = process.communicate(given, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise Wrong("it did not end: %r %r" % ((out or "")[-300:], (err or "")[-600:])) from None
    return process.returncode, out, err


def command(words, backend=None):
    return [TRUSS, *(["--backend=" + backend] if backend else []), *words]


def truss(*words, backend=None, given=None, **more):
    """(status, the command's output, truss's text)"""
    if given is not None:
        more["stdin"] = subprocess.PIPE
    return finish(start(command(words, backend), **more), given)


def file(name, text=""):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as out:
        out.write(text)
    return path


def contents(path):
    with open(path, errors="surrogateescape") as text:
        return text.read()


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        expect(time.monotonic() < end, "never " + what)
        time.sleep(0.01)


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
