#include <algorithm>

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include "procfs/remote_memory.hpp"
#include "symtab/elf/dynamic.hpp"
#include "symtab/process/link_map.hpp"

using namespace strut;

TEST_CASE("link map: the linker's list is that of the maps; dlmopen's namespaces have numbers of their own") {
  void* other = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);
  REQUIRE(other);
  ModuleCache cache;
  ProcessModules modules(Pid{getpid()}, cache);
  REQUIRE(modules.refresh());
  RemoteMemory memory(Tid{getpid()});
  std::vector<LinkedModule> linked = link_maps(modules, memory);
  auto count = [&](uint32_t name_space) { return std::ranges::count(linked, name_space, &LinkedModule::name_space); };
  CHECK(count(0) >= 3);  // this program, libc, the linker
  CHECK(count(1) >= 2);  // libm and a libc of its own
  for (const LinkedModule& module : linked) {
    const Module* mapped = modules.module_at(Addr{module.dynamic});
    REQUIRE(mapped);
    CHECK(mapped->bias == module.bias);
  }
  auto libm = std::ranges::find_if(
      linked, [](const LinkedModule& module) { return module.path.ends_with("libm.so.6") && module.name_space == 1; });
  REQUIRE(libm != linked.end());
  auto found = modules.module_at(Addr{libm->dynamic})->file->symbols().named("cos");
  REQUIRE_FALSE(found.empty());
  CHECK(dlclose(other) == 0);
}

int runs = 0;
[[gnu::constructor]] void runs_before_main() { runs++; }

TEST_CASE("dynamic tags: what this program needs, and what runs before main") {
  CHECK(runs == 1);
  auto file = ElfFile::open("/proc/self/exe");
  REQUIRE(file);
  DynamicTags tags = dynamic_tags(*file);
  CHECK(std::ranges::find(tags.needed, std::string_view("libc.so.6")) != tags.needed.end());
  CHECK(tags.debug_at != 0);
  SymbolTable symbols;
  symbols.add(*file);
  bool runs_first = std::ranges::any_of(tags.init_array, [&](uint64_t function) {
    auto symbol = symbols.at(function);
    return symbol && symbol->offset == 0 && symbol->symbol->name.find("runs_before_main") != std::string_view::npos;
  });
  CHECK(runs_first);
  auto libc = ElfFile::open("/lib/x86_64-linux-gnu/libc.so.6");
  if (!libc) return;
  DynamicTags of_libc = dynamic_tags(*libc);
  CHECK(of_libc.soname == "libc.so.6");
  for (uint64_t function : of_libc.init_array) CHECK(function != 0);
}
