// Operators, conversions, variables: programs' results.
#include "d_scene.hpp"

namespace strut::test {
namespace {

TEST_CASE("d: arithmetic follows C's types") {
  CHECK(value_of("1 + 2 * 3 - 4 / 2") == "5");
  CHECK(value_of("(1 + 2) * 3 % 4") == "1");
  CHECK(value_of("-7 / 2") == "-3");
  CHECK(value_of("-7 % 3") == "-1");
  CHECK(value_of("2147483647 + 1") == "-2147483648");
  CHECK(value_of("2147483647L + 1") == "2147483648");
  CHECK(value_of("(char)300") == "44");
  CHECK(value_of("(uint8_t)-1") == "255");
  CHECK(value_of("1 << 40") == "0");
  CHECK(value_of("1LL << 40") == "1099511627776");
  CHECK(value_of("-1 >> 1") == "-1");
  CHECK(value_of("0x10 | 010 ^ 1 & 3") == "25");
  CHECK(value_of("~0") == "-1");
  CHECK(value_of("sizeof (int) + sizeof (uint64_t)") == "12");
  CHECK(value_of("'a'") == "97");
  CHECK(value_of("'ab'") == "25185");  // the bytes in memory, from left to right
  CHECK(value_of("'\\377'") == "255");
  CHECK(value_of("'\\n'") == "10");
}

TEST_CASE("d: intermediate results have 64 bits, and small types stay small") {
  CHECK(printed("i = 3; trace(i * 1000000000 / 1000);") == "3000000");
  CHECK(printed("i = 3; trace(i * 1000000000);") == "-1294967296");
  CHECK(printed("s = (int64_t)40; v = 1 << s; trace(v);") == "1099511627776");
  CHECK(value_of("(unsigned char)254 + (signed char)3") == "1");
  CHECK(printed("a = (unsigned char)254; b = (signed char)3; trace(a + b); c = a + b; trace(c);") == "11");
  CHECK(printed("a = (unsigned char)1; trace(-a); trace(~a);") == "255254");
  CHECK(printed("c = (char)127; c++; trace(c); c += 300; trace(c);") == "-128-84");
  CHECK(printed("i = 2147483647; i += 1; trace(i);") == "-2147483648");
  CHECK(printed("@ = sum(3 * 1000000000); printa(\"%@d\", @);") == "3000000000");
  CHECK(value_of("-1 >> 1") == "-1");
  CHECK(value_of("7 % -4") == "3");
  CHECK(value_of("-1 < 1u") == "0");
}

TEST_CASE("d: what is known only at run time is computed alike") {
  ScriptedProbe probe;
  probe.arguments = {static_cast<uint64_t>(-7), 3, 1ull << 63, 0xffffffff};
  CHECK(value_of("arg0 / arg1", probe) == "-2");
  CHECK(value_of("arg0 % arg1", probe) == "-1");
  CHECK(value_of("(int)arg3", probe) == "-1");
  CHECK(value_of("(uint32_t)arg3", probe) == "4294967295");
  CHECK(value_of("arg2 / -1 == arg2", probe) == "1");
  CHECK(value_of("(uint64_t)arg0 > arg1", probe) == "1");
  CHECK(value_of("arg0 < arg1", probe) == "1");
  CHECK(value_of("(unsigned)arg0 < arg1", probe) == "0");
  CHECK(value_of("-(int)arg0 + !arg1 + ~arg1", probe) == "3");
  CHECK(value_of("arg0 << 1 >> 1", probe) == "-7");
  CHECK(value_of("(uint64_t)arg0 >> 60", probe) == "15");
  CHECK(value_of("arg1 & 1 | arg1 ^ 2", probe) == "1");
}

TEST_CASE("d: logical operators decide without looking further") {
  CHECK(value_of("1 && 0 || 1") == "1");
  CHECK(value_of("1 ^^ 1") == "0");
  CHECK(value_of("0 ^^ 3") == "1");
  CHECK(value_of("0 || 1 ^^ 1 && 1") == "0");
  CHECK(printed("x = 0; y = 0; (x && ++y); trace(y);") == "0");
  CHECK(printed("x = 1; y = 0; (x || ++y); trace(y);") == "0");
  CHECK(value_of("1 ? 2 : 3 ? 4 : 5") == "2");
  CHECK(value_of("0 ? \"a\" : 0 ? \"b\" : \"c\"") == "c");
}

TEST_CASE("d: division by what turns out to be zero is a fault of its statement") {
  DScene scene("BEGIN { trace(1); x = 1 / arg0; trace(2); }");
  CHECK(scene.fire() == "<divide-by-zero in action #2>");
  CHECK(scene.last.record.empty());
}

TEST_CASE("d: strings compare by their bytes") {
  CHECK(value_of("\"abc\" < \"abd\"") == "1");
  CHECK(value_of("execname == \"ls\"") == "1");
  CHECK(value_of("execname != \"ls\"") == "0");
  CHECK(value_of("\"b\" >= \"a\"") == "1");
  CHECK(value_of("\"ab\" > \"abc\"") == "0");
  CHECK(printed("self->s = \"x\"; trace(self->s != NULL); self->s = 0; trace(self->s == NULL);") == "11");
}

TEST_CASE("d: variables of every scope") {
  DScene scene(
      "int total; BEGIN { total++; self->n += 2; this->m = total * 10; } BEGIN { printf(\"%d %d %d;\", total, self->n, "
      "this->m); }");
  CHECK(scene.fire() == "1 2 10;");
  CHECK(scene.fire() == "2 4 20;");
  scene.probe.integers[DBuiltin::Tid] = 7;
  CHECK(scene.fire() == "3 2 30;");
  scene.machine->forget_thread(Tid{101});
  scene.probe.integers[DBuiltin::Tid] = 101;
  CHECK(scene.fire() == "4 2 40;");
}

TEST_CASE("d: a clause's variables are 0 and empty at every firing") {
  CHECK(error_of("BEGIN { trace(this->x); this->x = 5; }") == "D_VAR_UNDEF 1:15");
  DScene scene("this int x; BEGIN { this->x += 5; trace(this->x); }");
  CHECK(scene.fire() == "5");
  CHECK(scene.fire() == "5");
}

TEST_CASE("d: declared variables") {
  DScene scene(
      "this int x; this string s; self int8_t t; BEGIN { printf(\"[%d%s]\", this->x, this->s); this->x = 5; this->s = "
      "\"t\"; self->t = 300; trace(self->t); }");
  CHECK(scene.fire() == "[0]44");
  CHECK(scene.fire() == "[0]44");
}

TEST_CASE("d: a predicate may read a variable that its own clause is the first to assign") {
  DScene scene(
      "BEGIN /!self->seen/ { self->seen = 1; printf(\"a\"); } BEGIN /i < 2/ { i++; printf(\"b\"); }"
      "BEGIN /!done[probefunc]/ { done[probefunc] = 1; printf(\"c\"); }"
      "BEGIN /(this->x = 4) > 3/ { printf(\"%d\", this->x); }");
  CHECK(scene.fire() == "abc4");
  CHECK(scene.fire() == "b4");
  CHECK(scene.fire() == "4");
  CHECK(error_of("BEGIN /self->never/ { }") == "D_VAR_UNDEF 1:8");
}

TEST_CASE("d: arrays with tuples of keys") {
  DScene scene(
      "BEGIN { a[1, \"x\"] = 5; a[1, \"y\"] += 2; a[pid, execname]++; self->b[3] = \"three\"; "
      "printf(\"%d %d %d %d [%s]%d\", a[1, \"x\"], a[1, \"y\"], a[100, \"ls\"], a[2, \"x\"], self->b[3], "
      "self->b[4] == NULL); a[1, \"x\"] = 0; }");
  CHECK(scene.fire() == "5 2 1 0 [three]1");
  CHECK(scene.fire() == "5 4 2 0 [three]1");
  scene.probe.integers[DBuiltin::Tid] = 9;
  CHECK(scene.fire() == "5 6 3 0 [three]1");
}

TEST_CASE("d: one array's element is another's key") {
  CHECK(printed("a[1] = 2; a[2] = 3; b[3] = \"deep\"; trace(b[a[a[1]]]);") == "deep");
}

TEST_CASE("d: what finds no room is dropped and counted") {
  DScene scene("BEGIN { a[arg0] = 1; self->x = 1; }", {}, {.dynamic_bytes = 300});
  for (uint64_t i = 0; i < 10; i++) {
    scene.probe.arguments = {i};
    scene.fire();
  }
  CHECK(scene.machine->take_dynamic_drops() > 5);
  CHECK(scene.machine->take_dynamic_drops() == 0);
}

TEST_CASE("d: a variable's type is that of its first value") {
  CHECK(printed("x = 1; x = 0x1ffffffff; trace(x);") == "-1");
  CHECK(printed("x = timestamp; x = 0x1ffffffff; trace(x);") == "8589934591");
  CHECK(printed("x = (char)1; x += 255; trace(x);") == "0");
  CHECK(printed("x = (unsigned char)250; x++; x += 10; trace(x); trace(x--); trace(--x);") == "553");
}

TEST_CASE("d: the comma and assignments have values") {
  CHECK(printed("x = 0; trace((x = 5, x + 1)); trace(x = y = 3);") == "63");
  CHECK(printed("s = \"\"; trace(s = \"abc\");") == "abc");
}

TEST_CASE("d: inline definitions and enumerators") {
  DScene scene(
      "inline int two = 1 + 1; inline string who = execname; enum colour { red, green = 5, blue }; typedef unsigned "
      "int word; "
      "BEGIN { printf(\"%d %s %d%d%d\", two * 2, who, red, green, blue); trace((word)-1 == 4294967295); }");
  CHECK(scene.fire() == "4 ls 0561");
}

TEST_CASE("d: if and else") {
  DScene scene(
      "BEGIN { if (arg0 == 1) { trace(\"one\"); } else if (arg0 == 2) trace(\"two\"); else { trace(\"many\"); } "
      "trace(\".\"); }");
  scene.probe.arguments = {1};
  CHECK(scene.fire() == "one.");
  scene.probe.arguments = {2};
  CHECK(scene.fire() == "two.");
  scene.probe.arguments = {3};
  CHECK(scene.fire() == "many.");
}

TEST_CASE("d: curcpu has the processor's number") {
  ScriptedProbe probe;
  probe.integers[DBuiltin::Cpu] = 3;
  CHECK(value_of("curcpu->cpu_id + curcpu->cpu_pset", probe) == "3");
}

TEST_CASE("d: flags of files are known by name") { CHECK(value_of("O_APPEND | O_CREAT") == "1088"); }

TEST_CASE("d: predicates") {
  DScene scene(
      "BEGIN /pid == 100 && execname == \"ls\"/ { trace(1); } BEGIN /pid == 100 / 2/ { trace(2); } BEGIN /execname != "
      "NULL/ { "
      "trace(3); } BEGIN /(arg0)/ {}");
  CHECK(scene.fire() == "13");
  CHECK(scene.fired == 2);
}

TEST_CASE("d: a clause without actions fires and says nothing else") {
  DScene scene("BEGIN {} syscall:::entry, syscall::mu*:return /pid == 100/");
  CHECK(scene.fire() == "");
  CHECK(scene.fired == 2);
  REQUIRE(scene.program.clauses.size() == 2);
  CHECK(scene.program.clauses[1].probes[1].text() == "syscall::mu*:return");
}

TEST_CASE("d: a clause that only counts records nothing") {
  DScene scene("BEGIN { @ = count(); x = 1; }");
  scene.fire();
  CHECK(scene.fired == 0);
}

TEST_CASE("d: structures in scratch memory") {
  ScriptedProbe probe;
  struct Pair {
    int32_t a;
    char name[8];
    int64_t b;
  } pair{-5, "seven", 1ll << 40};
  probe.target.put_object(0x1000, pair);
  probe.arguments = {0x1000};
  DScene scene(
      "struct pair { int a; char name[8]; int64_t b; }; BEGIN { this->p = (struct pair *)copyin(arg0, sizeof (struct "
      "pair)); "
      "printf(\"%d %s %d %d %c\", this->p->a, this->p->name, this->p->b, offsetof(struct pair, b), this->p->name[1]); "
      "this->p->a = 7; trace(*(int *)this->p); trace(stringof(this->p->name)); trace((*this->p).b == this->p[0].b); "
      "trace(*(&this->p->a)); }");
  scene.probe = probe;
  CHECK(scene.fire() == "-5 seven 1099511627776 16 e7seven17");
}

TEST_CASE("d: pointers count in elements") {
  ScriptedProbe probe;
  int32_t numbers[] = {10, 20, 30};
  probe.target.put_object(0x1000, numbers);
  CHECK(
      printed(
          "this->p = (int *)copyin(0x1000, 12); trace(this->p[2]); trace(*(this->p + 1)); this->p++; trace(*this->p); "
          "this->q = this->p + 1; trace(this->q - this->p);",
          probe) == "3020201");
}

TEST_CASE("d: addresses that are not scratch fault") {
  CHECK(value_of("*(int *)0x56") == "<invalid address (0x56) in action #1>");
  CHECK(printed("this->p = (char *)alloca(4); trace(this->p[100]);")
            .starts_with("<invalid address (0xdec0000000000064)") == false);
  CHECK(printed("this->p = (char *)alloca(4); trace(this->p[100]);").find("invalid address") != std::string::npos);
  CHECK(value_of("copyinstr(0x56)") == "<invalid address (0x56) in action #1>");
  CHECK(value_of("alloca(1000000) != 0") == "<out of scratch space in action #1>");
}

TEST_CASE("d: the Guide's constants of registers") {
  ScriptedProbe probe;
  probe.registers[10] = 42;
  probe.registers[19] = 43;
  CHECK(value_of("uregs[R_RAX]", probe) == "42");
  CHECK(value_of("uregs[R_SP]", probe) == "43");
  CHECK(value_of("uregs[arg0 + 100]", probe) == "<illegal operation in action #1>");
}

TEST_CASE("d: members that the backend answers for") {
  ScriptedProbe probe;
  probe.member_texts[DMemberName::ProcessArguments] = "ls -l";
  probe.members[DMemberName::ThreadId] = 5;
  CHECK(value_of("curpsinfo->pr_psargs", probe) == "ls -l");
  CHECK(value_of("curlwpsinfo->pr_lwpid", probe) == "5");
  CHECK(value_of("fds[3].fi_oflags", probe) == "32000");
}

class Typed : public DProbeTypes {
 public:
  std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription& probe) const override {
    if (probe.provider != "proc") return std::vector<DArgumentType>{};
    return std::vector<DArgumentType>{
        {DArgumentType::Kind::Process}, {DArgumentType::Kind::Integer, "int"}, {DArgumentType::Kind::Text}};
  }
  bool has(DOption::Kind, std::string_view) const override { return false; }
};

TEST_CASE("d: typed arguments") {
  Typed types;
  DScene scene("proc:::create { printf(\"%d %d %s\", args[0]->pr_pid, args[1], args[2]); }", {}, {}, &types);
  scene.probe.arguments = {0, static_cast<uint64_t>(-3)};
  scene.probe.argument_texts[2] = "text";
  CHECK(scene.fire() == "1000 -3 text");
  CHECK(compiled("proc:::create { trace(args[3]); }", {}, &types).error().tag == DTag::ARGS_IDX);
  CHECK(compiled("syscall:::entry { trace(args[0]); }", {}, &types).error().tag == DTag::ARGS_IDX);
  CHECK(compiled("proc:::create, syscall:::entry { trace(args[1]); }", {}, &types).error().tag == DTag::ARGS_IDX);
  CHECK(compiled("proc:::create { trace(args[pid]); }", {}, &types).error().tag == DTag::PROTO_ARG);
}

class OfCall : public DProbeTypes {
 public:
  std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription&) const override {
    return std::vector<DArgumentType>{{DArgumentType::Kind::Integer, "int", true},
                                      {DArgumentType::Kind::Integer, "void *", true}};
  }
  bool has(DOption::Kind, std::string_view) const override { return false; }
};

