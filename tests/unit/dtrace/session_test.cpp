#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.hpp"
#include "session_scene.hpp"

using namespace strut;
using namespace strut::test;

namespace {

void ends(ScriptedEngine&, DObserver& observer) { observer.ended(Pid{7}, 0); }

}  // namespace

TEST_CASE("dtrace session: BEGIN first, END last, then the rest of the aggregations") {
  SessionScene scene("syscall::write:entry { @[\"x\"] = count(); } BEGIN { printf(\"b\"); } END { printf(\"e\"); }",
                     quiet());
  scene.request.attach = {Pid{7}};
  scene.engine.steps.push_back([&](ScriptedEngine& engine, DObserver& observer) {
    ScriptedProbe context;
    engine.hit(scene.probe("write", "entry"), context, observer);
  });
  scene.engine.steps.push_back(ends);
  CHECK(scene.run().value() == 0);
  CHECK(scene.consumer.out == "be\n  x" + std::string(65, ' ') + "1\n");
  auto& done = scene.engine.done;
  auto at = [&](const char* what) { return std::ranges::find(done, what) - done.begin(); };
  CHECK(at("fire BEGIN") < at("add write:entry"));
  CHECK(at("add write:entry") < at("attach 7"));
  CHECK(at("attach 7") < at("stop"));
  CHECK(at("stop") < at("fire END"));
  CHECK(scene.consumer.said.at(0) == "pid 7 has exited");
}

TEST_CASE("dtrace session: exit() in BEGIN starts nothing") {
  SessionScene scene("BEGIN { exit(3); } syscall::write:entry { } END { printf(\"end\"); }", quiet());
  scene.request.attach = {Pid{7}};
  CHECK(scene.run().value() == 3);
  CHECK(scene.consumer.out == "end\n");
  CHECK(std::ranges::find(scene.engine.done, "attach 7") == scene.engine.done.end());
}

TEST_CASE("dtrace session: one newline between the rows and all aggregations, one more where a signal ends the run") {
  SessionScene scene("BEGIN { @a = count(); @b = sum(2); } END { printa(@a); }", quiet());
  scene.consumer.interrupted = true;
  CHECK(scene.run().value() == 0);
  std::string blanks(16, ' ');
  CHECK(scene.consumer.out == "\n\n" + blanks + "1\n\n" + blanks + "2\n");
}

TEST_CASE("dtrace session: rows have columns, and a heading before the first one") {
  SessionScene scene("BEGIN { printf(\"x%d\", 3); exit(0); } END { }");
  CHECK(scene.run().value() == 0);
  CHECK(scene.consumer.out ==
        "CPU     ID                    FUNCTION:NAME\n"
        "  0      1                           :BEGIN x3\n"
        "  0      2                             :END \n"
        "\n");
}

