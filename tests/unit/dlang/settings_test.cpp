// Options: -x, #pragma D option.
#include "dlang/language/settings.hpp"
#include "d_scene.hpp"

namespace strut::test {
namespace {

std::string refusal(std::string_view name, std::string_view value) {
  DSettings settings;
  auto applied = apply_option(settings, name, value, OptionFrom::Program);
  return applied ? "" : describe(applied.error());
}

TEST_CASE("d options: sizes, numbers, times, words") {
  DSettings settings;
  CHECK(apply_option(settings, "strsize", "1k", OptionFrom::CommandLine));
  CHECK(settings.strsize == 1024);
  CHECK(apply_option(settings, "bufsize", "2G", OptionFrom::CommandLine));
  CHECK(settings.bufsize == 2ull << 30);
  CHECK(apply_option(settings, "switchrate", "10hz", OptionFrom::CommandLine));
  CHECK(settings.switchrate_ns == 100'000'000);
  CHECK(apply_option(settings, "switchrate", "5", OptionFrom::CommandLine));
  CHECK(settings.switchrate_ns == 200'000'000);
  CHECK(apply_option(settings, "aggrate", "50MSec", OptionFrom::CommandLine));
  CHECK(settings.aggrate_ns == 50'000'000);
  CHECK(apply_option(settings, "quiet", "", OptionFrom::CommandLine));
  CHECK(settings.quiet);
  CHECK(apply_option(settings, "quiet", "0", OptionFrom::CommandLine));
  CHECK_FALSE(settings.quiet);
  for (const char* on : {"1", "true", "yes", "on"}) {
    settings.quiet = false;
    CHECK(apply_option(settings, "quiet", on, OptionFrom::CommandLine));
    CHECK(settings.quiet);
  }
  for (const char* off : {"0", "false", "no", "off"}) {
    settings.quiet = true;
    CHECK(apply_option(settings, "quiet", off, OptionFrom::CommandLine));
    CHECK_FALSE(settings.quiet);
  }
  CHECK(apply_option(settings, "evaltime", "main", OptionFrom::CommandLine));
  CHECK(settings.evaltime == DSettings::EvalTime::Main);
  CHECK(apply_option(settings, "bufpolicy", "ring", OptionFrom::CommandLine));
  CHECK(settings.bufpolicy == DSettings::BufferPolicy::Ring);
}

TEST_CASE("d options: those that change nothing here have values, too") {
  DSettings settings;
  for (auto [name, value] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"version", "1.6"},
                                                                  {"version", "2.0.1"},
                                                                  {"amin", "Evolving/Evolving/Common"},
                                                                  {"stdc", "t"},
                                                                  {"tree", "2"},
                                                                  {"iregs", "8"},
                                                                  {"linkmode", "dynamic"},
                                                                  {"core", ""},
                                                                  {"ctypes", "/tmp/x"}})
    CHECK_MESSAGE(apply_option(settings, name, value, OptionFrom::CommandLine), name);
}

TEST_CASE("d options: words for cpp") {
  DSettings settings;
  CHECK(apply_option(settings, "cpp", "", OptionFrom::CommandLine));
  CHECK(apply_option(settings, "define", "A=1", OptionFrom::CommandLine));
  CHECK(apply_option(settings, "undef", "B", OptionFrom::CommandLine));
  CHECK(apply_option(settings, "cpphdrs", "", OptionFrom::CommandLine));
  CHECK(apply_option(settings, "cppargs", "-w", OptionFrom::CommandLine));
  CHECK(apply_option(settings, "cpppath", "/usr/bin/cpp", OptionFrom::CommandLine));
  CHECK(settings.cpp);
  CHECK(settings.cpp_words == std::vector<std::string>{"-DA=1", "-UB", "-H", "-w"});
  CHECK(settings.cpppath == "/usr/bin/cpp");
  CHECK_FALSE(apply_option(settings, "define", "", OptionFrom::CommandLine));
}

TEST_CASE("d options: what they cannot be") {
  CHECK(refusal("nothing", "1").starts_with("Invalid option name"));
  CHECK(refusal("strsize", "0") == "Invalid value for specified option. a number from 1 to 65536");
  CHECK(refusal("strsize", "x").ends_with("a size: a number, or one with k, m, g or t"));
  CHECK_FALSE(refusal("bufsize", "-1").empty());
  CHECK_FALSE(refusal("nspec", "-1").empty());
  CHECK_FALSE(refusal("stdc", "x").empty());
  CHECK_FALSE(refusal("version", "9.1").empty());
  CHECK_FALSE(refusal("version", "1.").empty());
  CHECK_FALSE(refusal("amin", "Stable/Stable").empty());
  CHECK_FALSE(refusal("amin", "Stable/Stable/Common/More").empty());
  CHECK(refusal("define", "X").starts_with("Option cannot be used from within a D program"));
  CHECK_FALSE(refusal("bufsize", "99999999999999999t").empty());
  CHECK_FALSE(refusal("ustackframes", "5k").empty());
  CHECK_FALSE(refusal("switchrate", "0").empty());
  CHECK_FALSE(refusal("switchrate", "1parsec").empty());
  CHECK_FALSE(refusal("quiet", "maybe").empty());
  CHECK_FALSE(refusal("evaltime", "").empty());
}

TEST_CASE("d options: pragmas are the program's, over what it was given") {
  DSource source{"#pragma D option ustackframes=2\n#pragma D option quiet\nBEGIN { ustack(); }"};
  DSettings given;
  given.strsize = 100;
  auto program = compile_d({.sources = {&source, 1}, .settings = given});
  REQUIRE(program);
  CHECK(program->settings.strsize == 100);
  CHECK(program->settings.ustackframes == 2);
  CHECK(program->settings.quiet);
  CHECK(program->code[0].imm == 0);
  CHECK(program->code[1].imm == 2);
  CHECK(error_of("BEGIN {}\n#pragma D option nonsense=1\n") == "D_PRAGMA_OPTSET 2:1");
}

}  // namespace
}  // namespace strut::test
