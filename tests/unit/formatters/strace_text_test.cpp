#include "formatters/strace/strace_text.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstring>

#include "formatters/common/dump_text.hpp"
#include "syscalls/notation.hpp"
#include "tests/unit/memory_output.hpp"
#include "tests/unit/test_call.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr SyscallDesc kRead =
    row("read", kDesc, kUnsignedResult, fd("fd"), bytes_out("buf", by_result()), size("count"));
constexpr SyscallDesc kExit = row("exit_group", kNeverReturns, kUnsignedResult, integer("status"));
constexpr SyscallDesc kClone = row("clone", kProcess, kPidResult, labelled(inout("child_stack", kInt)));

TestCall read_call(int32_t tid) {
  TestCall read(kRead, tid);
  read.decoded.args[0].value = {Fd{3}, {}};
  read.decoded.ready = 1;
  return read;
}
void read_returns(TestCall& read, std::string_view bytes) {
  read.decoded.args[1].value = {Text{bytes}, {}};
  read.decoded.args[2].value = {Number{10, Show::Unsigned}, {}};
  read.returns(static_cast<int64_t>(bytes.size()));
}
TestCall exit_call(int32_t tid) {
  TestCall exit(kExit, tid);
  exit.decoded.args[0].value = {Number{0, Show::Signed}, {}};
  exit.decoded.ready = 1;
  exit.decoded.complete = true;
  return exit;
}

/// A log, messages and the sink that writes them.
struct Log {
  std::shared_ptr<MemoryOutput> out;
  std::shared_ptr<MemoryOutput> messages;
  std::unique_ptr<Sink> sink;
  Timestamp now{1700000000'123456789, 5'000000000};
  uint64_t ip = 0;
  uint32_t tracees = 1;

  explicit Log(StraceStyle style = {}, MemoryOutput::Kind kind = MemoryOutput::Kind::Shared)
      : out(std::make_shared<MemoryOutput>(kind)),
        messages(kind == MemoryOutput::Kind::Immediate ? out : std::make_shared<MemoryOutput>()),
        sink(make_strace_text(std::move(style), out, messages)) {}

  template <typename What>
  std::string report(int32_t tid, const What& what, int64_t nr = -1, std::string_view comm = {}) {
    Event event;
    event.thread = {Pid{tid}, Tid{tid}, tid, comm};
    event.at = now;
    event.last_nr = nr;
    event.ip = ip;
    event.tracees = tracees;
    event.what = what;
    REQUIRE(sink->take(event));
    return out->take(out->separate() ? tid : 0);
  }
  std::string enter(const TestCall& call) { return report(raw(call.call.tid), EnterEvent{&call.call, &call.decoded}); }
  std::string exit(const TestCall& call) { return report(raw(call.call.tid), ExitEvent{&call.call, &call.decoded}); }
  std::string whole(TestCall& call) {
    std::string before = enter(call);
    return before + exit(call);
  }
};

StraceStyle never_pid() {
  StraceStyle style;
  style.pid_leader = PidLeader::Never;
  return style;
}

}  // namespace

TEST_CASE("strace text: a call is one line, its result in column 40, written at once") {
  Log log;
  TestCall read = read_call(7);
  CHECK(log.enter(read).empty());
  read_returns(read, "abc");
  CHECK(log.exit(read) == "read(3, \"abc\", 10)                      = 3\n");
  CHECK(log.out->writes() == 1);
}

TEST_CASE("strace text: what the target may see is written before it goes on") {
  Log log({}, MemoryOutput::Kind::Immediate);
  TestCall read = read_call(7);
  CHECK(log.enter(read) == "read(3");
  read_returns(read, "abc");
  CHECK(log.exit(read) == ", \"abc\", 10)                      = 3\n");
}

TEST_CASE("strace text: a call is one piece where its target does not wait") {
  Log log({}, MemoryOutput::Kind::Immediate);
  log.sink->gather();
  TestCall read = read_call(7);
  CHECK(log.enter(read).empty());
  read_returns(read, "abc");
  CHECK(log.exit(read) == "read(3, \"abc\", 10)                      = 3\n");
  CHECK(log.out->writes() == 1);
}

TEST_CASE("strace text: flush shows the beginning of a line") {
  Log log;
  TestCall read = read_call(7);
  log.enter(read);
  REQUIRE(log.sink->flush());
  CHECK(log.out->take() == "read(3");
  read_returns(read, "");
  CHECK(log.exit(read) == ", \"\", 10)                         = 0\n");
}

