#include "symtab/module.hpp"

#include <algorithm>

#include <elf.h>

#include "symtab/debug_files.hpp"

namespace strut {

namespace {

bool has_dwarf(const ElfFile& file) {
  const Section* section = file.section(".debug_info");
  return section && section->type != SHT_NOBITS;
}

}  // namespace

const ElfFile* ModuleFile::debug_file() const {
  if (!debug_) debug_ = find_debug_file(file_, path_, root_);
  return *debug_ ? &**debug_ : nullptr;
}

const SymbolTable& ModuleFile::symbols() const {
  if (symbols_) return *symbols_;
  symbols_.emplace();
  symbols_->add(file_);
  bool stripped = !file_.section(".symtab");
  if (stripped && debug_file()) {
    symbols_->add(*debug_file());
  } else if (stripped) {
    mini_ = mini_debug_file(file_);
    if (*mini_) symbols_->add(**mini_);
  }
  return *symbols_;
}

const SymbolTable& ModuleFile::fullest_symbols() const {
  if (fullest_symbols_) return *fullest_symbols_;
  fullest_symbols_.emplace();
  bool stripped = !file_.section(".symtab");
  if (!stripped || !debug_file() || !fullest_symbols_->add_fullest(*debug_file())) fullest_symbols_->add_fullest(file_);
  return *fullest_symbols_;
}

const SourceLines& ModuleFile::lines() const {
  if (lines_) return *lines_;
  const ElfFile* file = has_dwarf(file_) ? &file_ : debug_file();
  if (!file || !has_dwarf(*file)) return lines_.emplace();
  supplementary_ = find_supplementary_file(*file, root_);
  return lines_.emplace(*file, *supplementary_ ? &**supplementary_ : nullptr);
}

const std::vector<GotSlot>& ModuleFile::got() const {
  if (!got_) got_ = got_slots(file_);
  return *got_;
}

const std::vector<PltStub>& ModuleFile::plt() const {
  if (!plt_) plt_ = plt_stubs(file_, got());
  return *plt_;
}

const PltStub* ModuleFile::stub_at(uint64_t address) const {
  auto above = std::ranges::upper_bound(plt(), address, {}, &PltStub::address);
  if (above == plt().begin()) return nullptr;
  const PltStub& stub = *std::prev(above);
  return address - stub.address < stub.bytes ? &stub : nullptr;
}

}  // namespace strut
