// What resolving addresses costs once a file's symbols are sorted: million lookups a second, and nanoseconds of each.
//
// Usage: lookups FILE [LOOKUPS]. Addresses are random ones of the file's functions.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "symtab/module.hpp"

namespace strut {
namespace {

int run(const char* path, size_t lookups) {
  auto elf = ElfFile::open(path);
  if (!elf) return std::fprintf(stderr, "lookups: %s\n", describe(elf.error()).c_str()), 1;
  Module module;
  module.path = path;
  module.file = std::make_shared<ModuleFile>(std::move(*elf), path, "");
  std::vector<uint64_t> addresses;
  std::mt19937_64 random(5);
  for (const Symbol& symbol : module.file->symbols().all())
    if (symbol.type == SymbolType::Function && symbol.bytes > 1)
      addresses.push_back(symbol.address + random() % symbol.bytes);
  if (addresses.empty()) return 1;
  std::ranges::shuffle(addresses, random);
  for (int i = 0; i < 8; i++) locate_in(module, addresses[0]);  // sorts the symbols
  auto began = std::chrono::steady_clock::now();
  size_t named = 0;
  for (size_t i = 0; i < lookups; i++) named += !locate_in(module, addresses[i % addresses.size()]).name.empty();
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%zu functions, %zu of %zu lookups named: %.2f million lookups/s, %.0f ns each\n", addresses.size(),
              named, lookups, static_cast<double>(lookups) / seconds / 1e6,
              seconds * 1e9 / static_cast<double>(lookups));
  return 0;
}

}  // namespace
}  // namespace strut

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: lookups FILE [LOOKUPS]\n"), 1;
  return strut::run(argv[1], argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2'000'000);
}