TEST_CASE("strace text: a raw call is not said to restart") {
  StraceStyle style;
  style.result_column = 0;
  style.raw = SyscallSet::all();
  TestCall exit = exit_call(7);
  exit.fails(514);
  CHECK(Log(style).exit(exit) == "exit_group(0) = -1 ERESTARTNOHAND (Unknown error 514)\n");
}

TEST_CASE("strace text: columns") {
  TestCall exit = exit_call(7);
  exit.returns(0);
  auto with_column = [&](uint32_t column) {
    StraceStyle style;
    style.result_column = column;
    return Log(style).exit(exit);
  };
  CHECK(with_column(0) == "exit_group(0) = 0\n");
  CHECK(with_column(13) == "exit_group(0) = 0\n");
  CHECK(with_column(14) == "exit_group(0) = 0\n");
  CHECK(with_column(15) == "exit_group(0)  = 0\n");
}

TEST_CASE("strace text: errors, restarts, tampering, times") {
  StraceStyle style;
  style.result_column = 0;
  Log log(style);
  auto line = [&](auto change) {
    TestCall exit = exit_call(7);
    change(exit);
    return log.exit(exit);
  };
  CHECK(line([](TestCall& c) { c.fails(2); }) == "exit_group(0) = -1 ENOENT (No such file or directory)\n");
  CHECK(line([](TestCall& c) { c.fails(4095); }) == "exit_group(0) = -1 (errno 4095)\n");
  CHECK(line([](TestCall& c) { c.fails(530); }) == "exit_group(0) = -1 ERECALLCONFLICT (Unknown error 530)\n");
  CHECK(line([](TestCall& c) { c.fails(512); }) ==
        "exit_group(0) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)\n");
  CHECK(line([](TestCall& c) { c.fails(516); }) == "exit_group(0) = ? ERESTART_RESTARTBLOCK (Interrupted by signal)\n");
  CHECK(line([](TestCall&) {}) == "exit_group(0) = ?\n");
  auto tampered = [&](uint8_t how) { return line([&](TestCall& c) { c.returns(1), c.call.tampering = how; }); };
  CHECK(tampered(kInjectedRetval) == "exit_group(0) = 1 (INJECTED)\n");
  CHECK(tampered(kInjectedArgs) == "exit_group(0) = 1 (INJECTED: args)\n");
  CHECK(tampered(kInjectedArgs | kInjectedRetval | kDelayed) ==
        "exit_group(0) = 1 (INJECTED: args, retval) (DELAYED)\n");
}

TEST_CASE("strace text: the time of a call") {
  StraceStyle style;
  style.result_column = 0;
  style.call_time = true;
  Log log(style);
  TestCall exit = exit_call(7);
  exit.call.entered.monotonic_ns = 1'000'000'000;
  exit.call.left.monotonic_ns = 3'000'123'999;
  CHECK(log.exit(exit) == "exit_group(0) = ?\n");
  exit.returns(0);
  CHECK(log.exit(exit) == "exit_group(0) = 0 <2.000123>\n");
  exit.call.left.monotonic_ns = 0;
  CHECK(log.exit(exit) == "exit_group(0) = 0 <0.000000>\n");
}

TEST_CASE("strace text: remarks behind the result") {
  StraceStyle style;
  style.result_column = 0;
  Log log(style);
  TestCall exit = exit_call(7);
  exit.returns(1);
  exit.decoded.aux = {Text{"Timeout", TextKind::Bare}, {}};
  CHECK(log.exit(exit) == "exit_group(0) = 1 (Timeout)\n");
  FieldValue parts[] = {{"in", {Text{"[3]", TextKind::Bare}, {}}}, {"left", {Text{"{}", TextKind::Bare}, {}}}};
  exit.decoded.aux = {Struct{parts}, {}};
  CHECK(log.exit(exit) == "exit_group(0) = 1 (in [3], left {})\n");
}

