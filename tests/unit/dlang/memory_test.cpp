// Variables of structure, union and array types; strings as arrays of characters.
#include "d_scene.hpp"

namespace strut::test {
namespace {

const std::string kPoint = "struct point { int x; char tag; int y; }; ";

TEST_CASE("d memory: members of variables of every scope") {
  CHECK(fire_once(kPoint +
                  "struct point p; BEGIN { p.x = 3; p.y = -4; p.tag = 'a'; printf(\"%d %d %c\", p.x, p.y, p.tag); }") ==
        "3 -4 a");
  CHECK(fire_once(kPoint + "this struct point p; BEGIN { this->p.x = 3; this->p.x += 2; trace(this->p.x++); } "
                           "BEGIN { trace(this->p.x); }") == "56");
  CHECK(fire_once(kPoint + "self struct point p; BEGIN { trace(self->p.y); self->p.y = 7; trace(self->p.y); }") ==
        "07");
  CHECK(fire_once(kPoint + "struct point p[int, string]; BEGIN { p[1, \"a\"].x = 2; p[1, \"b\"].x = 3; "
                           "printf(\"%d %d %d\", p[1, \"a\"].x, p[1, \"b\"].x, p[2, \"a\"].x); }") == "2 3 0");
  CHECK(fire_once(kPoint +
                  "self struct point p[int]; BEGIN { self->p[1].x = 2; self->p[1].y -= 2; trace(self->p[1].x); "
                  "trace(self->p[1].y); }") == "2-2");
}

TEST_CASE("d memory: what lies in memory stays as long as its scope says") {
  DScene scene(kPoint +
               "struct point g; this struct point c; self struct point t; struct point e[int]; "
               "BEGIN { g.x++; this->c.x++; self->t.x++; e[0].x++; "
               "printf(\"%d %d %d %d;\", g.x, this->c.x, self->t.x, e[0].x); }");
  CHECK(scene.fire() == "1 1 1 1;");
  CHECK(scene.fire() == "2 1 2 2;");
  scene.probe.integers[DBuiltin::Tid] = 9;
  CHECK(scene.fire() == "3 1 1 3;");
}

TEST_CASE("d memory: all that memory of threads and elements is for") {
  const std::string dynamic = kPoint +
                              "struct deep { struct point at[3]; string name; int64_t n; unsigned odd : 3; }; "
                              "self struct deep t; struct deep e[int]; ";
  DScene both(dynamic +
              "BEGIN { self->t.at[arg0 % 3].x += 1; self->t.name = \"abc\"; self->t.odd = 5; self->t.odd++; "
              "e[arg0].at[2] = self->t.at[1]; e[arg0].name = strjoin(self->t.name, \"d\"); e[arg0].n -= 3; } "
              "BEGIN { e[1] = self->t; self->t.n = e[arg0].n; self->t.name[1] = 'X'; this->p = self->t.at; "
              "this->p[2].tag = 'p'; "
              "printf(\"%d %s %d %s %d %d %d %c;\", e[arg0].at[2].x, e[arg0].name, e[1].n, self->t.name, "
              "self->t.odd, self->t.n, e[77].n, self->t.at[2].tag); print(e[1]); tracemem(self->t.at, 12); }");
  both.probe.arguments = {1};
  std::string first = both.fire();
  CHECK(first.starts_with("0 abc 0 aXc 6 0 0 p;struct deep {"));
  both.probe.arguments = {5};
  CHECK(both.fire().starts_with("1 abcd 0 aXc 6 -3 0 p;"));
}

TEST_CASE("d memory: an index behind the memory of a thread or an element is a fault") {
  CHECK(fire_once(
            "struct s { int v[4]; }; self struct s t; BEGIN { self->t.v[0] = 1; i = 1 << 22; trace(self->t.v[i]); }")
            .starts_with("<invalid address"));
  CHECK(fire_once("struct s { int v[4]; }; struct s e[int]; BEGIN { e[1].v[0] = 1; i = -1 << 29; trace(e[1].v[i]); }")
            .starts_with("<invalid address"));
}

TEST_CASE("d memory: structures of threads count for dynvarsize") {
  auto drops = [](size_t dynamic_bytes) {
    DScene scene("struct s { char a[5000]; }; self struct s x; BEGIN { self->x.a[1] = 2; trace(self->x.a[1]); }", {},
                 {.dynamic_bytes = dynamic_bytes});
    std::string printed = scene.fire();
    return printed + " " + std::to_string(scene.machine->take_dynamic_drops());
  };
  CHECK(drops(6000) == "2 0");
  CHECK(drops(5000) == "0 1");
}

TEST_CASE("d memory: a dropped element is as absent as others") {
  DScene scene("struct s { char a[5000]; }; struct s e[int]; BEGIN { e[1].a[0] = 1; e[2].a[0] = 2; "
               "printf(\"%d %d %d\", e[1].a[0], e[2].a[0], e[3].a[0]); }",
               {}, {.dynamic_bytes = 6000});
  CHECK(scene.fire() == "1 0 0");
  CHECK(scene.machine->take_dynamic_drops() == 1);
}

TEST_CASE("d memory: the memory of a thread that has none is a fault") {
  CHECK(fire_once("struct s { int v; }; self struct s t; BEGIN { trace(*(int *)0x0dec000002000000); } "
                  "BEGIN { self->t.v = 1; }") == "<invalid address (0xdec000002000000) in action #1>");
}

TEST_CASE("d memory: arrays, of one and of several dimensions") {
  CHECK(fire_once("int a[5]; BEGIN { a[0] = 5; a[4] = 6; i = 4; printf(\"%d %d %d\", a[0], a[i], a[1]); }") == "5 6 0");
  CHECK(fire_once(
            "int64_t a[2][3]; BEGIN { a[1][2] = 7; a[0][2] = 1; p = &a[1][0]; trace(a[1][2]); trace(p[2]); trace(*(p - "
            "1)); }") == "771");
  CHECK(fire_once("char a[8]; BEGIN { a[0] = 'h'; a[1] = 'i'; printf(\"%s\", a); trace(a); trace(strlen(a)); }") ==
        "hihi2");
  CHECK(
      fire_once(
          "struct s { int v[3]; } x[4]; BEGIN { x[3].v[2] = 9; x[2] = x[3]; trace(x[2].v[2]); trace(sizeof (x)); }") ==
      "948");
}

TEST_CASE("d memory: sizes of arrays are constants of any operators") {
  CHECK(fire_once("char a[(char)257], b[(7 & 3) << 2 | 1], c[-7 / -3], d[7 > 3 ? ~-4 : 1]; "
                  "BEGIN { printf(\"%d %d %d %d\", sizeof (a), sizeof (b), sizeof (c), sizeof (d)); }") == "1 13 2 3");
}

TEST_CASE("d memory: pointers to variables, and whole structures") {
  CHECK(fire_once(kPoint + "struct point p, q; BEGIN { this->a = &p.x; *this->a = 4; q = p; p.x = 5; trace(q.x); "
                           "trace(*this->a); }") == "45");
  CHECK(fire_once(kPoint +
                  "struct point q; BEGIN { this->p = (struct point *)alloca(sizeof (struct point)); this->p->y = 6; "
                  "q = *this->p; "
                  "self->r = *this->p; trace(q.y); trace(self->r.y); }") == "66");
  CHECK(fire_once(kPoint + "struct point p, q; BEGIN { p.x = 1; bcopy(&p.x, &q.x, sizeof (p)); trace(q.x); }") == "1");
}

TEST_CASE("d memory: unions, anonymous members, bit-fields") {
  CHECK(fire_once(
            "union u { int i; char c[4]; } x; BEGIN { x.i = 0x41424344; printf(\"%c%c\", x.c[0], x.c[3]); trace(sizeof "
            "(x)); }") == "DA4");
  CHECK(fire_once(
            "struct s { int a; union { int b; char c; }; } x; BEGIN { x.b = 0x141; trace(x.c); trace(offsetof(struct "
            "s, c)); }") == "654");
  CHECK(
      fire_once(
          "struct s { int a : 3; unsigned b : 5; int : 0; int c : 20; } x; BEGIN { x.a = 3; x.b = 40; x.c = -1; x.a++; "
          "printf(\"%d %d %d %d\", x.a, x.b, x.c, sizeof (x)); }") == "-4 8 -1 8");
  CHECK(fire_once(
            "struct s { uint64_t a : 40; uint64_t b : 24; } x; BEGIN { x.a = -1; x.b = 5; printf(\"%x %x\", x.a, x.b); "
            "}") == "ffffffffff 5");
}

TEST_CASE("d memory: enumerations, negative ones, too") {
  CHECK(fire_once("enum e { A = -2, B, C = A + 5 } x; BEGIN { x = B; printf(\"%d %d %d\", A, x, C); }") == "-2 -1 3");
  CHECK(fire_once("enum { ONE = 1 << 3, TWO = ~ONE, THREE = ONE > 2 ? 5 : 6 }; BEGIN { trace(ONE + TWO); }") == "-1");
}

TEST_CASE("d memory: print() of any type") {
  CHECK(fire_once(kPoint + "struct point p; BEGIN { p.x = 10; p.tag = 'z'; print(p); }") ==
        "struct point {\n    int x = 0xa\n    char tag = 'z'\n    int y = 0\n}");
  CHECK(
      fire_once("enum e { NO, YES }; struct in { char name[8]; }; struct s { struct in i; enum e e; int v[2]; struct s "
                "*next; int b : 3; } x;"
                "BEGIN { x.i.name[0] = 'q'; x.e = YES; x.v[1] = 255; x.b = 1; print(x); }") ==
      "struct s {\n    struct in i = {\n        char [8] name = [ \"q\" ]\n    }\n    enum e e = YES\n"
      "    int [2] v = [ 0, 0xff ]\n    struct s * next = 0\n    int b = 0x1\n}");
}

TEST_CASE("d memory: trace() of what lies in memory") {
  CHECK(fire_once("struct s { int a; } x; BEGIN { x.a = 5; trace(x); }") == "5");
  CHECK(fire_once("struct s { char a[5]; } x; BEGIN { x.a[0] = 'o'; x.a[1] = 'k'; trace(x); }") == "ok");
  CHECK(fire_once("struct s { int a[4]; } x; BEGIN { x.a[0] = 1; trace(x); }").find("0: 01 00 00 00") !=
        std::string::npos);
}

TEST_CASE("d memory: a string is an array of characters") {
  CHECK(printed("s = \"hello\"; printf(\"%c%c %d\", s[0], s[4], s[5]);") == "ho 0");
  CHECK(printed("s = \"hello\"; printf(\"%s\", s + 2);") == "llo");
  CHECK(printed("s = \"hello\"; s[0] = 'j'; s[4]++; *(s) -= 1; trace(s); self->t[1] = s; self->t[1][2] = 0; "
                "trace(self->t[1]);") == "iellpie");
  CHECK(printed("i = 1; a[1] = \"hello\"; a[2] = \"x\"; a[i++][0] = 'j'; printf(\"%d %s %s\", i, a[1], a[2]);") ==
        "2 jello x");
  CHECK(printed("i = 1; a[1] = \"hello\"; a[2] = \"x\"; a[i++][0]++; printf(\"%d %s %s\", i, a[1], a[2]);") ==
        "2 iello x");
  CHECK(fire_once(
            "struct s { string name; } x[2]; BEGIN { x[1].name = \"hello\"; x[1].name[1] = 'a'; trace(x[1].name); }") ==
        "hallo");
  CHECK(printed("s = \"hello\"; this->p = (char *)s; printf(\"%c %s\", this->p[1], stringof(this->p + 3));") == "e lo");
  CHECK(fire_once(
            "char *p; BEGIN { s = \"hello\"; p = s; printf(\"%c%c\", *p, p[2]); p++; printf(\"%s\", stringof(p)); }") ==
        "hlello");
  CHECK(fire_once("char a[6]; BEGIN { s = \"hello\"; bcopy(s, a, 5); printf(\"%s\", a); trace(a[1]); }") == "hello101");
  CHECK(printed("trace(sizeof (string)); s = \"x\"; trace(sizeof (s));") == "256256");
  CHECK(fire_once("#pragma D option strsize=16\nBEGIN { trace(sizeof (string)); }") == "16");
}

TEST_CASE("d memory: floating-point numbers are printed, not computed") {
  CHECK(
      fire_once("union u { uint64_t bits; double d; } x; double y; struct { float f; } z; BEGIN { x.bits = "
                "0x3ff8000000000000; "
                "printf(\"%f|%.2f|%8.1e|%-6g|\", x.d, x.d, x.d, x.d); y = x.d; printf(\"%f %f\", y, z.f); trace(sizeof "
                "(y)); }") == "1.500000|1.50| 1.5e+00|1.5   |1.500000 0.0000008");
}

TEST_CASE("d memory: types have the names that they were given") {
  CHECK(fire_once(
            "typedef int64_t mine; typedef int plain; struct s { mine m; uint8_t u; } x; mine *p; long *q; plain n; "
            "BEGIN { p = &x.m; q = p; print(x); "
            "print(pid); }") == "struct s {\n    mine m = 0\n    uint8_t u = 0\n}pid_t 0x64");
  auto wrong = compiled("BEGIN { trace(execname == pid); }");
  REQUIRE(!wrong);
  CHECK(wrong.error().message == "operands have incompatible types: \"string\" == \"pid_t\"");
}

TEST_CASE("d memory: addresses that are none fault") {
  CHECK(fire_once("int a[5]; BEGIN { i = 5000000; trace(a[i]); }").starts_with("<invalid address"));
  CHECK(fire_once("int *p; BEGIN { trace(*p); }") == "<invalid address (0x0) in action #1>");
  DScene scene("struct s { int a; }; self struct s t; int *p; BEGIN { p = &self->t.a; *p = 1; } BEGIN { trace(*p); } ");
  CHECK(scene.fire() == "1");
}

TEST_CASE("d memory: declarations of C, those of system headers") {
  CHECK(fire_once(
            "extern int select(int __n, int *__restrict __r, const struct tv *t) __attribute__ ((__nothrow__ , "
            "__leaf__)); "
            "static __inline int twice(int x) { return x * 2; } "
            "typedef union { __extension__ unsigned long long v; struct { int low, high; } w; } wide; "
            "typedef void (*handler_t)(int); handler_t h; int (*f)(void), *g[3]; "
            "typedef struct { unsigned long bits[1024 / (8 * sizeof (long))]; } set_t; struct open { int n; char "
            "more[]; }; "
            "volatile const int limit; long double d; "
            "BEGIN { trace(sizeof (wide)); trace(sizeof (h)); trace(sizeof (g)); trace(sizeof (set_t)); trace(sizeof "
            "(d)); "
            "trace(sizeof (struct open)); }") ==
        "88241281"
        "64");
  CHECK(fire_once("self x; this y; BEGIN { self->x = 3; this->y = 4; trace(self->x + this->y); }") == "7");
  CHECK(fire_once("uint a; ushort b; BEGIN { a = -1; b = -1; trace(a); trace(b); trace(DTRACEFLT_DIVZERO); }") ==
        "4294967295655354");
}

}  // namespace
}  // namespace strut::test
