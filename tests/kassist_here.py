"""Whether the kernel assist works here; tests that need it skip aloud, with strut doctor's reason, or fail with REQUIRE=kassist."""
import os
import subprocess
import sys

BUILD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build")
# They load if all else works, and a failure of them alone is strut's own.
THE_PROGRAMS = "the programs"
IS_REQUIRED = "kassist" in os.environ.get("REQUIRE", "").split()


def run(argv):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def obstacles(doctor):
    """What strut doctor says the machine lacks for kassist."""
    lines = doctor.partition("\nbackend kassist:")[2].splitlines()
    lacking = [line.split(None, 1)[1] for line in lines if line.startswith("  NO ")]
    return [line for line in lacking if not line.startswith(THE_PROGRAMS)]


def end_without(why):
    """Ends the tier with one skip, or with a failure where the kernel assist is required."""
    print("%s: %s" % ("FAIL" if IS_REQUIRED else "SKIP", why))
    print("0 passed, 1 failed" if IS_REQUIRED else "0 passed, 0 failed, 1 skipped")
    sys.exit(IS_REQUIRED)


def backends_for_functions(wanted):
    """Those of them by which functions can be traced here. One that is left out is said."""
    lacking = obstacles(run([os.path.join(BUILD, "strut"), "doctor"]).stdout) if "kassist" in wanted else []
    if lacking and IS_REQUIRED:
        end_without("functions by kassist: " + "; ".join(lacking))
    if lacking:
        print("SKIP: functions by kassist: " + "; ".join(lacking))
    return [backend for backend in wanted if backend != "kassist" or not lacking]


def is_left_out(case, wanted, backends):
    """Whether a case, "NAME by BACKEND", is of one that was left out."""
    return any(case.endswith(" by " + backend) for backend in wanted if backend not in backends)


def require_functions():
    """Ends the tier with one skip where kassist can trace none."""
    if not backends_for_functions(["kassist"]):
        end_without("the tier needs functions by kassist")


def require():
    """Ends the tier where a kassist run of /bin/true fails: with one skip if the machine is the reason, else with a failure."""
    trial = run([os.path.join(BUILD, "strace"), "--backend=kassist", "-o", "/dev/null", "/bin/true"])
    if trial.returncode == 0:
        return
    lacking = obstacles(run([os.path.join(BUILD, "strut"), "doctor"]).stdout)
    said = trial.stderr.strip()
    if lacking:
        end_without("the kernel assist is not permitted here: %s (%s)" % (said, "; ".join(lacking)))
    print("FAIL: the kernel assist does not work, and strut doctor finds nothing that is lacking: %s" % said)
    print("0 passed, 1 failed")
    sys.exit(1)