TEST_CASE("strace text: other threads cut a line in two") {
  StraceStyle style;
  style.pid_leader = PidLeader::Always;
  style.bracketed_pid = false;
  Log log(style);
  TestCall first = read_call(7), second = exit_call(123456);
  log.enter(first);
  second.returns(0);
  std::string both = log.enter(second);
  both += log.exit(second);
  CHECK(both == "7     read(3 <unfinished ...>\n123456 exit_group(0)                    = 0\n");
  read_returns(first, "a");
  CHECK(log.exit(first) == "7     <... read resumed>, \"a\", 10)      = 1\n");
}

TEST_CASE("strace text: a value that changes is continued where it was cut") {
  StraceStyle style;
  style.result_column = 0;
  Log log(style);
  TestCall call(kClone, 7);
  Value five[] = {{Number{5, Show::Signed}, {}}}, six[] = {{Number{6, Show::Signed}, {}}};
  Value before{Array{five, ArrayStyle::Boxed}, {}}, after{Array{six, ArrayStyle::Boxed}, {}};
  call.decoded.args[0].value = before;
  log.enter(call);
  std::string cut = log.report(8, StopEvent{19});
  CHECK(cut == "clone(child_stack=[5 <unfinished ...>\n--- stopped by SIGSTOP ---\n");
  call.decoded.args[0].value = {Change{&before, &after}, {}};
  call.returns(9);
  CHECK(log.exit(call) == "<... clone resumed> => 6]) = 9\n");
}

TEST_CASE("strace text: a call that ends with its thread") {
  StraceStyle style;
  style.result_column = 0;
  Log log(style);
  TestCall read = read_call(7);
  CHECK(log.whole(read) == "read(3 <unfinished ...>) = ?\n");
  read.call.unavailable = true;
  CHECK(log.whole(read) == "read(3) = ? <unavailable>\n");
  TestCall exit = exit_call(7);
  CHECK(log.whole(exit) == "exit_group(0) = ?\n");
  CHECK(log.report(7, ExitedEvent{3}) == "+++ exited with 3 +++\n");
}

TEST_CASE("strace text: the exit alone gives the whole line") {
  Log log;
  TestCall read = read_call(7);
  read_returns(read, "x");
  CHECK(log.exit(read) == "read(3, \"x\", 10)                        = 1\n");
}

TEST_CASE("strace text: names of arguments") {
  StraceStyle style;
  style.arg_names = true;
  TestCall read = read_call(7);
  read_returns(read, "x");
  CHECK(Log(style).exit(read) == "read(fd=3, buf=\"x\", count=10)           = 1\n");
}

TEST_CASE("strace text: the pid stands in front while there are several threads") {
  Log log;
  CHECK(log.report(7, StopEvent{19}) == "--- stopped by SIGSTOP ---\n");
  log.tracees = 2;
  CHECK(log.report(7, StopEvent{19}) == "[pid     7] --- stopped by SIGSTOP ---\n");
  CHECK(log.report(8, KilledEvent{11, true}) == "[pid     8] +++ killed by SIGSEGV (core dumped) +++\n");
}

TEST_CASE("strace text: threads that are followed or attached are news") {
  Log log;
  log.report(8, AttachedEvent{false});
  CHECK(log.messages->take() == "strace: Process 8 attached\n");
  log.report(7, AttachedEvent{true, 3});
  CHECK(log.messages->take() == "strace: Process 7 attached with 3 threads\n");
}

TEST_CASE("strace text: messages stand in the middle of an open line") {
  Log log({}, MemoryOutput::Kind::Immediate);
  TestCall read = read_call(7);
  std::string text = log.enter(read);
  text += log.report(8, AttachedEvent{false});
  read_returns(read, "");
  text += log.exit(read);
  CHECK(text == "read(3strace: Process 8 attached\n, \"\", 10)                         = 0\n");
}

TEST_CASE("strace text: detaching ends an open line") {
  Log log({}, MemoryOutput::Kind::Immediate);
  log.enter(read_call(7));
  CHECK(log.report(7, DetachedEvent{true}) == "strace: Process 7 detached\n <detached ...>\n");
}

TEST_CASE("strace text: quiet in all its degrees") {
  StraceStyle style;
  style.quiet_attach = style.quiet_exit = style.quiet_personality = style.quiet_superseded = true;
  Log log(style);
  log.report(7, AttachedEvent{true});
  CHECK(log.messages->take().empty());
  CHECK(log.report(7, AbiEvent{Abi::I386}).empty());
  CHECK(log.report(7, SupersededEvent{Tid{8}}).empty());
  CHECK(log.report(7, ExitedEvent{0}).empty());
  CHECK(log.report(7, KilledEvent{9, false}) == "+++ killed by SIGKILL +++\n");
}

