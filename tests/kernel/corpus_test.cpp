// Random programs, from a grammar without incomparable results: all computations, with all kinds of storage.
//
// STRUT_ROUNDS=N for more than a few.
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include <sys/mman.h>
#include <unistd.h>

#include "dlang/compiler/compile.hpp"
#include "kernel_scene.hpp"
#include "tests/unit/dlang/d_scene.hpp"

namespace strut::test {
namespace {

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::string program() {
    std::string text =
        "int64_t x; uint32_t y; string s; self string ss; self int64_t si; self short sh; this string ts; this int64_t "
        "ti;"
        "int64_t table[int64_t, string]; string names[int64_t];\n"
        "struct cell { int64_t n; short v[3]; char c[10]; }; struct cell gc; self struct cell sc; this struct cell tc; "
        "struct cell ec[int64_t]; int64_t keyed[struct cell, int];\n";
    for (int i = 0; i < 5; i++) {
      text += "BEGIN ";
      if (one_of(3) == 0) text += "/" + number(2) + "/ ";
      text += "{ ";
      for (unsigned n = 1 + one_of(5); n > 0; n--) text += statement();
      text += "}\n";
    }
    return text;
  }
  uint64_t value() {
    static constexpr uint64_t kEdges[] = {0,          1,          2,         7,          10,    63,
                                          64,         255,        256,       4095,       65535, 0x7fffffff,
                                          0x80000000, 0xffffffff, INT64_MAX, 1ull << 63, ~0ull, ~0ull - 1};
    return one_of(3) == 0 ? (uint64_t{random_()} << 32 | random_()) : kEdges[one_of(std::size(kEdges))];
  }
  unsigned one_of(size_t many) { return static_cast<unsigned>(random_() % many); }

 private:
  std::string pick(std::initializer_list<std::string> from) { return from.begin()[one_of(from.size())]; }

  /// A structure of any storage.
  std::string cell() { return pick({"gc", "self->sc", "this->tc", "ec[x]", "ec[arg0]", "ec[1]"}); }

  std::string of_cells() {
    switch (one_of(6)) {
      case 0:
        return cell() + "." + pick({"n", "v[0]", "v[2]", "c[9]"}) + pick({" = ", " += ", " |= "}) + number(2) + "; ";
      case 1: return cell() + ".v[(uint64_t)" + number(1) + " % 3] = " + number(1) + "; ";
      case 2: return cell() + " = " + cell() + "; ";
      case 3: return "@o[" + cell() + "] = count(); @p[" + cell() + ", " + string(1) + "] = sum(" + number(1) + "); ";
      case 4: return "keyed[" + cell() + ", " + pick({"1", "y", "arg1"}) + "] = " + number(1) + "; ";
      default: return "tracemem(" + cell() + ".c, 10); printf(\"%s\", " + cell() + ".c); ";
    }
  }

  std::string number(int depth) {
    if (depth == 0 || one_of(6) == 0) {
      return pick({"arg0", "arg1", "arg2", "arg3", "arg7", "x", "y", "this->ti", "self->si", "self->sh", "0", "1", "-1",
                   "3", "10", "0x7fffffff", "-2147483648", "uid"});
    }
    switch (one_of(15)) {
      case 14: return pick({cell() + ".n", cell() + ".v[2]", "keyed[" + cell() + ", 1]"});
      case 13:
        return "((uint64_t)" + number(depth - 1) + " " + pick({"/", "%", "<=", "<", ">>"}) + " (uint64_t)" +
               number(depth - 1) + ")";
      case 0:
        return "(" + number(depth - 1) + " " + pick({"+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"}) + " " +
               number(depth - 1) + ")";
      case 1:
        return "(" + number(depth - 1) + " " + pick({"<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^"}) + " " +
               number(depth - 1) + ")";
      case 2: return "(" + pick({"-", "~", "!"}) + "(" + number(depth - 1) + "))";
      case 3:
        return "((" + pick({"char", "uint8_t", "short", "uint16_t", "int", "uint32_t", "int64_t", "uint64_t"}) + ")" +
               number(depth - 1) + ")";
      case 4: return "(" + number(depth - 1) + " ? " + number(depth - 1) + " : " + number(depth - 1) + ")";
      case 5: return "strlen(" + string(depth - 1) + ")";
      case 6: return pick({"index(", "rindex("}) + string(depth - 1) + ", " + string(depth - 1) + ")";
      case 7:
        return pick({"index(", "rindex("}) + string(depth - 1) + ", " + string(depth - 1) + ", " + number(depth - 1) +
               ")";
      case 8: return "strtoll(" + string(depth - 1) + ", " + pick({"10", "16", "8", "2", "36", "arg3"}) + ")";
      case 9: return "(" + string(depth - 1) + " " + pick({"<", "==", "!=", ">="}) + " " + string(depth - 1) + ")";
      case 10: return "table[" + number(depth - 1) + ", " + string(depth - 1) + "]";
      case 11: return pick({"htons(", "htonl(", "htonll("}) + number(depth - 1) + ")";
      default: return pick({"pid", "tid", "ppid", "progenyof(1)", "progenyof(ppid)", "curpsinfo->pr_pgid"});
    }
  }

