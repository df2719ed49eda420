// Inline definitions with keys, args[] of several kinds of probes, libraries.
#include "d_scene.hpp"

namespace strut::test {
namespace {

TEST_CASE("d inline: keys are parameters of the definition") {
  DScene scene(
      "inline int next[int a] = a + 1; inline string either[string s, int first] = first ? s : \"none\";"
      "BEGIN { i = 5; printf(\"%d %d %s %s\", next[3], next[next[i]] * 2, either[\"x\", i], either[\"x\", 0]); }");
  CHECK(scene.fire() == "4 14 x none");
}

TEST_CASE("d inline: a key has the parameter's type, and names in it are those of its place") {
  DScene scene(
      "inline int low[unsigned char a] = a; inline int twice[int x] = x + x; BEGIN { x = 7; trace(low[257]); "
      "printf(\" %d\", twice[x + 1]); }");
  CHECK(scene.fire() == "1 16");
}

TEST_CASE("d inline: keys are counted and checked") {
  std::string definition = "inline int f[int a, string b] = a; ";
  CHECK(error_of(definition + "BEGIN { x = f[1]; }") == "D_PROTO_LEN 1:49");
  CHECK(error_of(definition + "BEGIN { x = f[\"a\", \"b\"]; }") == "D_PROTO_ARG 1:50");
  CHECK(error_of(definition + "BEGIN { x = f; }") == "D_IDENT_BADREF 1:48");
  CHECK(error_of("inline int f[int a] = b; BEGIN {}") == "D_IDENT_UNDEF 1:23");
  CHECK(error_of("inline int f[int a] = \"s\" * a; BEGIN {}") == "D_OP_ARITH 1:27");
}

TEST_CASE("d inline: definitions that use each other do not grow without bound") {
  std::string text = "inline int f0[int a] = a + a; ";
  for (int i = 1; i < 40; i++)
    text += "inline int f" + std::to_string(i) + "[int a] = f" + std::to_string(i - 1) + "[a] + f" +
            std::to_string(i - 1) + "[a]; ";
  CHECK(error_of(text + "BEGIN { x = f39[1]; }").starts_with("D_SYNTAX"));
}

/// args[0] of a probe called "text" is a string, of all others an int.
class TwoKinds : public DProbeTypes {
 public:
  std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription& probes) const override {
    if (probes.name == "*") return std::nullopt;
    bool text = probes.name == "text";
    return std::vector<DArgumentType>{{text ? DArgumentType::Kind::Text : DArgumentType::Kind::Integer, "int"}};
  }
  bool has(DOption::Kind kind, std::string_view name) const override {
    return kind == DOption::Kind::Provider && name == "known";
  }
};

TEST_CASE("d arguments: a clause of several kinds of probes is compiled for each") {
  TwoKinds kinds;
  DScene scene("a:::number, a:::text { print(args[0]); }", {}, {}, &kinds);
  REQUIRE(scene.program.clauses.size() == 2);
  CHECK(scene.program.clauses[0].probes.size() == 1);
  CHECK(scene.program.clauses[1].probes[0].name == "text");
  scene.probe.arguments = {7};
  scene.probe.argument_texts[0] = "seven";
  CHECK(scene.fire() == "int 0x7string \"seven\"");
  CHECK(DScene("a:::number, a:::text { trace(1); }", {}, {}, &kinds).program.clauses.size() == 1);
}

TEST_CASE("d arguments: probes of one description have to be alike") {
  TwoKinds kinds;
  auto error = [&](const std::string& text) {
    auto program = compiled(text, {}, &kinds);
    return program ? "" : std::string(name_of(program.error().tag)) + ": " + program.error().message;
  };
  CHECK(
      error("a:::* { trace(args[0]); }") ==
      "D_ARGS_MULTI: args[ ] may not be referenced because probe description a:::* matches an unstable set of probes");
  CHECK(error("a:::x, a:::text { trace(args[1]); }") == "D_ARGS_IDX: index 1 is out of range for a:::x args[ ]");
}

TEST_CASE("d libraries: declarations precede the program, clauses in them are dropped") {
  std::vector<DSource> libraries = {
      {.text = "inline int half[int a] = a / 2; typedef int number_t; BEGIN { trace(2); }", .library = "/l/a.d"}};
  std::vector<DSource> sources = {{"#pragma D depends_on library a.d\nBEGIN { x = (number_t)half[8]; }"}};
  auto program = compile_d({.sources = sources, .libraries = libraries});
  REQUIRE(program.has_value());
  CHECK(program->clauses.size() == 1);
}

TEST_CASE("d libraries: an error names the file, and a program says what it requires") {
  TwoKinds kinds;
  std::vector<DSource> libraries = {{.text = "\ninline int x = y;", .library = "/l/a.d"}};
  std::vector<DSource> sources = {{"BEGIN {}"}};
  auto broken = compile_d({.sources = sources, .libraries = libraries});
  REQUIRE(!broken.has_value());
  CHECK(describe(broken.error(), TagDisplay::Shown, PlaceDisplay::Region) ==
        "[D_IDENT_UNDEF] \"/l/a.d\", line 2: failed to resolve y: Unknown variable name");
  auto error = [&](const std::string& text) {
    auto program = compiled(text, {}, &kinds);
    return program ? "" : program.error().message;
  };
  CHECK(error("#pragma D depends_on provider known\nBEGIN {}") == "");
  CHECK(error("#pragma D depends_on provider other\nBEGIN {}") == "program requires provider other");
  CHECK(error("#pragma D depends_on library b.d\nBEGIN {}") == "program requires library b.d");
}

}  // namespace
}  // namespace strut::test
