"""Commands with the lines that truss is to give of each, and the same text by both backends."""
import os
import re
import shutil

import by_backend
from by_backend import BACKENDS, WANTED
from harness import HEX, TRUSSED, contents, finish, has_lines, has_no_line, result, truss
from tier import FOLDER, TESTS, equal, expect, file, start, without_costs


# -- commands, with the lines that each is to give ----------------------------------------------------------------------------
# (truss's options, the command, what it reads, lines in their order as patterns; a line that begins with ! is not to be there)

SOME = file("some", "root:x:0:0:Super-User:/root:/bin/bash\n")
OTHER = file("other", "one\ntwo\nthree\n")
NONE = os.path.join(FOLDER, "none")
REPOSITORY = os.path.join(FOLDER, "repository")

COMMANDS = [
    ([], ["true"], [r'execve\("/[^"]*/true", %s, %s\)  argc = 1' % (HEX, HEX), result(r"mmap\(0x00000000, \d+, PROT_READ, MAP_PRIVATE, 3, 0x00000000\)", "= " + HEX),
                    result(r'openat\(AT_FDCWD, "[^"]*libc\.so\.6", O_RDONLY\|O_CLOEXEC\)', "= 3"), result(r"close\(3\)", "= 0"), r"exit_group\(0\)"]),
    ([], ["date", "-u"], [r'execve\("/[^"]*/date", %s, %s\)  argc = 2' % (HEX, HEX), r'write\(1, ".*"\.\., \d+\)\t*= \d+', r"exit_group\(0\)"]),
    (["-t", "open,close,read,write"], ["cat", SOME],
     [result(r'openat\(AT_FDCWD, "%s", O_RDONLY\)' % SOME, "= 3"), result(r'read\(3, " r o o t : x : 0 : 0 : S"\.\., \d+\)', "= 38"),
      result(r'write\(1, " r o o t : x : 0 : 0 : S"\.\., 38\)', "= 38"), result(r'read\(3, "", \d+\)', "= 0"), r"!execve\(.*", r"!exit_group\(.*"]),
    (["-t", "open"], ["cat", NONE], [result(r'openat\(AT_FDCWD, "%s", O_RDONLY\)' % NONE, "Err#2 ENOENT")]),
    (["-t!all"], ["ls", FOLDER], [r"!.+"]),
    (["-t", "!mmap,mprotect"], ["ls", FOLDER], [r"!mmap.*", r"!mprotect.*", r"exit_group\(0\)"]),
    (["-t", "stat"], ["stat", "-c", "%s", SOME], [result(r'(?:statx|newfstatat)\(AT_FDCWD, "%s", .*\)' % SOME, "= 0")]),
    (["-t", "getdents"], ["ls", FOLDER], [result(r"getdents64\(3, %s, \d+\)" % HEX, r"= \d+")]),
    (["-t", "unlink"], ["rm", "-f", NONE], [result(r'unlinkat\(AT_FDCWD, "%s", 0\)' % NONE, "Err#2 ENOENT")]),
    (["-t", "mkdir,rmdir"], ["sh", "-c", "mkdir {0}/dir; rmdir {0}/dir".format(FOLDER)], [r"!mkdir.*"]),
    (["-ft", "mkdir,rmdir"], ["sh", "-c", "mkdir {0}/dir; rmdir {0}/dir".format(FOLDER)],
     [result(r'\d+:\tmkdir\("%s/dir", 0777\)' % FOLDER, "= 0"), result(r'\d+:\trmdir\("%s/dir"\)' % FOLDER, "= 0")]),
    (["-t", "readlink"], ["readlink", "/proc/self/exe"], [result(r'readlink\("/proc/self/exe", "/[^"]*readlink", \d+\)', r"= \d+")]),
    (["-t", "chmod"], ["chmod", "600", SOME], [result(r'fchmodat\(AT_FDCWD, "%s", 0600\)' % SOME, "= 0")]),
    (["-t", "pipe"], ["sh", "-c", "echo a | cat"], [result(r"pipe2?\(%s.*\)" % HEX, "= 0")]),
    (["-ft", "exec"], ["sh", "-c", "ls {0} | sort | wc -l".format(OTHER)],
     [r'\d+:\texecve\("[^"]*/sh", %s, %s\)  argc = 3' % (HEX, HEX), r'\d+:\texecve\("[^"]*/(?:ls|sort|wc)", %s, %s\)  argc = [12]' % (HEX, HEX)] +
     [r'\d+:\texecve\("[^"]*/(?:ls|sort|wc)", .*'] * 2),
    (["-ft", "fork,exec"], ["sh", "-c", "ls {0}; :".format(OTHER)],
     [r"\d+:\t(?:clone|vfork|fork)\(\)\t\t\(returning as child \.\.\.\)\t= \d+", r'\d+:\texecve\("[^"]*/ls", .*  argc = 2']),
    (["-a", "-t!all"], ["echo", "-n", "a b"], [r'execve\("[^"]*/echo", .*\)  argc = 3', r" argv: echo -n a b"]),
    (["-e", "-t!all"], ["env", "-i", "NAME=value", shutil.which("true")], [r" envp: .*", r'execve\("[^"]*/true", .*\)  argc = 1', r" envp: NAME=value"]),
    (["-v", "fstat,stat", "-t", "stat,fstat"], ["stat", "-c", "%s", SOME], [r"\tstat\w+ = \{.*st\w*_size=38.*\}"]),
    (["-v", "poll", "-t", "poll"], ["python3", "-c", "import select, os; r, w = os.pipe(); p = select.poll(); p.register(w, 4); p.poll()"],
     [result(r"poll\(%s, 1, -1\)" % HEX, r"= 1 \(\[\{fd=\d+, revents=POLLOUT\}\]\)"), r"\tfds = \[\{fd=\d+, events=POLLOUT\}\]"]),
    (["-t", "fcntl"], ["python3", "-c", "import fcntl, os; fcntl.fcntl(os.pipe()[0], fcntl.F_GETFL)"], [result(r"fcntl\(\d+, F_GETFL\)", "= 0")]),
    (["-x", "open", "-t", "open"], ["cat", SOME],
     [result(r"openat\(0xFFFFFFFFFFFFFF9C, %s, 0x00000000, 0x00000000\)" % HEX, "= 3") + "|" + result(r"openat\(0xFFFFFF9C, %s, 0x00000000, 0x00000000\)" % HEX, "= 3"),
      r'\t%s: "%s"' % (HEX, SOME)]),
    (["-xall", "-t", "close"], ["true"], [result(r"close\(0x00000003\)", "= 0")]),
    (["-w", "1", "-t", "write"], ["cat", SOME],
     [r"write\(1, .*", r"   r o o t : x : 0 : 0 : S u p e r - U s e r : / r o o t : / b i n", r"   / b a s h\\n"]),
    (["-w", "1", "-t", "writev"], ["python3", "-c", "import os; os.writev(1, [b'one', b'two\\n'])"],
     [result(r"writev\(1, %s, 2\)" % HEX, "= 7"), r"   o n e", r"   t w o\\n"]),
    (["-r", "all", "-t", "read"], ["head", "-c", "4", SOME], [r'read\(3, " r o o t(?: : x : 0 : 0 : S"\.\.|"), .*', r"   r o o t.*"]),
    (["-l", "-t", "exit"], ["true"], [r"/\d+:\texit_group\(0\)"]),
    (["-fl", "-t", "exit"], ["true"], [r"\d+/\d+:\t+exit_group\(0\)"]),
    (["-d", "-t", "exit"], ["true"], [r"Base time stamp:  \d+\.\d{4}  \[ \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \S+ \d{4} \]", r"[ \d]\d\.\d{4}\texit_group\(0\)"]),
    (["-D", "-E", "-t", "close,exit"], ["true"], [r" 0\.0000\t[ \d]\d\.\d{4}\tclose\(3\)\t+= 0", r"[ \d]\d\.\d{4}\t[ \d]\d\.\d{4}\texit_group\(0\)"]),
    ([], [TRUSSED, "signals"],
     [r"    Received signal #10, SIGUSR1 \[caught\]", r"      siginfo: SIGUSR1 pid=\d+ uid=\d+", r"    Received signal #12, SIGUSR2 \[ignored\]",
      r"    Received signal #28, SIGWINCH \[default\]"]),
    (["-t", "sigreturn,rt_sigreturn"], ["sh", "-c", "trap : USR1; kill -USR1 $$"], [result(r"rt_sigreturn\(\)", "= 0")]),
    (["-v", "rt_sigreturn", "-t", "rt_sigreturn"], ["sh", "-c", "trap : USR1; kill -USR1 $$"], [result(r"rt_sigreturn\(\{mask=\[\]\}\)", "= 0")]),
    (["-s", "SIGUSR1,WINCH", "-t!all"], [TRUSSED, "signals"], [r"    Received signal #10, .*", r"    Received signal #28, .*", r"!.*SIGUSR2.*"]),
    (["-s!all", "-t!all"], [TRUSSED, "faults"],
     [r"    Incurred fault #6, FLTBOUNDS  %pc = " + HEX, r"      siginfo: SIGSEGV SEGV_MAPERR addr=0x00000010", r"    Incurred fault #5, FLTACCESS  %pc = " + HEX,
      r"      siginfo: SIGSEGV SEGV_ACCERR addr=" + HEX, r"    Incurred fault #8, FLTIZDIV  %pc = " + HEX, r"    Incurred fault #1, FLTILL  %pc = " + HEX,
      r"    Incurred fault #3, FLTBPT  %pc = " + HEX, r"!.*Received.*"]),
    (["-m", "FLTILL", "-s", "SIGFPE", "-t!all"], [TRUSSED, "faults"],
     [r"    Received signal #8, SIGFPE \[caught\]", r"      siginfo: SIGFPE FPE_INTDIV addr=" + HEX, r"    Incurred fault #1, FLTILL .*", r"!.*FLTBOUNDS.*"]),
    ([], [TRUSSED, "killed"], [r"    Received signal #15, SIGTERM \[default\]", r"      siginfo: SIGTERM pid=\d+ uid=\d+", r"\t\*\*\* process killed \*\*\*"]),
    (["-t", "alarm,exit"], [TRUSSED, "threads"],
     [result(r"/\d+:\talarm\(1000\)", "= 0"), r"/\d+:\texit\(0\)", result(r"/\d+:\talarm\(2000\)", "= 1000"), result(r"/\d+:\talarm\(3000\)", "= 2000"),
      result(r"(?:/\d+:\t)?alarm\(0\)", "= 3000"), r"(?:/\d+:\t)?exit_group\(0\)"]),
    (["-f", "-t", "fork,exit"], [TRUSSED, "children"],
     [r"(\d+):\tvfork\(\)\t\t\(waiting for child to exit\(\)/exec\(\)\.\.\.\)", r"\d+:\tvfork\(\)\t\t\(returning as child \.\.\.\)\t= \d+", r"\d+:\texit_group\(3\)",
      result(r"\d+:\tvfork\(\)", r"= \d+"), r"\d+:\tclone\(\)\t\t\(returning as child \.\.\.\)\t= \d+", r"\d+:\texit_group\(4\)"]),
    (["-t", "fork,exit"], [TRUSSED, "children"],
     [r"vfork\(\)\t\t\(waiting for child .*", result(r"vfork\(\)", r"= \d+"), result(r"clone\(.*\)", r"= \d+"), r"exit_group\(0\)", r"!.*returning as.*", r"!exit_group\([34]\)"]),
    (["-t!all", "-u", "a.out"], [TRUSSED, "functions"],
     [r"( *)-> main\(0x2(?:, 0x[0-9a-f]+){5}\)", r" +-> leaf\(0x0(?:, 0x[0-9a-f]+){5}\)", r" +<- leaf\(\) = 0", r" +-> leaf\(0x4(?:, 0x[0-9a-f]+){5}\)", r" +<- leaf\(\) = 12",
      r" +-> nested\(0x3.*", r" +-> nested\(0x2.*", r" +-> nested\(0x1.*", r" +-> nested\(0x0.*", r" +-> leaf\(0x7.*", r" +<- leaf\(\) = 21", r" +<- nested\(\) = 21",
      r" +<- nested\(\) = 22", r" +<- nested\(\) = 23", r" +<- nested\(\) = 24", r" *<- main\(\) = 0", r"!.*malloc.*"]),
    (["-t", "exit", "-u", "libc:malloc,free,realloc"], [TRUSSED, "functions"],
     [r"-> libc:malloc\(0x64(?:, 0x[0-9a-f]+){5}\)", r"<- libc:malloc\(\) = 0x[0-9a-f]+", r"-> libc:realloc\(0x[0-9a-f]+, 0x11170.*\)", r"<- libc:realloc\(\) = 0x[0-9a-f]+",
      r"-> libc:free\(.*", r"<- libc:free\(\) = .*", r"exit_group\(0\)", r"!.*leaf.*", r"!.*printf.*"]),
    (["-t!all", "-u", "libc:!printf"], [TRUSSED, "functions"], [r" *-> libc:malloc\(0x64.*", r"!.*-> libc:printf.*"]),
    (["-t!all", "-u", "libc::malloc,libc::"], [TRUSSED, "functions"], [r" *-> libc:malloc\(0x64.*", r" *-> libc:free.*"]),
    (["-t!all", "-u", "lib*:str*", "-u", "!libc"], ["ls", FOLDER], [r"!.*-> libc:.*"]),
    (["-t!all", "-u", "libc:malloc"], ["sort", OTHER], [r"-> libc:malloc\(0x.*", r"<- libc:malloc\(\) = 0x.*"]),
    (["-t!all", "-u", "libc:getenv,strlen"], ["sh", "-c", "echo a | cat"], [r"-> libc:strlen\(.*"]),
    (["-t!all", "--decode", "-u", "libc:malloc"], [TRUSSED, "functions"], [r"-> libc:malloc\(100\)", r"<- libc:malloc\(\) = 0x[0-9A-Fa-f]+"]),
    (["-t!all", "--decode", "-u", "libc:statfs*"], ["stat", "-f", "-c", "%b", "/"],
     [r'-> libc:statfs(?:64)?\("/", %s\)' % HEX, r'<- libc:statfs(?:64)?\("/", \{f_type=.*, f_bsize=\d+, .*\}\) = 0']),
    (["-t", "wait"], ["sh", "-c", "(exit 3); exit $?"], [result(r"wait4\(-1, %s, 0, 0x00000000\)" % HEX, r"= \d+")]),
    (["-ft", "exec"], ["git", "--git-dir=" + REPOSITORY, "status", "-h"], [r'\d+:\texecve\("[^"]*/git", .*  argc = 4']),
    (["-t", "write"], ["python3", "-c", "import os; os.write(1, b'x' * 20)"], [result(r'write\(1, "( x){12}"\.\., 20\)', "= 20")]),
    (["-t", "getpid,getuid"], ["python3", "-c", "import os; os.getpid(); os.getuid()"], [result(r"getuid\(\)", r"= \d+")]),
    (["-t", "access"], ["python3", "-c", "import os; os.access('%s', os.R_OK)" % NONE], [result(r'access\("%s", R_OK\)' % NONE, "Err#2 ENOENT")]),
]


