// Our own prototypes: the libraries have the rows' names, and the rows are right.
#include "libcalls/prototypes/function_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include "tests/unit/scripted_memory.hpp"
#include "tests/unit/show.hpp"
#include "x86/argument_places.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "formatters/ltrace/value.hpp"
#include "symtab/elf/elf_file.hpp"
#include "symtab/elf/symbol_table.hpp"

namespace strut::test {
namespace {

/// Functions that some versions of a library have and others do not.
const std::set<std::string_view> kComesAndGoes = {"cfree",    "arc4random", "stime", "ftime", "__xstat",
                                                  "__lxstat", "__fxstat",   "bcopy", "drem"};
/// The C library's that are linked into each program.
const std::set<std::string_view> kInPrograms = {"atexit", "pthread_atfork"};

// Read as files: a library that is loaded here would stay, and change the results of other tests in this process.
std::optional<ElfFile> installed(std::string_view soname) {
  for (const char* directory :
       {"/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/", "/lib64/", "/usr/lib64/", "/usr/lib/"})
    if (auto file = ElfFile::open(directory + std::string(soname))) return std::move(*file);
  return std::nullopt;
}

TEST_CASE("functions: libraries have them") {
  for (const FunctionSubject& subject : function_subjects()) {
    std::optional<ElfFile> library = installed(subject.library);
    if (!library) {
      MESSAGE("not installed, its names are not checked: " << std::string(subject.library));
      continue;
    }
    SymbolTable symbols;
    symbols.add(*library);
    for (const FunctionDesc* each : subject.rows) {
      const FunctionDesc& row = *each;
      bool expected = !kComesAndGoes.contains(row.name) && !kInPrograms.contains(row.name);
      if (expected && symbols.named(row.name).empty())
        FAIL_CHECK(std::string(subject.library) << " has no " << std::string(row.name));
    }
  }
}

TEST_CASE("functions: rows are whole") {
  std::set<std::string_view> names;
  for (const FunctionSubject& subject : function_subjects())
    for (const FunctionDesc* each : subject.rows) {
      const FunctionDesc& row = *each;
      CAPTURE(row.name);
      CHECK(names.insert(row.name).second);
      CHECK((row.syscall == nullptr || row.args.empty()));
      if (row.varargs == Varargs::Syscall) REQUIRE_FALSE(row.args.empty());
      else if (row.varargs != Varargs::No) {
        REQUIRE_FALSE(row.args.empty());
        CHECK(row.args.back().type.kind == Kind::Pointer);
      }
      for (const ArgType& arg : row.args) {
        CHECK_FALSE(std::string_view(arg.name).empty());
        if (arg.type.length.from == LengthFrom::Arg) CHECK(arg.type.length.index < row.args.size());
        if (arg.direction != Direction::In) CHECK((arg.type.kind == Kind::Pointer || arg.type.kind == Kind::Custom));
      }
      CHECK(find_prototype(row.name) == &row);
    }
  CHECK(names.size() > 1000);
}

TEST_CASE("functions: names that stand for others") {
  CHECK(find_prototype("open64") == find_prototype("open"));
  CHECK(find_prototype("__isoc99_sscanf") == find_prototype("sscanf"));
  CHECK(find_prototype("fread_unlocked") == find_prototype("fread"));
  CHECK(find_prototype("_IO_putc") == find_prototype("putc"));
  CHECK(find_prototype("__strdup") == find_prototype("strdup"));
  CHECK(find_prototype("nosuchfunction") == nullptr);
  CHECK(find_prototype("64") == nullptr);
  CHECK(find_prototype("__") == nullptr);
}

/// A call as ltrace's text would have it.
struct TableScene {
  ScriptedMemory memory;
  ScriptedSurroundings around;
  DecodeOptions options;

