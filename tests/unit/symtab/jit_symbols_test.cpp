#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symtab/process/jit_symbols.hpp"
#include "symtab/process/process_modules.hpp"

using namespace strut;

namespace {

/// A jitdump file, record by record.
struct Dump {
  std::vector<std::byte> bytes;

  template <typename T>
  Dump& put(T value) {
    auto* at = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), at, at + sizeof(value));
    return *this;
  }
  Dump& header() {
    return put(0x4a695444u).put(1u).put(40u).put(62u).put(0u).put(1u).put(uint64_t{0}).put(uint64_t{0});
  }
  Dump& load(uint64_t at, uint64_t size, const std::string& name) {
    put(0u).put(static_cast<uint32_t>(56 + name.size() + 1 + size)).put(uint64_t{5});
    put(1u).put(1u).put(at).put(at).put(size).put(uint64_t{0});
    for (char c : name) put(c);
    put('\0');
    bytes.resize(bytes.size() + size);
    return *this;
  }
  Dump& move(uint64_t from, uint64_t to, uint64_t size) {
    return put(1u).put(64u).put(uint64_t{6}).put(1u).put(1u).put(from).put(from).put(to).put(size).put(uint64_t{0});
  }
};

std::string name_at(const JitSymbols& symbols, uint64_t address) {
  auto found = symbols.at(Addr{address});
  return found ? std::string(found->name) + "+" + std::to_string(found->offset) : "";
}

}  // namespace

TEST_CASE("jit: a perf map names ranges; names may hold blanks, malformed lines are left out") {
  JitSymbols symbols;
  symbols.read_perf_map(
      "1000 20 LazyCompile:~f /a b.js:1\nnonsense\n0x2000 10 g\n3000 0 nothing\nffffffffffffffff 10 h\n4000 8 last");
  CHECK(name_at(symbols, 0x1000) == "LazyCompile:~f /a b.js:1+0");
  CHECK(name_at(symbols, 0x101f) == "LazyCompile:~f /a b.js:1+31");
  CHECK(name_at(symbols, 0x1020).empty());
  CHECK(name_at(symbols, 0x2004) == "g+4");
  CHECK(name_at(symbols, 0x4007) == "last+7");
  CHECK(symbols.size() == 3);
}

TEST_CASE("jit: memory that is used again has its later name") {
  JitSymbols symbols;
  symbols.read_perf_map("1000 100 first\n1100 100 second\n10c0 80 third\n");
  CHECK(name_at(symbols, 0x10bf) == "first+191");
  CHECK(name_at(symbols, 0x10c0) == "third+0");
  CHECK(name_at(symbols, 0x113f) == "third+127");
  CHECK(name_at(symbols, 0x1140).empty());  // the rest of second is no function any more
}

TEST_CASE("jit: a jitdump's code is found where it was loaded and moved to; a cut one in part") {
  Dump dump;
  dump.header().load(0x1000, 16, "f").load(0x2000, 16, "g").move(0x1000, 0x3000, 16);
  JitSymbols symbols;
  symbols.read_jitdump(dump.bytes);
  CHECK(name_at(symbols, 0x1001).empty());
  CHECK(name_at(symbols, 0x2001) == "g+1");
  CHECK(name_at(symbols, 0x3001) == "f+1");
  JitSymbols cut;
  cut.read_jitdump(std::span(dump.bytes).first(dump.bytes.size() - 70));
  CHECK(name_at(cut, 0x1001) == "f+1");
  CHECK(name_at(cut, 0x2001).empty());
}

TEST_CASE("jit: code of this process that no file has is called what its perf map calls it, and the map may grow") {
  void* code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(code != MAP_FAILED);
  auto address = reinterpret_cast<uint64_t>(code);
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  char line[128];
  std::snprintf(line, sizeof line, "%lx 20 made_first\n", address);
  std::ofstream(path) << line;
  ModuleCache cache;
  ProcessModules modules(Pid{getpid()}, cache);
  REQUIRE(modules.refresh());
  CHECK(modules.locate(Addr{address + 3}).name == "made_first");
  CHECK(modules.locate(Addr{address + 0x40}).name.empty());
  std::snprintf(line, sizeof line, "%lx 20 made_later\n", address + 0x40);
  std::ofstream(path, std::ios::app) << line;
  Location later = modules.locate(Addr{address + 0x44});
  CHECK(later.name == "made_later");
  CHECK(later.offset == 4);
  CHECK_FALSE(later.module);
  unlink(path.c_str());
  munmap(code, 4096);
}
