#include "symtab/module.hpp"

#include <algorithm>

#include "symtab/debug_files.hpp"

namespace strut {

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

const SymbolTable& ModuleFile::own_symbols() const {
  if (!own_symbols_) {
    own_symbols_.emplace();
    own_symbols_->add(file_);
  }
  return *own_symbols_;
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