  std::string string(int depth) {
    if (depth <= 0 || one_of(5) == 0) {
      return pick({"copyinstr(arg8)", "copyinstr(arg9)", "s", "this->ts", "self->ss", "\"\"", "\"a\"",
                   "\"/usr//lib/./x/../libc.so.6\"", "\"../..\"", "\"0x1fZ\"", "\"  -42abc\"", "\"/\"", "\"aXbXaXc\"",
                   "\"hello, world\"", "execname", "probefunc", "\"abcdefghijklmnopqrstuvwxyz0123456789\"",
                   "names[x]"});
    }
    switch (one_of(12)) {
      case 0: return "strjoin(" + string(depth - 1) + ", " + string(depth - 1) + ")";
      case 1: return "substr(" + string(depth - 1) + ", " + number(depth - 1) + ")";
      case 2: return "substr(" + string(depth - 1) + ", " + number(depth - 1) + ", " + number(depth - 1) + ")";
      case 3:
        return pick({"strchr(", "strrchr("}) + string(depth - 1) + ", " + pick({"'a'", "'/'", "'X'", "0", "arg1"}) +
               ")";
      case 4: return "strstr(" + string(depth - 1) + ", " + string(depth - 1) + ")";
      case 5: return pick({"basename(", "dirname(", "cleanpath("}) + string(depth - 1) + ")";
      case 6: return "lltostr(" + number(depth - 1) + pick({"", ", 16", ", 8", ", 10"}) + ")";
      case 7: return pick({"tolower(", "toupper("}) + string(depth - 1) + ")";
      case 8:
        return "strtok(" + pick({"\"a b,c\"", "NULL", "copyinstr(arg8)", "\"//x//\""}) + ", " +
               pick({"\" ,\"", "\"/\"", "\"\"", "s"}) + ")";
      case 9: return "(" + number(depth - 1) + " ? " + string(depth - 1) + " : " + string(depth - 1) + ")";
      case 10: return "copyinstr(arg8, " + number(depth - 1) + ")";
      default: return "names[" + number(depth - 1) + "]";
    }
  }

  std::string statement() {
    switch (one_of(22)) {
      case 18:
      case 19:
      case 20:
      case 21: return of_cells();
      case 15: return pick({"usym", "uaddr", "umod", "sym", "mod"}) + "(arg1); ";
      case 16: return pick({"@j[usym(arg0)]", "@m[uaddr(arg0)]", "@n[sym(arg0)]"}) + " = count(); ";
      case 17: return "@l[stringof(s), (char)arg1] = sum(1); ";
      case 0:
      case 1: return "trace(" + number(3) + "); ";
      case 2:
      case 3: return "trace(" + string(3) + "); ";
      case 4: return "printf(\"%d %s %x\", " + number(2) + ", " + string(2) + ", " + number(2) + "); ";
      case 5:
        return pick({"x", "this->ti", "self->si", "self->sh", "y"}) + " " + pick({"=", "+=", "-=", "^="}) + " " +
               number(3) + "; ";
      case 6: return pick({"s", "this->ts", "self->ss"}) + " = " + string(3) + "; ";
      case 7: return "table[" + number(1) + ", " + string(1) + "] = " + number(2) + "; ";
      case 8: return "names[" + number(1) + "] = " + string(2) + "; ";
      case 9: return "@a[" + number(1) + "] = " + "sum(" + number(2) + "); ";
      case 10:
        return pick({"@b = count(", "@c[\"k\", pid] = min(", "@d = max(", "@e[x] = avg(", "@f = stddev(",
                     "@g = quantize(", "@h[probefunc] = lquantize("}) +
               "LAST";
      case 11: return "@i[" + string(1) + "] = llquantize(" + number(2) + ", 10, 0, 6, 20); ";
      case 12: return "tracemem(copyin(arg8, " + pick({"1", "16", "40", "5000"}) + "), 16); ";
      case 13: return "this->ti += *(" + pick({"char *", "uint16_t *", "int *", "uint64_t *"}) + ")copyin(arg8, 8); ";
      default: return "self->ss = NULL; ";
    }
  }

 public:
  /// Aggregating functions want different arguments.
  static std::string finished(std::string text, Writer& writer) {
    for (size_t at; (at = text.find("LAST")) != std::string::npos;) {
      size_t begin = text.rfind('@', at);
      std::string_view kind = std::string_view(text).substr(begin, at - begin);
      std::string end = kind.find("count") != kind.npos       ? "); "
                        : kind.find("lquantize") != kind.npos ? writer.number(2) + ", -10, 100, 7); "
                                                              : writer.number(2) + "); ";
      text.replace(at, 4, end);
    }
    return text;
  }

