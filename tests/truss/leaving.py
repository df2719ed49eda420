"""How truss leaves processes: running or stopped, its own command and what it has grabbed."""
import fnmatch
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import time

from by_backend import each_backend
from harness import PATIENCE, TRUSS, TRUSSED, command, contents, finish, has_lines, has_no_line, result, state_of, truss, wait_until
from tier import FOLDER, Wrong, equal, expect, file, start, test


@each_backend
def releases_what_it_grabbed(backend):
    victim = start([TRUSSED, "copy"], stdin=subprocess.PIPE)
    path = file("released." + backend)
    process = start(command(["-o", path, "-p", str(victim.pid)], backend))
    wait_until(lambda: "(sleeping...)" in contents(path), "attached")
    process.send_signal(signal.SIGINT)
    equal(finish(process), (0, "", ""), "truss")
    equal(finish(victim, "still here\n"), (0, "still here\n", ""), "the victim")


@each_backend
def releases_its_own_command(backend):
    path = file("own." + backend)
    process = start(command(["-t!all", TRUSSED, "copy"], backend), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wait_until(lambda: subprocess.run(["pgrep", "-s", str(process.pid), "-f", "^" + TRUSSED], stdout=subprocess.DEVNULL).returncode == 0, "started")
    os.kill(process.pid, signal.SIGINT)  # stderr is no terminal: it is ignored
    equal(finish(process, "on\n")[:2], (0, "on\n"), "command")


def stopped_victim(path):
    """Of a trace with -l: the thread that the last line is about."""
    found = re.findall(r"(?m)^/(\d+):", contents(path))
    return int(found[-1]) if found else 0


def stops(options, line, words=(TRUSSED, "signals")):
    path = file("stopped")
    # The victim lives on, and has its output open.
    status = truss("-l", "-o", path, *options, *words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)[0]
    equal(status, 0, "status")
    has_lines(contents(path), [r"/\d+:\t" + line])
    victim = stopped_victim(path)
    try:
        wait_until(lambda: state_of(victim) == "T", "stopped")
        equal(re.search(r"TracerPid:\t(\d+)", contents("/proc/%d/status" % victim)).group(1), "0", "who traces it")
        os.kill(victim, signal.SIGCONT)
        wait_until(lambda: state_of(victim) in "XZ", "ended once it was continued")
    finally:
        send(victim, signal.SIGKILL)


@test
def stops_at_calls():
    stops(["-T", "kill"], result(r"kill\(\d+, SIGUSR1\)", "= 0"))
    stops(["-T", "exit"], r"exit_group\(0\)")


@test
def stops_at_signals():
    stops(["-t!all", "-S", "SIGUSR1"], r"    Received signal #10, SIGUSR1 \[caught\]")


@test
def stops_at_functions():
    stops(["-t!all", "-U", "a.out:nested"], r" *-> nested\(0x3.*", (TRUSSED, "functions"))


class Shell:
    """An interactive shell on a terminal of its own."""

    def __init__(self):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execve("/bin/bash", ["bash", "--norc", "--noediting", "-i"], {**os.environ, "PS1": "", "PS2": "", "HISTFILE": "", "TERM": "dumb"})
        self.seen = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)

    def type(self, line):
        self.seen = ""
        os.write(self.terminal, line.encode() + b"\n")

    def shows(self, pattern):
        """Waits for a line."""
        def is_there():
            if select.select([self.terminal], [], [], 0)[0]:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace").replace("\r", "")
            return re.search(pattern, self.seen, re.M)
        try:
            wait_until(is_there, "shown")
        except Wrong as wrong:
            raise Wrong("%s: %s, but %r" % (wrong, pattern, self.seen[-300:])) from None
        return is_there()