def untraced(words):
    return finish(start(words))


def told(options, words, patterns, backend):
    path = file("told")
    got, wanted = truss("-o", path, *options, *words, backend=backend), untraced(words)
    # What cannot be told is said, by the kernel's own rules for where a probe may be.
    if backend == "kassist":
        got = (*got[:2], re.sub(r"(?m)^\S+: \S+: no uprobe is safe on this instruction\n", "", without_costs(got[2])))
    if words[0] == "date":
        got, wanted = got[::2], wanted[::2]
    equal(got, wanted, "status, output and messages")
    text = contents(path)
    has_lines(text, [pattern for pattern in patterns if not pattern.startswith("!")])
    for pattern in patterns:
        if pattern.startswith("!"):
            has_no_line(text, pattern[1:])


def name_of(options, words):
    return " ".join(["truss", *options, *(os.path.basename(word) for word in words)])


for options, words, patterns in COMMANDS:
    for backend in WANTED:
        by_backend.add(name_of(options, words), backend, lambda o=options, w=words, p=patterns, b=backend: told(o, w, p, b))


# -- both backends say the same ----------------------------------------------------------------------------------------------

def plain(text):
    """Without what no two runs share: addresses, ids, times, and which calls took so long that they are told to sleep."""
    text = re.sub(r"(?m)^.*\(sleeping\.\.\.\)\n", "", text)
    text = re.sub(r"0x[0-9A-Fa-f]{8,16}", "ADDRESS", text)
    text = re.sub(r"(?m)^(\d+|/\d+|\d+/\d+):\t+", "", text)
    text = re.sub(r"st_(?:ino|[amc]time|[amc]time_nsec)=\d+(?: /\*.*?\*/)?", "st_", text)
    text = re.sub(r'pid=\d+|kill\(\d+|getrandom\(".*"', "WHAT", text)
    text = re.sub(r"(futex\(ADDRESS, \w+(?:\|\w+)*, )\d+", r"\1N", text)
    return re.sub(r"= (ADDRESS|\d{3,})(?m:$)", "= N", text).split("\n")


