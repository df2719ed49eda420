// Invalid D: tags, places, messages.
#include "d_scene.hpp"

namespace strut::test {
namespace {

struct Wrong {
  const char* source;
  const char* error;
};

const Wrong kWrong[] = {
    // words
    {"BEGIN { trace(\"abc\n\"); }", "D_STR_NL 1:19"},
    {"BEGIN { trace('a\n'); }", "D_CHR_NL 1:17"},
    {"BEGIN { trace(''); }", "D_CHR_NULL 1:15"},
    {"BEGIN { trace('123456789'); }", "D_CHR_OFLOW 1:15"},
    {"BEGIN { trace(09); }", "D_INT_DIGIT 1:16"},
    {"BEGIN { trace(12ab); }", "D_SYNTAX 1:17"},
    {"BEGIN { trace(99999999999999999999); }", "D_INT_OFLOW 1:15"},
    {"BEGIN { trace(0x1ffffffffffffffff); }", "D_INT_OFLOW 1:15"},
    {"BEGIN { /* ", "D_SYNTAX 1:9"},
    {"BEGIN { trace(\"x); }", "D_SYNTAX 1:15"},
    {"BEGIN { \x01 }", "D_SYNTAX 1:9"},
    {"BEGIN { trace($1); }", "D_MACRO_UNDEF 1:15"},
    {"BEGIN { trace($nothing); }", "D_MACRO_UNDEF 1:15"},
    {"", "D_EMPTY 1:1"},
    {"int x;", "D_EMPTY 1:1"},
    {"BEGIN { exit(0); ", "D_SYNTAX 1:18"},
    {"#error no\n", "D_PRAGERR 1:1"},
    {"#nonsense\n", "D_PRAGCTL_INVAL 1:1"},
    {"#pragma D nonsense\n", "D_PRAGMA_INVAL 1:1"},
    {"#pragma D option\n", "D_PRAGMA_MALFORM 1:1"},
    {"#line x\n", "D_PRAGMA_MALFORM 1:1"},
    // clauses
    {"BEGIN { trace(1) ", "D_SYNTAX 1:18"},
    {"BEGIN\n{\n  trace(1);\n  }\n}\n", "D_SYNTAX 5:1"},
    {"BEGIN { trace(1 2); }", "D_SYNTAX 1:17"},
    {"BEGIN { trace(); }", "D_PROTO_LEN 1:9"},
    {"BEGIN { x = ; }", "D_SYNTAX 1:13"},
    {"BEGIN /pid == { }", "D_SYNTAX 1:15"},
    {"BEGIN /pid == 1 { }", "D_SYNTAX 1:17"},
    {"a:b:c:d:e { }", "D_PDESC_INVAL 1:1"},
    {"BEGIN END { }", "D_SYNTAX 1:7"},
    {", { }", "D_SYNTAX 1:1"},
    {"BEGIN { if (1) trace(1) else trace(2); }", "D_SYNTAX 1:25"},
    // names and types
    {"BEGIN { trace(nothing); }", "D_IDENT_UNDEF 1:15"},
    {"BEGIN { trace(self->x); }", "D_VAR_UNDEF 1:15"},
    {"BEGIN { nothing(1); }", "D_FUNC_UNDEF 1:9"},
    {"BEGIN { panic(1); }", "D_PROTO_LEN 1:9"},
    {"BEGIN { x = printf(\"x\"); }", "D_CG_EXPR 1:13"},
    {"BEGIN { count(); }", "D_CG_EXPR 1:9"},
    {"BEGIN { 1(2); }", "D_FUNC_IDENT 1:10"},
    {"BEGIN { pid = 1; }", "D_OP_WRITE 1:13"},
    {"BEGIN { 1 = 2; }", "D_OP_LVAL 1:11"},
    {"BEGIN { pid++; }", "D_OP_WRITE 1:12"},
    {"BEGIN { x = 1; x = \"s\"; }", "D_OP_INCOMPAT 1:18"},
    {"BEGIN { x = \"s\"; x += 1; }", "D_OP_INCOMPAT 1:20"},
    {"BEGIN { trace(execname == 1); }", "D_OP_INCOMPAT 1:24"},
    {"BEGIN { trace(execname + execname); }", "D_OP_INCOMPAT 1:24"},
    {"BEGIN { trace((void *)1 + 1); }", "D_OP_INCOMPAT 1:25"},
    {"BEGIN { p = (void *)1; p++; }", "D_OP_VFPTR 1:25"},
    {"struct s { int a; } x; BEGIN { if (x) exit(0); }", "D_PRED_SCALAR 1:36"},
    {"struct s { int a; } x; BEGIN /x/ { exit(0); }", "D_PRED_SCALAR 1:31"},
    {"struct s { int a; } x; BEGIN { trace(x + 1); }", "D_OP_INCOMPAT 1:40"},
    {"struct s { int a; } x; BEGIN { trace(x * 1); }", "D_OP_ARITH 1:40"},
    {"struct s { int a; } x; BEGIN { trace(x & 1); }", "D_OP_INT 1:40"},
    {"struct s { int a; } x; BEGIN { trace(x == 1); }", "D_OP_INCOMPAT 1:40"},
    {"struct s { int a; } x; BEGIN { x = 1; }", "D_OP_INCOMPAT 1:34"},
    {"struct s { int a; } x; struct t { int a; } y; BEGIN { x = y; }", "D_OP_INCOMPAT 1:57"},
    {"struct s { int a : 3; } x; BEGIN { trace(&x.a); }", "D_ADDROF_BITFIELD 1:42"},
    {"struct s { int a : 3; }; BEGIN { trace(offsetof(struct s, a)); }", "D_OFFSETOF_BITFIELD 1:40"},
    {"struct s { int a : 3; } x; BEGIN { trace(sizeof (x.a)); }", "D_SIZEOF_BITFIELD 1:42"},
    {"struct s { int a : 33; };", "D_DECL_BFSIZE 1:16"},
    {"struct s { int a : 0; };", "D_DECL_BFCONST 1:16"},
    {"struct s { int *a : 1; };", "D_DECL_BFTYPE 1:17"},
    {"struct s x;", "D_DECL_INCOMPLETE 1:10"},
    {"int a[3]; BEGIN { trace(a[3]); }", "D_ARR_BOUNDS 1:26"},
    {"int a[3]; int b[3]; BEGIN { a = b; }", "D_OP_ARRFUN 1:31"},
    {"unsigned float x;", "D_DECL_SIGNINT 1:1"},
    {"long float x;", "D_DECL_LONGINT 1:1"},
    {"short char x;", "D_DECL_CHARATTR 1:1"},
    {"int f(int, void);", "D_DECL_PROTO_VOID 1:16"},
    {"BEGIN { trace(-execname); }", "D_OP_ARITH 1:16"},
    {"BEGIN { trace(~execname); }", "D_OP_INT 1:16"},
    {"BEGIN { trace(1 / 0); }", "D_DIV_ZERO 1:17"},
    {"BEGIN { trace(pid % (1 - 1)); }", "D_DIV_ZERO 1:19"},
    {"BEGIN { *execname = 'b'; }", "D_OP_LVAL 1:19"},
    {"BEGIN { trace(*1); }", "D_DEREF_NONPTR 1:15"},
    {"BEGIN { trace(*(void *)1); }", "D_DEREF_VOID 1:15"},
    {"BEGIN { x = 1; trace(&x); }", "D_ADDROF_VAR 1:22"},
    {"BEGIN { trace(&1); }", "D_ADDROF_LVAL 1:15"},
    {"BEGIN { trace(pid->x); }", "D_OP_PTR 1:18"},
    {"BEGIN { trace(pid.x); }", "D_OP_SOU 1:18"},
    {"BEGIN { trace(curpsinfo->nothing); }", "D_TYPE_MEMBER 1:24"},
    {"BEGIN { trace(rw_iswriter()); }", "D_PROTO_LEN 1:15"},
    {"BEGIN { trace(mutex_owned(1)); }", "D_PROTO_ARG 1:27"},
    {"BEGIN { trace(mutex_owner((struct mutex *)0)); }", "D_FUNC_UNDEF 1:15"},
    {"BEGIN { trace(`kernel); }", "D_IDENT_UNDEF 1:15"},
    {"BEGIN { trace(args[0]); }", "D_ARGS_IDX 1:19"},
    {"BEGIN { trace(uregs[99]); }", "D_REGS_IDX 1:20"},
    {"BEGIN { a[1] = 1; trace(a[\"x\"]); }", "D_PROTO_ARG 1:27"},
    {"BEGIN { a[1] = 1; trace(a[1, 2]); }", "D_PROTO_LEN 1:26"},
    {"BEGIN { a[1] = 1; trace(a); }", "D_IDENT_BADREF 1:25"},
    {"BEGIN { this->a[1] = 1; }", "D_ARR_LOCAL 1:16"},
    {"this int a[int];", "D_DECL_LOCASSC 1:10"},
    {"int x; string x;", "D_DECL_IDRED 1:15"},
    {"this x; self int x;", "D_DECL_IDRED 1:18"},
    {"int x; int x; extern int x; BEGIN { }", ""},
    {"int pid;", "D_DECL_IDRED 1:5"},
    {"void x;", "D_DECL_VOIDOBJ 1:6"},
    {"struct s { int a; int a; };", "D_UNKNOWN 1:23"},
    {"struct s { int a; }; struct s { int b; };", "D_DECL_TYPERED 1:29"},
    {"unsigned signed x;", "D_DECL_COMBO 1:1"},
    {"static int x;", "D_DECL_BADCLASS 1:1"},
    {"int x[0];", "D_DECL_ARRSUB 1:6"},
    {"enum e { a = 5000000000 };", "D_DECL_ENOFLOW 1:10"},
    {"BEGIN { trace((int)execname); }", "D_CAST_INVAL 1:15"},
    {"BEGIN { trace(sizeof (void)); }", "D_SIZEOF_TYPE 1:15"},
    {"struct s { int a; }; BEGIN { trace(offsetof(struct s, b)); }", "D_TYPE_MEMBER 1:36"},
    {"struct s; BEGIN { trace(((struct s *)0)->a); }", "D_OP_INCOMPLETE 1:40"},
    // functions and formats
    {"BEGIN { trace(strlen(1)); }", "D_PROTO_ARG 1:22"},
    {"BEGIN { trace(strlen(\"a\", 2)); }", "D_PROTO_LEN 1:15"},
    {"BEGIN { trace(lltostr(1, 37)); }", "D_PROTO_ARG 1:26"},
    {"BEGIN { trace(copyinstr(execname)); }", "D_PROTO_ARG 1:25"},
    {"BEGIN { printf(\"%d\", execname); }", "D_PRINTF_ARG_TYPE 1:22"},
    {"BEGIN { printf(\"%s\", pid); }", "D_PRINTF_ARG_TYPE 1:22"},
    {"BEGIN { printf(\"%d\"); }", "D_PRINTF_ARG_PROTO 1:9"},
    {"BEGIN { printf(\"%d\", 1, 2); }", "D_PRINTF_ARG_EXTRA 1:25"},
    {"BEGIN { printf(pid); }", "D_PRINTF_ARG_FMT 1:16"},
    {"BEGIN { printf(\"\"); }", "D_PRINTF_FMT_EMPTY 1:16"},
    {"BEGIN { printf(\"%*d\", execname, 1); }", "D_PRINTF_DYN_TYPE 1:23"},
    {"BEGIN { printf(\"%*d\"); }", "D_PRINTF_DYN_PROTO 1:9"},
    {"BEGIN { @ = count(); normalize(@); }", "D_PROTO_LEN 1:22"},
    {"BEGIN { printf(\"%@d\", 1); }", "D_PRINTF_AGG_CONV 1:16"},
    {"BEGIN { printf(\"%f\", 1); }", "D_PRINTF_ARG_TYPE 1:22"},
    {"double d; BEGIN { printf(\"%d\", d); }", "D_PRINTF_ARG_TYPE 1:32"},
    {"double d; BEGIN { x = d * 2; }", "D_OP_ARITH 1:25"},
    {"BEGIN { x = 1.5; }", "D_SYNTAX 1:13"},
    {"BEGIN { x = 1e3; }", "D_SYNTAX 1:13"},
    {"BEGIN { printf(\"%\"); }", "D_SYNTAX 1:16"},
    {"BEGIN { printf(\"%99999d\", 1); }", "D_SYNTAX 1:16"},
    {"BEGIN { tracemem(1, pid); }", "D_TRACEMEM_SIZE 1:21"},
    {"BEGIN { ustack(0); }", "D_USTACK_FRAMES 1:16"},
    {"BEGIN { stack(pid); }", "D_STACK_SIZE 1:15"},
    {"BEGIN { exit(); }", "D_PROTO_LEN 1:9"},
    {"BEGIN { trace(clear(@a)); }", "D_CLEAR_AGGBAD 1:21"},
    // aggregations
    {"BEGIN { @a = 1; }", "D_AGG_FUNC 1:14"},
    {"BEGIN { @a = strlen(\"x\"); }", "D_AGG_FUNC 1:14"},
    {"BEGIN { @a += count(); }", "D_AGG_FUNC 1:15"},
    {"BEGIN { @a; }", "D_AGG_NULL 1:9"},
    {"BEGIN { trace(@a); }", "D_TRACE_DYN 1:15"},
    {"BEGIN { x = @a; }", "D_OP_DYN 1:11"},
    {"BEGIN { @a = sum(execname); }", "D_AGG_SCALAR 1:18"},
    {"BEGIN { @a = count(); @a = sum(1); }", "D_AGG_REDEF 1:23"},
    {"BEGIN { @a[1] = count(); @a[1, 2] = count(); }", "D_PROTO_LEN 1:26"},
    {"BEGIN { @a[1] = count(); @a[\"x\"] = count(); }", "D_PROTO_ARG 1:29"},
    {"BEGIN { printa(1); }", "D_PRINTA_AGGARG 1:16"},
    {"BEGIN { printa(\"x\", 1); }", "D_PRINTA_AGGARG 1:21"},
    {"BEGIN { printa(@a); }", "D_PRINTA_AGGBAD 1:16"},
    {"BEGIN { @a[1] = count(); @b = count(); printa(@a, @b); }", "D_PRINTA_AGGPROTO 1:51"},
    {"BEGIN { @a = count(); printa(\"%d\", @a); }", "D_PRINTF_ARG_PROTO 1:30"},
    {"BEGIN { @a = lquantize(1, pid, 2); }", "D_LQUANT_BASETYPE 1:27"},
    {"BEGIN { @a = lquantize(1, 5, 2); }", "D_LQUANT_MISMATCH 1:14"},
    {"BEGIN { @a = lquantize(1, 0, 10, 0); }", "D_LQUANT_STEPTYPE 1:34"},
    {"BEGIN { @a = lquantize(1, 0, 10, 20); }", "D_LQUANT_STEPLARGE 1:14"},
    {"BEGIN { @a = lquantize(1, 0, 1000000); }", "D_LQUANT_STEPSMALL 1:14"},
    {"BEGIN { @a = lquantize(1, 0, 9); @a = lquantize(1, 0, 10); }", "D_LQUANT_MATCHLIM 1:34"},
    {"BEGIN { @a = llquantize(1, 1, 0, 1, 10); }", "D_LLQUANT_FACTORVAL 1:28"},
    {"BEGIN { @a = llquantize(1, 10, 0, 30, 10); }", "D_LLQUANT_HMAGVAL 1:35"},
    {"BEGIN { @a = quantize(); }", "D_QUANT_PROTO 1:14"},
    {"BEGIN { clear(1); }", "D_CLEAR_AGGARG 1:15"},
    {"BEGIN { clear(); }", "D_CLEAR_PROTO 1:9"},
    {"BEGIN { @a = count(); normalize(@a, execname); }", "D_NORMALIZE_SCALAR 1:37"},
    {"BEGIN { trunc(@a); }", "D_TRUNC_AGGBAD 1:15"},
};

TEST_CASE("d errors: every one has its tag and its place") {
  for (const Wrong& wrong : kWrong) {
    INFO(std::string(wrong.source));
    CHECK(error_of(wrong.source) == std::string(wrong.error));
  }
}

TEST_CASE("d errors: DTrace's own message, and apart from it what was expected") {
  auto text = [](const char* source, TagDisplay tags = TagDisplay::Hidden) {
    Diagnostic error = compiled(source).error();
    return describe(error, tags) + " / " + advice(error, PlaceDisplay::Line);
  };
  CHECK(text("BEGIN {\n  trace(1 +);\n}") == "line 2: syntax error near \")\" / column 12: expected an expression");
  CHECK(text("BEGIN { trace(\"\x1b[31m\" 1); }") ==
        "line 1: syntax error near \"1\" / column 23: expected an operator, a comma or )");
  CHECK(text("BEGIN { \x1b }") == "line 1: syntax error near \"\\x1b\" / column 9: expected a word of D");
  CHECK(text("BEGIN { printf(\"%d\", execname); }", TagDisplay::Shown) ==
        "[D_PRINTF_ARG_TYPE] line 1: printf( ) argument #2 is incompatible with conversion #1 prototype:\n"
        "\tconversion: %d\n\t prototype: char, short, int, long, or long long\n\t  argument: string / column 22");
}

TEST_CASE("d errors: a prototype and what was passed have lines of their own") {
  auto text = [](const char* source) { return describe(compiled(source).error()); };
  CHECK(text("BEGIN { trace(progenyof(\"x\")); }") ==
        "line 1: progenyof( ) argument #1 is incompatible with prototype:\n\t prototype: pid_t\n\t  argument: string");
  CHECK(text("BEGIN { trace(copyinstr(1, \"x\")); }") ==
        "line 1: copyinstr( ) argument #2 is incompatible with prototype:\n\t prototype: size_t\n\t  argument: string");
  CHECK(text("BEGIN { x[1] = 2; x[\"s\"] = 2; }") ==
        "line 1: x[ ] key #1 is incompatible with prototype:\n\t prototype: int\n\t  argument: string");
  CHECK(text("BEGIN { @a[1] = count(); @a[\"s\"] = count(); }") ==
        "line 1: @a[ ] key #1 is incompatible with prototype:\n\t prototype: int\n\t  argument: string");
}

TEST_CASE("d errors: deep nesting is refused, not followed") {
  std::string open(100000, '('), minus(100000, '-'), braces;
  CHECK(error_of("BEGIN { trace(" + open).starts_with("D_SYNTAX"));
  CHECK(error_of("BEGIN { trace(" + minus).starts_with("D_SYNTAX"));
  std::string sum = "1", stars(1000, '*');
  for (int i = 0; i < 10000; i++) sum += "+1";
  CHECK(error_of("BEGIN { trace(" + sum + "); }").starts_with("D_SYNTAX"));
  for (int i = 0; i < 5000; i++) braces += "if (1) { ";
  CHECK(error_of("BEGIN { " + braces).starts_with("D_SYNTAX"));
  CHECK(error_of("int " + stars + "x;").starts_with("D_TYPE_ERR"));
}

TEST_CASE("d errors: inline definitions that use one another neither nest nor multiply without end") {
  auto doubled = [](const std::string& first, int times) {
    std::string text = "inline int a0 = " + first + ";";
    for (int i = 1; i <= times; i++) {
      std::string before = "a" + std::to_string(i - 1);
      text += " inline int a" + std::to_string(i) + " = " + before + " + " + before + ";";
    }
    return text + " BEGIN { trace(a" + std::to_string(times) + "); }";
  };
  CHECK(error_of(doubled("pid", 10)) == "");
  CHECK(error_of(doubled("pid", 60)).starts_with("D_CG_EXPR 1:"));
  CHECK(DScene(doubled("3", 30)).fire() == "-1073741824");  // 3 << 30 as an int: worked out once for each name
  std::string deep = "inline int a0 = pid;";
  for (int i = 1; i < 1000; i++) {
    deep += " inline int a" + std::to_string(i) + " = 1 + a" + std::to_string(i - 1) + ";";
  }
  CHECK(error_of(deep + " BEGIN { trace(a999); }").starts_with("D_SYNTAX 1:"));
}

TEST_CASE("d errors: an expression that needs too many registers") {
  std::string deep = "execname";
  for (int i = 0; i < 40; i++) deep = "strjoin(execname, " + deep + ")";
  CHECK(error_of("BEGIN { trace(" + deep + "); }").starts_with("D_CG_EXPR"));
}

TEST_CASE("d errors: arguments that no source names") {
  DMacros macros{.arguments = {"x.d", "7", "name"}};
  CHECK(error_of("BEGIN { trace($1); }", macros) == "D_MACRO_UNUSED 1:1");
  CHECK(error_of("BEGIN { trace($1); trace($$2); }", macros) == "");
  macros.default_arguments = true;
  CHECK(error_of("BEGIN { trace($3); trace($$4); }", macros) == "");
}

TEST_CASE("d errors: the source they are in") {
  DSource sources[] = {{"BEGIN { x = 1; }"}, {"END { trace(x); trace(y); }"}};
  auto program = compile_d({.sources = sources});
  REQUIRE_FALSE(program);
  CHECK(program.error().source == 1);
  DMacros unused{.arguments = {"x.d", "7"}};
  auto of_all = compile_d({.sources = {sources, 1}, .macros = &unused});
  REQUIRE_FALSE(of_all);
  CHECK(of_all.error().source == 0);
}

TEST_CASE("d: control lines") {
  CHECK(error_of("#!/usr/sbin/dtrace -s\n#pragma D option quiet\n# 10 \"file.h\"\nBEGIN { x }") ==
        "D_IDENT_UNDEF 10:9");
  auto program = compiled("#pragma D option quiet\n#pragma D option strsize=16\nBEGIN {}");
  REQUIRE(program);
  CHECK(program->settings.quiet);
  CHECK(program->settings.strsize == 16);
}

TEST_CASE("d: a pid probe's module may be a path, and every description has its place") {
  auto program =
      compiled("pid12:/usr/lib/x-1.so:f:entry,\n  pid12:/opt/*/y:g:return /pid == 12/ {}\npid12:/pid == 1/ {}");
  REQUIRE(program);
  REQUIRE(program->clauses.size() == 2);
  CHECK(program->clauses[0].probes[0].module == "/usr/lib/x-1.so");
  CHECK(program->clauses[0].probes[1].text() == "pid12:/opt/*/y:g:return");
  CHECK(program->clauses[1].probes[0].text() == "::pid12:");
  const DPosition& second = program->clauses[0].probe_places.at(1);
  CHECK(second.line == 2);
  CHECK(second.column == 3);
}

TEST_CASE("d: without a target, defaultargs makes it 0") {
  CHECK(error_of("BEGIN { trace($target); }") == "D_MACRO_UNDEF 1:15");
  CHECK(error_of("#pragma D option defaultargs\nBEGIN { trace($targets); }") == "D_MACRO_UNDEF 2:15");
  CHECK(fire_once("#pragma D option defaultargs\nBEGIN { trace($target == 0); }") == "1");
  DMacros macros{.variables = {{"target", 12}}};
  DScene scene("#pragma D option defaultargs\nBEGIN { trace($target); }", macros);
  CHECK(scene.fire() == "12");
}

TEST_CASE("d: a source of a pid probe may be a path with a line, which is no predicate") {
  auto program = compiled(
      "pid12:/usr/x.so:src/m-1.c@42:/pid == 12/ {}\npid12:a.out::/src/m.c@4[0-2]\n{}\n"
      "pid12::f:m.c@42/pid == 12/ {}\npid12::f:entry/pid == 12/ {}");
  REQUIRE(program);
  REQUIRE(program->clauses.size() == 4);
  CHECK(program->clauses[0].probes[0].text() == "pid12:/usr/x.so:src/m-1.c@42:");
  CHECK(program->clauses[1].probes[0].text() == "pid12:a.out::/src/m.c@4[0-2]");
  CHECK(program->clauses[2].probes[0].text() == "pid12::f:m.c@42");
  CHECK(program->clauses[3].probes[0].text() == "pid12::f:entry");
}

TEST_CASE("d: macros are integers, names or strings, and stand in probe descriptions") {
  DMacros macros{.arguments = {"x.d", "-7", "open", "a b", "0x10"}, .variables = {{"target", 1234}, {"pid", 5}}};
  DScene scene("pid$target::$2:entry { printf(\"%d %s %s %d %d %s\", $1, $$2, $3, $4, $pid, $$target); }", macros);
  CHECK(scene.fire() == "-7 open a b 16 5 1234");
  CHECK(scene.program.clauses[0].probes[0].text() == "pid1234::open:entry");
}

}  // namespace
}  // namespace strut::test
