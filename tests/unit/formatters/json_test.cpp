#include <doctest/doctest.h>

#include <cstring>

#include "formatters/json/lines.hpp"
#include "formatters/json/value.hpp"
#include "syscalls/call_context.hpp"
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
  CHECK(json(number(~0ull, Show::Resource)) == R"({"value":18446744073709551615,"name":"RLIM_INFINITY"})");
}

TEST_CASE("json: names stand beside numbers") {
  CHECK(json({Named{2, &kWhence, 4}, {}}) == R"({"value":2,"name":"SEEK_END"})");
  CHECK(json({Named{9, &kWhence, 4}, {}}) == R"({"value":9})");
  CHECK(json({Named{0x1042, &kFlags, 4}, {}}) == R"({"value":4162,"names":["O_RDWR","O_CREAT"],"unnamed":4096})");
  CHECK(json({SignalNumber{9}, {}}) == R"({"value":9,"name":"SIGKILL"})");
  CHECK(json({SignalNumber{99}, {}}) == "99");
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
  CHECK(json({Fd{3}, {}}) == "3");
  CHECK(json({Fd{-100, nullptr, true}, {}}) == R"({"value":-100,"name":"AT_FDCWD"})");
  CHECK(json({Fd{3, &target}, {}}) == R"({"value":3,"path":"/dev/null","device":{"kind":"char","major":1,"minor":3}})");
  CHECK(json({ProcessId{5}, {}}) == "5");
  CHECK(json({ProcessId{5, "cat", 77}, {}}) == R"({"value":5,"comm":"cat","translated":77})");
  CHECK(json({WaitStatus{0x300}, {}}) == R"({"value":768,"exited":3})");
  CHECK(json({WaitStatus{0x8b}, {}}) == R"({"value":139,"killed":{"value":11,"name":"SIGSEGV"},"core_dumped":true})");
}

TEST_CASE("json: one object a call, written when it ends") {
  auto out = std::make_shared<MemoryOutput>();
  auto sink = make_json_lines(out);
  Call call;
  call.desc = &kRead;
  call.entered = {1'700000000'000000001, 1000};
  call.left.monotonic_ns = 3500;
  call.returned = true;
  DecodedCall decoded;
  decoded.count = 2;
  decoded.args[0] = {&kRead.args[0], {Fd{3}, {}}};
  decoded.args[1] = {&kRead.args[1], number(10, Show::Unsigned)};
  decoded.result = number(7, Show::Signed);
  Event event;
  event.thread = {Pid{5}, Tid{6}, 6, {}};
  event.what = EnterEvent{&call, &decoded};
  REQUIRE(sink->take(event));
  CHECK(out->take().empty());
  event.what = ExitEvent{&call, &decoded};
  REQUIRE(sink->take(event));
  CHECK(out->take() ==
        R"({"time":1700000000.000000001,"pid":5,"tid":6,"type":"call","abi":"x86-64","nr":0,"call":"read",)"
        R"("args":{"fd":3,"count":10},"result":7,"duration_ns":2500})"
        "\n");
  event.what = DetachedEvent{true, &call, &decoded};
  REQUIRE(sink->take(event));
  CHECK(out->take().ends_with(
      R"("type":"detached","in_call":true,"in":{"type":"call","abi":"x86-64","nr":0,"call":"read",)"
      R"("args":{"fd":3,"count":10}}})"
      "\n"));
  event.what = ExitEvent{&call, &decoded};
  call.error = 9;
  call.tampering = kInjectedRetval;
  REQUIRE(sink->take(event));
  CHECK(out->take().ends_with(
      R"("args":{"fd":3,"count":10},"error":{"value":9,"name":"EBADF"},"duration_ns":2500,"result_injected":true})"
      "\n"));
  call.returned = false;
  REQUIRE(sink->take(event));
  CHECK(out->take().ends_with(R"("args":{"fd":3,"count":10},"returned":false})"
                              "\n"));
}

TEST_CASE("json: other events") {
  auto out = std::make_shared<MemoryOutput>();
  auto sink = make_json_lines(out);
  auto line = [&](auto what) {
    Event event;
    event.thread = {Pid{5}, Tid{6}, 6, "cat"};
    event.what = what;
    REQUIRE(sink->take(event));
    return out->take();
  };
  std::string head = R"({"time":0.000000000,"pid":5,"tid":6,"comm":"cat",)";
  CHECK(line(ExitedEvent{3}) == head + R"("type":"exited","status":3})"
                                       "\n");
  CHECK(line(KilledEvent{9, false}) ==
        head + R"("type":"killed","signal":{"value":9,"name":"SIGKILL"},"core_dumped":false})"
               "\n");
  CHECK(line(LostEvent{12}) == head + R"("type":"lost","count":12})"
                                      "\n");
  SignalEvent signal{SIGTERM, {}, {}};
  memset(&signal.info, 0, sizeof signal.info);
  signal.info.si_signo = SIGTERM;
  CHECK(line(signal).ends_with(R"("info":{"si_signo":{"value":15,"name":"SIGTERM"},)"
                               R"("si_code":{"value":0,"name":"SI_USER"},"si_pid":0,"si_uid":0}})"
                               "\n"));
}

}  // namespace strut::test
