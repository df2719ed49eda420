"""strut as it may be installed for ordinary users: a file with CAP_BPF and CAP_PERFMON, and a set-user-ID root one."""
import os
import shutil
import struct

import tier
from tier import FOLDER, Skip, start

NOBODY = 65534
CAP_PERFMON, CAP_BPF = 38, 39
AS_NOBODY = {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def copy_of(path, name, mode):
    """A copy that every user may run."""
    os.chmod(FOLDER, 0o755)
    folder = os.path.join(FOLDER, "installed")
    os.makedirs(folder, exist_ok=True)
    copy = os.path.join(folder, name)
    if not os.path.exists(copy):
        shutil.copy(path, copy)
        os.chmod(copy, mode)
    return copy


def with_capabilities():
    """With the attribute of capabilities(7), "File capabilities" (VFS_CAP_REVISION_2, effective)."""
    path = copy_of(tier.tool("strut"), "strut", 0o755)
    high = 1 << CAP_PERFMON - 32 | 1 << CAP_BPF - 32
    try:
        os.setxattr(path, "security.capability", struct.pack("<5I", 0x02000001, 0, 0, high, 0))
    except OSError:
        raise Skip("there is no file system for temporary files that keeps capabilities")
    return path


def set_user_id():
    if os.statvfs(FOLDER).f_flag & os.ST_NOSUID:
        raise Skip("the file system for temporary files ignores set-user-ID")
    return copy_of(tier.tool("strut"), "strut-set-user-id", 0o4755)


def start_as_nobody(words, **more):
    return start(words, **AS_NOBODY, **more)
