// truss's text. Expected lines are those of truss(1)'s description, with Linux's calls.
#include "formatters/truss/text.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <deque>

#include "formatters/truss/summary.hpp"
#include "formatters/truss/value.hpp"
#include "syscalls/function.hpp"
#include "syscalls/notation.hpp"
#include "tests/unit/memory_output.hpp"
#include "tests/unit/test_call.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr SyscallDesc kRead =
    row("read", kDesc, kUnsignedResult, fd("fd"), bytes_out("buf", by_result()), size("count"));
constexpr SyscallDesc kOpen = row("open", kDesc, kFdResult, path("pathname"), integer("flags"));
constexpr SyscallDesc kExecve =
    row("execve", kProcess, kUnsignedResult, path("pathname"), address("argv"), address("envp"), replaces_program(0));
constexpr SyscallDesc kExit = row("exit_group", kNeverReturns, kUnsignedResult, integer("status"));
constexpr SyscallDesc kVfork = row("vfork", kProcess, kPidResult, makes_process(Makes::VforkChild));
constexpr SyscallDesc kFork = row("fork", kProcess, kPidResult);

TestCall read_call(int32_t tid) {
  TestCall read(kRead, tid);
  read.call.regs = {0, 0xfef8d400, 1024};
  read.decoded.args[0].value = {Fd{0}, {}};
  read.decoded.args[2].value = {Number{1024, Show::Unsigned}, {}};
  return read;
}
TestCall open_call(int32_t tid, std::string_view path) {
  TestCall open(kOpen, tid);
  open.call.regs = {0x8047d10, 0};
  open.decoded.args[0].value = {Text{path, TextKind::Path}, {}};
  open.decoded.args[1].value = {Number{0}, {}};
  return open;
}

/// A log and the sink that writes it.
struct Log {
  std::shared_ptr<MemoryOutput> out = std::make_shared<MemoryOutput>();
  std::unique_ptr<Sink> sink;
  Timestamp at{1700000000'123456789, 5'000000000};
  uint64_t ip = 0;

  explicit Log(TrussStyle style = {}) : sink(make_truss_text(std::move(style), out)) {}

  template <typename What>
  std::string report(int32_t tid, const What& what, int32_t pid = 0) {
    Event event;
    event.thread = {Pid{pid ? pid : tid}, Tid{tid}, tid, {}};
    event.at = at;
    event.ip = ip;
    event.what = what;
    REQUIRE(sink->take(event));
    return out->take();
  }
  std::string enter(const TestCall& call) { return report(raw(call.call.tid), EnterEvent{&call.call, &call.decoded}); }
  std::string exit(const TestCall& call) { return report(raw(call.call.tid), ExitEvent{&call.call, &call.decoded}); }
};

SignalEvent signal_event(int number, int code = SI_USER, Disposition disposition = Disposition::Caught) {
  SignalEvent event{number, {}, {}, disposition};
  event.info.si_signo = number;
  event.info.si_code = code;
  return event;
}

std::string text_of(const Value& value) {
  TextBuffer out;
  put_truss_value(out, value);
  return std::string(out.view());
}
std::string buffer(std::string_view bytes, bool more = false) {
  TextBuffer out;
  put_truss_buffer(out, bytes, more);
  return std::string(out.view());
}

}  // namespace

TEST_CASE("truss text: values") {
  CHECK(text_of({Pointer{}, {}}) == "0x00000000");
  CHECK(text_of({Pointer{Addr{0xfef8d400}}, {}}) == "0xFEF8D400");
  CHECK(text_of({Unreadable{Addr{0x7ffd12345678}}, {}}) == "0x7FFD12345678");
  CHECK(text_of({Number{0x1f, Show::Hex}, {}}) == "0x0000001F");
  CHECK(text_of({Number{0644, Show::Octal}, {}}) == "0644");
  CHECK(text_of({Text{"/etc/passwd", TextKind::Path}, {}}) == "\"/etc/passwd\"");
  CHECK(text_of({Text{"\33[31m\n", TextKind::Path}, {}}) == "\"\\33[31m\\n\"");
  CHECK(text_of({Text{"abc", TextKind::Text, true}, {}}) == "\"abc\"..");
}

