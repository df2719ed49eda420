// The DTrace Guide's variables, operators and subroutines, one line each: what an expression is.
#include "d_scene.hpp"

namespace strut::test {
namespace {

struct Row {
  const char* expression;
  const char* value;
};

/// Each is traced in a clause of its own; `probe` is at all of them.
void check(std::span<const Row> rows, const ScriptedProbe& probe = {}) {
  for (const Row& row : rows) {
    CAPTURE(row.expression);
    CHECK(value_of(row.expression, probe) == row.value);
  }
}

TEST_CASE("d guide: subroutines of strings") {
  static constexpr Row kRows[] = {
      {"basename(\"/a/b\")", "b"},
      {"basename(\"b\")", "b"},
      {"basename(\"/a/b/\")", "b"},
      {"basename(\"/\")", "/"},
      {"basename(\"\")", "."},
      {"dirname(\"/a/b\")", "/a"},
      {"dirname(\"b\")", "."},
      {"dirname(\"/b\")", "/"},
      {"dirname(\"/a/b/\")", "/a"},
      {"dirname(\"\")", "."},
      {"cleanpath(\"/a/../b\")", "/b"},
      {"cleanpath(\"/a/./b\")", "/a/b"},
      {"cleanpath(\"/a//b\")", "/a/b"},
      {"cleanpath(\"/..\")", "/"},
      {"index(\"abcabc\", \"c\")", "2"},
      {"index(\"abcabc\", \"c\", 3)", "5"},
      {"index(\"abc\", \"x\")", "-1"},
      {"index(\"abc\", \"\")", "0"},
      {"rindex(\"abcabc\", \"c\")", "5"},
      {"rindex(\"abcabc\", \"c\", 4)", "2"},
      {"rindex(\"abc\", \"x\")", "-1"},
      {"lltostr(0)", "0"},
      {"lltostr(-1)", "-1"},
      {"lltostr(9223372036854775807)", "9223372036854775807"},
      {"lltostr(255, 16)", "0xff"},
      {"lltostr(8, 8)", "010"},
      {"strlen(\"\")", "0"},
      {"strlen(\"abc\")", "3"},
      {"strjoin(\"ab\", \"cd\")", "abcd"},
      {"strjoin(\"\", \"cd\")", "cd"},
      {"strchr(\"abcb\", 'b')", "bcb"},
      {"strrchr(\"abcb\", 'b')", "b"},
      {"strstr(\"abcd\", \"bc\")", "bcd"},
      {"strstr(\"abcd\", \"\")", "abcd"},
      {"substr(\"abcdef\", 2)", "cdef"},
      {"substr(\"abcdef\", 2, 3)", "cde"},
      {"substr(\"abcdef\", -2)", "ef"},
      {"substr(\"abcdef\", 1, -1)", "bcde"},
      {"substr(\"abcdef\", 10)", ""},
      {"strtok(\"a,b\", \",\")", "a"},
      {"strtoll(\"42\")", "42"},
      {"strtoll(\"-42\")", "-42"},
      {"strtoll(\"ff\", 16)", "255"},
      {"strtoll(\"x\")", "0"},
      {"tolower(\"aBC1\")", "abc1"},
      {"toupper(\"aBc1\")", "ABC1"},
      {"stringof(\"abc\")", "abc"},
      {"(string)\"abc\"", "abc"},
  };
  check(kRows);
}

TEST_CASE("d guide: subroutines of numbers and addresses") {
  static constexpr Row kRows[] = {
      {"htons(0x1234)", "13330"},
      {"htonl(0x12345678)", "2018915346"},
      {"htonll(1)", "72057594037927936"},
      {"ntohs(0x3412)", "4660"},
      {"ntohl(0x78563412)", "305419896"},
      {"ntohll(0x100000000000000)", "1"},
      {"getmajor(0x800001)", "8"},
      {"getminor(0x800001)", "1"},
      {"inet_ntoa((ipaddr_t *)alloca(4))", "0.0.0.0"},
      {"inet_ntoa6((in6_addr_t *)alloca(16))", "::"},
      {"inet_ntop(AF_INET, alloca(4))", "0.0.0.0"},
      {"inet_ntop(AF_INET6, alloca(16))", "::"},
      {"link_ntop(ARPHRD_ETHER, alloca(6))", "00:00:00:00:00:00"},
      {"link_ntop(ARPHRD_INFINIBAND, alloca(20))", "00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00"},
      {"strlen(stringof((char *)alloca(4)))", "0"},
      {"*(int *)alloca(4)", "0"},
      {"progenyof(1)", "1"},
      {"progenyof(2)", "0"},
      {"rand() - rand() == 0 ? 1 : 1", "1"},
      {"speculation()", "1"},
  };
  check(kRows);
}

TEST_CASE("d guide: built-in variables") {
  ScriptedProbe probe;
  probe.arguments = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  probe.integers = {{DBuiltin::Pid, 100},       {DBuiltin::Tid, 101},       {DBuiltin::Ppid, 99},
                    {DBuiltin::Uid, 7},         {DBuiltin::Gid, 8},         {DBuiltin::Errno, 2},
                    {DBuiltin::Id, 5},          {DBuiltin::Epid, 6},        {DBuiltin::Cpu, 3},
                    {DBuiltin::Stackdepth, 4},  {DBuiltin::Ustackdepth, 9}, {DBuiltin::Timestamp, 1000},
                    {DBuiltin::Ipl, 0},         {DBuiltin::Caller, 21},     {DBuiltin::Walltimestamp, 22},
                    {DBuiltin::Vtimestamp, 23}, {DBuiltin::Ucaller, 24}};
  probe.texts = {{DBuiltin::Probeprov, "syscall"}, {DBuiltin::Probemod, "vmlinux"}, {DBuiltin::Probefunc, "read"},
                 {DBuiltin::Probename, "entry"},   {DBuiltin::Execname, "ls"},      {DBuiltin::Execargs, "ls -l"},
                 {DBuiltin::Cwd, "/tmp"},          {DBuiltin::Root, "/"},           {DBuiltin::Zonename, "global"}};
  static constexpr Row kRows[] = {
      {"arg0", "10"},
      {"arg5", "15"},
      {"arg9", "19"},
      {"pid", "100"},
      {"tid", "101"},
      {"ppid", "99"},
      {"uid", "7"},
      {"gid", "8"},
      {"errno", "2"},
      {"id", "5"},
      {"epid", "6"},
      {"cpu", "3"},
      {"curcpu->cpu_id", "3"},
      {"stackdepth", "4"},
      {"ustackdepth", "9"},
      {"timestamp", "1000"},
      {"ipl", "0"},
      {"caller", "21"},
      {"walltimestamp", "22"},
      {"vtimestamp", "23"},
      {"ucaller", "24"},
      {"probeprov", "syscall"},
      {"probemod", "vmlinux"},
      {"probefunc", "read"},
      {"probename", "entry"},
      {"execname", "ls"},
      {"execargs", "ls -l"},
      {"cwd", "/tmp"},
      {"root", "/"},
      {"zonename", "global"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.expression);
    DScene scene("BEGIN { trace(" + std::string(row.expression) + "); }");
    scene.probe = probe;
    CHECK(scene.fire() == row.value);
  }
}

TEST_CASE("d guide: members of psinfo_t and lwpsinfo_t that are the same for all") {
  static constexpr Row kRows[] = {
      {"curpsinfo->pr_dmodel", "2"},   {"curpsinfo->pr_taskid", "0"},     {"curpsinfo->pr_projid", "0"},
      {"curpsinfo->pr_nzomb", "0"},    {"curpsinfo->pr_poolid", "0"},     {"curpsinfo->pr_zoneid", "0"},
      {"curpsinfo->pr_contract", "0"}, {"curpsinfo->pr_flag", "0"},       {"curlwpsinfo->pr_flag", "0"},
      {"curlwpsinfo->pr_wchan", "0"},  {"curlwpsinfo->pr_stype", "0"},    {"curlwpsinfo->pr_oldpri", "0"},
      {"curlwpsinfo->pr_cpu", "0"},    {"curlwpsinfo->pr_bindpset", "0"},
  };
  check(kRows);
}

TEST_CASE("d guide: operators and their precedence") {
  static constexpr Row kRows[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"10 - 3 - 2", "5"},
      {"100 / 10 / 2", "5"},
      {"7 % 3 * 2", "2"},
      {"1 << 2 + 1", "8"},
      {"16 >> 2 >> 1", "2"},
      {"1 | 2 ^ 3 & 1", "3"},
      {"5 & 6 == 6", "1"},
      {"1 < 2 == 1", "1"},
      {"3 > 2 > 1", "0"},
      {"!0 + 1", "2"},
      {"~0 + 1", "0"},
      {"-3 + 5", "2"},
      {"- -3", "3"},
      {"1 || 0 && 0", "1"},
      {"0 && 1 || 1", "1"},
      {"1 ^^ 0", "1"},
      {"1 ^^ 1 ^^ 1", "1"},
      {"0 ? 1 : 2", "2"},
      {"1 ? 0 ? 3 : 4 : 5", "4"},
      {"(1, 2)", "2"},
      {"0x10 + 010 + 10", "34"},
      {"'a' + 1", "98"},
      {"sizeof (int)", "4"},
      {"sizeof (long long)", "8"},
      {"sizeof (char *)", "8"},
      {"sizeof 'a'", "4"},
      {"(char)0x141", "65"},
      {"(unsigned char)-1", "255"},
      {"(short)70000", "4464"},
      {"(int)4294967297", "1"},
      {"\"a\" == \"a\"", "1"},
      {"\"a\" < \"b\"", "1"},
      {"\"b\" >= \"c\"", "0"},
      {"\"abc\" != \"abd\"", "1"},
      {"-7 / 2", "-3"},
      {"-7 % 2", "-1"},
      {"7 / -2", "-3"},
      {"18446744073709551615 > 0", "1"},
      {"-1 > 0u", "1"},
      {"1 == 1 == 1", "1"},
      {"0 == 0 != 1", "0"},
      {"2 > 1 && 3 > 2", "1"},
      {"1 ? 2 : (3, 4)", "2"},
  };
  check(kRows);
}

TEST_CASE("d guide: statements on variables") {
  static constexpr Row kRows[] = {
      {"x = 5; trace(x);", "5"},
      {"x = 5; x += 2; trace(x);", "7"},
      {"x = 5; x -= 2; trace(x);", "3"},
      {"x = 5; x *= 2; trace(x);", "10"},
      {"x = 5; x /= 2; trace(x);", "2"},
      {"x = 5; x %= 2; trace(x);", "1"},
      {"x = 5; x <<= 2; trace(x);", "20"},
      {"x = 5; x >>= 1; trace(x);", "2"},
      {"x = 5; x &= 4; trace(x);", "4"},
      {"x = 5; x |= 2; trace(x);", "7"},
      {"x = 5; x ^= 1; trace(x);", "4"},
      {"x = 5; trace(x++); trace(x);", "56"},
      {"x = 5; trace(++x); trace(x);", "66"},
      {"x = 5; trace(x--); trace(x);", "54"},
      {"x = 5; trace(--x); trace(x);", "44"},
      {"x = y = 3; trace(x + y);", "6"},
      {"self->x = 3; trace(self->x);", "3"},
      {"self->x = 3; self->x = 0; trace(self->x);", "0"},
      {"this->x = 3; this->x++; trace(this->x);", "4"},
      {"self->s = \"ab\"; trace(self->s);", "ab"},
      {"this->s = \"ab\"; trace(this->s);", "ab"},
      {"a[1] = 2; trace(a[1]); trace(a[2]);", "20"},
      {"a[1, \"x\"] = 2; trace(a[1, \"x\"]); trace(a[1, \"y\"]);", "20"},
      {"a[\"k\"] = \"v\"; trace(a[\"k\"]);", "v"},
      {"a[1] = 5; a[1]++; trace(a[1]);", "6"},
      {"self->a[1] = 7; trace(self->a[1]);", "7"},
      {"this->p = (int *)alloca(8); this->p[1] = 3; trace(*(this->p + 1));", "3"},
      {"this->p = (int *)alloca(8); *this->p = 3; trace(this->p[0]);", "3"},
      {"this->p = (char *)alloca(4); this->p[0] = 'h'; this->p[1] = 'i'; trace(stringof(this->p));", "hi"},
      {"if (1) { trace(1); } else { trace(2); }", "1"},
      {"if (0) { trace(1); } else if (1) { trace(3); } else { trace(2); }", "3"},
      {"if (0) trace(1); trace(4);", "4"},
      {"trace(1); trace(\"x\"); trace('y');", "1x121"},
      {"bcopy(\"abc\", this->q = alloca(4), 4); trace(stringof((char *)this->q));", "abc"},
      {"x = (int64_t)1 << 40; trace(x);", "1099511627776"},
      {"x = 1; x = x == 1 ? 10 : 20; trace(x);", "10"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.expression);
    CHECK(printed(row.expression) == row.value);
  }
}

TEST_CASE("d guide: conversions of printf()") {
  static constexpr Row kRows[] = {
      {"printf(\"%d %i\", 1, -2);", "1 -2"},
      {"printf(\"%u\", 3);", "3"},
      {"printf(\"%x %X %#x\", 255, 255, 255);", "ff FF 0xff"},
      {"printf(\"%o %#o\", 8, 8);", "10 010"},
      {"printf(\"%c%c\", 'h', 'i');", "hi"},
      {"printf(\"%s|%5s|%-5s|%.1s\", \"ab\", \"ab\", \"ab\", \"ab\");", "ab|   ab|ab   |a"},
      {"printf(\"%5d|%-5d|%05d|%+d\", 42, 42, 42, 42);", "   42|42   |00042|+42"},
      {"printf(\"%*d|%-*d\", 5, 42, 5, 42);", "   42|42   "},
      {"printf(\"%p\", 255);", "ff"},
      {"printf(\"%lld %llx\", 1LL << 40, 1LL << 40);", "1099511627776 10000000000"},
      {"printf(\"%hd %ld\", (short)1, 2L);", "1 2"},
      {"printf(\"100%%\");", "100%"},
      {"printf(\"%S\", \"a\\tb\");", "a\\tb"},
      {"printf(\"%C%C\", 'a', 10);", "a\\n"},
      {"printf(\"\\tx\\n\");", "\tx\n"},
      {"printf(\"%d\", sizeof (int));", "4"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.expression);
    CHECK(printed(row.expression) == row.value);
  }
}

TEST_CASE("d guide: aggregating functions") {
  static constexpr Row kRows[] = {
      {"@ = count(); @ = count(); printa(\"%@d\", @);", "2"},
      {"@ = sum(3); @ = sum(4); printa(\"%@d\", @);", "7"},
      {"@ = sum(-3); @ = sum(1); printa(\"%@d\", @);", "-2"},
      {"@ = avg(3); @ = avg(4); printa(\"%@d\", @);", "3"},
      {"@ = min(3); @ = min(-4); @ = min(9); printa(\"%@d\", @);", "-4"},
      {"@ = max(3); @ = max(-4); @ = max(9); printa(\"%@d\", @);", "9"},
      {"@ = max(-3); @ = max(-4); printa(\"%@d\", @);", "-3"},
      {"@ = min(3); @ = min(4); printa(\"%@d\", @);", "3"},
      {"@ = stddev(2); @ = stddev(4); printa(\"%@d\", @);", "1"},
      {"@[1] = count(); @[2] = count(); @[1] = count(); printa(\"%d:%@d \", @);", "2:1 1:2 "},
      {"@[\"b\"] = sum(1); @[\"a\"] = sum(1); printa(\"%s \", @);", "a b "},
      {"@[1, \"x\"] = sum(5); printa(\"%d %s %@d\", @);", "1 x 5"},
      {"@a = sum(1); @b = sum(2); printa(\"%@d %@d\", @a, @b);", "1 2"},
      {"@a[1] = sum(1); @b[1] = sum(2); printa(\"%d %@d %@d\", @a, @b);", "1 1 2"},
      {"@ = sum(10); normalize(@, 5); printa(\"%@d\", @);", "2"},
      {"@ = sum(10); normalize(@, 5); denormalize(@); printa(\"%@d\", @);", "10"},
      {"@[1] = sum(10); clear(@); printa(\"%@d\", @);", "0"},
      {"@[1] = sum(10); trunc(@); printa(\"%@d\", @);", ""},
      {"@[1] = sum(1); @[2] = sum(2); trunc(@, 1); printa(\"%d \", @);", "2 "},
      {"@[1] = sum(1); @[2] = sum(2); trunc(@, -1); printa(\"%d \", @);", "1 "},
      {"@ = sum(255); printa(\"%@x\", @);", "ff"},
      {"@ = sum(5); printa(\"%5@d|%-5@d|\", @);", "    5|5    |"},
      {"@ = sum(1); printa(\"literal\", @);", "literal"},
      {"@ = sum(3000000000 * 3); printa(\"%@d\", @);", "9000000000"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.expression);
    CHECK(printed(row.expression) == row.value);
  }
}

TEST_CASE("d guide: structures, unions, arrays, enumerations") {
  static constexpr Row kRows[] = {
      {"struct s { int a; char b; }; struct s x; BEGIN { x.a = 3; x.b = 'z'; trace(x.a); trace(x.b); }", "3122"},
      {"struct s { int a; char b; }; BEGIN { trace(sizeof (struct s)); trace(offsetof(struct s, b)); }", "84"},
      {"struct s { int a[3]; }; struct s x; BEGIN { x.a[2] = 9; trace(x.a[2] + x.a[1]); }", "9"},
      {"union u { int i; char c[4]; }; union u x; BEGIN { x.i = 0x41; trace(x.c[0]); trace(sizeof (x)); }", "654"},
      {"struct in { int v; }; struct out { int n; struct in i; }; struct out x; BEGIN { x.i.v = 4; trace(x.i.v); }",
       "4"},
      {"struct s { int a; }; struct s x; this struct s y; BEGIN { x.a = 6; this->y = x; x.a = 7; trace(this->y.a); }",
       "6"},
      {"struct s { int lo : 4; int hi : 4; }; struct s x; BEGIN { x.lo = 7; x.hi = -1; trace(x.lo); trace(x.hi); }",
       "7-1"},
      {"struct s { unsigned f : 3; }; struct s x; BEGIN { x.f = 15; trace(x.f); }", "7"},
      {"enum e { A, B = 5, C }; BEGIN { trace(A); trace(B); trace(C); }", "056"},
      {"enum e { A = -2, B }; BEGIN { trace(A); trace(B); }", "-2-1"},
      {"typedef int number; number n; BEGIN { n = 8; trace(n); trace(sizeof (number)); }", "84"},
      {"typedef struct { int a; } t; t x; BEGIN { x.a = 2; trace(x.a); }", "2"},
      {"int a[4]; BEGIN { a[3] = 5; trace(a[3]); trace(sizeof (a)); }", "516"},
      {"int a[2][3]; BEGIN { a[1][2] = 5; trace(a[1][2]); trace(sizeof (a)); }", "524"},
      {"char c[8]; BEGIN { c[0] = 'o'; c[1] = 'k'; trace(stringof(c)); }", "ok"},
      {"struct s { int v; struct s *next; }; struct s *p; BEGIN { p = (struct s *)alloca(sizeof (struct s)); p->v = 3; "
       "p->next = p; trace(p->next->v); }",
       "3"},
      {"int *p; BEGIN { p = (int *)alloca(8); *p = 1; p++; *p = 2; p--; trace(p[0] + p[1]); }", "3"},
      {"string s; BEGIN { s = \"abc\"; trace(s[1]); s[1] = 'X'; trace(s); }", "98aXc"},
      {"self struct { int a; } x; BEGIN { self->x.a = 4; trace(self->x.a); }", "4"},
      {"inline int five = 5; BEGIN { trace(five * 2); }", "10"},
      {"inline string greeting = \"hi\"; BEGIN { trace(strlen(greeting)); }", "2"},
      {"inline int twice[int a] = a + a; BEGIN { trace(twice[3]); }", "6"},
      {"struct o { int v; }; translator struct o < int n > { v = n + 1; }; BEGIN { trace(xlate <struct o> (4).v); }",
       "5"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.expression);
    DScene scene(row.expression);
    CHECK(scene.fire() == row.value);
  }
}

}  // namespace
}  // namespace strut::test
