// Prototypes from debug information that gcc writes here and now.
#include "libcalls/prototypes/dwarf_prototypes.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

#include "formatters/ltrace/value.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "symtab/elf/elf_file.hpp"
#include "symtab/process/module.hpp"
#include "tests/unit/scripted_memory.hpp"

namespace strut::test {
namespace {

constexpr const char* kSource = R"(
enum colour { RED = 1, GREEN };
struct point { short x; char name[6]; struct point *next; double d; unsigned bits : 3; };
union both { int i; float f; };
typedef struct _IO_FILE FILE;
struct hidden;
int pick(enum colour c, const char *name, int *out, void (*callback)(int), FILE *stream, struct hidden *h) { return *out; }
double far(const struct point *p, union both b, float f, _Bool yes) { return f; }
void say(int level, const char *format, ...) {}
struct point *walk(struct point *p) { return p; }
long many[2][3];
long (*rows(long (*a)[3]))[3] { return a; }
)";

/// GCC makes copies of it for its callers here: without `mode`, and with a member of `p` instead.
constexpr const char* kAltered = R"(
struct pair { long a, b; };
static __attribute__((noinline)) long scaled(long a, long mode, long k) { long r = mode == 7 ? a * k : a + k; __asm__ volatile("" : "+r"(r)); return r; }
static __attribute__((noinline)) long member(struct pair *p, long k) { long r = p->b * k; __asm__ volatile("" : "+r"(r)); return r; }
__attribute__((noinline)) long as_it_is(long a, long b) { return a * b; }
__attribute__((noinline)) struct { long x[4]; } in_memory(long a) { __typeof__(in_memory(0)) r = {{a}}; return r; }
__attribute__((noinline)) void nothing(void) { __asm__ volatile(""); }
long all(long n, struct pair *p) { nothing(); return scaled(n, 7, n + 1) + scaled(n + 3, 7, n) + member(p, n) + as_it_is(n, 2) + in_memory(n).x[1]; }
)";

/// The source as a shared library with debug information, and its prototypes.
struct Compiled {
  std::string path = "/tmp/strut-dwarf-test-" + std::to_string(getpid());
  std::unique_ptr<ModuleFile> module;
  PrototypeStore store;
  ScriptedMemory memory;
  ScriptedSurroundings around;
  DecodeOptions options;

  explicit Compiled(const char* source = kSource, const std::string& flags = "-g -O0") {
    std::ofstream(path + ".c") << source;
    std::string command = "gcc -w " + flags + " -shared -fPIC -o " + path + ".so " + path + ".c";
    if (std::system(command.c_str()) != 0) return;
    auto file = ElfFile::open(path + ".so");
    REQUIRE(file);
    module = std::make_unique<ModuleFile>(std::move(*file), path + ".so", "");
  }
  ~Compiled() {
    for (const char* ending : {".c", ".so"}) unlink((path + ending).c_str());
  }
  std::string call(std::string_view name, const EntryRegisters& entry, uint64_t rax) {
    DwarfPrototypes prototypes(module->prototypes(), store);
    const FunctionDesc* desc = prototypes.named(name);
    REQUIRE(desc != nullptr);
    CHECK(prototypes.named(name) == desc);
    FunctionCall call;
    call.desc = desc;
    DecodedCall decoded;
    decode_entry(call, entry, {memory, around, options}, decoded);
    decode_return(call, {rax, 0, {}, true}, 0, {memory, around, options}, decoded);
    TextBuffer text;
    for (size_t i = 0; i < decoded.count; i++) {
      if (i != 0) text.put(", ");
      put_ltrace_value(text, decoded.args[i].value, 32);
    }
    text.put(" = ");
    put_ltrace_value(text, decoded.result, 32);
    return std::string(text.view());
  }
};

