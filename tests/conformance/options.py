#!/usr/bin/env python3
"""What we say to command lines, row by row of options.txt, and what the installed strace says to the rows it shares;
then the looks of a log under options that change them, with times and addresses masked.

STRACE names another reference; a strace 7.2 is held to all rows but strut's own. Arguments pick rows by their text.
"""
import concurrent.futures
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "strace")
REFERENCE = os.environ.get("STRACE") or shutil.which("strace")

# Options that change what lines look like, and a command of few calls. strace 6.1 and 7.2 agree on these.
LOOKS = """
-t | -tt | -ttt | -r | -T | -i | -n | -t -r | -ttt -r | -tt -T -n -i
--timestamps=ns | --timestamps=unix,ms | --timestamps=unix,s | --timestamps=none | --absolute-timestamps=precision:us
--relative-timestamps=ns | --relative-timestamps=ms | --relative-timestamps=s | --relative-timestamps
--syscall-times=ns | --syscall-times=ms | --syscall-times=s | --syscall-times
-a 0 | -a 12 | -a 70 | --columns=55 | -s 3 | --string-limit=1 | -x | -xx | --strings-in-hex=non-ascii
-X raw | -X verbose | -y | --decode-fds=path | -z | -Z | --failing-only | -e status=unfinished
-q | -qq | -qqq | -e quiet=exit | --silent | -f | -f -tt | --always-show-pid | -f --always-show-pid | -F
-e abbrev=none | -e verbose=none | -e raw=brk,openat | -e inject=brk:error=EIO | -e fault=openat:when=1
-e inject=access:retval=7 | -e signal=none | -P /etc/ld.so.cache | --trace-path /etc/ld.so.cache -y
""".replace("\n", "|").split("|")
LOOKED_AT = ["-e", "trace=execve,brk,access,openat,close,exit_group", "true"]


def rows():
    with open(os.path.join(HERE, "options.txt"), encoding="utf-8") as table:
        for line in table:
            if line.strip() and line[0] != "#":
                yield line.rstrip("\n").split("\t")


def answer(program, command):
    """Exit status and messages of a run, as the table writes them. Traces and news of attaching are left out."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word.replace("{T}", folder) for word in shlex.split(command)]
        try:
            run = subprocess.run([program] + words, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            return "timeout", ""
        said = run.stderr.decode(errors="replace").replace(folder, "{T}").split("\n")
    prefix = program + ": "
    messages = [line[len(prefix):] for line in said if line.startswith(prefix)]
    messages = [line for line in messages if not re.match(r"Process \d+ (at|de)tached", line)]
    if f"Try '{program} -h' for more information." in said:
        messages.append("…")
    return str(run.returncode), " | ".join(messages)


def look(program, options):
    """The log of a run whose times, addresses and pids are masked; None: the program does not know the option."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        words = [program, *shlex.split(options), "-o", log, *LOOKED_AT]
        env = {"PATH": "/usr/bin:/bin"}
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, env=env, cwd="/")
        if b"unrecognized option" in run.stderr:
            return None
        with open(log, errors="surrogateescape") as lines:
            text = lines.read()
    text = re.sub(r"\[[0-9a-f]{16}\]", "[IP]", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "ADDR", text)
    text = re.sub(r"^\d+ +(?=[^ ])", "PID ", text, flags=re.M)
    return re.sub(r"\d", "9", text)


def compare_looks():
    """How many of LOOKS differ, and how many the reference knows."""
    failed = known = 0
    for options in filter(None, map(str.strip, LOOKS)):
        expected, got = look(REFERENCE, options), look(OURS, options)
        known += expected is not None
        if expected not in (None, got):
            failed += 1
            print(f"FAIL looks of {options}:")
            lines = difflib.unified_diff(expected.split("\n"), (got or "").split("\n"), lineterm="", n=0)
            print("\n".join(list(lines)[2:8]))
    return failed, known


def version(program):
    found = re.search(r"version (\S+)", subprocess.run([program, "-V"], capture_output=True, text=True).stdout)
    return found[1] if found else ""


def main():
    shared = {"6.1": "=", "7.2": "=+"}.get(version(REFERENCE), "") if REFERENCE else ""
    jobs, skipped = [], 0
    for mark, command, status, messages in rows():
        if sys.argv[1:] and not any(text in command for text in sys.argv[1:]):
            continue
        if os.getuid() != 0 and "-u " in command:
            skipped += 1  # only root may name users
            continue
        jobs.append((OURS, command, status, messages))
        if mark in shared:
            jobs.append((REFERENCE, command, status, messages))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda job: answer(job[0], job[1]), jobs)
        for (program, command, status, messages), got in zip(jobs, answers):
            if got != (status, messages):
                failed += 1
                print(f"FAIL {program} {command}\n  expected {status}: {messages}\n  got      {got[0]}: {got[1]}")
    total = len(jobs)
    if shared and not sys.argv[1:]:
        unlike, looks = compare_looks()
        failed, total = failed + unlike, total + looks
    print(f"{total - failed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
