#!/usr/bin/env python3
"""--format json of all tools against docs/json.md and docs/events.schema.json, for targets that make calls of every kind: a first
line, then each line is one JSON object with the documented members in their order, none twice, and of a call exactly one end; ids
are unique, and arguments have one type."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

import jsonschema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kassist_here

BACKENDS = kassist_here.backends_for_functions(["ptrace", "kassist"])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OURS = os.path.join(ROOT, "build", "strut")
TARGETS = os.path.join(ROOT, "build", "targets")
COMMANDS = [[os.path.join(TARGETS, name)] for name in sorted(os.listdir(TARGETS))
            if re.fullmatch(r"golden_\w+(\.m32)?|page_end|vfork_parent|signals_arrive|stop_and_continue|exec_from_thread", name)]
COMMANDS += [["sh", "-c", "ls /nonexistent; kill -9 $$"], ["cat", "/etc/hostname"], ["-k", "true"], ["-C", "-w", "true"], ["-c", "true"],
             ["-e", "inject=getpid:retval=7", "sh", "-c", "echo $$"]]
TOOLS = [["strace", "-f", "sh", "-c", "cat /etc/hostname; exit 3"], ["strace", "-c", "true"], ["ltrace", "-S", "sort", "/etc/hostname"],
         ["ltrace", "-f", "-w", "2", "--errors", "sh", "-c", "true; cat /nonexistent"], ["ltrace", "-c", "sort", "/etc/hostname"],
         ["truss", "-f", "-u", "libc:malloc,free", "sh", "-c", "kill -USR1 $$"], ["truss", "-c", "-u", "libc:malloc", "sort", "/etc/hostname"],
         ["truss", "-t", "nanosleep,clock_nanosleep", "sleep", "1.5"],
         ["dtrace", "-q", "-c", "sort /etc/hostname", "-n", "syscall::read:entry/pid == $target/{@calls[probefunc] = count(); @[arg2] = quantize(arg2);"
          " printf(\"%s %d\", execname, pid); trace(arg0); stack(); ustack(); printa(@calls); printa(\"%s %@d\", @calls);}"],
         ["dtrace", "-c", "true", "-n", "BEGIN{@a = lquantize(-5, 0, 10, 1); @b = avg(3); @c[\"x\"] = sum(4);} pid$target:libc:exit:entry{tracemem(copyin(ucaller, 8), 8);}"]]
with open(os.path.join(ROOT, "docs", "events.schema.json"), encoding="utf-8") as text:
    SCHEMA = json.load(text)
jsonschema.Draft202012Validator.check_schema(SCHEMA)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def words(text):
    return re.findall(r"`(\w+)`", text)


def schema():
    """Members by the kind of line, in their order, as the tables of docs/json.md have them."""
    with open(os.path.join(ROOT, "docs", "json.md"), encoding="utf-8") as page:
        sections = re.split(r"^## ", page.read(), flags=re.M)[1:]
    rows = {s.split("\n", 1)[0]: re.findall(r"^\| (`.*?) \|(.*)\|$", s, re.M) for s in sections}
    firsts = lambda title: [word for first, _ in rows[title] for word in words(first)]
    head = firsts("Every line")
    kinds = {kind: head + words(members) for first, members in rows["Other events"] for kind in words(first)}
    kinds["trace"] = ["type"] + firsts('The first line: `"type":"trace"`')
    kinds["call"] = head + firsts('Calls: `"type":"call"`')
    kinds["function"] = head + firsts('Functions: `"type":"function"`')
    stack = [word for word in firsts("Stacks") if word.startswith("stack")]
    for kind in ("call", "signal", "detached", "function"):
        kinds[kind] += stack
    d_rows = firsts("D programs: `strut dtrace --format json`")
    element = d_rows.index("aggregation")
    kinds["probe"] = [word for word in head if word not in ("ppid", "comm")] + d_rows[:element]
    kinds["aggregation"] = ["type"] + d_rows[element:]
    kinds["summary"] = firsts("Counts: `-c` and `-C`") + ["user_ns", "elapsed_ns"]
    return kinds


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("twice the same member: %s" % keys)
    return dict(pairs)


def wrong(line, kinds):
    """What is wrong with a line; None: nothing."""
    if any(unicodedata.category(letter) == "Cc" for letter in line):
        return "a control character"
    try:
        event = json.loads(line, object_pairs_hook=unique)
    except ValueError as why:
        return str(why)
    if failure := next(VALIDATOR.iter_errors(event), None):
        return "against the schema: %s: %s" % ("/".join(map(str, failure.absolute_path)), failure.message[:200])
    if event.get("type") not in kinds:
        return "unknown type"
    documented, members = kinds[event["type"]], list(event)
    if not set(members) <= set(documented):
        return "undocumented: %s" % sorted(set(members) - set(documented))
    if members != sorted(members, key=documented.index):
        return "not in order: %s" % members
    if event["type"] not in ("trace", "summary", "aggregation") and event["time_ns"] != re.sub(r"\D", "", re.search(r'"time":([0-9.]+)', line)[1]):
        return "time and time_ns differ"
    if event["type"] not in ("trace", "summary", "aggregation", "probe", "attached", "superseded") and not {"ppid", "comm"} <= set(members):
        return "without ppid or comm"
    if event["type"] == "call":
        ends = [end for end in ("result", "error", "returned") if end in event]
        if len(ends) != 1 or not isinstance(event["args"], dict):
            return "ends: %s" % ends
    return None


def lines_of(words, log, folder):
    """The lines of a trace, and what is behind the last one's end."""
    subprocess.run([OURS, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    with open(log, encoding="utf-8") as text:
        return text.read().split("\n")


def kind_of(value):
    """Whether an argument is a number; None for what stands for a value that is not there: an address that was not followed, a change."""
    if isinstance(value, str) and re.fullmatch("0x[0-9a-f]+", value):
        return None
    if isinstance(value, dict) and {"unreadable", "unseen", "before"} & set(value):
        return None
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else "other"


MULTIPLEXERS = ("ioctl", "fcntl", "fcntl64", "prctl", "arch_prctl", "bpf", "shmctl", "semctl", "msgctl", "keyctl", "quotactl", "quotactl_fd", "ptrace",
                "seccomp", "futex", "ipc", "socketcall", "getsockopt", "setsockopt", "sysfs", "map_shadow_stack", "fsconfig", "socket", "syslog", "waitid")


class Whole:
    """What holds of a trace, or of all, and of no line alone."""

    def __init__(self):
        self.kinds = collections.defaultdict(set)

    def wrong(self, events):
        ids = [event["id"] for event in events if event["type"] in ("call", "function")]
        if len(set(ids)) != len(ids):
            return "an id comes twice"
        if [event["type"] for event in events].count("trace") != 1 or events[0]["type"] != "trace":
            return "not one first line, in front"
        for event in events:
            for name, value in event.get("args", {}).items() if event["type"] == "call" else ():
                if (kind := kind_of(value)) and event["call"] not in MULTIPLEXERS and value is not None:
                    self.kinds[event["abi"], event["call"], name].add(kind)
        return None

    def mixed(self):
        return sorted(" ".join(where) for where, kinds in self.kinds.items() if len(kinds) > 1)


def schema_finds_mistakes():
    """Whether lines that are wrong in one way each fail."""
    line = {"time": 1.5, "time_ns": "1500000000", "pid": 2, "ppid": 1, "tid": 2, "comm": "cat", "type": "call", "id": 1, "abi": "x86-64", "nr": 0,
            "call": "read", "args": {}, "result": {"value": 0}, "duration_ns": 1}
    changes = ({"type": "cal"}, {"pid": "2"}, {"abi": "arm"}, {"args": []}, {"error": {"value": 2}}, {"duration_ns": -1}, {"extra": 1}, {"result": 0},
               {"time_ns": 1500000000}, {"id": 0}, {"stack": [{"ip": 4096}]})
    return VALIDATOR.is_valid(line) and not any(VALIDATOR.is_valid({**line, **change}) for change in changes)


def runs(folder):
    """(name, words, log) of each trace."""
    log = os.path.join(folder, "log")
    for command in COMMANDS:
        yield os.path.basename(command[0]), ["trace", "--format", "json", "-f", "-yy", "-Y", "-v", "-o", log, *command], log
    for tool, *words in TOOLS:
        for backend in BACKENDS:
            yield "%s --backend=%s" % (tool, backend), [tool, "--format=json", "--backend=" + backend, "-o", log, *words], log


def check(words, log, folder, kinds, whole):
    """What is wrong with a trace: [(why, line)]."""
    if os.path.exists(log):
        os.unlink(log)
    try:
        lines = lines_of(words, log, folder)
    except (OSError, ValueError, subprocess.TimeoutExpired) as why:
        return [(str(why), "")]
    bad = [(why, line) for line in lines[:-1] if (why := wrong(line, kinds))]
    if len(lines) < 3 or lines[-1] != "":
        bad.append(("no whole lines", lines[-1]))
    elif not bad and (why := whole.wrong([json.loads(line) for line in lines[:-1]])):
        bad.append((why, ""))
    return bad


def main():
    kinds, passed, failed, whole = schema(), 0, 0, Whole()
    if not schema_finds_mistakes():
        failed += 1
        print("FAIL the schema: it accepts a wrong line, or refuses a right one")
    with tempfile.TemporaryDirectory() as folder:
        for name, words, log in runs(folder):
            bad = check(words, log, folder, kinds, whole)
            passed, failed = passed + (not bad), failed + bool(bad)
            for why, line in bad[:5]:
                print("FAIL %s: %s\n     %s" % (name, why, line[:400]))
    if whole.mixed():
        failed += 1
        print("FAIL arguments of several types: " + ", ".join(whole.mixed()))
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