 private:
  std::mt19937 random_;
};

/// A page of text, and an unreadable one after it.
class Page {
 public:
  Page() : at_(static_cast<char*>(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::mprotect(at_ + 4096, 4096, PROT_NONE);
    for (size_t i = 0; i < 4096; i++) at_[i] = "a/b c.XY,0123-"[i * 7 % 14];
  }
  ~Page() { ::munmap(at_, 8192); }
  /// A string of so many bytes, and, if it is to, nothing behind it that can be read.
  uint64_t text(size_t length, bool ends) {
    char* begin = at_ + 4096 - length - (ends ? 1 : 0);
    if (ends) at_[4095] = '\0';
    else at_[4095] = 'z';
    return reinterpret_cast<uint64_t>(begin);
  }

 private:
  char* at_;
};

TEST_CASE("kernel: random programs do what DMachine does") {
  const char* rounds = std::getenv("STRUT_ROUNDS");
  Page one, two;
  unsigned compiled_programs = 0;
  std::string refused;
  for (unsigned seed = 1; seed <= (rounds ? std::strtoul(rounds, nullptr, 10) : 40); seed++) {
    Writer writer(seed);
    DSource source{Writer::finished(writer.program(), writer)};
    auto program = compile_d({.sources = {&source, 1}});
    if (!program) {
      refused = describe(program.error(), TagDisplay::Shown);
      continue;
    }
    compiled_programs++;
    DLimits limits;
    limits.text_bytes = seed % 4 == 0 ? 16 : seed % 4 == 1 ? 33 : 256;
    auto scene = KernelScene::create(*program, limits);
    if (!scene) {
      FAIL_CHECK(source.text << describe(scene.error()));
      continue;
    }
    for (int i = 0; i < 6; i++) {
      std::vector<uint64_t> arguments;
      for (int k = 0; k < 8; k++) arguments.push_back(writer.value());
      arguments.push_back(one.text(writer.one_of(300), writer.one_of(4) != 0));
      arguments.push_back(i == 5 ? 0 : two.text(writer.one_of(40), true));
      std::string difference = (*scene)->fire(arguments);
      if (difference.empty()) continue;
      FAIL_CHECK("seed " << seed << " firing " << i << '\n' << source.text << disassemble(*program) << difference);
      break;
    }
  }
  CHECK_MESSAGE(compiled_programs > 20, refused);
}

/// Both engines have room for one element: 6000 bytes in DMachine, the power of two above in the kernel.
TEST_CASE("kernel: an element without room is dropped, counted, and as absent as others") {
  auto program = compiled("struct s { char a[5000]; }; struct s e[int]; BEGIN { e[1].a[0] = 1; e[2].a[0] = 2; "
                          "trace(e[1].a[0]); trace(e[2].a[0]); trace(e[3].a[0]); }");
  REQUIRE(program);
  auto scene = KernelScene::create(*program, {.dynamic_bytes = 6000});
  REQUIRE_MESSAGE(scene, describe(scene.error()));
  CHECK((*scene)->fire({}) == "");
  CHECK((*scene)->kernel->take_lost().dynamic_variable == 1);
}

TEST_CASE("kernel: instructions that the compiler does not make") {
  DProgram program;
  program.texts = {"some text", "x"};
  program.code = {
      {DOp::Text, 0, 0, 0, 0},      {DOp::TextCopy, 1, 0, 0, 0},     {DOp::Immediate, 0, 0, 0, 32},
      {DOp::Allocate, 1, 0, 0, 0},  {DOp::ScratchStore, 1, 1, 0, 0}, {DOp::ScratchText, 2, 1, 0, -1},
      {DOp::Immediate, 2, 0, 0, 4}, {DOp::Text, 3, 0, 0, 1},         {DOp::Record, 0, 0, 0, 0},
      {DOp::PutText, 1, 0, 0, 0},   {DOp::PutText, 2, 0, 0, 0},      {DOp::ScratchStore, 1, 3, 0, 2},
      {DOp::PutBytes, 1, 0, 0, 0},  {DOp::Immediate, 2, 0, 0, 3},    {DOp::ScratchStore, 1, 0, 0, 2},
      {DOp::PutBytes, 1, 0, 0, 0},  {DOp::End, 0, 0, 0, 0},
  };
  DShape text{.kind = DShape::Kind::Text}, bytes{.kind = DShape::Kind::Bytes};
  program.actions.push_back({.kind = DAction::Kind::Printf, .items = {text, text, bytes, bytes}});
  program.clauses.push_back(
      {.end = static_cast<uint32_t>(program.code.size()), .integer_registers = 3, .text_registers = 4});
  auto valid = verify(program);
  REQUIRE_MESSAGE(valid, valid.error());
  auto scene = KernelScene::create(program, {});
  REQUIRE_MESSAGE(scene, describe(scene.error()));
  CHECK((*scene)->fire({}) == "");
}

}  // namespace
}  // namespace strut::test
