// Options: -x, #pragma D option.
#include "d_scene.hpp"
#include "dlang/language/settings.hpp"

namespace strut::test {
namespace {

std::string refusal(std::string_view name, std::string_view value) {
  DSettings settings;
  auto applied = apply_option(settings, name, value, OptionFrom::Program);
  return applied ? "" : describe(applied.error());
}

bool is_set(DSettings& settings, std::string_view name, std::string_view value) {
  return apply_option(settings, name, value, OptionFrom::CommandLine).has_value();
}

TEST_CASE("d options: sizes, numbers, times, words") {
  DSettings settings;
  CHECK(is_set(settings, "strsize", "1k"));
  CHECK(settings.strsize == 1024);
  CHECK(is_set(settings, "bufsize", "2G"));
  CHECK(settings.bufsize == 2ull << 30);
  CHECK(is_set(settings, "switchrate", "10hz"));
  CHECK(settings.switchrate_ns == 100'000'000);
  CHECK(is_set(settings, "switchrate", "5"));
  CHECK(settings.switchrate_ns == 200'000'000);
  CHECK(is_set(settings, "aggrate", "50MSec"));
  CHECK(settings.aggrate_ns == 50'000'000);
  CHECK(is_set(settings, "quiet", ""));
  CHECK(settings.quiet);
  CHECK(is_set(settings, "quiet", "0"));
  CHECK_FALSE(settings.quiet);
  for (const char* on : {"1", "true", "yes", "on"}) {
    settings.quiet = false;
    CHECK(is_set(settings, "quiet", on));
    CHECK(settings.quiet);
  }
  for (const char* off : {"0", "false", "no", "off"}) {
    settings.quiet = true;
    CHECK(is_set(settings, "quiet", off));
    CHECK_FALSE(settings.quiet);
  }
  CHECK(is_set(settings, "evaltime", "main"));
  CHECK(settings.evaltime == DSettings::EvalTime::Main);
  CHECK(is_set(settings, "bufpolicy", "ring"));
  CHECK(settings.bufpolicy == DSettings::BufferPolicy::Ring);
}

TEST_CASE("d options: those that change nothing here have values, too") {
  DSettings settings;
  for (auto [name, value] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"version", "1.6"},
                                                                  {"version", "2.0.1"},
                                                                  {"amin", "Evolving/Evolving/Common"},
                                                                  {"tree", "2"},
                                                                  {"iregs", "8"},
                                                                  {"linkmode", "dynamic"},
                                                                  {"core", ""},
                                                                  {"ctypes", "/tmp/x"}})
    CHECK_MESSAGE(is_set(settings, name, value), name);
}

TEST_CASE("d options: words for cpp") {
  DSettings settings;
  CHECK(is_set(settings, "cpp", ""));
  CHECK(is_set(settings, "define", "A=1"));
  CHECK(is_set(settings, "undef", "B"));
  CHECK(is_set(settings, "cpphdrs", ""));
  CHECK(is_set(settings, "cppargs", "-w"));
  CHECK(is_set(settings, "cpppath", "/usr/bin/cpp"));
  CHECK(settings.cpp);
  CHECK(settings.cpp_words == std::vector<std::string>{"-DA=1", "-UB", "-H", "-w"});
  CHECK(settings.cpppath == "/usr/bin/cpp");
  CHECK(is_set(settings, "stdc", "s"));
  CHECK(settings.cpp_words.back() == "-U__STDC__");
  CHECK_FALSE(is_set(settings, "define", ""));
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
