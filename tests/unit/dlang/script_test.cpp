// Whole scripts, written as their users write them.
#include "d_scene.hpp"

namespace strut::test {
namespace {

TEST_CASE("d scripts: slow calls of one program") {
  DScene scene(R"D(#!/usr/sbin/dtrace -s
/*
 * slow.d - system calls that take longer than $2 microseconds.
 */
#pragma D option quiet
#pragma D option defaultargs

inline int MIN_US = $2;

dtrace:::BEGIN
{
	printf("%-8s %-16s %6s %s\n", "TIME(us)", "CALL", "RET", "PATH");
}

syscall::open*:entry,
syscall::stat*:entry
/execname == $$1 || $$1 == ""/
{
	self->path = copyinstr(arg0);
	self->start = timestamp;
	self->ok = 1;
}

syscall::open*:return,
syscall::stat*:return
/self->start && (this->us = (timestamp - self->start) / 1000) >= MIN_US/
{
	this->ret = (int)arg0;
	this->what = self->path != NULL ? self->path : "<unknown>";
	printf("%-8d %-16s %6d %s%s\n", this->us, probefunc, this->ret, basename(this->what),
	    errno == 0 ? "" : strjoin(" errno=", lltostr(errno)));
	@total[probefunc, this->ret < 0 ? "failed" : "fine"] = count();
	@times[probefunc] = quantize(this->us);
}

syscall::open*:return,
syscall::stat*:return
/self->ok/
{
	self->start = 0;
	self->path = 0;
	self->ok = 0;
}

profile:::tick-10s,
dtrace:::END
{
	normalize(@times, 10);
	printf("%Y\n", walltimestamp);
	printa("%-20s %10s %@8d\n", @total);
	trunc(@total, 5);
	clear(@times);
}
)D",
               {.arguments = {"slow.d", "ls", "5"}});
  REQUIRE(scene.program.clauses.size() == 5);
  CHECK(scene.program.clauses[3].probes[1].text() == "syscall::stat*:return");
  scene.probe.integers[DBuiltin::Errno] = 2;
  scene.probe.arguments = {0x1000};
  scene.probe.target.put(0x1000, std::string_view("/etc/passwd\0", 12));
  auto fire = [&](uint32_t clause) {
    scene.machine->begin_firing();
    DOutcome outcome = scene.machine->run(clause, scene.probe);
    CHECK(outcome.fault == DFault::None);
    std::string out;
    DFormatter(scene.program, scene.machine->aggregations(), scene.symbolizer, scene.console, scene.style)
        .report(out, outcome.record);
    return out;
  };
  CHECK(fire(0) == "TIME(us) CALL                RET PATH\n");
  scene.probe.integers[DBuiltin::Timestamp] = 1000;
  CHECK(fire(1) == "");
  scene.probe.integers[DBuiltin::Timestamp] = 8000;
  scene.probe.arguments = {static_cast<uint64_t>(-1)};
  CHECK(fire(2) == "7        munmap               -1 passwd errno=2\n");
  CHECK(fire(3) == "");
  CHECK(fire(2) == "");
  CHECK(fire(4).ends_with("munmap                   failed        1\n"));
}

TEST_CASE("d scripts: the first lines of the first port") {
  DMacros target{.variables = {{"target", 100}}};
  DScene print(R"D(syscall::mu*:/pid==$target/{printf("%d",pid);})D", target);
  CHECK(print.fire() == "100");
  CHECK(print.program.clauses[0].probes[0].text() == "syscall::mu*:");
  DScene nothing("syscall:::/pid==$target/{}", target);
  nothing.fire();
  CHECK(nothing.fired == 1);
  CHECK(DScene("pid$target::do_nothing2:", target).program.clauses[0].probes[0].text() == "pid100::do_nothing2:");
  CHECK(DScene("pid1234::malloc:entry").program.clauses[0].probes[0].function == "malloc");
  CHECK(DScene("BEGIN{exit(0)}").fire() == "");
}

TEST_CASE("d scripts: divisions in predicates") {
  DScene scene(
      "BEGIN / pid / 2 == 50 / { trace(pid/2/5); } BEGIN/(pid/100)/{trace(\"b\")}  BEGIN /pid/100/{trace(\"c\")} BEGIN "
      "/pid/101 / { trace(\"d\"); }");
  CHECK(scene.fire() == "10bc");
}

TEST_CASE("d scripts: sources of one run share their variables") {
  DSource sources[] = {{"int shared; BEGIN { shared = 5; }"},
                       {"malloc:entry", ProbeField::Name},
                       {"libc", ProbeField::Module},
                       {"END { trace(shared); }"}};
  auto program = compile_d({.sources = sources});
  REQUIRE(program);
  REQUIRE(program->clauses.size() == 4);
  CHECK(program->clauses[1].probes[0].text() == "::malloc:entry");
  CHECK(program->clauses[2].probes[0].text() == ":libc::");
  CHECK(program->clauses[3].source == 3);
}

}  // namespace
}  // namespace strut::test
