#!/usr/bin/env python3
"""What we say to command lines, row by row of options.txt, and what the installed strace says to the rows it shares.

STRACE names another reference; a strace 7.2 is held to all rows but strut's own. Arguments pick rows by their text.
"""
import concurrent.futures
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
            run = subprocess.run([program] + words, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
        except subprocess.TimeoutExpired:
            return "timeout", ""
        said = run.stderr.decode(errors="replace").replace(folder, "{T}").split("\n")
    prefix = program + ": "
    messages = [line[len(prefix):] for line in said if line.startswith(prefix)]
    messages = [line for line in messages if not re.match(r"Process \d+ (at|de)tached", line)]
    if f"Try '{program} -h' for more information." in said:
        messages.append("…")
    return str(run.returncode), " | ".join(messages)


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
                print(f"{program} {command}\n  expected {status}: {messages}\n  got      {got[0]}: {got[1]}")
    print(f"{len(jobs) - failed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
