// Translators of the program, xlate, declarations of providers.
#include "d_scene.hpp"

namespace strut::test {
namespace {

const std::string kTypes =
    "struct in { int a; int b; char name[8]; }; struct out { int sum; string name; int64_t none; }; struct in g; "
    "translator struct out < struct in *p > { sum = p->a + p->b; name = stringof(p->name); }; ";

TEST_CASE("d translators: a member is the expression that defines it") {
  CHECK(fire_once(
            kTypes +
            "BEGIN { this->p = (struct in *)alloca(sizeof (struct in)); *this->p = g; this->p->a = 3; this->p->b = 4; "
            "this->p->name[0] = 'x'; "
            "printf(\"%d %s\", xlate <struct out *>(this->p)->sum, xlate <struct out> (this->p).name); }") == "7 x");
  CHECK(fire_once("struct out { int twice; }; translator struct out < int n > { twice = n * 2; }; "
                  "BEGIN /xlate <struct out> (3 + 1).twice == 8/ { trace(xlate <struct out> (pid).twice); }") == "200");
}

TEST_CASE("d translators: an inline definition may be translated data") {
  std::string program =
      kTypes + "inline struct out *made = xlate <struct out *> ((struct in *)copyin(arg0, sizeof (struct in))); ";
  DScene scene(program + "BEGIN { printf(\"%d %s\", made->sum, made->name); }");
  scene.probe.arguments = {0x1000};
  scene.probe.target.put(0x1000, std::string_view("\2\0\0\0\5\0\0\0name\0\0\0\0", 16));
  CHECK(scene.fire() == "7 name");
  CHECK(error_of(program + "BEGIN { x = made; }").starts_with("D_OP_DYN"));
}

TEST_CASE("d translators: a provider has a name, and its probes have different ones") {
  CHECK(error_of("provider p { probe a(int); probe b(int); }; BEGIN {}") == "");
  CHECK(error_of("provider p1 { probe a(int); }; BEGIN {}") == "D_PROV_BADNAME 1:10");
  CHECK(error_of("provider " + std::string(64, 'p') + " { }; BEGIN {}") == "D_PROV_BADNAME 1:10");
  CHECK(error_of("provider p { probe a(int); probe a(); }; BEGIN {}") == "D_PROV_PRDUP 1:34");
}

TEST_CASE("d translators: what is wrong has its tag") {
  CHECK(
      error_of(kTypes + "BEGIN { trace(xlate <struct out *>((struct in *)0)->none); }").starts_with("D_XLATE_NOCONV"));
  CHECK(error_of(kTypes + "BEGIN { trace(xlate <struct out *>(1)->sum); }").starts_with("D_XLATE_NONE"));
  CHECK(error_of(kTypes + "BEGIN { trace(xlate <struct out *>((struct in *)0)); }").starts_with("D_OP_DYN"));
  CHECK(error_of(kTypes + "translator struct out < struct in *q > { };").starts_with("D_XLATE_REDECL"));
  CHECK(error_of("translator int < int n > { };").starts_with("D_XLATE_SOU"));
  CHECK(error_of("struct out { int a; }; translator struct out < int n > { b = n; };").starts_with("D_XLATE_MEMB"));
  CHECK(error_of("struct out { int a; }; translator struct out < int n > { a = \"x\"; };")
            .starts_with("D_XLATE_INCOMPAT"));
}

TEST_CASE("d translators: xlate within xlate is bounded") {
  auto nested = [](int levels) {
    std::string value = "(struct n *)0";
    for (int i = 0; i < levels; i++) value = "xlate<struct n *>(" + value + ")->next";
    return error_of(
        "struct n { struct n *next; int v; }; "
        "translator struct n < struct n *p > { next = p->v ? p->next : p; v = p->v; }; BEGIN { x = " +
        value + "; }");
  };
  CHECK(nested(6) == "");
  CHECK(nested(25).starts_with("D_SYNTAX"));
}

TEST_CASE("d translators: members of string types lie in memory, too") {
  CHECK(fire_once(
            "struct s { int n; string t; } x; BEGIN { x.t = \"text\"; y = x; printf(\"%s %d\", x.t, sizeof (x)); }") ==
        "text 260");
  CHECK(fire_once("string a[3]; BEGIN { a[1] = \"one\"; i = 1; printf(\"%s%s\", a[i], a[0]); }") == "one");
}

TEST_CASE("d providers: a declaration is read") {
  CHECK(fire_once("provider mine { probe start(int, char *); probe done(struct in *p) : (int a, string b); }; BEGIN { "
                  "trace(1); }") == "1");
  CHECK(fire_once("   #pragma D option strsize=32\nBEGIN { trace(sizeof (string)); }") == "32");
}

}  // namespace
}  // namespace strut::test
