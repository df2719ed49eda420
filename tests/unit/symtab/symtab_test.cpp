#include <cstring>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "symtab/dwarf/debug_files.hpp"
#include "symtab/elf/go_file.hpp"
#include "symtab/elf/usdt.hpp"
#include "symtab/process/process_modules.hpp"

using namespace strut;

extern "C" __attribute__((noinline)) int symtab_test_landmark(int value) {
  return value * 3 + static_cast<int>(getpid() != 0);
}

namespace {

std::vector<std::byte> own_bytes() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// Whether this program would be Go's with other bytes somewhere in its file: notes stand at its beginning, names of
/// sections at its end, and constants of this test between them.
bool is_go_with(std::string_view old, std::string_view other) {
  std::vector<std::byte> bytes = own_bytes();
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  size_t at = old.front() == '.' ? text.rfind(old) : text.find(old);
  REQUIRE(at != text.npos);
  REQUIRE(old.size() == other.size());
  std::memcpy(bytes.data() + at, other.data(), other.size());
  auto file = ElfFile::over(std::move(bytes), "changed");
  REQUIRE(file);
  return has_go_code(*file);
}

Addr address_of(const void* at) { return Addr{reinterpret_cast<uint64_t>(at)}; }

}  // namespace

TEST_CASE("symtab: code of Go is known by a section or by its note") {
  using namespace std::string_view_literals;
  CHECK_FALSE(is_go_with("GNU\0"sv, "GNU\0"sv));
  CHECK(is_go_with(".note.gnu.build-id\0"sv, ".note.go.buildid\0\0\0"sv));
  CHECK(is_go_with("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"sv, "\x04\0\0\0\x14\0\0\0\x04\0\0\0Go\0\0"sv));
  CHECK_FALSE(is_go_with("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"sv, "\x04\0\0\0\x14\0\0\0\x03\0\0\0Go\0\0"sv));
}

TEST_CASE("symtab: an address of this process is a function of the program, by its live maps") {
  ModuleCache cache;
  ProcessModules modules(Pid{getpid()}, cache);
  REQUIRE(modules.refresh());
  auto* landmark = reinterpret_cast<const char*>(&symtab_test_landmark);
  Location location = modules.locate(address_of(landmark + 4));
  CHECK(location.name == "symtab_test_landmark");
  CHECK(location.offset == 4);
  REQUIRE(location.module);
  CHECK(location.module == modules.named("a.out"));
  auto found = location.module->file->symbols().named("symtab_test_landmark");
  REQUIRE_FALSE(found.empty());
  CHECK(found[0]->address + location.module->bias == reinterpret_cast<uint64_t>(landmark));
}

TEST_CASE("symtab: libraries go by their stem, the vdso comes from memory") {
  ModuleCache cache;
  ProcessModules modules(Pid{getpid()}, cache);
  REQUIRE(modules.refresh());
  const Module* libc = modules.named("libc");
  REQUIRE(libc);
  CHECK(libc->name() == "libc.so.6");
  CHECK_FALSE(libc->file->symbols().named("malloc").empty());
  const Module* vdso = modules.module_at(Addr{getauxval(AT_SYSINFO_EHDR)});
  REQUIRE(vdso);
  REQUIRE(vdso->file);
  CHECK_FALSE(vdso->file->symbols().named("__vdso_clock_gettime").empty());
}

TEST_CASE("symtab: a refresh keeps the modules that stayed") {
  ModuleCache cache;
  ProcessModules modules(Pid{getpid()}, cache);
  REQUIRE(modules.refresh());
  const Module* before = modules.named("libc");
  REQUIRE(modules.refresh());
  CHECK(modules.named("libc") == before);
}

TEST_CASE("symtab: every PLT stub goes through a slot that a relocation names") {
  auto file = ElfFile::open("/proc/self/exe");
  REQUIRE(file);
  auto slots = got_slots(*file);
  auto stubs = plt_stubs(*file, slots);
  CHECK(stubs.size() > 10);
  bool has_getpid = false;
  for (const PltStub& stub : stubs) has_getpid |= stub.name == "getpid";
  CHECK(has_getpid);
}

TEST_CASE("symtab: of two names for an address the public one wins, then the one without underscores") {
  Symbol a{"read", {}, true, 16, 8, SymbolType::Function, Binding::Weak};
  Symbol b{"__read", {}, true, 16, 8, SymbolType::Function, Binding::Global};
  Symbol c{"aread", {}, true, 16, 8, SymbolType::Function, Binding::Local};
  CHECK(is_better_name(a, b));
  CHECK(is_better_name(b, c));
  CHECK_FALSE(is_better_name(c, a));
}

TEST_CASE("symtab: what is no ELF file is refused, and says why") {
  auto text = ElfFile::open("/proc/self/status");
  REQUIRE_FALSE(text);
  CHECK(text.error().why == "not an ELF file");
  CHECK(ElfFile::open("/nonexistent").error().code == ENOENT);
  CHECK_FALSE(ElfFile::open("/"));
}

TEST_CASE("symtab: a file that is cut anywhere is refused or read in part, without harm") {
  std::vector<std::byte> whole = own_bytes();
  for (size_t length : {size_t{0}, size_t{4}, size_t{63}, size_t{64}, size_t{200}, size_t{4096}, whole.size() / 2,
                        whole.size() - 100}) {
    auto file = ElfFile::over({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}, "cut");
    if (!file) continue;
    SymbolTable symbols;
    symbols.add(*file);
    static_cast<void>(symbols.at(file->entry()));
    static_cast<void>(plt_stubs(*file, got_slots(*file)));
    static_cast<void>(usdt_probes(*file));
    static_cast<void>(file->build_id());
    static_cast<void>(mini_debug_file(*file));
  }
}
