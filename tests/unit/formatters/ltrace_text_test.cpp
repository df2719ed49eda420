// ltrace's text. Expected lines are ltrace 0.7.3's for programs that make these calls, without its column's blanks
// where a test is not about them.
#include "formatters/ltrace/text.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>
#include <deque>

#include "formatters/ltrace/summary.hpp"
#include "formatters/ltrace/value.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/prototypes/library_types.hpp"
#include "ltrace_scene.hpp"

namespace strut::test {
namespace {

using namespace notation;

std::string text_of(const Value& value, size_t string_bytes = 32) {
  TextBuffer out;
  put_ltrace_value(out, value, string_bytes);
  return std::string(out.view());
}
std::string text_of(uint64_t bits, Show show, uint8_t bytes = 4) { return text_of({Number{bits, show, bytes}, {}}); }
std::string text_of(std::string_view bytes) { return text_of({Text{bytes}, {}}); }

TEST_CASE("ltrace text: numbers") {
  CHECK(text_of(static_cast<uint64_t>(-7), Show::Signed) == "-7");
  CHECK(text_of(8, Show::Octal) == "010");
  CHECK(text_of(0, Show::Octal) == "00");
  CHECK(text_of(0xffffffff, Show::Octal) == "037777777777");
  CHECK(text_of(0, Show::Hex) == "0");
  CHECK(text_of(255, Show::Hex) == "0xff");
  CHECK(text_of(7, Show::Bool) == "true");
  CHECK(text_of(0, Show::Bool) == "false");
  CHECK(text_of(10000, Show::Guess, 8) == "10000");
  CHECK(text_of(10001, Show::Guess, 8) == "0x2711");
  CHECK(text_of(static_cast<uint64_t>(-10000), Show::Guess, 8) == "-10000");
  CHECK(text_of(static_cast<uint64_t>(-10001), Show::Guess, 8) == "0xffffffffffffd8ef");
}

TEST_CASE("ltrace text: floating point") {
  auto of = [](double number, Show show) { return text_of(std::bit_cast<uint64_t>(number), show, 8); };
  CHECK(of(3.14159265358979, Show::Float) == "3.141593");
  CHECK(of(1e22, Show::Float) == "10000000000000000000000.000000");
  CHECK(of(-1e300, Show::Float).size() == 309);
  CHECK(of(1.5, Show::FloatHex) == "0x1.8p+0");
  CHECK(text_of(std::bit_cast<uint32_t>(1e30f), Show::Float, 4) == "1000000015047466219876688855040.000000");
}

TEST_CASE("ltrace text: characters") {
  auto of = [](uint8_t c) { return text_of(c, Show::Char, 1); };
  CHECK(of('a') == "'a'");
  CHECK(of('\n') == "'\\n'");
  CHECK(of(0) == "'\\0'");
  CHECK(of(200) == "'\\310'");
  CHECK(of('\'') == "'''");
  CHECK(of('"') == "'\"'");
  CHECK(of('\\') == "'\\\\'");
  CHECK(of(7) == "'\\a'");
  CHECK(of(27) == "'\\033'");
  CHECK(text_of(~0ull, Show::Char, 4) == "EOF");
  CHECK(text_of('x', Show::Char, 4) == "'x'");
}

TEST_CASE("ltrace text: strings") {
  CHECK(text_of("a\n\t\r\\\"'\001\177\200\377\033") == R"("a\n\t\r\\"'\001\177\200\377\033")");
  CHECK(text_of(std::string_view("abc\0\0\0", 6)) == R"("abc\0\0\0")");
  CHECK(text_of("0123456789012345678901234567890") == "\"0123456789012345678901234567890\"");
  // ltrace shows no end of a string that is exactly as long as -s.
  CHECK(text_of("01234567890123456789012345678901") == "\"01234567890123456789012345678901\"...");
  CHECK(text_of({Pointer{}, {}}) == "nil");
  CHECK(text_of({Pointer{Addr{0x10}}, {}}) == "0x10");
}

TEST_CASE("ltrace text: sets of bits") {
  CHECK(text_of(0xb8, Show::Bits) == "<3-5,7>");
  CHECK(text_of(0, Show::Bits) == "<>");
  CHECK(text_of(0xfffffffe, Show::Bits) == "~<0>");
  CHECK(text_of(0xffffffff, Show::Bits) == "~<>");
  CHECK(text_of(3, Show::Bits) == "<0-1>");
  CHECK(text_of(0xffff, Show::Bits) == "<0-15>");
  CHECK(text_of(0x1ffff, Show::Bits) == "~<17-31>");
  CHECK(text_of({Text{std::string_view("\x01\x80\x00\xff", 4), TextKind::Bits}, {}}) == "<0,15,24-31>");
}

TEST_CASE("ltrace text: arrays and structures") {
  Value items[] = {{Number{1}, {}}, {Number{2}, {}}};
  CHECK(text_of({Array{items}, {}}) == "[ 1, 2 ]");
  CHECK(text_of({Array{}, {}}) == "[  ]");
  CHECK(text_of({Array{items, ArrayStyle::List, true}, {}}) == "[ 1, 2... ]");
  CHECK(text_of({Array{std::span(items).first(1), ArrayStyle::Boxed}, {}}) == "1");
  FieldValue fields[] = {{"", items[0]}, {"", {Struct{{}, true}, {}}}, {"n", items[1]}};
  CHECK(text_of({Struct{fields}, {}}) == "{ 1, ..., n=2 }");
}

// -- lines --------------------------------------------------------------------------------------------

constexpr ArgType kMidArgs[] = {arg("a", kInt), out("b", kInt), arg("f", kHexLong)};
constexpr FunctionDesc kMid{"f_mid", kInt, kMidArgs};
constexpr ArgType kMid2Args[] = {out("b", kInt), arg("f", kHexLong), arg("c", kInt)};
constexpr FunctionDesc kMid2{"f_mid2", kInt, kMid2Args};
constexpr FunctionDesc kInner{"inner", kInt, {}};
constexpr ArgType kFreeArgs[] = {arg("p", kHexLong)};
constexpr FunctionDesc kFree{"free", kVoid, kFreeArgs};

TEST_CASE("ltrace text: the result stands in its column, behind one blank where that is passed") {
  LtraceScene scene;
  scene.leave(scene.enter(kFree, {0x10}), 0);
  CHECK(scene.text() == "free(0x10)                                       = <void>\n");
  LtraceScene narrow({.result_column = 12});
  narrow.leave(narrow.enter(kInner, {}), 5);
  narrow.leave(narrow.enter(kMid, {1, 0x2000, 0x401356}), 1);
  CHECK(narrow.text() == "inner()    = 5\nf_mid(1, 9, 0x401356) = 1\n");
}

TEST_CASE("ltrace text: what is known at the return stands behind it") {
  LtraceScene scene({.result_column = 0});
  auto& mid = scene.enter(kMid, {1, 0x2000, 0x401356});
  scene.leave(scene.enter(kInner, {}), 5);
  scene.leave(mid, 1);
  auto& mid2 = scene.enter(kMid2, {0x2000, 0x401356, 3});
  scene.leave(scene.enter(kInner, {}), 5);
  scene.leave(mid2, 1);
  CHECK(scene.text() ==
        "f_mid(1 <unfinished ...>\ninner() = 5\n<... f_mid resumed> , 9, 0x401356) = 1\n"
        "f_mid2( <unfinished ...>\ninner() = 5\n<... f_mid2 resumed> 9, 0x401356, 3) = 1\n");
}

TEST_CASE("ltrace text: nested calls are indented, signals are not") {
  LtraceScene scene({.result_column = 0, .indent = 2});
  auto& outer = scene.enter(kMid2, {0x2000, 1, 3});
  auto& inner = scene.enter(kFree, {1}, 1, 1);
  scene.report(SignalEvent{10, {}});
  scene.leave(inner, 0);
  scene.leave(outer, 1);
  CHECK(scene.text() ==
        "f_mid2( <unfinished ...>\n  free(0x1 <no return ...>\n--- SIGUSR1 (User defined signal 1) ---\n"
        "  <... free resumed> ) = <void>\n<... f_mid2 resumed> 9, 0x1, 3) = 1\n");
}

TEST_CASE("ltrace text: threads and their ends") {
  LtraceScene scene({.result_column = 0, .pids = true});
  auto& one = scene.enter(kFree, {1}, 30531);
  auto& two = scene.enter(kFree, {2}, 30532);
  scene.leave(one, 0, 30531);
  scene.leave(two, 0, 30532);
  scene.enter(kFree, {3}, 30532);
  scene.report(ExitedEvent{4}, 30532);
  scene.report(KilledEvent{6, false}, 30531);
  CHECK(scene.text() ==
        "[pid 30531] free(0x1 <unfinished ...>\n[pid 30532] free(0x2 <unfinished ...>\n"
        "[pid 30531] <... free resumed> ) = <void>\n[pid 30532] <... free resumed> ) = <void>\n"
        "[pid 30532] free(0x3 <no return ...>\n[pid 30532] +++ exited (status 4) +++\n[pid 30531] +++ killed by "
        "SIGABRT +++\n");
}

TEST_CASE("ltrace text: calls that never return, that began before, another program") {
  LtraceScene scene({.result_column = 0});
  auto& mid = scene.enter(kMid, {1, 0x2000, 3});
  auto& inner = scene.enter(kInner, {});
  scene.abandon(inner);
  scene.abandon(mid);
  auto& before = scene.calls.emplace_back();
  before.call.desc = &kMid;
  before.call.symbol = "f_mid";
  before.call.active_before = true;
  before.decoded.result = {Number{7}, {}};
  scene.report(FunctionReturnEvent{&before.call, &before.decoded});
  scene.enter(kFree, {1});
  scene.report(ExecutedEvent{});
  CHECK(scene.text() ==
        "f_mid(1 <unfinished ...>\ninner() = ?\n<... f_mid resumed> , ...) = ?\n<... f_mid resumed> ...) = 7\n"
        "free(0x1 <no return ...>\n--- Called exec() ---\n");
}

TEST_CASE("ltrace text: leaders") {
  setenv("TZ", "UTC", 1);
  LtraceStyle style{
      .result_column = 0, .pids = true, .ip = true, .absolute_time = AbsoluteTime::TimeOfDay, .microseconds = true};
  style.call_time = true;
  LtraceScene scene(style);
  auto& made = scene.enter(kFree, {1}, 31656);
  scene.now_ns += 392'999;
  scene.leave(made, 0, 31656);
  scene.report(ExitedEvent{0}, 31656);
  CHECK(scene.text() ==
        "[pid 31656] 00:00:01.000000 [0x401000] free(0x1) = <void> <0.000392>\n"
        "[pid 31656] 00:00:01.000392 [0xffffffffffffffff] +++ exited (status 0) +++\n");
  LtraceScene relative({.result_column = 0, .pids = true, .bracketed_pid = false, .relative_time = true});
  for (int i = 0; i < 2; i++, relative.now_ns += 1'000'374'000)
    relative.leave(relative.enter(kFree, {1}, 31658), 0, 31658);
  CHECK(relative.text() == "31658   0.000000 free(0x1) = <void>\n31658   1.000374 free(0x1) = <void>\n");
}

TEST_CASE("ltrace text: the caller, and where it is") {
  LtraceScene scene({.result_column = 0});
  auto labelled = [&](FunctionLabel label) {
    auto& made = scene.calls.emplace_back();
    made.call.label = label;
    made.call.symbol = "mal\x1bloc";
    made.call.module = "libc.so.6";
    made.call.caller = "main";
    TextBuffer out;
    put_function_name(out, made.call);
    return std::string(out.view());
  };
  CHECK(labelled(FunctionLabel::Name) == "mal\\33loc");
  CHECK(labelled(FunctionLabel::Caller) == "main->mal\\33loc");
  CHECK(labelled(FunctionLabel::Module) == "mal\\33loc@libc.so.6");
}

TEST_CASE("ltrace text: system calls are shown as strace does") {
  static constexpr SyscallDesc kRead =
      row("read", kDesc, kUnsignedResult, fd("fd"), bytes_out("buf", by_result()), size("count"));
  LtraceScene scene({.result_column = 40});
  Call call;
  DecodedCall decoded;
  call.desc = &kRead;
  call.regs = {3, 0x3000, 10};
  scene.memory.put(0x3000, "abc");
  decode_enter(call, {scene.memory, scene.around, scene.options}, decoded);
  auto& outer = scene.enter(kFree, {1});
  scene.report(EnterEvent{&call, &decoded});
  set_result(call, 3);
  decode_exit(call, {scene.memory, scene.around, scene.options}, decoded);
  scene.report(ExitEvent{&call, &decoded});
  scene.leave(outer, 0);
  CHECK(scene.text() ==
        "free(0x1 <unfinished ...>\nSYS_read(3, \"abc\", 10)                 = 3\n"
        "<... free resumed> )                   = <void>\n");
}

TEST_CASE("ltrace text: the table of counts") {
  LtraceScene scene;
  scene.sink = make_ltrace_summary({}, scene.log);
  for (uint64_t taken : {2'000'000, 1'000'000}) {
    auto& made = scene.enter(kFree, {1});
    scene.now_ns += taken;
    scene.leave(made, 0);
  }
  auto& inner = scene.enter(kInner, {});
  scene.now_ns += 1'000'999;
  scene.leave(inner, 0);
  scene.abandon(scene.enter(kInner, {}));
  scene.enter(kInner, {});
  REQUIRE(scene.sink->finish());
  CHECK(scene.log->take() ==
        "% time     seconds  usecs/call     calls      function\n"
        "------ ----------- ----------- --------- --------------------\n"
        " 74.98    0.003000        1500         2 free\n"
        " 25.02    0.001001         333         3 inner\n"
        "------ ----------- ----------- --------- --------------------\n"
        "100.00    0.004001                     5 total\n");
}

}  // namespace
}  // namespace strut::test
