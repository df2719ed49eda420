"""For gdb: runs the program and writes, for each getppid(2) of any thread, the pcs of its stack as a JSON line to $OUT.

A line that is a string says instead why gdb cannot know: with uprobes of another tracer in the program, gdb has been seen not to
read the C library, and to show a frame at 0 where that begins.
"""
import json
import os

import gdb

gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set debuginfod enabled off")
gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace past-entry on")
gdb.execute("set backtrace limit unlimited")
gdb.execute("handle SIGUSR1 SIGUSR2 SIGILL nostop noprint pass")
gdb.execute("catch syscall getppid")
NOT_ON_STACK = (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME)  # gdb knows of them from debug information
out = open(os.environ["OUT"], "w")


def pcs():
    frame = gdb.newest_frame()
    while frame is not None:
        if frame.type() not in NOT_ON_STACK:
            yield frame.pc()
        frame = frame.older()


def disturbance():
    """Why gdb cannot know the stack; None: it can."""
    known = {os.path.realpath(file.filename) for file in gdb.objfiles() if file.filename}
    with open("/proc/%d/maps" % gdb.selected_inferior().pid) as maps:
        for line in maps:
            fields = line.split(None, 5)
            name = fields[5].strip() if len(fields) > 5 else ""
            if name == "[uprobes]":
                return "another tracer has uprobes in the program"
            if "x" in fields[1] and name.startswith("/") and os.path.realpath(name) not in known:
                return "gdb has not read " + name
    return None


gdb.execute("run")
entered = set()
while gdb.selected_thread() is not None and gdb.selected_thread().is_valid():
    thread = gdb.selected_thread().ptid
    if thread in entered:
        entered.remove(thread)
    else:
        entered.add(thread)
        out.write(json.dumps(disturbance() or list(pcs())) + "\n")
    gdb.execute("continue")
out.close()
