"""Commands of which two tools, or two backends, are to print the same: tables of them, how they are run, and a test for each."""
import os
import shlex
import shutil
import subprocess

import layout
import tier
from tier import FOLDER, Skip, Wrong

LINES = 12  # that are shown of what differs


def table(path, separator="|", columns=3):
    """Lines of a table file as lists of so many columns; the last one may hold the separator."""
    with open(path) as lines:
        return [[c.strip() for c in line.split(separator, columns - 1)] for line in lines if line.strip() and line[0] != "#"]


def traced(tracer, command):
    """The log of one run in a fresh directory, whose name is the same in all runs, for it is part of the text; and how it ended."""
    folder, log = os.path.join(FOLDER, "here"), os.path.join(FOLDER, "log")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    argv = [a.replace("TARGETS", tier.target("")[:-1]) for a in shlex.split(command)]
    if shutil.which(argv[0]) is None:
        raise Skip("%s is not installed" % argv[0])
    env = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": folder, "LC_ALL": "C", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1",
           "GIT_AUTHOR_DATE": "2020-02-02T02:02:02", "GIT_COMMITTER_DATE": "2020-02-02T02:02:02"}
    done = subprocess.run([*layout.FIXED, *tracer, "-o", log, *argv], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)
    with open(log, errors="surrogateescape") as text:
        return text.read(), done


def add(name, differences):
    """A test that finds no differences, which are lines."""
    def alike():
        found = differences()
        if found:
            rest = ["… %d lines in all" % len(found)] if len(found) > LINES else []
            raise Wrong("\n     ".join(["it differs", *found[:LINES], *rest]))
    tier.TESTS.append((name, alike))