@test
def the_stopped_command_is_the_shells_job():
    """Neither is it hung up on when truss ends, nor is it anybody else's: the shell's own words let it go on."""
    for options, mode in ([["-T", "kill"], "signals"], [["-t!all", "-S", "SIGUSR1"], "signals"], [["-t!all", "-M", "FLTIZDIV"], "faults"],
                          [["-t!all", "-U", "a.out:nested"], "functions"]):
        native = subprocess.run([TRUSSED, mode], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        words = shlex.join([TRUSS, "-o", file("job"), *options, TRUSSED, mode])
        with Shell() as shell:
            shell.type(words)
            shell.shows(r"^\[1\]\+  Stopped")
            shell.type("jobs -p | sed s/^/job\ /")
            job = int(shell.shows(r"^job (\d+)$").group(1))
            equal(contents("/proc/%d/cmdline" % job).split("\0")[0], TRUSSED, "the job of %s" % words)
            shell.type("fg; echo status $?.")
            equal(int(shell.shows(r"^status (\d+)\.").group(1)), native, "status of the job of %s" % words)


@test
def stops_at_faults():
    stops(["-t!all", "-M", "FLTIZDIV"], r"    Incurred fault #8, FLTIZDIV .*", (TRUSSED, "faults"))


@test
def only_ptrace_stops():
    status, out, err = truss("--backend=kassist", "-T", "open", "true")
    equal((status, out), (1, ""), "status and output")
    expect("needs ptrace" in err or "need ptrace" in err, err)


# -- SIGUSR1: it lets all go on; SIGUSR2: it leaves all stopped ----------------------------------------------------------------

def session_of(pid, name="*"):
    """{process: state} of its session, of those with this name; zombies are not counted."""
    found = {}
    for id in filter(str.isdigit, os.listdir("/proc")):
        try:
            comm, _, rest = contents("/proc/%s/stat" % id).partition("(")[2].rpartition(")")
        except (FileNotFoundError, ProcessLookupError):
            continue
        state, _, _, session = rest.split()[:4]
        if int(session) == pid and state not in "ZX" and fnmatch.fnmatch(comm, name):
            found[int(id)] = state
    return found


def tracer_of(pid):
    """0: none, or the process is gone."""
    try:
        return int(re.search(r"TracerPid:\t(\d+)", contents("/proc/%d/status" % pid)).group(1))
    except (FileNotFoundError, ProcessLookupError):
        return 0


def send(pid, number):
    """To one that may be gone by now."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def let_all_go_on(leader):
    for pid in session_of(leader):
        send(pid, signal.SIGCONT)


def forking(name):
    """A shell that makes children until the file is there."""
    end = os.path.join(FOLDER, name)
    if os.path.exists(end):
        os.unlink(end)
    return end, ["sh", "-c", "while [ ! -e %s ]; do (:); done; echo done" % end]


WAYS = [["-f"], ["-f", "-t!all", "-u", "libc:malloc"], ["-cf"], []]


@each_backend
def runs_on_after_sigusr1(backend):
    for options in WAYS:
        end, words = forking("end")
        path = file("told.usr1")
        process = start(command(["-o", path, *options, *words], backend))
        wait_until(lambda: any(tracer_of(pid) or backend == "kassist" for pid in session_of(process.pid) if pid != process.pid), "started")
        if "-cf" not in options:
            wait_until(lambda: contents(path).count("\n") > 20, "traced")
        process.send_signal(signal.SIGUSR1)
        equal(process.wait(PATIENCE), 0, "status of truss")
        expect(all(state not in "Tt" for state in session_of(process.pid).values()), "somebody stands still")
        file("end")
        equal(finish(process)[1], "done\n", "the command's output")


@each_backend
def all_are_left_stopped_by_sigusr2(backend):
    for options in WAYS[:3]:
        end, words = forking("end")
        path = file("told.usr2")
        process = start(command(["-o", path, *options, *words], backend))
        wait_until(lambda: len(session_of(process.pid)) > 2, "started")
        process.send_signal(signal.SIGUSR2)
        equal(process.wait(PATIENCE), 0, "status of truss")
        try:
            wait_until(lambda: set(session_of(process.pid).values()) == {"T"}, "stopped, all of them")
            equal({tracer_of(pid) for pid in session_of(process.pid)}, {0}, "who traces them")
            has_no_line(contents(path), r".*SIGSTOP.*")
            file("end")
        finally:
            let_all_go_on(process.pid)
        equal(finish(process)[1], "done\n", "the command's output")


@each_backend
def all_are_left_stopped_by_a_truss_that_is_behind(backend):
    """It has seconds of what has happened to tell yet when it is told to leave."""
    end, words = forking("end")
    path = os.path.join(FOLDER, "slow.fifo")
    os.mkfifo(path)
    process = start(command(["-f", "-o", path, *words], backend))
    with open(path, "rb", buffering=0) as told:
        wait_until(lambda: select.select([told], [], [], 0)[0], "anything to read")
        time.sleep(3)
        process.send_signal(signal.SIGUSR2)
        while told.read(16384):
            time.sleep(0.01)
    os.unlink(path)
    equal(process.wait(PATIENCE), 0, "status of truss")
    try:
        wait_until(lambda: set(session_of(process.pid).values()) == {"T"}, "stopped, all of them")
        file("end")
    finally:
        let_all_go_on(process.pid)
    equal(finish(process)[1], "done\n", "the command's output")


@each_backend
def grabbed_ones_are_left_stopped(backend):
    victim = start([TRUSSED, "copy"], stdin=subprocess.PIPE)
    path = file("left." + backend)
    process = start(command(["-o", path, "-p", str(victim.pid)], backend))
    wait_until(lambda: "(sleeping...)" in contents(path), "attached")
    process.send_signal(signal.SIGUSR2)
    equal(finish(process), (0, "", ""), "truss")
    wait_until(lambda: state_of(victim.pid) == "T", "stopped")
    os.kill(victim.pid, signal.SIGCONT)
    equal(finish(victim, "still here\n"), (0, "still here\n", ""), "the victim")


@each_backend
def told_to_leave_before_it_traces(backend):
    """Whenever it is told: either it had not begun, or the command runs to its end, as it would."""
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        for options in ([], ["-u", "libc:malloc"]):
            begun = wait_ms = 0
            while wait_ms < 120 or not begun:  # on a busy machine it begins later
                expect(wait_ms < PATIENCE * 1000, "it never began")
                process = start(command(["-o", file("early"), "-t!all", *options, "sh", "-c", "echo hi"], backend))
                time.sleep(wait_ms / 1000)
                process.send_signal(number)
                status = process.wait(PATIENCE)
                wait_until(lambda: set(session_of(process.pid).values()) <= {"T"} or number == signal.SIGUSR1, "stopped")
                let_all_go_on(process.pid)
                out = finish(process)[1]
                expect((status, out) in ((0, "hi\n"), (-number, "")), "after %d ms: status %d, output %r" % (wait_ms, status, out))
                begun += status == 0
                wait_ms += 6 if wait_ms < 120 else wait_ms


@each_backend
def the_job_is_left_stopped(backend):
    """The kernel would hang up on the command if the job's first process ended: truss stops with it, and ends as it does."""
    end = os.path.join(FOLDER, "job.end")
    shell_loop = ["sh", "-c", "echo up; while [ ! -e %s ]; do sleep 0.01; done; exit 7" % end]
    # The last cannot be stopped where it is: it is let go when its child has ended.
    for options, words in ([], shell_loop), (["-u", "libc:malloc"], shell_loop), ([], [TRUSSED, "lender", end]):
        if os.path.exists(end):
            os.unlink(end)
        with Shell() as shell:
            shell.type(shlex.join(command(["-o", file("job"), "-t!all", *options, *words], backend)))
            shell.shows(r"^up$")
            known = min(session_of(shell.pid, "truss"))
            os.kill(known, signal.SIGUSR2)
            shell.shows(r"^\[1\]\+  Stopped")
            file("job.end")
            shell.type("fg; echo status $?.")
            equal(int(shell.shows(r"^status (\d+)\.").group(1)), 7, "status of the job")
