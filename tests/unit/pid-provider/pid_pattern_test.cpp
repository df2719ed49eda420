#include <doctest/doctest.h>

#include "pid-provider/pid_pattern.hpp"

using namespace strut;

namespace {

PidPattern parsed(std::string_view text) {
  auto description = parse_probe_description(text);
  REQUIRE(description);
  auto pattern = pid_pattern(*description);
  REQUIRE_MESSAGE(pattern, text);
  return *pattern;
}

Complaint refused(std::string_view text) {
  auto pattern = pid_pattern(*parse_probe_description(text));
  REQUIRE_FALSE_MESSAGE(pattern.has_value(), text);
  return pattern.error();
}

}  // namespace

TEST_CASE("pid pattern: processes") {
  CHECK(parsed("pid1234:libc:malloc:entry").processes == PidPattern::Processes::One);
  CHECK(parsed("pid1234:libc:malloc:entry").pid == Pid{1234});
  CHECK(parsed("pid$target:::").processes == PidPattern::Processes::Target);
  CHECK(parsed("pid*:libc.so.6:malloc:entry").processes == PidPattern::Processes::Every);
  CHECK(refused("pid0:::").tag == "D_PROC_BADPID");
  CHECK(refused("pid99999999999:::").tag == "D_PROC_BADPID");
  CHECK(refused("pidx:::").tag == "D_PROC_BADPROV");
  CHECK(refused("syscall:::").tag == "D_PROC_BADPROV");
  CHECK_FALSE(is_pid_provider("pid"));
  CHECK_FALSE(is_pid_provider("pid12x"));
}

TEST_CASE("pid pattern: places") {
  CHECK(parsed("pid1:::entry").place == PidPattern::Place::Entry);
  CHECK(parsed("pid1:::return").place == PidPattern::Place::Return);
  CHECK(parsed("pid1::f:1a").place == PidPattern::Place::Offset);
  CHECK(parsed("pid1::f:1a").number == 0x1a);
  CHECK(parsed("pid1::f:0x1A").number == 0x1a);
  CHECK(parsed("pid1::f:").place == PidPattern::Place::Matching);
  CHECK(parsed("pid1::f:e*").name == "e*");
  CHECK(parsed("pid1::-:401000").place == PidPattern::Place::Absolute);
  CHECK(parsed("pid1:a.out:-:401000").number == 0x401000);
  CHECK(refused("pid1:libc:-:401000").tag == "D_PROC_LIB");
  CHECK(refused("pid1::-:entry").tag == "D_PROC_NAME");
  Complaint typo = refused("pid1::f:etnry");
  CHECK(typo.tag == "D_PROC_NAME");
  CHECK(typo.field == ProbeField::Name);
  CHECK(typo.text.starts_with("'etnry' is an invalid probe name"));
  CHECK(refused("pid1::f:-1").tag == "D_PROC_NAME");
  CHECK(refused("pid1::f:0x").tag == "D_PROC_NAME");
  CHECK(refused("pid1::f:10000000000000000").tag == "D_PROC_NAME");
}

TEST_CASE("pid pattern: lines of sources") {
  PidPattern line = parsed("pid1:a.out:main.c@42:");
  CHECK(line.place == PidPattern::Place::Line);
  CHECK(line.file == "main.c");
  CHECK(line.number == 42);
  CHECK(line.name == "42");
  CHECK(line.function.empty());
  CHECK(parsed("pid1:a.out:main:src/main.c@042").function == "main");
  CHECK(parsed("pid1:a.out:main:src/main.c@042").file == "src/main.c");
  CHECK(parsed("pid1:a.out:main:src/main.c@042").name == "42");
  CHECK(parsed("pid1::*.c@4[0-2]:*").number == 0);
  CHECK(parsed("pid1::*.c@4[0-2]:").name == "4[0-2]");
  // A symbol's version is no line.
  CHECK(parsed("pid1::memcpy@@GLIBC_2.14:entry").place == PidPattern::Place::Entry);
  CHECK(refused("pid1::main.c@42:entry").text == "'entry': a line of a source has no such probe");
  CHECK(refused("pid1::main.c@0:").text == "'main.c@0' is no line of a source");
  CHECK(refused("pid1::main.c@99999999999:").tag == "D_PROC_FUNC");
  CHECK(refused("pid1::main:main.c@0").tag == "D_PROC_NAME");
  CHECK(refused("pid1::main:@7").tag == "D_PROC_NAME");
}

