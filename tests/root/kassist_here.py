"""Whether the kernel assist can be had here; tests that need it skip aloud where it cannot."""
import os
import subprocess
import sys

STRACE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "build", "strace")


def require():
    """Ends the test with one skip where a kassist run of /bin/true fails."""
    run = subprocess.run([STRACE, "--backend=kassist", "-o", "/dev/null", "/bin/true"], stdin=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode == 0:
        return
    print("SKIP: the kernel assist is not permitted here: " + run.stderr.strip())
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)
