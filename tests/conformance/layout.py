"""The words in front of a command that give it the same addresses in every run; none where that is not permitted
(a container's policy may refuse personality(2)): what two runs then differ in is not compared."""
import subprocess


def _permitted(argv):
    try:
        return subprocess.run([*argv, "true"], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


FIXED = ["setarch", "-R"] if _permitted(["setarch", "-R"]) else []
