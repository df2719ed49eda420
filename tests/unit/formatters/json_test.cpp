#include <doctest/doctest.h>

#include <cstring>

#include "formatters/formats.hpp"
#include "formatters/json/value.hpp"
#include "syscalls/call_context.hpp"
#include "syscalls/function.hpp"
#include "syscalls/notation.hpp"
#include "tests/unit/memory_output.hpp"

namespace strut::test {
namespace {

using namespace notation;

std::string json(const Value& value) {
  TextBuffer out;
  JsonWriter writer(out);
  put_json(writer, value);
  return std::string(out.view());
}
std::string quoted(std::string_view text) { return json({Text{text}, {}}); }
Value number(uint64_t bits, Show show, uint8_t bytes = 8) { return {Number{bits, show, bytes}, {}}; }

constexpr Constant kFlagNames[] = {{0, "O_RDONLY", 3}, {2, "O_RDWR", 3}, {0100, "O_CREAT"}};
constinit const ConstantSet kFlags = flag_set("O_???", kFlagNames);
constexpr Constant kWhenceNames[] = {{2, "SEEK_END"}};
constinit const ConstantSet kWhence = enumeration("SEEK_???", kWhenceNames);

constexpr SyscallDesc kRead = row("read", kDesc, kUnsignedResult, fd("fd"), size("count"));

}  // namespace

TEST_CASE("json: strings are valid whatever the bytes") {
  CHECK(quoted("a\"\\\n\t\r\b\f") == R"("a\"\\\n\t\r\b\f")");
  CHECK(quoted(std::string_view("\0\x1b\x7f", 3)) == R"("\u0000\u001b\u007f")");
  CHECK(quoted("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa6") ==
        "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa6\"");
  CHECK(quoted("\xc2\x9b"
               "31m\xc2\x80\xc2\xa0") == "\"\\u009b31m\\u0080\xc2\xa0\"");
  CHECK(quoted("a\xff") == R"({"hex":"61ff"})");
}

TEST_CASE("json: what is UTF-8 and what is not") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("\xf4\x8f\xbf\xbf"));
  for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xc3\x28"})
    CHECK_FALSE(is_utf8(bad));
}

TEST_CASE("json: text that is not all there says so") {
  CHECK(json({Text{"ab", TextKind::Text, true}, {}}) == R"({"text":"ab","cut":true})");
  CHECK(json({Text{"ab", TextKind::Path, false, true}, {}}) == R"({"text":"ab","abstract":true})");
}

TEST_CASE("json: numbers") {
  CHECK(json(number(static_cast<uint64_t>(-3), Show::Signed)) == "-3");
  CHECK(json(number(~0ull, Show::Unsigned)) == "18446744073709551615");
  CHECK(json(number(0xffffffff, Show::Id, 4)) == "-1");
  CHECK(json(number(0100644, Show::FileMode)) == R"({"value":33188,"octal":"0100644"})");
  CHECK(json(number(0x103, Show::Device)) == R"({"value":259,"major":1,"minor":3})");
  CHECK(json(number(0x5000, Show::NetPort, 2)) == "80");
  CHECK(json(number(0x0100007f, Show::Inet4, 4)) == R"("127.0.0.1")");
  CHECK(json(number(8, Show::Resource)) == R"({"value":8})");
  CHECK(json(number(~0ull, Show::Resource)) == R"({"value":18446744073709551615,"name":"RLIM_INFINITY"})");
}

TEST_CASE("json: addresses and words that may be some are text, as doubles lack digits for them") {
  CHECK(json(number(0x7f0000001000, Show::Hex)) == R"("0x7f0000001000")");
  CHECK(json(number(0, Show::Hex)) == R"("0x0")");
  CHECK(json(number(~0ull, Show::Guess, 4)) == R"("0xffffffff")");
}

