// Options: -x, #pragma D option.
#include "dlang/language/settings.hpp"
#include "d_scene.hpp"

namespace strut::test {
namespace {

std::string refusal(std::string_view name, std::string_view value) {
  DSettings settings;
  auto applied = apply_option(settings, name, value);
  return applied ? "" : describe(applied.error());
}

TEST_CASE("d options: sizes, numbers, times, words") {
  DSettings settings;
  CHECK(apply_option(settings, "strsize", "1k"));
  CHECK(settings.strsize == 1024);
  CHECK(apply_option(settings, "bufsize", "2G"));
  CHECK(settings.bufsize == 2ull << 30);
  CHECK(apply_option(settings, "switchrate", "10hz"));
  CHECK(settings.switchrate_ns == 100'000'000);
  CHECK(apply_option(settings, "switchrate", "5"));
  CHECK(settings.switchrate_ns == 200'000'000);
  CHECK(apply_option(settings, "aggrate", "50MSec"));
  CHECK(settings.aggrate_ns == 50'000'000);
  CHECK(apply_option(settings, "quiet", ""));
  CHECK(settings.quiet);
  CHECK(apply_option(settings, "quiet", "0"));
  CHECK_FALSE(settings.quiet);
  for (const char* on : {"1", "true", "yes", "on"}) {
    settings.quiet = false;
    CHECK(apply_option(settings, "quiet", on));
    CHECK(settings.quiet);
  }
  for (const char* off : {"0", "false", "no", "off"}) {
    settings.quiet = true;
    CHECK(apply_option(settings, "quiet", off));
    CHECK_FALSE(settings.quiet);
  }
  CHECK(apply_option(settings, "evaltime", "main"));
  CHECK(settings.evaltime == DSettings::EvalTime::Main);
  CHECK(apply_option(settings, "bufpolicy", "ring"));
  CHECK(settings.bufpolicy == DSettings::BufferPolicy::Ring);
}

TEST_CASE("d options: what they cannot be") {
  CHECK(refusal("nothing", "1") == "option: nothing=1: there is no such option");
  CHECK(refusal("strsize", "1") == "option: strsize=1: it must be from 2 to 65536");
  CHECK(refusal("strsize", "x").ends_with("expected a size: a number, or one with k, m, g or t"));
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