  TableScene() { memory.put(0x1000, std::string("/etc/x\0", 7)).put(0x2000, std::string("hello world\0", 12)); }
  std::string call(std::string_view name, std::initializer_list<uint64_t> integers, uint64_t rax,
                   int error_number = 0) {
    const FunctionDesc* desc = find_prototype(name);
    REQUIRE(desc != nullptr);
    FunctionCall call;
    call.desc = desc;
    DecodedCall decoded;
    EntryRegisters entry;
    std::copy(integers.begin(), integers.end(), entry.integers.begin());
    decode_entry(call, entry, {memory, around, options}, decoded);
    decode_return(call, {rax}, error_number, {memory, around, options}, decoded);
    TextBuffer text;
    for (size_t i = 0; i < decoded.count; i++) {
      if (i != 0) text.put(", ");
      put_ltrace_value(text, decoded.args[i].value, 32);
    }
    text.put(" = ");
    if (!decoded.result.absent()) put_ltrace_value(text, decoded.result, 32);
    return std::string(text.view());
  }
};

TEST_CASE("functions: open shows its flags, and a mode only if it creates") {
  TableScene scene;
  CHECK(scene.call("open", {0x1000, 02000000, 0}, 3) == "\"/etc/x\", O_RDONLY|O_CLOEXEC = 3");
  CHECK(scene.call("open64", {0x1000, 0101, 0644}, 0xffffffff, 13) == "\"/etc/x\", O_WRONLY|O_CREAT, 0644 = -1");
}

TEST_CASE("functions: buffers are as long as the call says") {
  TableScene scene;
  CHECK(scene.call("read", {3, 0x2000, 100}, 5) == "3, \"hello\", 100 = 5");
  CHECK(scene.call("fread", {0x2000, 2, 10, 0x30}, 3) == "\"hello \", 2, 10, 0x30 = 3");
  CHECK(scene.call("fwrite", {0x2000, 1, 4, 0x30}, 4) == "\"hell\", 1, 4, 0x30 = 4");
  CHECK(scene.call("memcpy", {0x10, 0x2000, 3}, 0x10) == "0x10, \"hel\", 3 = 0x10");
  CHECK(scene.call("strncmp", {0x2000, 0x1000, 4}, 1) == "\"hell\", \"/etc\", 4 = 1");
  CHECK(scene.call("fgets", {0x2000, 100, 0x30}, 0) == "0x2000, 100, 0x30 = nil");
}

TEST_CASE("functions: a size that the compiler did not know is -1") {
  TableScene scene;
  CHECK(scene.call("__memcpy_chk", {0x10, 0x2000, 3, ~0ull}, 0x10) == "0x10, \"hel\", 3, -1 = 0x10");
  CHECK(scene.call("__memcpy_chk", {0x10, 0x2000, 3, 80}, 0x10) == "0x10, \"hel\", 3, 80 = 0x10");
}

TEST_CASE("functions: characters, errors, handlers") {
  TableScene scene;
  CHECK(scene.call("toupper", {'a'}, 'A') == "'a' = 'A'");
  CHECK(scene.call("getc", {0x30}, 0xffffffff) == "0x30 = EOF");
  CHECK(scene.call("pthread_mutex_trylock", {0x30}, 16) == "0x30 = EBUSY");
  CHECK(scene.call("signal", {2, 1}, 0) == "SIGINT, SIG_IGN = SIG_DFL");
  CHECK(scene.call("setlocale", {6, 0}, 0x2000) == "LC_ALL, nil = \"hello world\"");
}

TEST_CASE("functions: structures have names for their members") {
  TableScene scene;
  scene.memory.put_object(0x3000, std::array<int, 14>{1, 2, 3, 4, 5, 126});
  CHECK(scene.call("mktime", {0x3000}, 7)
            .starts_with("{ tm_sec=1, tm_min=2, tm_hour=3, tm_mday=4, tm_mon=5, tm_year=126, ... }"));
  scene.memory.put_object(0x4000, std::array<uint64_t, 2>{5, 6});
  CHECK(scene.call("nanosleep", {0x4000, 0}, 0).starts_with("{ tv_sec=5, tv_nsec=6 }, nil"));
}

TEST_CASE("functions: the names of TS 18661-3 are those of the plainer types") {
  CHECK(find_prototype("cosf64") == find_prototype("cos"));
  CHECK(find_prototype("cosf32x") == find_prototype("cos"));
  CHECK(find_prototype("cosf32") == find_prototype("cosf"));
  CHECK(find_prototype("lseek64") == find_prototype("lseek"));
}

}  // namespace
}  // namespace strut::test