TEST_CASE("strace text: deaths by signals that are not asked for") {
  StraceStyle style;
  style.signals.reset(SIGKILL);
  Log log(style);
  CHECK(log.report(7, KilledEvent{SIGKILL, false}).empty());
  CHECK(log.report(7, KilledEvent{SIGSEGV, false}) == "+++ killed by SIGSEGV +++\n");
}

TEST_CASE("strace text: execve from a thread that is not the leader") {
  Log log;
  TestCall pause(kExit, 7), execve = read_call(8);
  log.enter(pause);
  log.enter(execve);
  log.out->take();
  CHECK(log.report(8, RenamedEvent{Tid{7}}).find(" <pid changed to 7 ...>\n") != std::string::npos);
  CHECK(log.report(7, SupersededEvent{Tid{8}}) == "+++ superseded by execve in pid 8 +++\n");
  execve.call.tid = Tid{7};
  read_returns(execve, "");
  CHECK(log.exit(execve) == "<... read resumed>, \"\", 10)             = 0\n");
}

TEST_CASE("strace text: a log for every thread needs no resumption") {
  Log log(never_pid(), MemoryOutput::Kind::Separate);
  TestCall first = read_call(7), second = read_call(8);
  log.enter(first);
  log.enter(second);
  read_returns(first, "a");
  CHECK(log.exit(first) == "read(3, \"a\", 10)                        = 1\n");
  REQUIRE(log.sink->flush());
  CHECK(log.out->take(8) == "read(3");
}

TEST_CASE("strace text: a signal with its siginfo") {
  Log log;
  SignalEvent signal{SIGSEGV, {}, {}};
  memset(&signal.info, 0, sizeof signal.info);
  signal.info.si_signo = SIGSEGV;
  signal.info.si_code = SEGV_MAPERR;
  signal.info.si_addr = reinterpret_cast<void*>(0x10);
  CHECK(log.report(7, signal) == "--- SIGSEGV {si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=0x10} ---\n");
}

TEST_CASE("strace text: personalities and losses") {
  Log log;
  CHECK(log.report(7, AbiEvent{Abi::I386}) == "[ Process PID=7 runs in 32 bit mode. ]\n");
  CHECK(log.report(7, AbiEvent{Abi::X32}) == "[ Process PID=7 runs in x32 mode. ]\n");
  CHECK(log.report(7, AbiEvent{Abi::X86_64}) == "[ Process PID=7 runs in 64 bit mode. ]\n");
  CHECK(log.report(7, LostEvent{12}) == "strut: 12 events of pid 7 lost here\n");
}

TEST_CASE("strace text: where only a summary is wanted, messages remain") {
  StraceStyle style;
  style.summary_only = true;
  Log log(style);
  TestCall exit = exit_call(7);
  CHECK(log.whole(exit).empty());
  log.report(8, AttachedEvent{false});
  CHECK(log.messages->take() == "strace: Process 8 attached\n");
  CHECK(log.report(8, ExitedEvent{0}).empty());
  CHECK(log.report(7, AbiEvent{Abi::I386}) == "[ Process PID=7 runs in 32 bit mode. ]\n");
}

TEST_CASE("strace text: dumps follow the line") {
  Log log;
  TestCall read = read_call(7);
  read_returns(read, "ab\n");
  std::string twenty = "0123456789abcdefghij";
  Dump dumps[] = {{Dump::Of::Message, 1, 2, {}}, {Dump::Of::Buffer, 0, 3, "ab\n"}, {Dump::Of::Call, 0, 20, twenty}};
  read.decoded.dumps = dumps;
  CHECK(log.exit(read) ==
        "read(3, \"ab\\n\", 10)                     = 3\n"
        " = 2 buffers in vector 1\n"
        " * 3 bytes in buffer 0\n"
        " | 00000  61 62 0a                                          ab.              |\n"
        " | 00000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef |\n"
        " | 00010  67 68 69 6a                                       ghij             |\n");
}