TEST_CASE("dtrace session: a late timer is caught up, none is left out") {
  SessionScene scene("tick-1ms { n++; } END { printf(\"%d\", n); }", quiet());
  scene.engine.steps.push_back([](ScriptedEngine&, DObserver&) { usleep(20'000); });
  scene.engine.steps.push_back([&](ScriptedEngine&, DObserver&) { scene.consumer.interrupted = true; });
  uint64_t begun_ns = monotonic_ns();
  CHECK(scene.run().value() == 0);
  uint64_t ticks = std::stoul(scene.consumer.out);
  CHECK(ticks >= 20);
  CHECK(ticks <= (monotonic_ns() - begun_ns) / 1'000'000);
}

TEST_CASE("dtrace session: a fault is said, and fires ERROR with what it was") {
  SessionScene scene(
      "syscall::write:entry { this->x = *(int *)arg0; printf(\"%d\", this->x); }"
      "ERROR { printf(\"E%d %d %d %x\", arg1, arg2, arg4, arg5); exit(1); }",
      quiet());
  scene.engine.steps.push_back([&](ScriptedEngine& engine, DObserver& observer) {
    ScriptedProbe context;
    context.arguments = {0x56};
    engine.hit(scene.probe("write", "entry"), context, observer);
  });
  CHECK(scene.run().value() == 1);
  CHECK(scene.consumer.out == "E2 1 1 56\n");
  std::string id = std::to_string(scene.engine.probes[scene.probe("write", "entry")].id);
  CHECK(scene.consumer.said.at(0) ==
        "error on enabled probe ID 2 (ID " + id + ": syscall:x64:write:entry): invalid address (0x56) in action #1");
}

TEST_CASE("dtrace session: a fault in ERROR fires nothing") {
  SessionScene scene(
      "BEGIN { this->x = *(int *)1; trace(this->x); } ERROR { this->x = *(int *)2; trace(this->x); } tick-1ms { "
      "exit(0); }",
      quiet());
  scene.engine.steps.push_back([](ScriptedEngine&, DObserver&) { usleep(2'000); });
  CHECK(scene.run().value() == 0);
  CHECK(std::ranges::count(scene.engine.done, "fire ERROR") == 1);
  CHECK(scene.consumer.said.size() == 2);
}

TEST_CASE("dtrace session: ends of targets, and what was lost") {
  SessionScene scene("syscall::write:entry { }", quiet());
  scene.request.attach = {Pid{7}, Pid{8}, Pid{9}};
  scene.engine.steps.push_back([](ScriptedEngine&, DObserver& observer) {
    observer.dropped(DDrops::Records, 0, 12);
    observer.dropped(DDrops::DynamicVariable, -1, 1);
    observer.ended(Pid{7}, 3 << 8);
    observer.ended(Pid{8}, 11);
    observer.ended(Pid{1234}, 0);
  });
  scene.engine.steps.push_back([](ScriptedEngine&, DObserver& observer) { observer.ended(Pid{9}, -1); });
  CHECK(scene.run().value() == 0);
  CHECK(scene.consumer.said == std::vector<std::string>{"12 drops on CPU 0", "pid 7 exited with status 3",
                                                        "pid 8 terminated by SIGSEGV", "1 dynamic variable drop",
                                                        "pid 9 has exited"});
  CHECK(scene.counts.dropped == 13);
}

TEST_CASE("d session: drops are reported once in a second") {
  DropTally tally;
  CHECK(tally.due(5).empty());
  auto reported = [](const std::vector<DropTally::Dropped>& drops) {
    std::string text;
    for (const auto& some : drops) text += std::to_string(some.count) + "@" + std::to_string(some.cpu) + " ";
    return text;
  };
  tally.add(DDrops::DynamicVariable, -1, 1);
  CHECK(reported(tally.due(10)) == "1@-1 ");
  for (int i = 0; i < 3; i++) tally.add(DDrops::DynamicVariable, -1, 2);
  tally.add(DDrops::Aggregation, 1, 4);
  CHECK(tally.due(999'000'000).empty());
  CHECK(reported(tally.due(1'000'000'010)) == "4@1 6@-1 ");
  CHECK(tally.due(5'000'000'000).empty());
  tally.add(DDrops::Aggregation, 0, 1);
  CHECK(reported(tally.rest()) == "1@0 ");
}

TEST_CASE("dtrace session: what was printed is written before something else is done") {
  DSettings settings = quiet();
  settings.destructive = true;
  SessionScene scene(
      "BEGIN { printf(\"a\"); system(\"do %d\", 1); printf(\"b\"); freopen(\"f\"); printf(\"c\"); exit(0); }",
      settings);
  CHECK(scene.run().value() == 0);
  CHECK(scene.consumer.out == "a[do 1]b<f>c\n");
}

TEST_CASE("dtrace session: setopt changes the lines that follow") {
  SessionScene scene("BEGIN { setopt(\"quiet\"); } END { printf(\"end\"); } tick-1ms { exit(0); }");
  scene.engine.steps.push_back([](ScriptedEngine&, DObserver&) { usleep(2'000); });
  CHECK(scene.run().value() == 0);
  CHECK(scene.consumer.out.ends_with("end\n"));
  CHECK(scene.consumer.out.find("END") == std::string::npos);
}

TEST_CASE("dtrace session: an engine that cannot, output that cannot") {
  SessionScene cannot("BEGIN { }");
  cannot.engine.load_error = Error{0, "kassist", {}, "strtok() cannot be lowered", {}};
  CHECK(describe(cannot.run().error()) == "kassist: strtok() cannot be lowered");
  SessionScene full("BEGIN { printf(\"x\"); exit(0); }");
  full.consumer.write_error = Error{28, "write", "output", {}, {}};
  CHECK(full.run().value() == 1);
  CHECK(full.consumer.said.size() == 1);
}

TEST_CASE("dtrace session: a clause sees the clauses before it of the same probe") {
  SessionScene scene("BEGIN { n = 1; } BEGIN, END { n++; printf(\"%d\", n); } BEGIN { exit(n); }", quiet());
  CHECK(scene.run().value() == 2);
  CHECK(scene.consumer.out == "23\n");
}

TEST_CASE("dtrace session: -x maxhits and ignore count the hits of each probe") {
  DSettings settings = quiet();
  settings.ignore = 2;
  settings.maxhits = 3;
  // No process has this id; the clause is fired at probes that the test makes.
  settings.zdefs = true;
  SessionScene scene("pid1::f:entry { printf(\"%d.\", arg0); } BEGIN { exit(0); }", settings);
  DMachine machine(scene.program, DLimits{});
  auto hits_of = [&](uint64_t id) {
    size_t recorded = 0;
    ScriptedProbe probe;
    probe.integers[DBuiltin::Id] = id;
    for (int i = 0; i < 10; i++) {
      machine.begin_firing();
      recorded += machine.run(0, probe).record.empty() ? 0 : 1;
    }
    return recorded;
  };
  CHECK(hits_of(1) == 3);
  CHECK(hits_of(2) == 3);
}

// -- processes that exit while they are looked at -------------------------------------------------

namespace {

/// A process that does nothing, with libc mapped.
class Idle {
 public:
  Idle() : pid_(::fork()) {
    if (pid_ == 0)
      for (;;) ::pause();
  }
  ~Idle() { end(); }
  Pid pid() const { return Pid{pid_}; }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  }

 private:
  pid_t pid_;
};

std::string getppid_of(Pid pid) { return "pid" + std::to_string(raw(pid)) + ":libc.so.6:getppid:entry { }"; }
size_t armings(const ScriptedEngine& engine) { return std::ranges::count(engine.done, "arm 1"); }

}  // namespace

TEST_CASE("dtrace session: a file is armed through another process when its first one has exited") {
  SessionScene scene("pid*:libc.so.6:getppid:entry { }", quiet());
  size_t files = scene.enabling->found().size();  // more where a process has another C library, as in a container
  REQUIRE(files >= 1);
  scene.enabling->found()[0].code.path = "/proc/0/map_files/0-1000";
  scene.engine.arm_errors = {ENOENT};
  scene.engine.steps.push_back([&](ScriptedEngine&, DObserver&) { scene.consumer.interrupted = true; });
  REQUIRE(scene.run());
  CHECK(armings(scene.engine) == files + 1);
}

TEST_CASE("dtrace session: a process that exits before it is armed is no error") {
  Idle idle;
  SessionScene scene(getppid_of(idle.pid()), quiet());
  scene.request.attach = {idle.pid()};
  scene.engine.arm_errors = {ESRCH};
  SUBCASE("after it was attached to") {}
  SUBCASE("before it is attached to") { scene.engine.attach_error = Error{ESRCH, "attach", "it", {}, {}}; }
  idle.end();
  scene.engine.steps.push_back([&](ScriptedEngine&, DObserver&) { scene.consumer.interrupted = true; });
  CHECK(scene.run().value() == 0);
}

TEST_CASE("dtrace session: a living process that cannot be attached to is an error") {
  Idle idle;
  SessionScene scene(getppid_of(idle.pid()), quiet());
  scene.request.attach = {idle.pid()};
  scene.engine.attach_error = Error{EPERM, "attach", "it", {}, {}};
  CHECK_FALSE(scene.run());
}

TEST_CASE("dtrace session: an error of arming that is about no process ends the run") {
  SessionScene scene(getppid_of(Pid{::getpid()}), quiet());
  scene.engine.arm_errors = {EMFILE};
  CHECK_FALSE(scene.run());
}

// -- arming ---------------------------------------------------------------------------------------

TEST_CASE("dtrace session: how far arming has come is passed on, and a signal ends it") {
  SessionScene scene("pid" + std::to_string(::getpid()) + ":libc.so.6:getp*id:entry { } END { printf(\"end\"); }",
                     quiet());
  size_t sites = scene.enabling->found().at(0).code.sites.size();
  scene.consumer.interrupted = false;
  scene.engine.steps.push_back([&](ScriptedEngine&, DObserver&) { scene.consumer.interrupted = true; });
  SUBCASE("to its end") {
    REQUIRE(scene.run());
    CHECK(scene.consumer.progress == std::vector{std::to_string(sites) + '/' + std::to_string(sites)});
  }
  SUBCASE("a signal before it") {
    scene.consumer.interrupted = true;
    REQUIRE(scene.run());
    CHECK(scene.consumer.progress.empty());
    CHECK(scene.consumer.out == "\nend\n");
  }
}

TEST_CASE("dtrace session: code that comes later is armed if it is permitted, and else said once") {
  SessionScene scene(getppid_of(Pid{::getpid()}), quiet());
  scene.enabling->found().clear();
  scene.enabling->forget(Pid{::getpid()});
  size_t asked = 0;
  bool permitted = false;
  SUBCASE("permitted") { permitted = true; }
  SUBCASE("refused") {}
  scene.request.permits = [&](const DCode&) { return asked++, permitted; };
  auto look = [](ScriptedEngine&, DObserver& observer) { observer.code_changed(Pid{::getpid()}); };
  scene.engine.steps = {look, look, [&](ScriptedEngine&, DObserver&) { scene.consumer.interrupted = true; }};
  REQUIRE(scene.run());
  CHECK(asked == 1);
  CHECK(armings(scene.engine) == (permitted ? 1 : 0));
  CHECK(scene.consumer.said.size() == (permitted ? 0 : 1));
}

TEST_CASE("dtrace session: memory is watched when its process is attached to; what is not watched fails the run") {
  Pid self{::getpid()};
  SessionScene scene("watch" + std::to_string(raw(self)) + ":a.out:watched_word:w { }", quiet());
  scene.request.attach = {self};
  scene.engine.steps.push_back([](ScriptedEngine&, DObserver& observer) {
    observer.unwatched({0, "watch memory", {}, "no debug register is free", {}});
  });
  scene.engine.steps.push_back([self](ScriptedEngine&, DObserver& observer) { observer.ended(self, 0); });
  CHECK(scene.run().value() == 1);
  auto& done = scene.engine.done;
  auto at = [&](const std::string& what) { return std::ranges::find(done, what) - done.begin(); };
  std::string pid = std::to_string(raw(self));
  CHECK(at("add watched_word:w") < at("watch 1 in " + pid));
  CHECK(at("attach " + pid) < at("watch 1 in " + pid));
  CHECK(at("watch 1 in " + pid) < static_cast<std::ptrdiff_t>(done.size()));
  CHECK(std::ranges::find(scene.consumer.said, "watch memory: no debug register is free") != scene.consumer.said.end());
}