TEST_CASE("json: names stand beside numbers") {
  CHECK(json({Named{2, &kWhence, 4}, {}}) == R"({"value":2,"name":"SEEK_END"})");
  CHECK(json({Named{9, &kWhence, 4}, {}}) == R"({"value":9})");
  CHECK(json({Named{0x1042, &kFlags, 4}, {}}) == R"({"value":4162,"names":["O_RDWR","O_CREAT"],"unnamed":4096})");
  CHECK(json({SignalNumber{9}, {}}) == R"({"value":9,"name":"SIGKILL"})");
  CHECK(json({SignalNumber{99}, {}}) == R"({"value":99})");
  CHECK(json({SignalSet{1 << 8 | 1}, {}}) == R"(["SIGHUP","SIGKILL"])");
  Value plain = number(5, Show::Signed);
  CHECK(json({Alias{"UTIME_NOW", &plain}, {}}) == R"({"value":5,"name":"UTIME_NOW"})");
}

TEST_CASE("json: addresses, faults and what was not seen differ") {
  CHECK(json({Pointer{Addr{0}}, {}}) == "null");
  CHECK(json({Pointer{Addr{0x10}}, {}}) == R"("0x10")");
  CHECK(json({Pointer{Addr{0x10}}, "3 vars"}) == R"({"value":"0x10","comment":"3 vars"})");
  CHECK(json({Unreadable{Addr{8}}, {}}) == R"({"unreadable":"0x8"})");
  CHECK(json({Unseen{Addr{8}}, {}}) == R"({"unseen":"0x8"})");
}

