// Arguments and conditions of probes that providers give in D; stability; limits of registers.
#include "d_scene.hpp"

namespace strut::test {
namespace {

/// args[0] is twice arg0, args[1] a structure made of arg1; probes fire where arg0 is not 0.
class Computing : public DProbeTypes {
 public:
  std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription&) const override {
    return std::vector<DArgumentType>{{DArgumentType::Kind::Computed, "int", false, "arg0 * 2"},
                                      {DArgumentType::Kind::Computed, "made_t *", false, "xlate <made_t *>((int)arg1)"},
                                      {DArgumentType::Kind::Computed, "string", false, "arg1 ? \"some\" : \"none\""}};
  }
  std::string condition(const ProbeDescription&) const override { return "arg0 != 0"; }
  bool has(DOption::Kind, std::string_view) const override { return true; }
};

std::string fired(const std::string& program, std::vector<uint64_t> arguments) {
  Computing types;
  DScene scene(
      "typedef struct { int value; string text; } made_t; translator made_t < int n > { value = n + 1; "
      "text = lltostr(n); }; " +
          program,
      {}, {}, &types);
  scene.probe.arguments = std::move(arguments);
  return scene.fire();
}

TEST_CASE("d computed arguments: numbers, strings and translated data") {
  CHECK(fired("p:::q { trace(args[0] + 1); }", {5, 6}) == "11");
  CHECK(fired("p:::q { trace(args[1]->value); trace(args[1]->text); }", {5, 6}) == "76");
  CHECK(fired("p:::q { trace(args[2]); }", {5, 6}) == "some");
  CHECK(fired("p:::q { trace(sizeof (args[0])); }", {5, 6}) == "4");
}

TEST_CASE("d conditions: the clause's predicate is asked where its probe fires") {
  CHECK(fired("p:::q { trace(1); }", {0, 6}) == "");
  CHECK(fired("p:::q /arg1 == 6/ { trace(1); }", {0, 6}) == "");
  CHECK(fired("p:::q /arg1 == 6/ { trace(1); }", {1, 6}) == "1");
  CHECK(fired("p:::q /arg1 == 6/ { trace(1); }", {1, 7}) == "");
}

TEST_CASE("d computed arguments: translated data has no value of its own") {
  Computing types;
  std::string text = "typedef struct { int value; } made_t; translator made_t < int n > { value = n; }; p:::q { x = ";
  for (auto [use, tag] : {std::pair{"args[1]", DTag::OP_DYN}, {"args[3]", DTag::ARGS_IDX}}) {
    auto program = compiled(text + use + "; }", {}, &types);
    REQUIRE(!program);
    CHECK(program.error().tag == tag);
  }
}

std::string message_of(const std::string& text, DSettings settings) {
  DSource source{text};
  auto program = compile_d({.sources = {&source, 1}, .settings = std::move(settings)});
  return program ? "" : describe(program.error(), TagDisplay::Shown, PlaceDisplay::Region);
}

TEST_CASE("d stability: names below -x amin are refused, and the least of a program is known") {
  DSettings settings;
  REQUIRE(apply_option(settings, "amin", "evolving/Evolving/Common", OptionFrom::CommandLine));
  CHECK(message_of("BEGIN { trace(pid); trace(htons(1)); }", settings) == "");
  CHECK(message_of("BEGIN { trace((int64_t)curthread); }", settings) ==
        "[D_ATTR_MIN] in action list: attributes for scalar curthread (Stable/Private/Common) are less than predefined "
        "minimum");
  for (const char* wrong : {"Evolving", "Evolving/Evolving", "Evolving/Evolving/Commons", "a/b/c/d", "//"})
    CHECK(!apply_option(settings, "amin", wrong, OptionFrom::CommandLine));
  auto program = compiled("BEGIN { trace(pid); x = htonl(1); }");
  REQUIRE(program);
  CHECK(spelling_of(program->stabilities.at(0)) == "Evolving/Evolving/Common");
}

TEST_CASE("d registers: as many as -x tregs and iregs say") {
  CHECK(message_of("BEGIN { a[1,2,3,4,5,6,7,8] = 1; }", {}) == "");
  CHECK(message_of("BEGIN { a[1,2,3,4,5,6,7,8,9] = 1; }", {}) == "Insufficient tuple registers to generate code");
  DSettings settings;
  settings.tregs = 9;
  settings.iregs = 2;
  CHECK(message_of("BEGIN { a[1,2,3,4,5,6,7,8,9] = \"x\"; }", settings) == "Insufficient registers to generate code");
  settings.iregs = 20;
  CHECK(message_of("BEGIN { a[1,2,3,4,5,6,7,8,9] = \"x\"; }", settings) == "");
}

// -- looks of aggregations -------------------------------------------------------------------------------

std::string looks(const std::string& program, void (*change)(DTextStyle& style)) {
  DScene scene(program);
  change(scene.style);
  scene.fire();
  return scene.rest();
}

TEST_CASE("d aggregations: -x agghist shows numbers with bars") {
  std::string text =
      looks("BEGIN { @[\"a\", 1] = sum(1); @[\"b\", 2] = sum(3); }", [](DTextStyle& style) { style.bars = true; });
  CHECK(text ==
        "\n"
        "             key  ------------- Distribution ------------- count    \n"
        "             a 1 |@@@@@@@@@@                               1        \n"
        "             b 2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
  text = looks("BEGIN { @[\"a key that is longer than others\"] = sum(1); }",
               [](DTextStyle& style) { style.bars = true; });
  CHECK(text.find("\na key that is longer than others |@@@@") != std::string::npos);
  text = looks("BEGIN { @[\"a\"] = quantize(1); }", [](DTextStyle& style) { style.bars = true; });
  CHECK(text.find("           value  ") != std::string::npos);
}

TEST_CASE("d aggregations: -x aggzoom makes the largest bar as long as there is room") {
  std::string text = looks("BEGIN { @ = quantize(1); @ = quantize(2); @ = quantize(2); }",
                           [](DTextStyle& style) { style.zoomed = true; });
  CHECK(text.find("               1 |@@@@@@@@@@@@@@@@@@@@                     1        \n") != std::string::npos);
  CHECK(text.find("               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n") != std::string::npos);
}

TEST_CASE("d aggregations: -x aggpack shows a distribution in a line") {
  std::string text = looks("BEGIN { @[\"a\"] = quantize(1); @[\"b\"] = quantize(4); @[\"b\"] = quantize(8); }",
                           [](DTextStyle& style) { style.packed = true; });
  CHECK(text ==
        "\n"
        "             key 0 .------. 16 | count\n"
        "               a   : @    :    | 1\n"
        "               b   :   == :    | 2\n");
}

}  // namespace
}  // namespace strut::test