TEST_CASE("truss text: data has two columns a byte") {
  CHECK(buffer("hello\n") == "\" h e l l o\\n\"");
  CHECK(buffer(std::string_view("\x7f"
                                "ELF\2\1\1\0\0\0\0\0\0",
                                13)) == "\"7F E L F020101\\0\\0\\0\\0\\0\"..");
  CHECK(buffer("abc", true) == "\" a b c\"..");
  CHECK(buffer("\"\\\xff") == "\" \" \\FF\"");
  CHECK(buffer("") == "\"\"");
}

TEST_CASE("truss text: a call is one line when it has returned, its result in column 48") {
  Log log;
  TestCall open = open_call(7, "/etc/default/init");
  CHECK(log.enter(open).empty());
  open.returns(3);
  CHECK(log.exit(open) == "open(\"/etc/default/init\", 0)\t\t\t= 3\n");
  open.fails(2);
  CHECK(log.exit(open) == "open(\"/etc/default/init\", 0)\t\t\tErr#2 ENOENT\n");
  TestCall long_one = open_call(7, "/a/path/that/is/longer/than/the/column/of/results");
  long_one.returns(3);
  CHECK(log.exit(long_one) == "open(\"/a/path/that/is/longer/than/the/column/of/results\", 0) = 3\n");
}

TEST_CASE("truss text: what was read stands beside the call, twelve bytes of it; an address before that") {
  Log log;
  TestCall read = read_call(7);
  log.enter(read);
  CHECK(log.report(7, SleepingEvent{&read.call, &read.decoded}) == "read(0, 0xFEF8D400, 1024)\t(sleeping...)\n");
  read.decoded.args[1].value = {Text{"hello, world\n"}, {}};
  read.returns(13);
  CHECK(log.exit(read) == "read(0, \" h e l l o ,   w o r l d\".., 1024)\t= 13\n");
}

TEST_CASE("truss text: a call that never returns is shown when it begins") {
  Log log;
  TestCall exit(kExit, 7);
  exit.decoded.args[0].value = {Number{0}, {}};
  CHECK(log.enter(exit) == "exit_group(0)\n");
  CHECK(log.exit(exit).empty());
  CHECK(log.report(7, ExitedEvent{0}).empty());
}

TEST_CASE("truss text: raw arguments, with their strings below") {
  TrussStyle style;
  style.raw = SyscallSet::all();
  Log log(style);
  TestCall open = open_call(7, "/x");
  open.returns(3);
  CHECK(log.exit(open) == "open(0x08047D10, 0x00000000)\t\t\t= 3\n\t0x08047D10: \"/x\"\n");
}

TEST_CASE("truss text: processes, threads and times in front") {
  TrussStyle style;
  style.processes = true;
  Log log(style);
  TestCall open = open_call(1234, "/x");
  open.returns(3);
  CHECK(log.exit(open) == "1234:\topen(\"/x\", 0)\t\t\t\t\t= 3\n");
  // From the second thread on.
  CHECK(log.report(1235, AttachedEvent{false, 1, Tid{1234}, &kFork}, 1234) ==
        "1234/1235:\tfork()\t\t(returning as new lwp ...)\t= 0\n");
  CHECK(log.exit(open) == "1234/1234:\topen(\"/x\", 0)\t\t\t\t\t= 3\n");
  log.report(1235, ExitedEvent{0}, 1234);
  CHECK(log.exit(open) == "1234:\topen(\"/x\", 0)\t\t\t\t\t= 3\n");
  CHECK(log.report(1300, AttachedEvent{false, 1, Tid{1234}, &kFork}) ==
        "1300:\tfork()\t\t(returning as child ...)\t= 1234\n");
  TestCall narrow = open_call(12, "/x");
  narrow.returns(3);
  style.lwps = true;
  CHECK(Log(style).exit(narrow) == "12/12:\t\topen(\"/x\", 0)\t\t\t\t\t= 3\n");
}

TEST_CASE("truss text: only the threads that were named") {
  TrussStyle style;
  style.only[Pid{7}] = {{8, 9}};
  Log log(style);
  TestCall open = open_call(7, "/x");
  open.returns(3);
  CHECK(log.exit(open).empty());
  CHECK_FALSE(log.report(8, ExitEvent{&open.call, &open.decoded}, 7).empty());
}