TEST_CASE("json: structures and arrays") {
  FieldValue fields[] = {{"a", number(1, Show::Signed)}, {"", number(2, Show::Signed)}, {"c", {Absent{}, {}}}};
  CHECK(json({Struct{fields, true}, {}}) == R"({"a":1,"#1":2,"#cut":true})");
  FieldValue twice[] = {{"a", number(1, Show::Signed)}, {"a", number(2, Show::Signed)}};
  CHECK(json({Struct{twice, false}, {}}) == R"({"a":1,"a#2":2})");
  Value items[] = {number(1, Show::Signed), number(2, Show::Signed)};
  CHECK(json({Array{items}, {}}) == "[1,2]");
  CHECK(json({Array{{}}, {}}) == "[]");
  CHECK(json({Array{items, ArrayStyle::List, true}, {}}) == R"({"items":[1,2],"cut":true})");
  CHECK(json({Array{items, ArrayStyle::List, false, Addr{0x20}}, {}}) == R"({"items":[1,2],"unreadable":"0x20"})");
  CHECK(json({Array{std::span(items, 1), ArrayStyle::Boxed}, {}}) == "1");
  CHECK(json({Array{items, ArrayStyle::Complement}, {}}) == R"({"all_but":[1,2]})");
  Value parts[] = {{Named{2, &kWhence, 4}, {}}};
  CHECK(json({Union{parts, 2}, {}}) == R"({"value":2,"parts":[{"value":2,"name":"SEEK_END"}]})");
  CHECK(json({Change{&items[0], &items[1]}, {}}) == R"({"before":1,"after":2})");
}

TEST_CASE("json: descriptors, processes, wait statuses") {
  FdTarget target{"/dev/null", false, DeviceTarget{false, 1, 3, {}}};
  CHECK(json({Fd{3}, {}}) == R"({"value":3})");
  CHECK(json({Fd{-100, nullptr, true}, {}}) == R"({"value":-100,"name":"AT_FDCWD"})");
  CHECK(json({Fd{3, &target}, {}}) == R"({"value":3,"path":"/dev/null","device":{"kind":"char","major":1,"minor":3}})");
  CHECK(json({ProcessId{5}, {}}) == R"({"value":5})");
  CHECK(json({ProcessId{5, "cat", 77}, {}}) == R"({"value":5,"comm":"cat","translated":77})");
  CHECK(json({WaitStatus{0x300}, {}}) == R"({"value":768,"exited":3})");
  CHECK(json({WaitStatus{0x8b}, {}}) == R"({"value":139,"killed":{"value":11,"name":"SIGSEGV"},"core_dumped":true})");
}

namespace {

Event event_of(decltype(Event::what) what, Tid tid = Tid{6}) {
  Event event;
  event.thread = {Pid{5}, tid, raw(tid), "cat"};
  event.at = {2'000'000'000, 5000};
  event.what = what;
  return event;
}

/// A sink and its lines.
struct Lines {
  explicit Lines(MemoryOutput::Kind kind = MemoryOutput::Kind::Shared) : out(std::make_shared<MemoryOutput>(kind)) {
    RunFacts facts{"9.9", "trace", {"strut", "trace", "cat\xff"}, Pid{77}, [](Pid) { return Pid{4}; }};
    sink = find_format("json")->make({out, std::move(facts)});
  }
  std::string lines_of(const Event& event, int32_t log = 0) {
    REQUIRE(sink->take(event));
    return out->take(log);
  }
  /// Without the first line of the log, which comes with its first event.
  std::string line(const Event& event) {
    std::string text = lines_of(event);
    return text.starts_with("{\"type\":\"trace\"") ? text.substr(text.find('\n') + 1) : text;
  }
  std::shared_ptr<MemoryOutput> out;
  std::unique_ptr<Sink> sink;
};

/// A call of read(2).
struct Reading {
  Reading() {
    call.desc = &kRead;
    call.entered = {1'700000000'000000001, 1000};
    call.left.monotonic_ns = 3500;
    call.returned = true;
    decoded.count = 2;
    decoded.args[0] = {&kRead.args[0], {Fd{3}, {}}};
    decoded.args[1] = {&kRead.args[1], number(10, Show::Unsigned)};
    decoded.result = number(7, Show::Signed);
  }
  Call call;
  DecodedCall decoded;
};

const std::string kHead = R"({"time":2.000000000,"time_ns":"2000000000","pid":5,"ppid":4,"tid":6,"comm":"cat",)";

}  // namespace

TEST_CASE("json: one object a call, written when it ends") {
  Lines lines;
  Reading read;
  CHECK(lines.line(event_of(EnterEvent{&read.call, &read.decoded})).empty());
  CHECK(lines.line(event_of(ExitEvent{&read.call, &read.decoded})) ==
        R"({"time":1700000000.000000001,"time_ns":"1700000000000000001","pid":5,"ppid":4,"tid":6,"comm":"cat",)"
        R"("type":"call","id":1,"abi":"x86-64","nr":0,"call":"read",)"
        R"("args":{"fd":{"value":3},"count":10},"result":{"value":7},"duration_ns":2500})"
        "\n");
  lines.line(event_of(EnterEvent{&read.call, &read.decoded}));
  CHECK(lines.line(event_of(DetachedEvent{true, &read.call, &read.decoded}))
            .ends_with(R"("type":"detached","in_call":true,"in":{"type":"call","id":2,"abi":"x86-64","nr":0,)"
                       R"("call":"read","args":{"fd":{"value":3},"count":10}}})"
                       "\n"));
  read.call.error = 9;
  read.call.tampering = kInjectedRetval;
  CHECK(lines.line(event_of(ExitEvent{&read.call, &read.decoded}))
            .ends_with(R"("error":{"value":9,"name":"EBADF"},"duration_ns":2500,"result_injected":true})"
                       "\n"));
  read.call.returned = false;
  CHECK(lines.line(event_of(ExitEvent{&read.call, &read.decoded}))
            .ends_with(R"(,"returned":false})"
                       "\n"));
}

TEST_CASE("json: a result is an object, with a member value") {
  Lines lines;
  Reading read;
  auto result = [&](Value value) {
    read.decoded.result = value;
    std::string line = lines.line(event_of(ExitEvent{&read.call, &read.decoded}));
    size_t begin = line.find("\"result\":") + 9;
    return line.substr(begin, line.find(",\"duration_ns\"") - begin);
  };
  CHECK(result({Fd{3}, {}}) == R"({"value":3})");
  CHECK(result(number(0x1000, Show::Hex)) == R"({"value":"0x1000"})");
  CHECK(result({Text{"ab", TextKind::Text, true}, {}}) == R"({"value":{"text":"ab","cut":true}})");
  CHECK(result({Named{2, &kWhence, 4}, {}}) == R"({"value":2,"name":"SEEK_END"})");
}

TEST_CASE("json: the first line says what run this is, in each log") {
  auto is_first = [](const std::string& text) {
    std::string line = text.substr(0, text.find('\n') + 1);
    return line.starts_with(R"({"type":"trace","format":2,"strut":"9.9","tool":"trace","backend":"kassist",)"
                            R"("argv":["strut","trace",{"hex":"636174ff"}],"pid":77,"host":{"name":)") &&
           line.find(R"("clocks":{"realtime_ns":")") != line.npos && line.ends_with("\"}}\n");
  };
  const std::string exited = kHead + "\"type\":\"exited\",\"status\":3}\n";
  for (auto [kind, log] : {std::pair(MemoryOutput::Kind::Shared, 0), std::pair(MemoryOutput::Kind::Separate, 6)}) {
    Lines lines(kind);
    REQUIRE(lines.sink->begin("kassist"));
    CHECK(lines.out->take().empty());  // a run that ends before its first event has none
    std::string both = lines.lines_of(event_of(ExitedEvent{3}), log);
    CHECK(is_first(both));
    CHECK(both.ends_with("\n" + exited));
    CHECK(lines.lines_of(event_of(ExitedEvent{3}), log) == exited);
  }
}

TEST_CASE("json: counts alone have a first line and no lines of events") {
  auto out = std::make_shared<MemoryOutput>();
  auto sink = find_format("json")->make({out, {}, true});
  REQUIRE(sink->begin("kassist"));
  CHECK(out->take().starts_with("{\"type\":\"trace\""));
  REQUIRE(sink->take(event_of(ExitedEvent{3})));
  CHECK(out->take().empty());
}

TEST_CASE("json: functions, and the calls that they make") {
  Lines lines;
  FunctionDesc desc{.name = "fread"};
  FunctionCall outer, inner;
  outer.desc = inner.desc = &desc;
  outer.symbol = "outer";
  outer.caller = "cat";
  outer.call.entered = {3'000'000'000, 1000};
  outer.call.left.monotonic_ns = 9000;
  inner.symbol = "inner";
  inner.module = "libc.so.6";
  inner.depth = 1;
  inner.abandoned = true;
  inner.call.entered = {4'000'000'000, 2000};
  Reading read;
  DecodedCall decoded;
  decoded.result = number(1, Show::Signed);
  CHECK(lines.line(event_of(FunctionEntryEvent{&outer, &decoded})).empty());
  lines.line(event_of(FunctionEntryEvent{&inner, &decoded}));
  lines.line(event_of(EnterEvent{&read.call, &read.decoded}));
  CHECK(lines.line(event_of(ExitEvent{&read.call, &read.decoded})).find(R"("id":3,"parent":2,)") != std::string::npos);
  CHECK(lines.line(event_of(FunctionReturnEvent{&inner, &decoded})) ==
        R"({"time":4.000000000,"time_ns":"4000000000","pid":5,"ppid":4,"tid":6,"comm":"cat","type":"function",)"
        R"("id":2,"parent":1,"function":"inner","module":"libc.so.6","depth":1,"args":{},"returned":false})"
        "\n");
  outer.call.error = 2;
  CHECK(lines.line(event_of(FunctionReturnEvent{&outer, &decoded}))
            .ends_with(R"("type":"function","id":1,"function":"outer","caller":"cat","depth":0,"args":{},)"
                       R"("result":{"value":1},"error":{"value":2,"name":"ENOENT"},"duration_ns":8000})"
                       "\n"));
}

TEST_CASE("json: the parent is the process that made it, whichever of its threads did") {
  Lines lines;
  CHECK(lines.line(event_of(StopEvent{19}, Tid{6})).find("\"pid\":5,\"ppid\":4,") != std::string::npos);
  Event birth = event_of(AttachedEvent{false, 1, Tid{6}, nullptr});
  birth.thread = {Pid{9}, Tid{9}, 9, {}};
  CHECK(lines.line(birth).find("\"pid\":9,\"ppid\":5,") != std::string::npos);
  birth.what = ExitedEvent{0};
  CHECK(lines.line(birth).find("\"pid\":9,\"ppid\":5,") != std::string::npos);
  birth.what = StopEvent{19};  // another process has the number now
  CHECK(lines.line(birth).find("\"pid\":9,\"ppid\":4,") != std::string::npos);
}

TEST_CASE("json: the parent of a process that a thread makes in its first call is a process, too") {
  Lines lines;
  Reading read;
  lines.line(event_of(EnterEvent{&read.call, &read.decoded}, Tid{7}));
  Event birth = event_of(AttachedEvent{false, 1, Tid{7}, nullptr});
  birth.thread = {Pid{9}, Tid{9}, 9, {}};
  CHECK(lines.line(birth).find("\"pid\":9,\"ppid\":5,") != std::string::npos);
  birth.what = AttachedEvent{false, 1, Tid{8}, nullptr};  // of a thread without events
  birth.thread = {Pid{10}, Tid{10}, 10, {}};
  CHECK(lines.line(birth).find("\"pid\":10,\"ppid\":4,") != std::string::npos);
}

TEST_CASE("json: other events") {
  Lines lines;
  CHECK(lines.line(event_of(KilledEvent{9, false})) ==
        kHead + R"("type":"killed","signal":{"value":9,"name":"SIGKILL"},"core_dumped":false})"
                "\n");
  CHECK(lines.line(event_of(LostEvent{12})) == kHead + "\"type\":\"lost\",\"count\":12}\n");
  CHECK(lines.line(event_of(ExecutedEvent{})) == kHead + "\"type\":\"executed\"}\n");
  SignalEvent signal{SIGTERM, {}, {}};
  memset(&signal.info, 0, sizeof signal.info);
  signal.info.si_signo = SIGTERM;
  CHECK(lines.line(event_of(signal))
            .ends_with(R"("info":{"si_signo":{"value":15,"name":"SIGTERM"},)"
                       R"("si_code":{"value":0,"name":"SI_USER"},"si_pid":{"value":0},"si_uid":0}})"
                       "\n"));
}

TEST_CASE("chrome: bars for calls, marks for ends, names once") {
  auto out = std::make_shared<MemoryOutput>();
  auto sink = find_format("chrome")->make({out, {}});
  Reading read;
  read.call.left.monotonic_ns = 1'003'500;
  REQUIRE(sink->take(event_of(ExitEvent{&read.call, &read.decoded}, Tid{5})));
  CHECK(out->take() ==
        R"([
{"name":"process_name","ph":"M","pid":5,"tid":5,"args":{"name":"cat"}},
{"name":"thread_name","ph":"M","pid":5,"tid":5,"args":{"name":"cat"}},
{"name":"read","cat":"syscall","ph":"X","ts":1.000,"dur":1002.500,"pid":5,"tid":5,"args":{"args":{"fd":{"value":3},"count":10},"result":{"value":7},"duration_ns":1002500}})");
  read.call.returned = false;
  REQUIRE(sink->take(event_of(ExitEvent{&read.call, &read.decoded}, Tid{5})));
  CHECK(
      out->take().starts_with(",\n"
                              R"({"name":"read","cat":"syscall","ph":"i","ts":1.000,"s":"t",)"));
  REQUIRE(sink->take(event_of(ExitedEvent{1}, Tid{5})));
  CHECK(out->take() ==
        ",\n"
        R"({"name":"exited with 1","cat":"exited","ph":"i","ts":5.000,"s":"t","pid":5,"tid":5,"args":{}})");
  REQUIRE(sink->take(event_of(LostEvent{12}, Tid{5})));
  CHECK(out->take() ==
        ",\n"
        R"({"name":"12 events lost","cat":"lost","ph":"i","ts":5.000,"s":"t","pid":5,"tid":5,"args":{}})");
  REQUIRE(sink->finish());
  CHECK(out->take() == "\n]\n");
}

}  // namespace strut::test
