#!/usr/bin/env python3
"""`strut trace --format json` against docs/json.md and docs/events.schema.json, for targets that make calls of every kind: each
line is one JSON object with the documented members in their order, none twice, and of a call exactly one end."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OURS = os.path.join(ROOT, "build", "strut")
TARGETS = os.path.join(ROOT, "build", "targets")
COMMANDS = [[os.path.join(TARGETS, name)] for name in sorted(os.listdir(TARGETS))
            if re.fullmatch(r"golden_\w+(\.m32)?|page_end|vfork_parent|signals_arrive|stop_and_continue|exec_from_thread", name)]
COMMANDS += [["sh", "-c", "ls /nonexistent; kill -9 $$"], ["cat", "/etc/hostname"], ["-k", "true"], ["-C", "-w", "true"], ["-c", "true"],
             ["-e", "inject=getpid:retval=7", "sh", "-c", "echo $$"]]
with open(os.path.join(ROOT, "docs", "events.schema.json"), encoding="utf-8") as text:
    SCHEMA = json.load(text)
jsonschema.Draft202012Validator.check_schema(SCHEMA)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def schema():
    """Members by the kind of line, in their order, as the tables of docs/json.md have them."""
    with open(os.path.join(ROOT, "docs", "json.md"), encoding="utf-8") as page:
        sections = re.split(r"^## ", page.read(), flags=re.M)[1:]
    rows = {s.split("\n", 1)[0]: re.findall(r"^\| (`.*?) \|(.*)\|$", s, re.M) for s in sections}
    words = lambda text: re.findall(r"`(\w+)`", text)
    head = [word for first, _ in rows["Every line"] for word in words(first)]
    call = [word for first, _ in rows['Calls: `"type":"call"`'] for word in words(first)]
    kinds = {kind: head + words(members) for first, members in rows["Other events"] for kind in words(first)}
    kinds["call"] = head + call
    stack = [word for first, _ in rows["Stacks"] for word in words(first) if word.startswith("stack")]
    for kind in ("call", "signal", "detached"):
        kinds[kind] += stack
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
    if event["type"] == "summary":
        return None
    if event.get("type") not in kinds:
        return "unknown type"
    documented, members = kinds[event["type"]], list(event)
    if not set(members) <= set(documented):
        return "undocumented: %s" % sorted(set(members) - set(documented))
    if members != sorted(members, key=documented.index):
        return "not in order: %s" % members
    if not {"time", "pid", "tid"} <= set(members):
        return "without time, pid or tid"
    if event["type"] == "call":
        ends = [end for end in ("result", "error", "returned") if end in event]
        if len(ends) != 1 or not isinstance(event["args"], dict):
            return "ends: %s" % ends
    return None


def traced(command):
    """The lines of its trace, and what is behind the last one's end."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        subprocess.run([OURS, "trace", "--format", "json", "-f", "-yy", "-Y", "-v", "-o", log, *command], cwd=folder,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        with open(log, encoding="utf-8") as text:
            return text.read().split("\n")


def schema_finds_mistakes():
    """Whether lines that are wrong in one way each fail."""
    line = {"time": 1.5, "pid": 2, "tid": 2, "type": "call", "abi": "x86-64", "nr": 0, "call": "read", "args": {}, "result": 0, "duration_ns": 1}
    changes = ({"type": "cal"}, {"pid": "2"}, {"abi": "arm"}, {"args": []}, {"error": {"value": 2}}, {"duration_ns": -1}, {"extra": 1})
    return VALIDATOR.is_valid(line) and not any(VALIDATOR.is_valid({**line, **change}) for change in changes)


def main():
    kinds, passed, failed = schema(), 0, 0
    if not schema_finds_mistakes():
        failed += 1
        print("FAIL the schema: it accepts a wrong line, or refuses a right one")
    for command in COMMANDS:
        try:
            lines = traced(command)
        except (OSError, ValueError, subprocess.TimeoutExpired) as why:
            lines = [str(why), ""]
        bad = [(why, line) for line in lines[:-1] if (why := wrong(line, kinds))]
        if len(lines) < 3 or lines[-1] != "":
            bad.append(("no whole lines", lines[-1]))
        passed, failed = passed + (not bad), failed + bool(bad)
        for why, line in bad[:5]:
            print("FAIL %s: %s\n     %s" % (os.path.basename(command[0]), why, line[:400]))
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