TEST_CASE("truss text: times since the start, since the thread's line before, in the system") {
  setenv("TZ", "UTC", 1);
  TrussStyle style;
  style.base_time = style.delta_time = style.system_time = true;
  Log log(style);
  std::string first = log.report(7, ExitedEvent{0});
  CHECK(first.starts_with("Base time stamp:  "));
  CHECK(first.ends_with(" ]\n"));
  CHECK(first.find(" UTC 20") != std::string::npos);
  TestCall open = open_call(7, "/x");
  open.returns(3);
  open.call.system_time_ns = 1'250'000;
  std::string line = log.exit(open);
  CHECK(line.find("\t 0.0000\t 0.0013\topen(") != std::string::npos);
  log.at.monotonic_ns += 61'500'040'000;
  CHECK(log.exit(open).find("\t61.5000\t 0.0013\topen(") != std::string::npos);
}

TEST_CASE("truss text: a signal comes before the call that it interrupted") {
  Log log;
  TestCall read = read_call(7);
  log.enter(read);
  read.fails(512);
  CHECK(log.exit(read).empty());
  SignalEvent signal = signal_event(SIGINT);
  signal.info.si_pid = 1234;
  CHECK(log.report(7, signal) ==
        "    Received signal #2, SIGINT, in read() [caught]\n      siginfo: SIGINT pid=1234 uid=0\n"
        "read(0, 0xFEF8D400, 1024)\t\t\tErr#512 ERESTARTSYS\n");
  CHECK(log.report(7, signal_event(SIGALRM, SI_KERNEL, Disposition::Default)) ==
        "    Received signal #14, SIGALRM [default]\n");
  CHECK(log.report(7, signal_event(SIGWINCH, SI_KERNEL, Disposition::Ignored)) ==
        "    Received signal #28, SIGWINCH [ignored]\n");
  CHECK(log.report(7, signal_event(SIGCONT, SI_KERNEL, Disposition::Default)) ==
        "    Continued with signal #18, SIGCONT [default]\n");
  CHECK(log.report(7, StopEvent{SIGTSTP}) == "    Stopped by signal #20, SIGTSTP\n");
}

TEST_CASE("truss text: a signal that is not reported only ends the wait") {
  TrussStyle style;
  style.signals.reset();
  Log log(style);
  TestCall read = read_call(7);
  read.fails(4);
  CHECK(log.exit(read).empty());
  CHECK(log.report(7, signal_event(SIGINT)) == "read(0, 0xFEF8D400, 1024)\t\t\tErr#4 EINTR\n");
}

TEST_CASE("truss text: a fault, and the end that it brings") {
  Log log;
  log.ip = 0x8050ab4;
  CHECK(log.report(7, signal_event(SIGSEGV, SEGV_MAPERR, Disposition::Default)) ==
        "    Incurred fault #6, FLTBOUNDS  %pc = 0x08050AB4\n      siginfo: SIGSEGV SEGV_MAPERR addr=0x00000000\n"
        "    Received signal #11, SIGSEGV [default]\n      siginfo: SIGSEGV SEGV_MAPERR addr=0x00000000\n");
  CHECK(log.report(7, KilledEvent{SIGSEGV, false}) == "\t*** process killed ***\n");
}

TEST_CASE("truss text: what a child's end says") {
  Log log;
  SignalEvent signal = signal_event(SIGCHLD, CLD_EXITED, Disposition::Default);
  signal.info.si_pid = 12;
  signal.info.si_status = 3;
  CHECK(log.report(7, signal) ==
        "    Received signal #17, SIGCHLD [default]\n      siginfo: SIGCHLD CLD_EXITED pid=12 status=0x0003\n");
}

TEST_CASE("truss text: a parent that waits for its child") {
  Log log;
  TestCall vfork(kVfork, 7);
  CHECK(log.enter(vfork) == "vfork()\t\t(waiting for child to exit()/exec()...)\n");
  vfork.returns(8);
  CHECK(log.exit(vfork) == "vfork()\t\t\t\t\t\t= 8\n");
}

TEST_CASE("truss text: a new program says how many arguments it has") {
  TrussStyle style;
  style.arguments = style.environment = true;
  Log log(style);
  TestCall execve(kExecve, 7);
  execve.call.regs = {0x1000, 0x8047d1c, 0x8047d24};
  Value argv[] = {{Text{"date"}, {}}, {Text{"-u"}, {}}};
  Value envp[] = {{Text{"PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/games"}, {}}, {Text{"HOME=/home/of/a/user"}, {}}};
  execve.decoded.args[0].value = {Text{"/usr/bin/date", TextKind::Path}, {}};
  execve.decoded.args[1].value = {Array{argv}, {}};
  execve.decoded.args[2].value = {Array{envp}, {}};
  execve.returns(0);
  CHECK(log.exit(execve) ==
        "execve(\"/usr/bin/date\", 0x08047D1C, 0x08047D24)  argc = 2\n argv: date -u\n"
        " envp: PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/games\n  HOME=/home/of/a/user\n");
}