TEST_CASE("dwarf prototypes: types become values") {
  Compiled compiled;
  REQUIRE_MESSAGE(compiled.module != nullptr, "gcc is needed");
  compiled.memory.put(0x1000, std::string("abc\0", 4)).put_object<int>(0x2000, 7);
  EntryRegisters entry;
  entry.has_floatings = true;
  entry.integers = {2, 0x1000, 0x2000, 0x3000, 0, 0x4000};
  CHECK(compiled.call("pick", entry, 7) == "GREEN, \"abc\", 7, 0x3000, nil, 0x4000 = 7");
  entry.integers = {1, 0x1000};
  compiled.memory.put(0x1000, std::string("%s!\0", 4)).put(0x5000, std::string("x\0", 2));
  entry.integers[2] = 0x5000;
  CHECK(compiled.call("say", entry, 0).starts_with("1, \"%s!\", \"x\" = "));
}

TEST_CASE("dwarf prototypes: structures, unions and what is behind pointers") {
  Compiled compiled;
  REQUIRE_MESSAGE(compiled.module != nullptr, "gcc is needed");
  struct Point {
    short x;
    char name[6];
    uint64_t next;
    double d;
    uint64_t bits;
  } point{3, "ab", 0, 1.5, 0};
  compiled.memory.put_object(0x1000, point);
  EntryRegisters entry;
  entry.has_floatings = true;
  entry.integers = {0x1000, 5, 1};
  entry.floatings[0] = 0x40200000;
  CHECK(compiled.call("far", entry, 0)
            .starts_with("{ x=3, name=\"ab\", next=nil, d=1.500000 }, { i=5 }, 2.500000, true = "));
  CHECK(compiled.call("walk", entry, 0x1000) ==
        "{ x=3, name=\"ab\", next=nil, d=1.500000 } = { x=3, name=\"ab\", next=nil, d=1.500000 }");
  point.next = 0x1000;  // a ring: followed as far as it goes, then an address
  compiled.memory.put_object(0x1000, point);
  CHECK(compiled.call("walk", entry, 0).find("next=0x1000") != std::string::npos);
}

/// The description by the address of a function with a symbol that begins so.
const FunctionDesc* known_at(Compiled& compiled, std::string_view name) {
  DwarfPrototypes prototypes(compiled.module->prototypes(), compiled.store);
  for (const Symbol& symbol : compiled.module->symbols().all())
    if (symbol.name.starts_with(name)) return prototypes.at(symbol.address, symbol.name);
  FAIL("no such function");
  return nullptr;
}

TEST_CASE("dwarf prototypes: arguments that the compiler left out or moved are not known") {
  Compiled compiled(kAltered, "-g -O2");
  REQUIRE_MESSAGE(compiled.module != nullptr, "gcc is needed");
  CHECK(known_at(compiled, "scaled") == nullptr);
  CHECK(known_at(compiled, "member") == nullptr);
  CHECK(known_at(compiled, "as_it_is") != nullptr);
  CHECK(known_at(compiled, "in_memory") != nullptr);
  CHECK(known_at(compiled, "nothing") != nullptr);
}

TEST_CASE("dwarf prototypes: lines alone say nothing of what functions take") {
  Compiled compiled(kAltered, "-g1 -O2");
  REQUIRE_MESSAGE(compiled.module != nullptr, "gcc is needed");
  CHECK(known_at(compiled, "as_it_is") == nullptr);
  CHECK(known_at(compiled, "nothing") == nullptr);
}

TEST_CASE("dwarf prototypes: what is not there is not known") {
  Compiled compiled;
  REQUIRE_MESSAGE(compiled.module != nullptr, "gcc is needed");
  DwarfPrototypes prototypes(compiled.module->prototypes(), compiled.store);
  CHECK(prototypes.named("nosuch") == nullptr);
  CHECK(prototypes.at(0xffffff, "nosuch") == nullptr);
  CHECK(prototypes.named("rows") != nullptr);
}

}  // namespace
}  // namespace strut::test
