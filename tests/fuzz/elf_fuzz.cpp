// Reads the fuzzer's bytes as an ELF file: headers, sections, symbols, versions, relocations, stubs, notes, links to
// debug files, frame descriptions, lines. Small programs are the first inputs (elf_seeds).
//
// fuzz: rooms: below-symtab symtab; options: -max_len=32768
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "symtab/dwarf/debug_files.hpp"
#include "symtab/elf/dynamic.hpp"
#include "symtab/elf/usdt.hpp"
#include "symtab/elf/usdt_arguments.hpp"
#include "symtab/process/module.hpp"
#include "tests/fuzz/input.hpp"

using namespace strut;

namespace {

constexpr size_t kAddresses = 4;

void look_up(const ModuleFile& file, uint64_t address) {
  Module module{file.path(), false, {}, {}, 0, std::shared_ptr<const ModuleFile>(&file, [](const ModuleFile*) {})};
  Location location = locate_in(module, address);
  if (!location.name.empty() && location.offset > address && !location.is_stub) std::abort();
  if (auto bounds = file.bounds().at(address); bounds && (address < bounds->begin || address >= bounds->end))
    std::abort();
  if (auto function = file.fullest_symbols().function_at(address);
      function && function->offset >= function->symbol->bytes)
    std::abort();
  static_cast<void>(file.lines().at(address));
  static_cast<void>(file.lines().inlined_at(address));
}

void look_at_all(const ModuleFile& file) {
  uint64_t sum = 0;
  for (const Symbol& symbol : file.symbols().all()) sum += symbol.name.size() + symbol.version.size();
  for (const GotSlot& slot : file.got()) sum += slot.name.size();
  for (const PltStub& stub : file.plt()) {
    sum += file.name_of(stub).size();
    if (file.stub_at(stub.address) == nullptr) std::abort();
  }
  for (const UsdtProbe& probe : usdt_probes(file.elf()))
    sum += usdt_arguments(probe.arguments).size() + probe.name.size();
  DynamicTags tags = dynamic_tags(file.elf());
  sum += tags.needed.size() + tags.init_array.size() + tags.soname.size();
  for (const Note& note : file.elf().notes()) sum += note.content.size() + note.owner.size();
  for (const std::string& damage : file.elf().damage()) sum += damage.size();
  static volatile uint64_t looked_at;  // so that none of it can be left out
  looked_at = sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(bytes);
  auto elf = ElfFile::over({first, first + size}, "fuzz");
  if (!elf) return 0;
  static_cast<void>(debug_file_candidates(*elf, "/bin/fuzz", ""));
  static_cast<void>(mini_debug_file(*elf));
  uint64_t entry = elf->entry();
  uint64_t code = elf->segments().empty() ? 0 : elf->segments()[0].address;
  ModuleFile file(std::move(*elf), "", "/nonexistent");
  fuzz::Input tail(bytes + size - std::min(size, kAddresses * 2), std::min(size, kAddresses * 2));
  look_up(file, entry);
  for (size_t i = 0; i < kAddresses; i++) look_up(file, code + tail.take<uint16_t>());
  look_at_all(file);
  for (const Symbol& symbol : file.symbols().all().first(std::min<size_t>(file.symbols().all().size(), 16)))
    look_up(file, symbol.address);
  return 0;
}
