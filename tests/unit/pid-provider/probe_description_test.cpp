// Probe descriptions: fields and patterns.
#include <doctest/doctest.h>

#include <string>

#include "pid-provider/probe_description.hpp"

namespace strut::test {
namespace {

TEST_CASE("probe description: fewer fields end with the field that is asked for") {
  CHECK(parse_probe_description("syscall::mu*:entry")->text() == "syscall::mu*:entry");
  CHECK(parse_probe_description("malloc:entry")->text() == "::malloc:entry");
  CHECK(parse_probe_description("BEGIN")->text() == ":::BEGIN");
  CHECK(parse_probe_description("")->text() == ":::");
  CHECK(parse_probe_description("syscall:::")->text() == "syscall:::");
  CHECK(parse_probe_description("pid1:libc", ProbeField::Module)->text() == "pid1:libc::");
  CHECK(parse_probe_description("pid1", ProbeField::Provider)->text() == "pid1:::");
  CHECK(parse_probe_description("libc:malloc", ProbeField::Function)->text() == ":libc:malloc:");
}

TEST_CASE("probe description: more fields than there are") {
  CHECK_FALSE(parse_probe_description("a:b:c:d:e"));
  CHECK_FALSE(parse_probe_description("a:b", ProbeField::Provider));
  CHECK(parse_probe_description("a:b:c:d"));
}

TEST_CASE("probe description: patterns") {
  CHECK(glob_matches("mu*", "munmap"));
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("**a*", "xxa"));
  CHECK(glob_matches("a*b*c", "a-b-b-c"));
  CHECK_FALSE(glob_matches("a*b*c", "a-b-b-"));
  CHECK(glob_matches("mem[sc]???", "memset6"));
  CHECK(glob_matches("[!a-c]x", "dx"));
  CHECK_FALSE(glob_matches("[!a-c]x", "bx"));
  CHECK(glob_matches("[]]", "]"));
  CHECK(glob_matches("[a", "[a"));
  CHECK(glob_matches("\\*", "*"));
  CHECK_FALSE(glob_matches("\\*", "x"));
  CHECK_FALSE(glob_matches("", "x"));
}

TEST_CASE("probe description: a pattern of many stars is no trap") {
  std::string pattern, text(20000, 'a');
  for (int i = 0; i < 40; i++) pattern += "*a";
  CHECK_FALSE(glob_matches(pattern + "b", text));
}

TEST_CASE("probe description: an empty field matches anything") {
  ProbeDescription probe{"syscall", "linux", "munmap", "entry"};
  CHECK(matches(*parse_probe_description("munmap:entry"), probe));
  CHECK(matches(*parse_probe_description("sys*:::e*"), probe));
  CHECK_FALSE(matches(*parse_probe_description("munmap:return"), probe));
}

}  // namespace
}  // namespace strut::test
