// Strings, formats, programs' output.
#include "d_scene.hpp"
#include "dlang/machine/json_element.hpp"
#include "dlang/machine/text_functions.hpp"

namespace strut::test {
namespace {

std::string lltostr_of(uint64_t value, unsigned base) {
  std::string digits;
  for (; value != 0; value /= base) digits.insert(0, 1, "0123456789"[value % base]);
  return digits;
}

TEST_CASE("d strings: paths") {
  CHECK(base_of("/usr/lib/") == "lib");
  CHECK(base_of("x") == "x");
  CHECK(base_of("//") == "/");
  CHECK(base_of("") == ".");
  CHECK(folder_of("/usr/lib/") == "/usr");
  CHECK(folder_of("/usr//lib") == "/usr");
  CHECK(folder_of("/usr") == "/");
  CHECK(folder_of("usr") == ".");
  CHECK(folder_of("/") == "/");
  CHECK(clean_path("/foo/../bar//x/./") == "/bar/x");
  CHECK(clean_path("/../..") == "/");
  CHECK(clean_path("../a/..") == "..");
  CHECK(clean_path("./a") == "a");
  CHECK(clean_path("a/..") == ".");
  CHECK(clean_path("") == "");
}

TEST_CASE("d strings: parts and positions") {
  CHECK(part_of("foobarbaz", 3, 3) == "bar");
  CHECK(part_of("foobarbaz", 300, 3) == "");
  CHECK(part_of("foobarbaz", -3, 2) == "ba");
  CHECK(part_of("foobarbaz", 3, -3) == "bar");
  CHECK(part_of("foobarbaz", 0, -100) == "");
  CHECK(part_of("foobarbaz", -100, 95) == "foob");
  CHECK(part_of("foobarbaz", -100, INT64_MAX) == "foobarbaz");
  CHECK(part_of("x", INT64_MIN, INT64_MIN) == "");
  CHECK(first_position("barbarbaz", "bar", 1) == 3);
  CHECK(first_position("bar", "bar", 100) == -1);
  CHECK(first_position("bar", "", 3) == 3);
  CHECK(last_position("barbarbaz", "ba", 5) == 3);
  CHECK(last_position("bar", "ba", -1) == -1);
}

TEST_CASE("d strings: numbers") {
  CHECK(number_from("  -0x1fz", 16) == -31);
  CHECK(number_from("077", 8) == 63);
  CHECK(number_from("zz", 36) == 35 * 36 + 35);
  CHECK(number_from("99999999999999999999", 10) == INT64_MAX);
  CHECK(number_from("-99999999999999999999", 10) == INT64_MIN);
  CHECK(number_from("", 10) == 0);
  CHECK(digits_of(static_cast<uint64_t>(-5), 10) == "-5");
  CHECK(digits_of(64, 8) == "0100");
  CHECK(digits_of(0, 16) == "0x0");
}

TEST_CASE("d strings: elements of JSON") {
  constexpr std::string_view kText = R"( {"a": 1, "b" : {"c":"x\"y", "d":[1, 2.5,"three", {"e":null}]}, "f":[] } )";
  CHECK(json_element(kText, "a") == "1");
  CHECK(json_element(kText, "b.c") == R"(x\"y)");
  CHECK(json_element(kText, "b.d[1]") == "2.5");
  CHECK(json_element(kText, "b.d[2]") == "three");
  CHECK(json_element(kText, "b.d[3]") == R"({"e":null})");
  CHECK(json_element(kText, "b.d[3].e") == "null");
  CHECK(json_element("[[5,6],7]", "[0][1]") == "6");
  for (std::string_view path : {"", ".", "x", "a.b", "b.d[4]", "b.d[", "b.d[1", "b.d[-1]", "f[0]", "b.d.c", "a[0]"})
    CHECK_MESSAGE(!json_element(kText, path), path);
  for (std::string_view text : {"", "{", "[", R"({"a")", R"({"a":)", R"({"a":"b)", R"({"a":{"b":1)", R"({"b":"\)"})
    CHECK_MESSAGE(!json_element(text, "a"), text);
}

TEST_CASE("d text: %S escapes as DTrace does, trace() has columns by the value's size") {
  DScene scene("BEGIN { printf(\"%S|\", \"a\\001\\n\\\"\\\\\\377\"); trace(1LL); trace((char)1); }");
  CHECK(scene.fire() == "a\\001\\n\\\"\\\\\\377|11");
  scene.style.quiet = false;
  scene.formatter.reset();
  CHECK(scene.fire() == "a\\001\\n\\\"\\\\\\377|" + std::string(19, ' ') + "1   1");
}

TEST_CASE("d strings: subroutines") {
  CHECK(value_of("strlen(\"abc\")") == "3");
  CHECK(value_of("*\"abc\" == 'a'") == "1");
  CHECK(value_of("(int)*\"\\xe9\"") == "-23");
  CHECK(value_of("strchr(\"abc\", 'd') == NULL && sizeof(*\"abc\") == 1") == "1");
  CHECK(value_of("strjoin(\"a\", strjoin(\"b\", execname))") == "abls");
  CHECK(value_of("strchr(\"foobar\", 'b')") == "bar");
  CHECK(value_of("strrchr(\"foobarbaz\", 'b')") == "baz");
  CHECK(value_of("strchr(\"foo\", 'x') == NULL") == "1");
  CHECK(value_of("strstr(\"foobarbaz\", \"bar\")") == "barbaz");
  CHECK(value_of("substr(\"foobar\", 1, 3)") == "oob");
  CHECK(value_of("substr(\"foobar\", -2)") == "ar");
  CHECK(value_of("index(\"foobarbar\", \"bar\")") == "3");
  CHECK(value_of("index(\"foobarbar\", \"bar\", 4)") == "6");
  CHECK(value_of("rindex(\"foobarbar\", \"bar\")") == "6");
  CHECK(value_of("rindex(\"foobarbar\", \"bar\", 5)") == "3");
  CHECK(value_of("basename(\"/a/b\")") == "b");
  CHECK(value_of("dirname(\"/a/b\")") == "/a");
  CHECK(value_of("cleanpath(\"/a//b/../c\")") == "/a/c");
  CHECK(value_of("lltostr(-12)") == "-12");
  CHECK(value_of("lltostr(255, 16)") == "0xff");
  CHECK(value_of("strtoll(\"0x1f\", 16) + strtoll(\"10\")") == "41");
  CHECK(value_of("strtoll(\"1\", arg0)") == "<illegal operation in action #1>");
  CHECK(value_of("strjoin(tolower(\"AbC\"), toupper(\"AbC\"))") == "abcABC");
  CHECK(value_of("htons(0x1234) == 0x3412 && ntohl(0x12345678) == 0x78563412 && htonll(1) == 1LL << 56") == "1");
  CHECK(value_of("progenyof(1) + progenyof(2)") == "1");
  CHECK(printed("trace(strtok(\"a,b;c\", \",;\")); trace(strtok(NULL, \",;\")); trace(strtok(NULL, \",;\")); "
                "trace(strtok(NULL, \",;\") == NULL);") == "abc1");
}

TEST_CASE("d strings: they are as long as strsize lets them be") {
  DScene scene("BEGIN { x = strjoin(\"abcdef\", \"ghi\"); trace(x); trace(strlen(x)); trace(copyinstr(0x1000)); }", {},
               {.text_bytes = 8});
  scene.probe.target.put(0x1000, "0123456789");
  CHECK(scene.fire() == "abcdefg70123456");
}

TEST_CASE("d memory: copies of the target's") {
  ScriptedProbe probe;
  probe.target.put(0x1000, std::string_view("hello\0world", 12)).put(0x2000, "no end");
  CHECK(value_of("copyinstr(0x1000)", probe) == "hello");
  CHECK(value_of("copyinstr(0x1000, 3)", probe) == "hel");
  CHECK(value_of("copyinstr(0x2000)", probe) == "<invalid address (0x2006) in action #1>");
  CHECK(value_of("stringof(copyin(0x1006, 5))", probe) == "world");
  CHECK(value_of("stringof((char *)copyin(0x2000, 2))", probe) == "no");
  CHECK(printed("this->p = alloca(16); copyinto(0x1000, 5, this->p); bcopy(this->p, (char *)this->p + 5, 5); "
                "trace(stringof(this->p));",
                probe) == "hellohello");
  CHECK(printed("this->p = (int *)alloca(4); *this->p = 0x0100007f; trace(inet_ntoa(this->p));", probe) == "127.0.0.1");
  CHECK(printed("tracemem(copyin(0x1000, 12), 20);", probe).find("invalid address") != std::string::npos);
  CHECK(printed("tracemem(copyin(0x1000, 12), 12, 2);", probe) ==
        "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
        "         0: 68 65                                            he\n");
}

TEST_CASE("d strings: NULL is none: what reads it faults, comparisons and assignments do not") {
  const std::string fault = "<invalid address (0x0) in action #";
  CHECK(printed("trace(strstr(\"abc\", \"x\"));") == fault + "1>");
  CHECK(printed("self->s = \"x\"; self->s = NULL; trace(self->s);") == fault + "3>");
  CHECK(printed("self->s = \"\"; trace(self->s); trace(self->s == NULL); trace(strlen(self->s));") == "10");
  CHECK(printed("a[1] = \"\"; trace(a[1]); trace(a[2]);") == fault + "3>");
  CHECK(printed("a[1] = \"x\"; a[2] = a[1]; a[1] = a[3]; trace(a[2]); trace(a[1] == a[3]); trace(a[1] == \"\");") ==
        "x11");
  CHECK(printed("a[1] = \"x\"; trace(strlen(a[2]));") == fault + "2>");
  CHECK(printed("a[1] = \"x\"; trace(strjoin(a[1], a[2]));") == fault + "2>");
  CHECK(printed("a[1] = \"x\"; printf(\"%s\", a[2]);") == fault + "2>");
  CHECK(printed("a[1] = \"x\"; trace(a[2] != NULL ? 1 : 2); trace(a[1] != NULL ? 1 : 2);") == "21");
  CHECK(printed("trace(strtok(NULL, \",\"));") == fault + "1>");
  CHECK(printed("this->t = strtok(\",a\", \",\"); trace(this->t); trace(strtok(NULL, \",\") == NULL);") == "a1");
  CHECK(printed("a[1] = \"x\"; trace(strtok(\"b,c\", \",\")); trace(strtok(a[2], \",\"));") == "bc");
  CHECK(printed("s = \"x\"; s = NULL; @[s] = count(); trace(1);") == "1");
}

TEST_CASE("d texts: addresses of networks") {
  auto address = [](const std::string& call, const char* bytes) {
    ScriptedProbe probe;
    probe.target.put(0x1000, std::string_view(bytes, 16));
    return value_of(call + "copyin(0x1000, 16))", probe);
  };
  CHECK(address("inet_ntoa6(", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") == "::");
  CHECK(address("inet_ntoa6(", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1") == "::1");
  CHECK(address("inet_ntoa6(", "\xfe\x80\0\0\0\0\0\0\x2\x14\x4f\xff\xfe\x3b\x76\xc8") == "fe80::214:4fff:fe3b:76c8");
  CHECK(address("inet_ntoa6(", "\x10\x80\0\0\0\0\0\0\0\x8\x8\0\x20\x0c\x41\x7a") == "1080::8:800:200c:417a");
  CHECK(address("inet_ntoa6(", "\0\1\0\0\0\2\0\0\0\0\0\3\0\4\0\5") == "1:0:2::3:4:5");
  CHECK(address("inet_ntoa6(", "\0\1\0\0\0\2\0\0\0\3\0\0\0\0\0\0") == "1:0:2:0:3::");
  CHECK(address("inet_ntoa6(", "\0\1\0\0\0\0\0\3\0\3\0\0\0\0\0\5") == "1::3:3:0:0:5");
  CHECK(address("inet_ntoa6(", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") ==
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
  CHECK(address("inet_ntop(AF_INET6, ", "\0\0\0\0\0\0\0\0\0\0\xff\xff\1\2\3\4") == "::ffff:102:304");
  CHECK(address("inet_ntop(AF_INET, ", "\x7f\0\0\xff\0\0\0\0\0\0\0\0\0\0\0\0") == "127.0.0.255");
  CHECK(address("link_ntop(ARPHRD_ETHER, ", "\0\x1b\xff\xa0\1\x0a\0\0\0\0\0\0\0\0\0\0") == "00:1b:ff:a0:01:0a");
  CHECK(address("link_ntop(2, ", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") == "<illegal operation in action #1>");
  CHECK(address("inet_ntop(3, ", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") == "<illegal operation in action #1>");
  ScriptedProbe probe;
  probe.target.put(0x1000, "four");
  CHECK(value_of("inet_ntoa6(copyin(0x1000, 4))", probe).starts_with("<invalid address"));
}

TEST_CASE("d strings: digits of any base") {
  CHECK(value_of("lltostr(-1, 2)") == std::string(64, '1'));
  CHECK(value_of("lltostr(35, 36)") == "z");
  CHECK(value_of("lltostr(-35, 7)") == lltostr_of(static_cast<uint64_t>(-35), 7));
  CHECK(value_of("lltostr(8, 8)") == "010");
  CHECK(error_of("BEGIN { trace(lltostr(1, 1)); }").starts_with("D_PROTO_ARG"));
  CHECK(error_of("BEGIN { trace(lltostr(1, 37)); }").starts_with("D_PROTO_ARG"));
}

TEST_CASE("d memory: scratchsize limits what a firing allocates") {
  auto allocated = [](const std::string& statements) {
    return DScene("BEGIN { " + statements + " trace(1); }", {}, {.scratch_bytes = 100}).fire();
  };
  CHECK(allocated("alloca(100);") == "1");
  CHECK(allocated("alloca(0); alloca(96); alloca(4);") == "1");
  CHECK(allocated("alloca(101);") == "<out of scratch space in action #1>");
  CHECK(allocated("alloca(96); alloca(5);") == "<out of scratch space in action #2>");
}

TEST_CASE("d: numbers of devices") {
  CHECK(value_of("getmajor(0x12345678)") == "291");
  CHECK(value_of("getminor(0x12345678)") == "284280");
  CHECK(value_of("getmajor(-1)") == "4095");
}

TEST_CASE("d memory: the target is changed by destructive programs only") {
  DScene scene("BEGIN { raise(9); copyoutstr(\"abc\", 0x3000); copyout(alloca(2), 0x3002, 2); }");
  CHECK(scene.program.destructive == "raise");
  CHECK(scene.fire() == "");
  CHECK(scene.probe.done == std::vector<std::string>{"raise 9"});
  char text[4];
  CHECK(scene.probe.target.read_string(Addr{0x3000}, text).bytes == 3);
  CHECK(std::string(text, 3) == std::string("ab\0", 3));
  DScene refused("BEGIN { stop(); }");
  CHECK(refused.fire() == "<illegal operation in action #1>");
}

TEST_CASE("d printf: conversions") {
  CHECK(printed("printf(\"%d %i %u %x %X %o\", -1, (char)-2, -1, -1, 255, 8);") == "-1 -2 4294967295 ffffffff FF 10");
  CHECK(printed("printf(\"[%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d]\", 42, 42, 42, 42, 42, 7, 7);") ==
        "[   42|42   |00042|+42| 42|007|     007]");
  CHECK(printed("printf(\"[%#x|%#o|%#x|%p]\", 255, 8, 0, arg0);") == "[0xff|010|0|0]");
  CHECK(printed("printf(\"[%*d|%-*d|%.*s]\", 4, 1, 4, 2, 2, \"abc\");") == "[   1|2   |ab]");
  CHECK(printed("printf(\"[%*d]\", -4, 1);") == "[1   ]");
  CHECK(printed("printf(\"[%s|%5s|%-5s|%.1s]\", \"ab\", \"ab\", \"ab\", \"ab\");") == "[ab|   ab|ab   |a]");
  CHECK(printed("printf(\"%c%C%C %S%%\", 'x', 10, 'y', \"a\\tb\\\\\");") == "x\\ny a\\tb\\\\%");
  CHECK(printed("printf(\"%hhd %hd %ld %lld %wc %ws\", 1, (short)2, 3L, 4LL, 'c', \"s\");") == "1 2 3 4 c s");
  CHECK(printed("printf(\"%a %A %-10A|\", 33, 16, 17);") == "mod`f2+0x1 mod`f1 mod`f1+0x1|");
  CHECK(printed("printf(\"%d\", (int64_t)1 << 63);") == "-9223372036854775808");
  CHECK(printed("printf(\"%u\", (uint64_t)-1);") == "18446744073709551615");
  CHECK(printed("printf(\"no conversion\\n\");") == "no conversion\n");
}

TEST_CASE("d printf: dates are local") {
  setenv("TZ", "UTC", 1);
  tzset();
  CHECK(printed("printf(\"%Y\", (int64_t)1000000000 * 1000000000);") == "2001 Sep  9 01:46:40");
  CHECK(printed("printf(\"%T\", (int64_t)1000000000 * 1000000000);") == "Sun, 09 Sep 2001 01:46:40 +0000");
  CHECK(time_text(-1, 'Y') == "1969 Dec 31 23:59:59");
}

TEST_CASE("d printf: stacks") {
  ScriptedProbe probe;
  probe.frames = {33, 64};
  CHECK(printed("ustack();", probe) == "\n              mod`f2+0x1\n              mod`f4\n");
  CHECK(printed("ustack(1); printf(\"%k\", ustack());", probe) ==
        "\n              mod`f2+0x1\n\n              mod`f2+0x1\n              mod`f4\n");
  CHECK(printed("usym(33); umod(33); uaddr(33);", probe) == "mod`f2modmod`f2+0x1");
}

TEST_CASE("d actions: raise() alone makes a row, subroutines and assignments do not") {
  auto rows = [](const char* statement) {
    DScene scene("BEGIN { " + std::string(statement) + " }");
    scene.fire();
    return scene.fired;
  };
  CHECK(rows("raise(9);") == 1);
  CHECK(rows("x = 1;") == 0);
  CHECK(rows("copyoutstr(\"abc\", 0x3000);") == 0);
}

TEST_CASE("d printf: a precision of 0 cuts no string") {
  CHECK(printed("printf(\"%.0s|%.2s|%5.0s\", \"abc\", \"abc\", \"abc\");") == "abc|ab|  abc");
}

TEST_CASE("d trace: columns are DTrace's, -q has none") {
  DScene scene("BEGIN { trace(1); trace((short)2); trace((char)3); trace(4LL); trace(\"abc\"); usym(16); }");
  scene.style.quiet = false;
  CHECK(scene.fire() ==
        "          1     2   3                   4  abc                                mod`f1                          "
        "   "
        "               ");
}

TEST_CASE("d trace: what the target wrote never reaches a terminal raw") {
  DScene scene("BEGIN { trace(copyinstr(0x1000)); printf(\"%s|%c\\x1b\", copyinstr(0x1000), 27); }");
  scene.probe.target.put(0x1000, std::string_view("\x1b[31m\n\xc3\xa4\xff\xc2\x9b\0", 12));
  scene.style.escape_controls = true;
  CHECK(scene.fire() == "\\033[31m\n\xc3\xa4\\377\\302\\233\\033[31m\n\xc3\xa4\\377\\302\\233|\\033\x1b");
}

TEST_CASE("d actions: what is done outside happens in order") {
  DScene scene(
      "BEGIN { printf(\"a\"); system(\"echo %s\", execname); trace(\"b\"); freopen(\"/tmp/%d\", pid); ftruncate(); "
      "setopt(\"quiet\"); setopt(\"x\", \"y\"); trace(\"c\"); }");
  CHECK(scene.fire() == "c");
  CHECK(scene.program.destructive == "system");
  DScene back("BEGIN { freopen(\"\"); }");
  back.fire();
  CHECK(back.console.done == std::vector<std::string>{"write ", "freopen "});
  CHECK(scene.console.done == std::vector<std::string>{"write a", "system echo ls", "write b", "freopen /tmp/100",
                                                       "write ", "ftruncate", "write ", "setopt quiet=", "write ",
                                                       "setopt x=y"});
}

}  // namespace
}  // namespace strut::test
