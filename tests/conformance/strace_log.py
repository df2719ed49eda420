"""Reads logs of `strace -f -o FILE`, brings them to a form that two runs share, and compares them thread by thread."""
import collections
import difflib
import re

Line = collections.namedtuple("Line", "tid text")

LEADER = re.compile(r"(\d+) +(.*)", re.S)
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)", re.S)
CREATES = re.compile(r"(?:clone|clone3|fork|vfork)\(.*\) += (\d+)\b", re.S)
OTHERS_PROBE = re.compile(r"\bu(?:ret)?probe\(\) += ")  # where somebody else's probe is, the kernel has programs call it
CUT = " <unfinished ...>"
FRAME = " > "
GAP = re.compile(r"\) += ")

# What differs between two runs of one tracer, and is not what the text is about.
VOLATILE = [(re.compile(pattern), text) for pattern, text in [
    (r"0x[0-9a-f]+ (?=/\* \d+ vars)", "ENVIRON "),
    (r"\b(st_|stx_|d_)ino=\d+", r"\1ino=#"),
    (r"\b(pipe|socket|mnt|net|pid|user|uts|ipc|time|cgroup):\[\d+\]", r"\1:[#]"),
    (r"\b(st_[acm]time|stx_[abcm]time|tv_sec|tv_nsec|tv_usec|tms_\w+|uptime|loads|\w+ram|\w+swap|procs)=[^,})]*", r"\1=#"),
    (r"\b(st_[acm]time_nsec)=\d+", r"\1=#"),
    (r"\beventfd-id=\d+", "eventfd-id=#"),  # the system counts them
    (r"\bsi_[us]time=[^,}]*", "si_time=#"),
    (r"\bru_\w+=(\{[^}]*\}|\d+)", "ru=#"),
    (r"\b(f_bfree|f_bavail|f_ffree|f_files|stx_mnt_id|st_size_of_log)=(0x)?[0-9a-f]+", r"\1=#"),
    (r"getrandom\(\"(?:[^\"\\]|\\.)*\"", 'getrandom("RANDOM"'),
    (r"^(time\(.*\) += )\d+.*", r"\1#"),
    (r"^(gettimeofday|clock_gettime|times|sysinfo|getcpu)\(.*", r"\1(#"),
    (r"(?<=/tmp/)[\w.+-]*[A-Za-z0-9]{6,10}(?=[\"./])", "TEMP"),
    (r"^(rt_sigreturn\(.*\)) += .*", r"\1 = #"),  # the result of whatever call the signal interrupted
    (r" <\d+\.\d+>$", " <TIME>"),
    (r"^\d+(:\d\d:\d\d)?\.\d{6} ", "STAMP "),
    (r"^(STAMP )?\( *\+ +\d+\.\d{6}\) ", r"\1SINCE "),
    (r"\bhtons\((3[2-9]\d{3}|[456]\d{4})\)", "htons(PORT)"),
]]


def whole_lines(text):
    """The log's lines with interrupted calls put together again, and with the frames of their stacks (-k) behind them."""
    lines, open_calls = [], {}
    for raw in text.split("\n"):
        if OTHERS_PROBE.search(raw):
            continue
        if raw.startswith(FRAME) and lines:
            lines[-1] = Line(lines[-1].tid, lines[-1].text + "\n" + raw)
            continue
        leader = LEADER.fullmatch(raw)
        if not leader:
            if raw:
                lines.append(Line(0, raw))
            continue
        tid, body = int(leader[1]), leader[2]
        resumed = RESUMED.fullmatch(body)
        if resumed:
            body = open_calls.pop(tid, "<... %s resumed>" % resumed[1]) + resumed[2]
        elif body.endswith(CUT):
            open_calls[tid] = body[:-len(CUT)]
            continue
        lines.append(Line(tid, body))
    lines.extend(Line(tid, body + CUT) for tid, body in open_calls.items())
    return lines


def names_by_birth(lines):
    """tid -> a name that says whose which child it is: P, P.1, P.1.2 …"""
    children, order = collections.defaultdict(list), []
    for line in lines:
        if line.tid and line.tid not in order:
            order.append(line.tid)
        created = CREATES.match(line.text)
        if created:
            children[line.tid].append(int(created[1]))
    names = {}

    def name(tid, as_name):
        if tid in names:
            return
        names[tid] = as_name
        for position, child in enumerate(children[tid], 1):
            name(child, "%s.%d" % (as_name, position))

    for tid in order[:1]:
        name(tid, "P")
    for position, tid in enumerate([t for t in order if t not in names], 1):
        name(tid, "other%d" % position)
    return names


WAITS = " WAITS"
REAPS = re.compile(r"wait4\(-1, (\[.*?\]), .*\) += (\S+)$", re.M)


VAIN = re.compile(r"wait4\(.*\bWNOHANG\b.*\) += 0$", re.M)


def without_vain_looks(lines):
    """Whether a child is over already when it is looked for, and else slept for, is up to chance."""
    rest, looked = [], False
    for text in lines:
        if VAIN.match(text):
            looked = True
        elif looked and text.startswith("rt_sigsuspend("):
            looked = False
        else:
            looked = looked and text.startswith("---")
            rest.append(text)
    return rest


def set_waits_apart(lines):
    """A thread's lines without its waits for any child, for children end in any order; and the children that were waited
    for, in one order."""
    rest = [text for text in without_vain_looks(lines) if not text.startswith("wait4(-1, ")]
    return rest, sorted("%s of %s" % reaped.groups() for reaped in map(REAPS.match, lines) if reaped)


