#include "symtab/process/module.hpp"

#include <algorithm>

#include <elf.h>

#include "symtab/dwarf/debug_files.hpp"
#include "symtab/dwarf/debug_information.hpp"

namespace strut {

namespace {

bool has_dwarf(const ElfFile& file) {
  const Section* section = file.section(".debug_info");
  if (!section) section = file.section(".zdebug_info");  // compressed in GNU's older way
  return section && section->type != SHT_NOBITS;
}

/// "libc" of "libc.so.6" and of "libc-2.31.so".
std::string_view library_stem(std::string_view name) {
  size_t end = name.find(".so");
  if (end == std::string_view::npos) return name;
  name = name.substr(0, end);
  size_t dash = name.rfind('-');
  bool version =
      dash != std::string_view::npos && dash + 1 < name.size() && name[dash + 1] >= '0' && name[dash + 1] <= '9';
  return version ? name.substr(0, dash) : name;
}

}  // namespace

bool Module::is_called(std::string_view name) const {
  return path == name || this->name() == name || library_stem(this->name()) == name;
}

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

bool ModuleFile::is_stripped() const {
  symbols();
  return !file_.section(".symtab") && !debug_file() && !*mini_;
}

const SymbolTable& ModuleFile::fullest_symbols() const {
  if (fullest_symbols_) return *fullest_symbols_;
  fullest_symbols_.emplace();
  bool stripped = !file_.section(".symtab");
  if (!stripped || !debug_file() || !fullest_symbols_->add_fullest(*debug_file())) fullest_symbols_->add_fullest(file_);
  return *fullest_symbols_;
}

std::shared_ptr<const DebugInformation> ModuleFile::debug_information() const {
  if (debug_information_) return *debug_information_;
  debug_information_.emplace();
  const ElfFile* file = has_dwarf(file_) ? &file_ : debug_file();
  if (!file || !has_dwarf(*file)) return nullptr;
  supplementary_ = find_supplementary_file(*file, root_);
  debug_information_ =
      DebugInformation::of(*file, *supplementary_ ? &**supplementary_ : nullptr, SplitPlaces{path_, root_});
  return *debug_information_;
}

std::span<const std::string> ModuleFile::missing_split_files() const {
  if (!debug_information_ || !*debug_information_) return {};
  return (*debug_information_)->missing_files();
}

const SourceLines& ModuleFile::lines() const {
  if (!lines_) lines_.emplace(debug_information());
  return *lines_;
}

const Prototypes& ModuleFile::prototypes() const {
  if (!prototypes_) prototypes_.emplace(debug_information());
  return *prototypes_;
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
  if (!is_among_stubs(file_, address)) return nullptr;
  auto above = std::ranges::upper_bound(plt(), address, {}, &PltStub::address);
  if (above == plt().begin()) return nullptr;
  const PltStub& stub = *std::prev(above);
  return address - stub.address < stub.bytes ? &stub : nullptr;
}

std::string_view ModuleFile::name_of(std::string_view name, uint64_t resolver) const {
  if (!name.empty() || resolver == 0) return name;
  auto symbol = symbols().at(resolver);
  return symbol && symbol->offset == 0 ? symbol->symbol->name : std::string_view();
}

Location locate_in(const Module& module, uint64_t file_address) {
  Location location;
  location.module = &module;
  location.file_address = file_address;
  if (const PltStub* stub = module.file->stub_at(file_address)) {
    location.name = module.file->name_of(*stub);
    location.offset = file_address - stub->address;
    location.is_stub = true;
  } else if (auto symbol = module.file->symbols().at(file_address)) {
    location.name = symbol->symbol->name;
    location.offset = symbol->offset;
  }
  return location;
}

}  // namespace strut
