// Cost of resolving addresses once a file's symbols are sorted and its units are read: nanoseconds of each lookup.
//
// Usage: lookups FILE [LOOKUPS]. Addresses are random ones of the file's functions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>

#include "symtab/process/module.hpp"

namespace strut {
namespace {

using Addresses = std::vector<uint64_t>;

Addresses random_addresses(const ModuleFile& file) {
  Addresses addresses;
  std::mt19937_64 random(5);
  for (const Symbol& symbol : file.symbols().all())
    if (symbol.type == SymbolType::Function && symbol.bytes > 1)
      addresses.push_back(symbol.address + random() % symbol.bytes);
  std::ranges::shuffle(addresses, random);
  return addresses;
}

/// CPU time of `find` for `lookups` addresses, each of which it was asked for before; says how many it found something
/// for.
template <typename Find>
void measure(const char* what, const Addresses& addresses, size_t lookups, Find find) {
  size_t different = std::min(addresses.size(), lookups), found = 0;
  for (size_t i = 0; i < different; i++) find(addresses[i]);
  std::clock_t began = std::clock();
  for (size_t i = 0; i < lookups; i++) found += find(addresses[i % different]);
  double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  std::printf("%-10s %8zu different, %8zu of %8zu found, %9.0f ns each\n", what, different, found, lookups,
              seconds * 1e9 / static_cast<double>(lookups));
}

int run(const char* path, size_t lookups) {
  auto elf = ElfFile::open(path);
  if (!elf) return std::fprintf(stderr, "lookups: %s\n", describe(elf.error()).c_str()), 1;
  Module module;
  module.path = path;
  module.file = std::make_shared<ModuleFile>(std::move(*elf), path, "");
  const ModuleFile& file = *module.file;
  Addresses addresses = random_addresses(file);
  if (addresses.empty()) return 1;
  for (int i = 0; i < 8; i++) locate_in(module, addresses[0]);  // sorts the symbols
  measure("names", addresses, lookups, [&](uint64_t at) { return !locate_in(module, at).name.empty(); });
  measure("lines", addresses, lookups / 20, [&](uint64_t at) { return file.lines().at(at).has_value(); });
  measure("inlined", addresses, lookups / 40, [&](uint64_t at) { return !file.lines().inlined_at(at).empty(); });
  measure("prototypes", addresses, lookups / 200, [&](uint64_t at) {
    auto prototype = file.prototypes().at(at);
    return prototype && !file.prototypes().text(*prototype).empty();
  });
  return 0;
}

}  // namespace
}  // namespace strut

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: lookups FILE [LOOKUPS]\n"), 1;
  return strut::run(argv[1], argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2'000'000);
}
