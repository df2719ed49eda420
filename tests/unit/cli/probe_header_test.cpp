#include <doctest/doctest.h>

#include "cli/dtrace/probe_header.hpp"

namespace strut::test {
namespace {

TEST_CASE("probe header: declarations of a program") {
  auto probes = declared_probes(
      "#pragma D option quiet\ntypedef int number; /* provider none { } */\n"
      "provider one { probe go(int, char *name, const struct x *at); probe none(void); probe open__file(char a[3]) : "
      "(int b); };\n"
      "BEGIN { trace(\"provider x { probe y(); };\"); }\n"
      "provider two { probe go(unsigned long long n, number, string); };");
  REQUIRE(probes);
  REQUIRE(probes->size() == 4);
  using Types = std::vector<std::string>;
  CHECK((*probes)[0].provider == "one");
  CHECK((*probes)[0].name == "go");
  CHECK((*probes)[0].types == Types{"int", "char *", "const struct x *"});
  CHECK((*probes)[1].types.empty());
  CHECK((*probes)[2].name == "open__file");
  CHECK((*probes)[2].types == Types{"char *"});
  CHECK((*probes)[3].provider == "two");
  CHECK((*probes)[3].types == Types{"unsigned long long", "number", "string"});
}

TEST_CASE("probe header: macros") {
  std::vector<DeclaredProbe> probes = {{"my_app", "open__file", {"int", "char *"}}};
  std::string text = probe_header("app-1.h", probes);
  for (const char* part :
       {"#ifndef\t_APP_1_H\n", "#define\tMY_APP_OPEN_FILE(arg0, arg1) \\\n", "#define\tMY_APP_OPEN_FILE_ENABLED()",
        "unsigned short my_app_open__file_semaphore", "\"my_app\", \"open__file\"", "((int)(arg0))",
        "((unsigned long)(arg1))", "#define\tMY_APP_OPEN_FILE(arg0, arg1)\n"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

}  // namespace
}  // namespace strut::test
