"""For gdb: runs the program and writes, for each getppid(2) of any thread, the pcs of its stack as a JSON line to $OUT."""
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


gdb.execute("run")
entered = set()
while gdb.selected_thread() is not None and gdb.selected_thread().is_valid():
    thread = gdb.selected_thread().ptid
    if thread in entered:
        entered.remove(thread)
    else:
        entered.add(thread)
        out.write(json.dumps(list(pcs())) + "\n")
    gdb.execute("continue")
out.close()