SAME = [([], ["true"]), ([], ["cat", SOME]), (["-a", "-e", "-v", "all"], ["env", "-i", shutil.which("cat"), OTHER]), ([], [TRUSSED, "signals"]), ([], [TRUSSED, "faults"]),
        ([], [TRUSSED, "killed"]), (["-t!futex"], [TRUSSED, "threads"]), (["-x", "all"], ["cat", SOME]), (["-t!all", "-u", "a.out:leaf,nested", "-u", "libc:malloc,free"], [TRUSSED, "functions"]), (["-r", "all", "-w", "all"], ["cat", SOME]),
        (["-t", "fork,exit,exec", "-f"], [TRUSSED, "children"])]


def same(options, words):
    in_order = not {"-f", "threads"} & {*options, *words}
    texts = {backend: plain(truss(*options, *words, backend=backend)[2]) for backend in BACKENDS}
    if len(texts) < 2:
        return
    one, other = (text if in_order else sorted(text) for text in texts.values())
    for a, b in zip(one, other):
        equal(a, b, "lines of " + " and ".join(texts))
    equal(len(one), len(other), "how many lines")


def same_calls_from_outside():
    """Of what a library's functions jump to, whatever has become of the return address."""
    environment = {**os.environ, "LC_ALL": "en_US"}  # a locale that is looked for
    texts = [truss("-u", "libc:", "-t", "!all", "date", "-d", "@0", backend=backend, env=environment)[2] for backend in BACKENDS]
    one, other = (re.findall(r"(?m)^ *(->|<-) (\w+:\w+)", text) for text in texts)
    expect(len(one) > 50, "only %d lines" % len(one))
    equal(other, one, "calls and returns")


if len(BACKENDS) > 1:
    TESTS.append(("the same calls from outside", same_calls_from_outside))
    for options, words in SAME:
        TESTS.append(("the same text of " + name_of(options, words), lambda o=options, w=words: same(o, w)))
