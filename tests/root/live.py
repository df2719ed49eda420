"""What tests of real processes under the kernel assist have in common."""
import json
import os
import shutil
import time

import kassist_here
import tier
from tier import FOLDER, Skip, run

LOG = os.path.join(FOLDER, "log")


def in_the_kernel():
    """Programs, maps and links there are; bpftool is on most machines that build BPF programs."""
    tool = shutil.which("bpftool") or shutil.which("bpftool", path="/usr/sbin:/sbin")
    if tool is None:
        raise Skip("bpftool is not installed")
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


def main():
    """The tier, where there is a kernel assist; the status to exit with."""
    kassist_here.require()
    return tier.main(before=tier.empty_folder)
