// Speculations: records wait for commit() or discard().
#include <algorithm>

#include "session_scene.hpp"

namespace strut::test {
namespace {

std::string error_of_program(const std::string& text) {
  std::vector<DSource> sources{{text, ProbeField::Name}};
  auto compiled = compile_d({sources, nullptr, nullptr, {}});
  return compiled ? "" : describe(compiled.error(), TagDisplay::Shown);
}

/// The output of a run of BEGIN clauses, without the last newline.
std::string output_of(const std::string& clauses, DSettings settings = quiet()) {
  SessionScene scene(clauses + " BEGIN { exit(0); }", settings);
  REQUIRE(scene.run());
  for (const std::string& line : scene.consumer.said) scene.consumer.out += "<" + line + ">";
  return scene.consumer.out;
}

TEST_CASE("d speculations: committed records are reported in the order in which they were made") {
  CHECK(output_of("BEGIN { s = speculation(); printf(\"%d \", s); }"
                  "BEGIN { speculate(s); printf(\"one \"); }"
                  "BEGIN { printf(\"between \"); }"
                  "BEGIN { speculate(s); printf(\"two \"); }"
                  "BEGIN { commit(s); }"
                  "BEGIN { printf(\"after \"); }") == "1 between one two after \n");
}

TEST_CASE("d speculations: discarded records are dropped, and so are those of no end") {
  CHECK(output_of("BEGIN { s = speculation(); } BEGIN { speculate(s); printf(\"one\"); } BEGIN { discard(s); }"
                  "BEGIN { commit(s); }") == "\n");
  CHECK(output_of("BEGIN { s = speculation(); } BEGIN { speculate(s); printf(\"one\"); }") == "\n");
}

TEST_CASE("d speculations: a clause ends at the speculate() of one that takes nothing") {
  CHECK(output_of("BEGIN { speculate(0); x = 5; } BEGIN { speculate(7); x = 6; } BEGIN { trace(x); }") == "0\n");
  CHECK(output_of("BEGIN { s = speculation(); } BEGIN { commit(s); } BEGIN { speculate(s); trace(1); }"
                  "BEGIN { commit(s); commit(0); discard(-1); }") == "\n");
}

TEST_CASE("d speculations: nspec at a time; those without one are counted") {
  CHECK(output_of("BEGIN { printf(\"%d %d\", speculation(), speculation()); }") ==
        "1 0\n<1 failed speculation (no speculative buffer available)>");
  DSettings two = quiet();
  two.nspec = 2;
  CHECK(output_of("BEGIN { printf(\"%d %d %d %d\", speculation(), speculation(), speculation(), speculation()); }",
                  two) == "1 2 0 0\n<2 failed speculations (no speculative buffer available)>");
  DSettings none = quiet();
  none.nspec = 0;
  CHECK(output_of("BEGIN { printf(\"%d\", speculation()); }", none) ==
        "0\n<1 failed speculation (no speculative buffer available)>");
}

TEST_CASE("d speculations: an ended one makes room for another when its records are reported") {
  DSettings settings = quiet();
  SUBCASE("at once") {}
  SUBCASE("at the end of the run") { settings.bufpolicy = DSettings::BufferPolicy::Ring; }
  SessionScene scene(
      "BEGIN { s = speculation(); commit(s); } tick-1s { exit(0); } END { printf(\"%d\", speculation()); }", settings);
  scene.engine.steps.push_back([](ScriptedEngine& engine, DObserver& observer) {
    REQUIRE(engine.fire(2, {}, observer));  // tick: behind BEGIN and END
  });
  REQUIRE(scene.run());
  CHECK(scene.consumer.out == "2\n");
  CHECK(std::ranges::count(scene.engine.done, "free 1") == 1);
}

TEST_CASE("d speculations: specsize limits the records of each") {
  DSettings settings = quiet();
  std::string program =
      "BEGIN { s = speculation(); } BEGIN { speculate(s); printf(\"%d\", 1); } BEGIN { speculate(s); printf(\"%d\", "
      "2); }"
      "BEGIN { commit(s); }";
  settings.specsize = 32;
  CHECK(output_of(program, settings) == "12\n");
  settings.specsize = 31;
  CHECK(output_of(program, settings) == "1\n<1 speculative drop>");
  settings.specsize = 0;
  CHECK(output_of(program, settings) == "\n<2 speculative drops>");
}

TEST_CASE("d speculations: records without room are counted at the end of the run, too") {
  DSettings settings = quiet();
  settings.specsize = 0;
  std::string program = "BEGIN { s = speculation(); } tick-1s { speculate(s); printf(\"%d\", 1); }";
  SUBCASE("reported when the engine stops") {
    SessionScene scene(program, settings);
    scene.consumer.interrupted = true;
    scene.engine.at_stop = [](ScriptedEngine& engine, DObserver& observer) {
      ScriptedProbe context;
      engine.hit(1, context, observer);  // tick: behind BEGIN
    };
    REQUIRE(scene.run());
    CHECK(scene.consumer.said == std::vector<std::string>{"1 speculative drop"});
  }
  SUBCASE("held until the end by -x bufpolicy=ring") {
    settings.bufpolicy = DSettings::BufferPolicy::Ring;
    CHECK(output_of("BEGIN { s = speculation(); } BEGIN { speculate(s); printf(\"%d\", 1); } BEGIN { commit(s); }",
                    settings) == "\n<1 speculative drop>");
  }
}

TEST_CASE("d speculations: rows") {
  SessionScene scene(
      "BEGIN { s = speculation(); } BEGIN { speculate(s); } BEGIN { speculate(s); trace(1); } BEGIN { discard(0); }"
      "BEGIN { commit(s); } BEGIN { exit(0); }");
  REQUIRE(scene.run());
  auto rows = std::ranges::count(scene.consumer.out, '\n');
  CHECK(rows == 5);  // heading, both speculated ones, exit(), the end's newline
}

TEST_CASE("d speculations: a record that comes late") {
  SessionScene scene("BEGIN { s = speculation(); } tick-1s { speculate(s); printf(\"late\"); } tick-2s { commit(s); }",
                     quiet());
  scene.engine.steps.push_back([](ScriptedEngine& engine, DObserver& observer) {
    DMachine& machine = *engine.machine;
    ScriptedProbe context;
    machine.begin_firing();
    DOutcome outcome = machine.run(1, context);  // on another CPU: it is reported after the commit
    std::vector<std::byte> late(outcome.record.begin(), outcome.record.end());
    engine.hit(2, context, observer);
    observer.fired({1, 1, 0, Pid{7}, Tid{7}, 0, late});
  });
  CHECK(!scene.run());  // the script has ended
  CHECK(scene.consumer.out == "late");
}

std::string numbers_with(DSettings settings) {
  settings.quiet = true;
  SessionScene scene("BEGIN { printf(\"b \"); } tick-1s { printf(\"%d \", n++); } END { printf(\"e\"); }", settings);
  for (int i = 0; i < 10; i++)
    scene.engine.steps.push_back([](ScriptedEngine& engine, DObserver& observer) {
      ScriptedProbe context;
      engine.hit(2, context, observer);  // tick: behind BEGIN and END
    });
  scene.engine.steps.push_back([&](ScriptedEngine&, DObserver&) { scene.consumer.interrupted = true; });
  REQUIRE(scene.run());
  return scene.consumer.out;
}

TEST_CASE("dtrace session: records of a ring are the last ones, those of fill the first ones") {
  DSettings settings;
  CHECK(numbers_with(settings) == "b 0 1 2 3 4 5 6 7 8 9 \ne\n");
  settings.bufpolicy = DSettings::BufferPolicy::Ring;
  settings.bufsize = 48;
  CHECK(numbers_with(settings) == "\n8 9 e\n");
  settings.bufpolicy = DSettings::BufferPolicy::Fill;
  CHECK(numbers_with(settings) == "b 0 1 \n");
}

TEST_CASE("d speculations: statements that may not stand together") {
  auto tag = [](const std::string& statements) {
    std::string error = error_of_program("BEGIN { " + statements + " }");
    return error.empty() ? error : error.substr(1, error.find(']') - 1);
  };
  CHECK(error_of_program("BEGIN {\n trace(1);\n commit(1); }") ==
        "[D_COMM_DREC] line 3: commit( ) may not follow data-recording action(s)");
  CHECK(error_of_program("BEGIN { commit(1); trace(1); }") ==
        "[D_DREC_COMM] line 1: data-recording actions may not follow commit( )");
  CHECK(error_of_program("BEGIN { commit(1); @ = count(); }") ==
        "[D_AGG_COMM] line 1: aggregating actions may not follow commit( )");
  CHECK(error_of_program("BEGIN { speculate(1); @ = count(); }") ==
        "[D_AGG_SPEC] line 1: aggregating actions may not follow speculate( )");
  CHECK(error_of_program("BEGIN { speculate(1); stop(); }") ==
        "[D_ACT_SPEC] line 1: destructive actions may not follow speculate( )");
  CHECK(error_of_program("BEGIN { speculate(1); exit(0); }") ==
        "[D_EXIT_SPEC] line 1: exit( ) may not follow speculate( )");
  CHECK(error_of_program("BEGIN { speculate(1); speculate(1); }") ==
        "[D_SPEC_SPEC] line 1: speculate( ) may not follow speculate( )");
  CHECK(error_of_program("BEGIN { commit(1); speculate(1); }") ==
        "[D_SPEC_COMM] line 1: speculate( ) may not follow commit( )");
  CHECK(error_of_program("BEGIN { trace(1); speculate(1); }") ==
        "[D_SPEC_DREC] line 1: speculate( ) may not follow data-recording action(s)");
  CHECK(tag("@ = count(); speculate(1);") == "D_SPEC_DREC");
  CHECK(tag("speculate(1); chill(1);") == "D_ACT_SPEC");
  CHECK(tag("speculate(1); system(\"x\");") == "D_ACT_SPEC");
  CHECK(tag("commit(1); exit(0);") == "D_DREC_COMM");
  for (std::string fine :
       {"discard(1); trace(1);", "trace(1); discard(1);", "commit(1); discard(1); commit(2);",
        "x = 1; speculate(x); trace(x); discard(x);", "speculate(1); x = 2;", "discard(1); exit(0);"})
    CHECK(tag(fine) == "");
  CHECK(tag("speculate();") == "D_PROTO_LEN");
  CHECK(tag("commit(\"x\");") == "D_PROTO_ARG");
  CHECK(tag("speculation(1);") == "D_PROTO_LEN");
}

}  // namespace
}  // namespace strut::test
