"""What tiers of tests of real processes have in common: cases and what they expect, the processes that they begin, and how a tier is
run: case by case, each with a verdict in a line of its own, and "N passed, N failed, N skipped" as the last line."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = tempfile.mkdtemp(prefix="strut-tier.")  # goes with the tier
SCALE = float(os.environ.get("LIVE_SCALE", "1"))
TESTS = []  # names and functions

# A shell's background jobs ignore these, and so would what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


class Wrong(Exception):
    """What a test did not find as it should be."""


class Skip(Exception):
    """What this machine cannot do, or has not installed; without words: it has been said."""


def test(function):
    TESTS.append((function.__name__, function))
    return function


def expect(good, what):
    if not good:
        raise Wrong(what)


def equal(got, wanted, what):
    expect(got == wanted, "%s: %r, not %r" % (what, got, wanted))


def tool(name):
    """strut, by one of its names."""
    return os.path.join(ROOT, "build", name)


def target(name):
    return os.path.join(ROOT, "build", "targets", name)


def needs_32_bits():
    """Skips a case with a 32-bit program where there is no compiler for one, or a kernel that runs none."""
    if not os.path.exists(target("stack_scenes.m32")):
        raise Skip("32-bit programs cannot be built or run here")


def file(name, text=""):
    """The path of a new file."""
    path = os.path.join(FOLDER, name)
    with open(path, "w") as out:
        out.write(text)
    return path


def empty_folder():
    """Without the files of the case before; its folders stay."""
    for name in os.listdir(FOLDER):
        if not os.path.isdir(os.path.join(FOLDER, name)):
            os.unlink(os.path.join(FOLDER, name))


# -- processes -------------------------------------------------------------------------------------


STARTED = []


def start(words, **more):
    more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    STARTED.append(subprocess.Popen(words, text=True, errors="surrogateescape", start_new_session=True, **more))
    return STARTED[-1]


def end_those_left():
    """Of a test that failed: whatever is busy would be in the way of all that come."""
    for process in STARTED:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    STARTED.clear()


def finish(process, timeout=300, given=None):
    """(status, stdout, stderr without_conflicts()); a process that does not end is killed, with its session, and is a failure."""
    try:
        out, err = process.communicate(given, timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise Wrong("%s did not end: %r %r" % (process.args[0], (out or "")[-300:], (err or "")[-600:])) from None
    return process.returncode, out, err and without_conflicts(err)


def finish_with(process, text):
    """The status of a process that gets this as its input."""
    return finish(process, given=text)[0]


def interrupt(process, number=signal.SIGINT):
    """(status, stdout, stderr) of a process that is sent a signal."""
    process.send_signal(number)
    return finish(process)


def run(words, timeout=300, **more):
    return finish(start(words, **more), timeout)


def run_on_terminal(words):
    """(status, stdout, stderr) where stderr is a terminal."""
    master, slave = os.openpty()
    process = start(words, stderr=slave)
    os.close(slave)
    said = b""
    while True:
        try:
            more = os.read(master, 1 << 16)
        except OSError:  # EIO: the other end is closed
            break
        if not more:
            break
        said += more
    os.close(master)
    status, out, _ = finish(process)
    return status, out, said.decode(errors="surrogateescape").replace("\r\n", "\n")


def without_conflicts(said):
    """What is said, but for lines on uprobes of tracers that others run on this machine meanwhile."""
    return re.sub(r"^\w+: /.*: another tracer has uprobes at .*\n", "", said, flags=re.M)


def without_costs(said):
    """What is said, but for the line on what uprobes cost the machine, where kassist was asked for by name."""
    return re.sub(r"^.*: kassist: [\d,]+ uprobes in files that other processes map .*\n", "", said, flags=re.M)


def read(path):
    """What a file has; nothing, if it cannot be read."""
    try:
        with open(path, errors="surrogateescape") as text:
            return text.read()
    except OSError:
        return ""


def field(pid, name):
    """The first word of a line of /proc/PID/status; None: there is no such process any more."""
    found = re.search(r"^%s:\s*(\S+)" % name, read("/proc/%d/status" % pid), re.M)
    return found and found[1]


def children(pid):
    """Those of the first thread."""
    return [int(word) for word in read("/proc/%d/task/%d/children" % (pid, pid)).split()]


def wait_until(holds, what, timeout=300):
    end = time.monotonic() + timeout
    while not holds():
        expect(time.monotonic() < end, "never: " + what)
        time.sleep(0.005)


# -- the tier --------------------------------------------------------------------------------------


def verdict(function):
    """("ok", "FAIL" or "SKIP", and why)"""
    try:
        function()
    except Skip as why:
        return "SKIP", str(why)
    except Wrong as wrong:
        return "FAIL", str(wrong)[-3000:]
    except Exception as wrong:
        return "FAIL", repr(wrong)[-3000:]
    return "ok", ""


def main(before=None, after=None):
    """Runs the tests whose names have a word of the arguments, or all, each between two functions; the status to exit with."""
    count = {"ok": 0, "FAIL": 0, "SKIP": 0}
    try:
        for name, function in TESTS:
            if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
                continue
            began = time.monotonic()
            if before:
                before()
            found, why = verdict(function)
            end_those_left()
            if after:
                after()
            count[found] += 1
            if why or found != "SKIP":
                line = "%-4s %s (%.1f s)%s" % (found, name, time.monotonic() - began, why and ": " + why)
                print(line.encode("ascii", "backslashreplace").decode(), flush=True)
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)
    print("%d passed, %d failed, %d skipped" % (count["ok"], count["FAIL"], count["SKIP"]))
    return count["FAIL"] != 0