TEST_CASE("truss text: all that was moved, 32 bytes a line") {
  Log log;
  TestCall read = read_call(7);
  std::string data = "root:x:0:0:Super-User:/root:/bin/bash\n";
  Dump dump{Dump::Of::Call, 0, data.size(), data};
  read.decoded.args[1].value = {Text{data}, {}};
  read.decoded.dumps = {&dump, 1};
  read.returns(static_cast<int64_t>(data.size()));
  CHECK(log.exit(read) ==
        "read(0, \" r o o t : x : 0 : 0 : S\".., 1024)\t= 38\n"
        "   r o o t : x : 0 : 0 : S u p e r - U s e r : / r o o t : / b i n\n   / b a s h\\n\n");
}

TEST_CASE("truss text: functions") {
  Log log;
  FunctionDesc unknown{.name = "malloc", .known = false};
  FunctionCall call;
  call.desc = &unknown;
  call.symbol = "malloc";
  call.module = "libc.so.6";
  call.label = FunctionLabel::Module;
  call.depth = 1;
  call.integers = {0x10, 0, 0x8047d10, 1, 0, 0};
  DecodedCall decoded;
  decoded.count = 6;
  CHECK(log.report(7, FunctionEntryEvent{&call, &decoded}) ==
        "  -> libc:malloc(0x10, 0x0, 0x8047d10, 0x1, 0x0, 0x0)\n");
  call.returned_bits = 0x806f2a8;
  CHECK(log.report(7, FunctionReturnEvent{&call, &decoded}) == "  <- libc:malloc() = 0x806f2a8\n");
  call.returned_bits = 65535;
  CHECK(log.report(7, FunctionReturnEvent{&call, &decoded}) == "  <- libc:malloc() = 65535\n");
  call.depth = 0;
  call.label = FunctionLabel::Name;
  call.symbol = "ma\33in";
  CHECK(log.report(7, FunctionReturnEvent{&call, &decoded}) == "<- ma\\33in() = 65535\n");
  call.abandoned = true;
  CHECK(log.report(7, FunctionReturnEvent{&call, &decoded}).empty());
}

TEST_CASE("truss summary: tables") {
  auto out = std::make_shared<MemoryOutput>();
  auto sink = make_truss_summary({}, [] { return std::optional<uint64_t>(3'000'000); }, out);
  auto take = [&](const auto& what) {
    Event event;
    event.thread = {Pid{7}, Tid{7}, 7, {}};
    event.what = what;
    REQUIRE(sink->take(event));
  };
  TestCall read = read_call(7), open = open_call(7, "/x"), exit(kExit, 7);
  read.call.system_time_ns = 1'234'600'000;
  read.returns(1);
  for (int i = 0; i < 5; i++) take(ExitEvent{&read.call, &read.decoded});
  open.fails(2);
  take(ExitEvent{&open.call, &open.decoded});
  take(EnterEvent{&exit.call, &exit.decoded});
  take(signal_event(SIGSEGV, SEGV_MAPERR));
  FunctionCall call;
  call.symbol = "malloc";
  call.module = "/lib/libc.so.6";
  call.label = FunctionLabel::Module;
  DecodedCall decoded;
  take(FunctionEntryEvent{&call, &decoded});
  take(FunctionEntryEvent{&call, &decoded});
  CHECK(out->take().empty());
  REQUIRE(sink->finish());
  std::string text = out->take();
  std::string elapsed = text.substr(text.find("elapsed:"));
  CHECK(elapsed.size() == 30);
  CHECK(text.substr(0, text.find("elapsed:")) ==
        "faults -------------\nFLTBOUNDS          1\ntotal:             1\n\n"
        "signals ------------\nSIGSEGV            1\ntotal:             1\n\n"
        "Library:             Function                                 calls\n"
        "libc                 malloc                                   2\n\n"
        "syscall               seconds   calls  errors\n"
        "read                    6.173       5\n"
        "open                     .000       1      1\n"
        "exit_group               .000       1\n"
        "                     --------  ------   ----\n"
        "sys totals:             6.173       7      1\n"
        "usr time:                .003\n");
}

}  // namespace strut::test