TEST_CASE("strace text: absolute and relative times") {
  setenv("TZ", "UTC", 1);
  StraceStyle style;
  style.absolute_time = AbsoluteTime::TimeOfDay;
  auto line = [](const StraceStyle& style) { return Log(style).report(7, StopEvent{19}); };
  CHECK(line(style) == "22:13:20 --- stopped by SIGSTOP ---\n");
  style.absolute_precision = Precision::Microseconds;
  CHECK(line(style) == "22:13:20.123456 --- stopped by SIGSTOP ---\n");
  style.absolute_time = AbsoluteTime::UnixTime;
  style.absolute_precision = Precision::Nanoseconds;
  CHECK(line(style) == "1700000000.123456789 --- stopped by SIGSTOP ---\n");
  style.relative_time = true;
  style.absolute_precision = Precision::Milliseconds;
  CHECK(line(style) == "1700000000.123 (+     0.000000) --- stopped by SIGSTOP ---\n");
}

TEST_CASE("strace text: relative times count from line to line") {
  StraceStyle style;
  style.relative_time = true;
  Log log(style);
  CHECK(log.report(7, StopEvent{19}) == "     0.000000 --- stopped by SIGSTOP ---\n");
  log.now.monotonic_ns += 1'500'000'999;
  CHECK(log.report(7, StopEvent{19}) == "     1.500000 --- stopped by SIGSTOP ---\n");
}

TEST_CASE("strace text: numbers of calls and instruction pointers") {
  StraceStyle style;
  style.syscall_number = style.ip = true;
  Log log(style);
  log.ip = 0x7f00;
  CHECK(log.report(7, StopEvent{19}, 59) == "[  59] [0000000000007f00] --- stopped by SIGSTOP ---\n");
  log.ip = 0;
  CHECK(log.report(7, StopEvent{19}) == "[???] [????????????????] --- stopped by SIGSTOP ---\n");
}

TEST_CASE("strace text: names of processes in front") {
  StraceStyle style;
  style.pid_leader = PidLeader::Always;
  style.bracketed_pid = false;
  CHECK(Log(style).report(7, StopEvent{19}, -1, "a>b") == "7<a\\76b> --- stopped by SIGSTOP ---\n");
}

TEST_CASE("strace text: colours do not count as columns") {
  StraceStyle style;
  style.colour = Colour::Always;
  style.palette = parse_palette("syscall=1;33:error=bad;x:nonsense:argval=36");
  TestCall exit = exit_call(7);
  exit.returns(0);
  CHECK(Log(style).exit(exit) ==
        "\033[1;33mexit_group\033[0m(\033[36m0\033[0m)\033[0m                           \033[0m=\033[0m\033[0m "
        "\033[32m0\033[0m\033[0m\n");
}

TEST_CASE("strace text: offsets of a dump are as wide as its last") {
  auto first_line = [](size_t bytes) {
    std::string text(bytes, 'a');
    Dump dump{Dump::Of::Call, 0, 0, text};
    TextBuffer out;
    put_dumps(out, std::span(&dump, 1));
    std::string line(out.view());
    return line.substr(0, line.find("  "));
  };
  CHECK(first_line(1) == " | 00000");
  CHECK(first_line(0x100000) == " | 00000");
  CHECK(first_line(0x100001) == " | 000000");
  CHECK(first_line(0x1000001) == " | 0000000");
}

TEST_CASE("strace text: flags of open(2) have one colour, others one for each name") {
  constexpr Constant kNames[] = {{0, "O_RDONLY", 3}, {0x80000, "O_CLOEXEC"}};
  const ConstantSet open_flags = flag_set(nullptr, kNames);
  const ConstantSet other_flags = flag_set(nullptr, std::span(kNames).subspan<1>());
  StraceStyle style;
  style.result_column = 0;
  style.colour = Colour::Always;
  style.palette = parse_palette("const=34:argval=36:punct=1");
  auto arguments = [&](const ConstantSet& set, uint64_t bits) {
    TestCall exit = exit_call(7);
    exit.decoded.args[0].value = {Named{bits, &set}, {}};
    exit.returns(0);
    std::string line = Log(style).exit(exit);
    return line.substr(line.find('('), line.find(')') - line.find('('));
  };
  CHECK(arguments(open_flags, 0x80000) == "(\033[36m\033[34mO_RDONLY|O_CLOEXEC\033[36m\033[1m");
  CHECK(arguments(other_flags, 0x80001) == "(\033[36m\033[34mO_CLOEXEC\033[36m\033[1m|\033[36m0x1\033[1m");
}

}  // namespace strut::test