TEST_CASE("d: arguments of a call are recorded with memory, as much as there is") {
  OfCall types;
  DScene scene("syscall::x:entry { print(args[1]); printf(\"%s\", args[0]); }", {}, {}, &types);
  scene.probe.arguments = {7, 0x1000, 3, 4, 5, 6};
  scene.probe.target.put(0x1000, "some text");
  scene.fire();
  DRecordReader record(scene.last.record);
  for (uint64_t index : {1, 0}) {
    auto action = record.next();
    REQUIRE(action);
    auto item = DItemReader(action->items).next({DShape::Kind::CallArgument});
    REQUIRE(item);
    DCallArgument head{};
    REQUIRE(item->text.size() >= sizeof head);
    std::memcpy(&head, item->text.data(), sizeof head);
    CHECK(head.index == index);
    CHECK(std::vector<uint64_t>(head.arguments, std::end(head.arguments)) == scene.probe.arguments);
    CHECK(item->text.substr(sizeof head) == (index == 1 ? "some text" : ""));
  }
}

TEST_CASE("d: speculations have numbers, and take records until they end") {
  DScene scene(
      "BEGIN { a = speculation(); b = speculation(); trace(a); trace(b); } BEGIN { speculate(a); trace(5); }"
      "BEGIN { commit(a); } BEGIN { speculate(a); trace(6); } BEGIN { discard(b); commit(arg0); discard(0); }");
  scene.probe.arguments = {1ull << 32 | 1};
  CHECK(scene.fire() == "105");
  CHECK(scene.last.record.empty());
  CHECK(scene.fire() == "00");  // number 1 was not freed
}

TEST_CASE("d: exit") {
  DScene scene("BEGIN { exit(3); trace(1); }");
  CHECK(scene.fire() == "1");
  CHECK(scene.machine->exit_status() == 3);
  CHECK(scene.console.done == std::vector<std::string>{"exit 3"});
}

}  // namespace
}  // namespace strut::test
