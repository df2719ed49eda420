#include "kassist/linker_breakpoint.hpp"

#include <cstdio>
#include <string_view>

#include "core/proc/maps.hpp"
#include "symtab/raw_symbols.hpp"

namespace strut {

namespace {

/// Of glibc, and of musl, whose linker is its C library.
bool is_linker(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("ld-") || name.starts_with("ld.so");
}

std::string map_file(Pid pid, const Mapping& mapping) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%d/map_files/%lx-%lx", raw(pid), raw(mapping.start), raw(mapping.end));
  return name;
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

std::optional<LinkerBreakpoint> linker_breakpoint(Pid pid) {
  auto maps = maps_of(pid);
  if (!maps) return std::nullopt;
  for (const Mapping& mapping : *maps) {
    if (!mapping.executable || mapping.inode == 0 || !is_linker(mapping.path)) continue;
    std::string path = map_file(pid, mapping);
    auto file = ElfFile::open(path);
    if (!file) continue;
    auto called = address_of(*file, "_dl_debug_state"), debug = address_of(*file, "_r_debug");
    auto offset = called ? file->offset_of_address(*called) : std::nullopt;
    if (!offset || !debug) continue;
    uint64_t device = uint64_t{mapping.device_major} << 32 | mapping.device_minor;
    return LinkerBreakpoint{path, device, mapping.inode, *offset, static_cast<int32_t>(*debug - *called)};
  }
  return std::nullopt;
}

}  // namespace strut
