// Structures, unions and arrays as keys of aggregations and of associative arrays.
#include "d_scene.hpp"

namespace strut::test {
namespace {

const std::string kPlace = "struct place { int line; char file[8]; }; struct place p, q; ";

/// The output of a program's only firing, with what is left at its end.
std::string run(const std::string& program) {
  DScene scene(program);
  std::string out = scene.fire();
  return out + scene.rest();
}

TEST_CASE("d keys: equal structures are one element of an array") {
  CHECK(run(kPlace + "BEGIN { p.line = 3; p.file[0] = 'a'; n[p] = 5; q = p; trace(n[q]); q.file[1] = 'b'; trace(n[q]); "
                     "n[q] += 2; printf(\" %d %d\", n[p], n[q]); n[p] = 0; trace(n[p]); }") == "50 5 20");
  CHECK(run(kPlace + "string s[struct place, int]; BEGIN { s[p, 1] = \"one\"; s[p, 2] = \"two\"; q.line = 1; "
                     "printf(\"%s %s %d\", s[p, 1], s[p, 2], s[q, 1] == NULL); }") == "one two 1");
  CHECK(run(kPlace + "BEGIN { self->n[p] = 4; p.line++; self->n[p] = 6; p.line--; trace(self->n[p]); }") == "4");
  CHECK(run("union u { int64_t all; char each[8]; } a, b; BEGIN { a.each[1] = 1; b.all = 256; x[a] = 7; trace(x[b]); "
            "}") == "7");
  CHECK(run("int a[3], b[3]; BEGIN { a[2] = 1; x[a] = 7; trace(x[b]); b[2] = 1; trace(x[b]); }") == "07");
}

TEST_CASE("d keys: a structure's element is a structure") {
  CHECK(run(kPlace + "struct place of[struct place]; BEGIN { p.line = 1; of[p].line = 4; of[p].file[2] = 'c'; q = p; "
                     "printf(\"%d %c\", of[q].line, of[q].file[2]); q.line = 2; trace(of[q].line); of[q] = of[p]; "
                     "trace(of[q].line); }") == "4 c04");
}

TEST_CASE("d keys: aggregations by structures") {
  CHECK(run(kPlace + "BEGIN { p.line = 3; @n[p.line, p] = count(); q = p; @n[q.line, q] = count(); q.line = -1; "
                     "@n[q.line, q] = count(); printa(\"%d %@d;\", @n); }") == "-1 1;3 2;");
  CHECK(run("int a[3]; BEGIN { a[0] = 0x41424344; @[a] = sum(2); a[0]++; @[a] = sum(3); }").find("  ECBA ") !=
        std::string::npos);
}

TEST_CASE("d keys: shown as trace() shows them, and sorted as numbers of their size") {
  CHECK(run("struct one { int n; } x; BEGIN { x.n = -5; @[x] = count(); x.n = 300; @[x] = count(); }") ==
        "       -5                1\n      300                1\n");
  CHECK(run("struct s { char a[5]; } x; BEGIN { x.a[0] = 'o'; x.a[1] = 'k'; @[x] = count(); }") ==
        "  ok" + std::string(64, ' ') + "1\n");
}

TEST_CASE("d keys: a structure that cannot be read is a fault") {
  CHECK(run("struct s { int n[3]; }; BEGIN { @[*(struct s *)8] = count(); }") ==
        "<invalid address (0x8) in action #1>");
  CHECK(run("struct s { int n[3]; }; BEGIN { x[*(struct s *)8] = 1; }") == "<invalid address (0x8) in action #1>");
}

TEST_CASE("d keys: another type is refused") {
  const std::string other = kPlace + "struct other { int line; char file[8]; } o; ";
  CHECK(error_of(other + "BEGIN { n[p] = 1; n[o] = 2; }").starts_with("D_PROTO_ARG "));
  CHECK(error_of(other + "BEGIN { n[p] = 1; n[3] = 2; }").starts_with("D_PROTO_ARG "));
  CHECK(error_of(other + "BEGIN { n[1] = 1; n[p] = 2; }").starts_with("D_PROTO_ARG "));
  CHECK(error_of(other + "BEGIN { @[p] = count(); @[o] = count(); }").starts_with("D_PROTO_ARG "));
  CHECK(error_of(other + "BEGIN { @[p] = count(); @[3] = count(); }").starts_with("D_PROTO_ARG "));
  CHECK(error_of(other + "BEGIN { @[p] = count(); printa(\"%d\", @); }").starts_with("D_PRINTF_ARG_TYPE "));
  CHECK(error_of(other + "typedef struct place mine; mine m; BEGIN { n[p] = 1; n[m] = 2; }") == "");
  CHECK(error_of("BEGIN { n[curpsinfo] = 1; }").starts_with("D_KEY_TYPE "));
  CHECK(error_of("BEGIN { n[*curpsinfo] = 1; }").starts_with("D_KEY_TYPE "));
}

}  // namespace
}  // namespace strut::test
