#include "libcalls/pairing/errno_place.hpp"

#include <elf.h>

#include "symtab/elf/raw_symbols.hpp"
#include "symtab/elf/relocations.hpp"
#include "symtab/elf/thread_storage.hpp"

namespace strut {

namespace {

/// The offset in the library's thread-local storage.
std::optional<uint64_t> offset_of_errno(const ElfFile& file) {
  RawSymbols symbols(file, ".dynsym");
  for (size_t i = 0; i < symbols.size(); i++) {
    RawSymbol raw = symbols.at(i);
    if ((raw.info & 15) != STT_TLS) continue;
    auto symbol = symbols.symbol(i, raw);
    if (symbol && symbol->name == "errno") return symbol->address;
  }
  return std::nullopt;
}

/// Where the library's thread-local storage begins, by a word that says where something in it is.
std::optional<int64_t> storage_of(const PlacedModule& placed, Memory& memory) {
  for (const Relocation& relocation : relocations_of(placed.module->elf())) {
    if (relocation.type != R_X86_64_TPOFF64 || relocation.symbol != 0) continue;
    int64_t place = 0;
    auto bytes = std::as_writable_bytes(std::span(&place, 1));
    bool read = memory.read(Addr{placed.bias + relocation.at}, bytes).bytes == bytes.size();
    // A library loaded at start has its storage below the thread's control block; 0 and more: not relocated yet.
    if (!read || place >= 0) return std::nullopt;
    return place - relocation.addend;
  }
  return std::nullopt;
}

uint64_t rounded_up(uint64_t number, uint64_t align) { return (number + align - 1) / align * align; }

/// Where the storage of one more module will begin. nullopt: there is room left between others that the linker may put
/// it into.
std::optional<uint64_t> place_below(uint64_t offset, const ThreadStorage& storage) {
  uint64_t wanted = offset + storage.bytes;
  uint64_t first = (storage.align - storage.address % storage.align) % storage.align;
  uint64_t place = rounded_up(wanted - first, storage.align) + first;
  return place - wanted < sizeof(uint64_t) ? std::optional(place) : std::nullopt;
}

/// A library that is mapped and not yet in the linker's list comes behind those that are.
std::optional<int64_t> storage_to_come(const CallModule& library, std::span<const CallModule* const> order) {
  std::optional<uint64_t> offset = 0;
  auto add = [&](const CallModule& module) {
    if (auto storage = thread_storage_of(module.elf())) offset = place_below(*offset, *storage);
  };
  for (const CallModule* module : order) {
    if (module == &library) break;
    add(*module);
    if (!offset) return std::nullopt;
  }
  add(library);
  return offset ? std::optional(-static_cast<int64_t>(*offset)) : std::nullopt;
}

}  // namespace

std::optional<int64_t> errno_place(std::span<const PlacedModule> modules, std::span<const CallModule* const> order,
                                   Memory& memory) {
  for (const PlacedModule& placed : modules) {
    if (placed.module->names().soname != "libc.so.6") continue;
    auto offset = offset_of_errno(placed.module->elf());
    auto storage = offset ? storage_of(placed, memory) : std::nullopt;
    if (offset && !storage && !order.empty()) storage = storage_to_come(*placed.module, order);
    if (storage) return *storage + static_cast<int64_t>(*offset);
  }
  return std::nullopt;
}

}  // namespace strut
