// The engine without targets: BEGIN, END, ERROR, tick.
#include "dtrace/engine/interpreted_engine.hpp"

#include <unistd.h>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
#include "tests/unit/dlang/d_scene.hpp"
#include "tests/unit/silent_d_observer.hpp"

namespace strut::test {
namespace {

/// Prints the reports.
class Reported final : public SilentDObserver {
 public:
  explicit Reported(const DProgram& program) : program_(program) {}
  void fired(const DFired& fired) override {
    last = fired;
    formatter->report(text, fired.record);
    text += ';';
  }
  void faulted(const DFaulted& faulted) override {
    text += '<' + describe(faulted.fault, faulted.address) + " in action #" + std::to_string(faulted.statement) + '>';
  }
  void dropped(DDrops, int, uint64_t count) override { drops += count; }

  void begin(DAggregations& aggregations) { formatter.emplace(program_, aggregations, symbolizer_, console_, style_); }

  std::string text;
  DFired last;
  uint64_t drops = 0;
  std::optional<DFormatter> formatter;

 private:
  const DProgram& program_;
  ScriptedSymbolizer symbolizer_;
  ScriptedConsole console_;
  DTextStyle style_;
};

DProgram program_of(const std::string& text) {
  auto program = compiled(text);
  if (!program) FAIL(describe(program.error(), TagDisplay::Shown));
  return *std::move(program);
}

/// An engine with one probe for each clause of a program.
struct DecodeContext {
  explicit DecodeContext(const std::string& text) : program(program_of(text)), reported(program) {
    engine = make_interpreted_engine(nullptr);
    REQUIRE(engine->load({.program = &program, .self = Pid{::getpid()}}));
    clauses.resize(program.clauses.size());
    for (uint32_t i = 0; i < clauses.size(); i++) {
      clauses[i] = i;
      DProbe probe{i + 7, "dtrace", "", "", "BEGIN", {}, std::span(clauses).subspan(i, 1)};
      REQUIRE(engine->add_probes({&probe, 1}));
    }
    reported.begin(engine->aggregations());
  }
  std::string fire(uint32_t probe, std::vector<uint64_t> arguments = {}) {
    reported.text.clear();
    REQUIRE(engine->fire(probe, arguments, reported));
    return reported.text;
  }
  DProgram program;
  Reported reported;
  std::vector<uint32_t> clauses;
  std::unique_ptr<DEngine> engine;
};

}  // namespace

TEST_CASE("interpreted engine: strut's own process answers") {
  DecodeContext scene(
      "BEGIN { printf(\"%d %d %d %s %s\", pid, ppid, tid, execname, probename); }"
      "BEGIN { printf(\"%d %d %d\", id, epid, curpsinfo->pr_pid); } BEGIN { printf(\"%d %d\", uid, "
      "curpsinfo->pr_egid); }"
      "BEGIN { printf(\"%s %d\", cwd, progenyof(ppid)); }");
  std::string self = std::to_string(::getpid());
  CHECK(scene.fire(0) == self + ' ' + std::to_string(::getppid()) + ' ' + std::to_string(::gettid()) + ' ' +
                             comm_of(::getpid()).value() + " BEGIN;");
  CHECK(scene.fire(1) == "8 2 " + self + ';');
  CHECK(scene.fire(2) == std::to_string(::getuid()) + ' ' + std::to_string(::getegid()) + ';');
  CHECK(raw(scene.reported.last.pid) == ::getpid());
  CHECK(scene.reported.last.probe == 2);
  CHECK(scene.engine->counts().fired == 3);
}

TEST_CASE("interpreted engine: clauses keep variables, aggregate, fault and exit") {
  DecodeContext scene(
      "BEGIN { n += arg0; printf(\"%d\", n); } BEGIN /n > 5/ { @a = count(); trace(1 / (n - n)); } END { exit(3); }");
  CHECK(scene.fire(0, {4}) == "4;");
  CHECK(scene.fire(1) == "");
  CHECK(scene.fire(0, {2}) == "6;");
  CHECK(scene.fire(1).starts_with("<divide-by-zero in action #2>"));
  CHECK(!scene.engine->exit_status());
  scene.fire(2);
  CHECK(scene.engine->exit_status() == 3);
  CHECK(scene.engine->aggregations().rows(0).size() == 1);
}

TEST_CASE("interpreted engine: serves until the time given, whether that is over or not") {
  DecodeContext scene("BEGIN { trace(timestamp); }");
  uint64_t until = monotonic_ns() + 3'000'000;
  REQUIRE(scene.engine->serve(until, scene.reported));
  CHECK(monotonic_ns() >= until);
  REQUIRE(scene.engine->serve(until, scene.reported));
  scene.fire(0);
  CHECK(scene.reported.last.time_ns >= until);
}

TEST_CASE("interpreted engine: with no process to watch it says so") {
  DecodeContext scene("BEGIN {}");
  DProbe probe{
      9, "syscall", "", "read", "entry", {.kind = DTrigger::Kind::SyscallEntry, .calls = {{"read"}}}, scene.clauses};
  auto added = scene.engine->add_probes({&probe, 1});
  REQUIRE(!added);
  CHECK(describe(added.error()) ==
        "enable: syscall::read:entry: this needs a process to watch, and this engine has none");
  CHECK(!scene.engine->attach(Pid{1}, scene.reported));
  DCode code;
  code.path = "/bin/true";
  CHECK(!scene.engine->arm(code, [](size_t) { return true; }));
}

}  // namespace strut::test
