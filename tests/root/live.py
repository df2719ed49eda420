"""What tests of real processes under the kernel assist have in common."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests", "live")]
import kassist_here
from first_line import first_line

SCALE = float(os.environ.get("LIVE_SCALE", "1"))
FOLDER = tempfile.mkdtemp(prefix="strut-root.")
LOG = os.path.join(FOLDER, "log")
TESTS = []
STARTED = []


def target(name):
    return os.path.join(ROOT, "build", "targets", name)


def test(function):
    TESTS.append(function)
    return function


class Wrong(Exception):
    """What a test did not find as it should be."""


class Unavailable(Exception):
    """What a test needs is not installed here."""


def expect(good, what):
    if not good:
        raise Wrong(what)


def equal(got, wanted, what):
    expect(got == wanted, "%s: %r, not %r" % (what, got, wanted))


def start(argv, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    STARTED.append(subprocess.Popen(argv, text=True, start_new_session=True, **more))
    return STARTED[-1]


def end_those_left():
    """Of a test that failed: whatever is busy would be in the way of all that come."""
    for process in STARTED:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    STARTED.clear()


def finish(process, timeout=300):
    """(status, stdout, stderr); a process that does not end is killed and is a failure."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Wrong("%s did not end" % process.args[0])
    return process.returncode, out, err


def finish_with(process, text):
    """The status of a process that gets this as its input."""
    process.stdin.write(text)
    process.stdin.close()
    process.stdin = None
    return finish(process)[0]


def run(argv, timeout=300, **more):
    return finish(start(argv, **more), timeout)


def read(path):
    try:
        with open(path, errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def field(pid, name):
    found = re.search(r"^%s:\s*(\S+)" % name, read("/proc/%d/status" % pid), re.M)
    return found and found[1]


def wait_until(condition, what, timeout=300):
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            raise Wrong("never: " + what)
        time.sleep(0.005)


def in_the_kernel():
    """Programs, maps and links there are; bpftool is on most machines that build BPF programs."""
    tool = shutil.which("bpftool") or shutil.which("bpftool", path="/usr/sbin:/sbin")
    if tool is None:
        raise Unavailable("bpftool")
    def ids(kind):  # what goes while the list is made is in it as an error
        return {entry["id"] for entry in json.loads(run([tool, "-j", kind, "show"])[1]) if "id" in entry}
    return {kind: ids(kind) for kind in ("prog", "map", "link")}


def left_behind(before):
    """What is there that was not, and stays; the kernel frees programs a moment after their last user."""
    left = None
    time.sleep(0.3)  # Linux 6.18 keeps a program array for ever that is looked at while it is about to be cleared
    for _ in range(300):
        now = in_the_kernel()  # others' come and go
        left = {kind: (left or now)[kind] & now[kind] - before[kind] for kind in now}
        if not any(left.values()):
            return {}
        time.sleep(0.02)
    return left


def main(tier):
    """Runs the tests that the arguments name, or all; the status to exit with."""
    kassist_here.require()
    wanted, passed, failed, skipped = sys.argv[1:], 0, 0, 0
    for function in TESTS:
        if wanted and function.__name__ not in wanted:
            continue
        began = time.monotonic()
        for name in os.listdir(FOLDER):
            os.unlink(os.path.join(FOLDER, name))
        try:
            function()
            verdict, why, passed = "ok  ", "", passed + 1
        except Unavailable as what:
            verdict, why, skipped = "SKIP", ": %s is not installed" % what, skipped + 1
        except Exception as wrong:
            verdict, why, failed = "FAIL", ": %s" % wrong, failed + 1
        finally:
            end_those_left()
        print("%s %s (%.1f s)%s" % (verdict, function.__name__, time.monotonic() - began, why), flush=True)
    shutil.rmtree(FOLDER)
    print("%s: %d passed, %d failed, %d skipped" % (tier, passed, failed, skipped))
    return failed != 0
