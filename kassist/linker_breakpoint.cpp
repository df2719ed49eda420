#include "kassist/linker_breakpoint.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "symtab/raw_symbols.hpp"

namespace strut {

namespace {

/// Of glibc, and of musl, whose linker is its C library.
bool is_linker(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("ld-") || name.starts_with("ld.so");
}

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

std::optional<Mapping> linker_mapping(Pid pid) {
  auto maps = maps_of(pid);
  if (!maps) return std::nullopt;
  auto found = std::ranges::find_if(
      *maps, [](const Mapping& mapping) { return mapping.executable && mapping.inode != 0 && is_linker(mapping.path); });
  return found == maps->end() ? std::nullopt : std::optional(*found);
}

std::optional<LinkerBreakpoint> linker_breakpoint(Pid pid, const Mapping& mapping) {
  std::string path = map_file_path(pid, mapping);
  auto file = ElfFile::open(path);
  if (!file) return std::nullopt;
  auto called = address_of(*file, "_dl_debug_state"), debug = address_of(*file, "_r_debug");
  auto offset = called ? file->offset_of_address(*called) : std::nullopt;
  if (!offset || !debug) return std::nullopt;
  return LinkerBreakpoint{path, *offset, static_cast<int32_t>(*debug - *called)};
}

}  // namespace strut