TEST_CASE("pid pattern: a source has as many parts of its path as the pattern") {
  CHECK(source_name("main.c", "/a/b/main.c") == "main.c");
  CHECK(source_name("b/*.c", "/a/b/main.c") == "b/main.c");
  CHECK(source_name("a/b/main.c", "/a/b/main.c") == "a/b/main.c");
  CHECK(source_name("/a/b/main.c", "/a/b/main.c") == "/a/b/main.c");
  CHECK(source_name("a/b/c/d/e/main.c", "/b/main.c") == "/b/main.c");
  CHECK(source_name("main.c", "main.c") == "main.c");
}

TEST_CASE("pid pattern: kinds of instructions") {
  auto instr = [](std::string_view text) { return instr_pattern(*parse_probe_description(text)); };
  auto pattern = instr("instr12:libc:malloc-call:0x01C");
  REQUIRE(pattern);
  CHECK(pattern->place == PidPattern::Place::Instructions);
  CHECK(pattern->pid == Pid{12});
  CHECK(pattern->function == "malloc-call");
  CHECK(pattern->name == "1c");
  CHECK(instr("instr$target:a.out:*-jcc:")->processes == PidPattern::Processes::Target);
  CHECK(instr("instr*:libc:malloc-*:*")->processes == PidPattern::Processes::Every);
  CHECK(instr("instr:a.out:main-call:").error().tag == "D_PROC_BADPROV");
  CHECK(instr("instr0:a.out:main-call:").error().tag == "D_PROC_BADPID");
  CHECK(instr("instr1:a.out:main:").error().text == "'main' names no instructions of a function");
  CHECK(instr("instr1:a.out:-call:").error().tag == "D_PROC_FUNC");
  CHECK(instr("instr1:a.out:main-:").error().tag == "D_PROC_FUNC");
  CHECK(instr("instr1:a.out:main-movl:").error().text == "'main-movl': there are no instructions 'movl'");
  CHECK(instr("instr1:a.out:main-call:entry").error().text == "'entry' is an invalid probe name");
  CHECK_FALSE(is_instr_provider("instr"));
  CHECK_FALSE(is_usdt_provider("instr12"));
  CHECK_FALSE(may_be_usdt("instr*"));
  CHECK(is_usdt_provider("instrument12"));
}

TEST_CASE("pid pattern: offsets with mnemonics, if they are asked for") {
  auto named = pid_pattern(*parse_probe_description("pid1::f:call-1c"), true);
  REQUIRE(named);
  CHECK(named->place == PidPattern::Place::Offset);
  CHECK(named->number == 0x1c);
  CHECK(named->name == "call");
  for (const char* text : {"pid1::f:jcc-1c", "pid1::f:call-x", "pid1::f:call-"})
    CHECK_FALSE(pid_pattern(*parse_probe_description(text), true).has_value());
  CHECK(refused("pid1::f:call-1c").tag == "D_PROC_NAME");
}

TEST_CASE("pid pattern: what modules are called") {
  ModuleNames library{"/lib/x86_64-linux-gnu/libstdc++.so.6.0.30", "libstdc++.so.6", false};
  for (std::string_view name :
       {"", "*", "libstdc++", "libstdc++.so.6", "libstdc++.so.6.0.30", "lib*", "/lib/*/libstdc*", "libstd?++"})
    CHECK_MESSAGE(module_matches(name, library), name);
  for (std::string_view name : {"a.out", "libstdc", "libc", "stdc++", "/usr/*"})
    CHECK_FALSE_MESSAGE(module_matches(name, library), name);
  ModuleNames program{"/usr/bin/git", "", true};
  CHECK(module_matches("a.out", program));
  CHECK(module_matches("git", program));
  CHECK(module_matches("a.*", program));
  CHECK_FALSE(module_matches("libc", program));
}

TEST_CASE("pid pattern: statically defined providers end with their process") {
  CHECK(is_usdt_provider("python1234"));
  CHECK(is_usdt_provider("*1234"));
  CHECK(is_usdt_provider("pidgin1"));
  for (const char* provider : {"", "1234", "pid1234", "pid$target", "python", "python*"})
    CHECK_FALSE(is_usdt_provider(provider));
  auto usdt = [](std::string_view text) { return usdt_pattern(*parse_probe_description(text)); };
  auto pattern = usdt("py*12:libpython*:f:function-entry");
  REQUIRE(pattern);
  CHECK(pattern->place == PidPattern::Place::Usdt);
  CHECK(pattern->processes == PidPattern::Processes::One);
  CHECK(pattern->pid == Pid{12});
  CHECK(pattern->usdt_provider == "py*");
  CHECK(pattern->module == "libpython*");
  CHECK(pattern->function == "f");
  CHECK(pattern->name == "function-entry");
  CHECK(usdt("python*:::")->processes == PidPattern::Processes::Every);
  CHECK(usdt("python*:::")->usdt_provider == "python*");
  CHECK(usdt("python99999999999:::").error().tag == "D_PROC_BADPID");
}
