#include "kassist/uprobes/linker_breakpoint.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string_view>

#include "symtab/elf/raw_symbols.hpp"

namespace strut {

namespace {

std::optional<uint64_t> address_of(const ElfFile& file, std::string_view name) {
  RawSymbols symbols(file, ".dynsym");
  std::optional<uint64_t> found;
  symbols.each([&](size_t i, const RawSymbol& raw) {
    auto symbol = found ? std::nullopt : symbols.symbol(i, raw);
    if (symbol && symbol->name == name) found = raw.value;
  });
  return found;
}

}  // namespace

bool is_linker(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("ld-") || name.starts_with("ld.so");
}

std::vector<uint64_t> offsets_of(std::span<const std::string_view> functions, const std::string& path) {
  std::set<uint64_t> found;
  auto file = ElfFile::open(path);
  if (!file) return {};
  RawSymbols symbols(*file, ".dynsym");
  symbols.each([&](size_t i, const RawSymbol& raw) {
    auto symbol = raw.value == 0 ? std::nullopt : symbols.symbol(i, raw);
    if (!symbol || std::ranges::find(functions, symbol->name) == functions.end()) return;
    if (auto offset = file->offset_of_address(raw.value)) found.insert(*offset);
  });
  return {found.begin(), found.end()};
}

std::optional<LinkerBreakpoint> linker_breakpoint(const std::string& path) {
  auto file = ElfFile::open(path);
  if (!file) return std::nullopt;
  auto called = address_of(*file, "_dl_debug_state"), debug = address_of(*file, "_r_debug");
  auto offset = called ? file->offset_of_address(*called) : std::nullopt;
  if (!offset || !debug) return std::nullopt;
  return LinkerBreakpoint{*offset, static_cast<int32_t>(*debug - *called)};
}

}  // namespace strut