APART = " SIGCHLD"
INTERRUPTED_WAIT = re.compile(r"wait(4|id)\(.* = \? ERESTARTSYS")  # by such a signal
OTHER_SIGNAL = re.compile(r"--- SIG(?!CHLD)")
HANDLER_LINES = 8  # the longest run of a SIGCHLD handler that is looked for


def set_sigchld_apart(lines):
    """A thread's lines without those from each SIGCHLD to the end of its handler, whose place chance decides; and those.
    Another signal that arrived together with it is none of them."""
    rest, apart, at = [], [], 0
    while at < len(lines):
        end = at
        if lines[at].startswith("--- SIGCHLD"):
            near = lines[at + 1:at + 1 + HANDLER_LINES]
            returns = [i for i, text in enumerate(near) if text.startswith("rt_sigreturn(")]
            end = at + 1 + (returns[0] + 1 if returns else 0)
            for text in lines[at:end]:
                (rest if OTHER_SIGNAL.match(text) else apart).append(text)
        else:
            end = at + 1
            rest += [] if INTERRUPTED_WAIT.match(lines[at]) else lines[at:end]
        at = end
    return rest, apart


def threads(text, more_volatile=()):
    """A log as {thread name: [line]}, volatile parts hidden; what SIGCHLDs brought and waits for any child stand in
    sequences of their own."""
    lines = whole_lines(text)
    names = names_by_birth(lines)
    known = re.compile(r"\b(%s)\b" % "|".join(map(str, names))) if names else None
    result = collections.defaultdict(list)
    first = True
    for line in lines:
        body, newline, frames = line.text.partition("\n")
        for pattern, replacement in [*more_volatile, *VOLATILE]:
            body = pattern.sub(replacement, body)
        if first:  # the first execve's arrays lie in the tracer's memory
            body, first = re.sub(r"0x[0-9a-f]{5,}", "ADDR", body), False
        if known:
            body = known.sub(lambda m: names[int(m[0])], body)
        if len(names) > 1:  # padding depends on the width of pids
            body = GAP.sub(") = ", body, count=1)
        result[names.get(line.tid, "?")].append(body + newline + frames)
    for name in list(result):
        result[name], waits = set_waits_apart(result[name])
        if waits:
            result[name + WAITS] = waits
    for name in [name for name in result if not name.endswith(WAITS)]:
        result[name], apart = set_sigchld_apart(result[name])
        if apart:
            result[name + APART] = apart
    return result


def stable(lines, again):
    """Which lines of one run stand in another run of the same tracer too: [bool]."""
    keep = [False] * len(lines)
    for start, _, length in difflib.SequenceMatcher(None, lines, again, autojunk=False).get_matching_blocks():
        keep[start:start + length] = [True] * length
    return keep


def differences(reference, again, ours):
    """What `ours` has otherwise than both runs of the reference: [text], empty if nothing."""
    found = []
    for name in reference:
        if name.endswith(APART):  # how many there are is up to chance too; what they say is not
            seen = reference[name] + again.get(name, [])
            found += ["%s + %s" % (name, text) for text in ours.get(name, []) if text.startswith("---") and text not in seen]
            continue
        if name.endswith(WAITS):
            if ours.get(name) not in (reference[name], again.get(name)):
                found.append("%s: %s, not %s" % (name, ours.get(name), reference[name]))
            continue
        keep = stable(reference[name], again.get(name, []))
        if sum(keep) < len(keep) * 0.5 and len(keep) > 4:
            continue  # chance decides this thread's life: nothing to compare
        mine = ours.get(name, [])
        matcher = difflib.SequenceMatcher(None, reference[name], mine, autojunk=False)
        for tag, a1, a2, b1, b2 in matcher.get_opcodes():
            if tag == "equal" or not any(keep[a1:a2]) and (tag != "insert" or not all(keep[max(0, a1 - 1):a1 + 1])):
                continue
            found += ["%s - %s" % (name, text) for text, kept in zip(reference[name][a1:a2], keep[a1:a2]) if kept]
            found += ["%s + %s" % (name, text) for text in mine[b1:b2]]
    extra = [name for name in ours if name not in reference and name not in again and not name.endswith(APART)]
    found += ["thread %s is only in our log: %s" % (name, ours[name][0]) for name in extra]
    return found


Run = collections.namedtuple("Run", "threads outcome")  # threads(…), and what else must be equal


def least_differences(reference, ours, tries, forgiven=None):
    """What the runs that `ours()` gives have otherwise than those that `reference()` gives: [text].

    What chance decides in a command comes out in one of a few ways. Ours must agree with both runs of a pair of the
    reference's, or with a single one in everything; runs of all tries are compared with one another. `forgiven`: a
    pattern of differences that are none."""
    seen, mine, least = [], [], None
    for _ in range(tries):
        seen += [reference(), reference()]
        mine.append(ours())
        pairs = [(one, one) for one in seen] + list(zip(seen[::2], seen[1::2]))
        for run in mine:
            for first, second in pairs:
                found = [line for line in differences(first.threads, second.threads, run.threads)
                         if not forgiven or not forgiven.match(line)]
                if first.outcome != run.outcome:
                    found.append("outcome %s, ours %s" % (first.outcome, run.outcome))
                if not found:
                    return []
                if least is None or len(found) < len(least):
                    least = found
    return least
