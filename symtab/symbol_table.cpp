#include "symtab/symbol_table.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <elf.h>

namespace strut {

namespace {

/// A symbol of either class, widened.
struct RawSymbol {
  uint32_t name;
  uint8_t info;
  uint16_t section;
  uint64_t value;
  uint64_t size;
};

template <typename Sym>
RawSymbol widen(const std::byte* at) {
  Sym symbol;
  std::memcpy(&symbol, at, sizeof(symbol));
  return {symbol.st_name, symbol.st_info, symbol.st_shndx, symbol.st_value, symbol.st_size};
}

std::optional<SymbolType> type_of(uint8_t info) {
  switch (info & 15) {
    case STT_NOTYPE: return SymbolType::None;
    case STT_OBJECT: return SymbolType::Object;
    case STT_FUNC: return SymbolType::Function;
    case STT_GNU_IFUNC: return SymbolType::Ifunc;
    case STT_TLS: return SymbolType::Tls;
    default: return std::nullopt;  // sections, files
  }
}

std::optional<Binding> binding_of(uint8_t info) {
  switch (info >> 4) {
    case STB_LOCAL: return Binding::Local;
    case STB_GLOBAL: return Binding::Global;
    case STB_WEAK: return Binding::Weak;
    case STB_GNU_UNIQUE: return Binding::Unique;
    default: return std::nullopt;
  }
}

/// Calls `visit(index, RawSymbol)` for each symbol of a section.
template <typename Visit>
void each_symbol(const ElfFile& file, const Section& section, Visit visit) {
  std::span<const std::byte> bytes = file.contents(section);
  size_t stride = file.is_64() ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
  for (size_t i = 0; (i + 1) * stride <= bytes.size(); i++) {
    const std::byte* at = bytes.data() + i * stride;
    visit(i, file.is_64() ? widen<Elf64_Sym>(at) : widen<Elf32_Sym>(at));
  }
}

bool is_defined(const RawSymbol& symbol) { return symbol.section != SHN_UNDEF && symbol.section != SHN_ABS && symbol.section != SHN_COMMON; }

}  // namespace

/// Version names of .dynsym's symbols: .gnu.version holds an index for each, .gnu.version_d and _r name the indices
/// (Linux Standard Base, "Symbol Versioning").
class Versions {
 public:
  explicit Versions(const ElfFile& file) : file_(file) {
    const Section* indices = file.section(".gnu.version");
    const Section* definitions = file.section(".gnu.version_d");
    if (!indices) return;
    indices_ = file.contents(*indices);
    if (definitions) read_definitions(*definitions);
  }

  void apply(size_t symbol, Symbol& to) const {
    if (symbol * 2 + 2 > indices_.size()) return;
    uint16_t index;
    std::memcpy(&index, indices_.data() + symbol * 2, sizeof(index));
    to.default_version = (index & kHidden) == 0;
    index &= kHidden - 1;
    if (index < names_.size()) to.version = names_[index];
  }

 private:
  static constexpr uint16_t kHidden = 0x8000;

  void read_definitions(const Section& section) {
    const Section* strings = file_.section(section.link);
    std::span<const std::byte> bytes = file_.contents(section);
    size_t at = 0;
    while (strings && at + sizeof(Elf64_Verdef) <= bytes.size()) {
      Elf64_Verdef definition;  // the same in both classes
      std::memcpy(&definition, bytes.data() + at, sizeof(definition));
      size_t name_at = at + definition.vd_aux;
      if (name_at + sizeof(Elf64_Verdaux) <= bytes.size() && !(definition.vd_flags & VER_FLG_BASE)) {
        Elf64_Verdaux name;
        std::memcpy(&name, bytes.data() + name_at, sizeof(name));
        uint16_t index = definition.vd_ndx & (kHidden - 1);
        if (names_.size() <= index) names_.resize(index + size_t{1});
        names_[index] = file_.string(*strings, name.vda_name);
      }
      if (definition.vd_next == 0) return;
      at += definition.vd_next;
    }
  }

  const ElfFile& file_;
  std::span<const std::byte> indices_;
  std::vector<std::string_view> names_;
};

namespace {

size_t leading_underscores(std::string_view name) {
  size_t count = 0;
  while (count < name.size() && name[count] == '_') count++;
  return count;
}

bool holds(const Symbol& symbol, uint64_t address) { return address - symbol.address < symbol.bytes; }

bool is_code(const Symbol& symbol) { return symbol.type == SymbolType::Function || symbol.type == SymbolType::Ifunc; }

}  // namespace

bool is_better_name(const Symbol& a, const Symbol& b) {
  if (is_code(a) != is_code(b)) return is_code(a);
  if ((a.binding == Binding::Local) != (b.binding == Binding::Local)) return b.binding == Binding::Local;
  size_t a_marks = leading_underscores(a.name), b_marks = leading_underscores(b.name);
  if (a_marks != b_marks) return a_marks < b_marks;
  if ((a.bytes == 0) != (b.bytes == 0)) return a.bytes != 0;
  if (a.binding != b.binding) return a.binding == Binding::Global;
  return a.name < b.name;
}

void SymbolTable::add_from(const ElfFile& file, const Section& section, const Versions* versions) {
  order_.clear();
  functions_.clear();
  by_name_.clear();
  const Section* strings = file.section(section.link);
  if (!strings) return;
  each_symbol(file, section, [&](size_t i, const RawSymbol& raw) {
    auto type = type_of(raw.info);
    auto binding = binding_of(raw.info);
    if (!type || !binding || !is_defined(raw)) return;
    Symbol symbol{file.string(*strings, raw.name), {}, true, raw.value, raw.size, *type, *binding};
    if (symbol.name.empty()) return;
    if (versions) versions->apply(i, symbol);
    symbols_.push_back(symbol);
  });
}

void SymbolTable::add(const ElfFile& file) {
  if (const Section* dynamic = file.section(".dynsym")) {
    Versions versions(file);
    add_from(file, *dynamic, &versions);
  }
  if (const Section* table = file.section(".symtab")) add_from(file, *table, nullptr);
}

bool SymbolTable::add_fullest(const ElfFile& file) {
  size_t before = symbols_.size();
  if (const Section* table = file.section(".symtab")) add_from(file, *table, nullptr);
  if (symbols_.size() != before) return true;
  if (const Section* dynamic = file.section(".dynsym")) add_from(file, *dynamic, nullptr);
  return symbols_.size() != before;
}

/// Thread-local symbols have offsets, not addresses; the rest is sorted.
void SymbolTable::index() const {
  order_.reserve(symbols_.size());
  for (uint32_t i = 0; i < symbols_.size(); i++)
    if (symbols_[i].type != SymbolType::Tls) order_.push_back(i);
  std::ranges::sort(order_, [&](uint32_t a, uint32_t b) {
    if (symbols_[a].address != symbols_[b].address) return symbols_[a].address < symbols_[b].address;
    return is_better_name(symbols_[a], symbols_[b]);
  });
  furthest_.resize(order_.size());
  uint64_t reach = 0;
  for (size_t i = 0; i < order_.size(); i++) {
    const Symbol& symbol = symbols_[order_[i]];
    reach = std::max(reach, symbol.address + std::max<uint64_t>(symbol.bytes, 1));
    furthest_[i] = reach;
  }
}

/// The best name among the symbols order_[first, end), all at one address.
const Symbol* SymbolTable::best_of(size_t first, size_t end, uint64_t address) const {
  for (size_t i = first; i < end; i++) {
    const Symbol& symbol = symbols_[order_[i]];
    if (holds(symbol, address) || symbol.bytes == 0) return &symbol;
  }
  return nullptr;
}

std::optional<SymbolAt> SymbolTable::at(uint64_t address) const {
  if (order_.empty()) index();
  auto above = std::ranges::upper_bound(order_, address, {}, [&](uint32_t i) { return symbols_[i].address; });
  const Symbol* sizeless = nullptr;
  for (auto at = above; at != order_.begin();) {
    --at;
    size_t position = static_cast<size_t>(at - order_.begin());
    uint64_t here = symbols_[*at].address;
    size_t first = position;
    while (first > 0 && symbols_[order_[first - 1]].address == here) first--;
    const Symbol* found = best_of(first, position + 1, address);
    if (found && found->bytes != 0) return SymbolAt{found, address - found->address};
    if (found && !sizeless) sizeless = found;
    if (furthest_[position] <= address || first == 0) break;
    at = order_.begin() + static_cast<std::ptrdiff_t>(first);
  }
  if (sizeless) return SymbolAt{sizeless, address - sizeless->address};
  return std::nullopt;
}

void SymbolTable::index_functions() const {
  for (uint32_t i = 0; i < symbols_.size(); i++)
    if (symbols_[i].type == SymbolType::Function) functions_.push_back(i);
  std::ranges::stable_sort(functions_, {}, [&](uint32_t i) { return symbols_[i].address; });
  functions_reach_.clear();
  uint64_t reach = 0;
  for (uint32_t i : functions_) functions_reach_.push_back(reach = std::max(reach, symbols_[i].address + symbols_[i].bytes));
}

std::optional<SymbolAt> SymbolTable::function_at(uint64_t address) const {
  if (functions_.empty()) index_functions();
  auto address_of = [&](uint32_t i) { return symbols_[i].address; };
  size_t at = static_cast<size_t>(std::ranges::upper_bound(functions_, address, {}, address_of) - functions_.begin());
  std::optional<SymbolAt> found;
  while (at > 0 && functions_reach_[at - 1] > address) {
    const Symbol& symbol = symbols_[functions_[--at]];
    if (found && symbol.address != found->symbol->address) break;
    if (holds(symbol, address)) found = {&symbol, address - symbol.address};
  }
  return found;
}

std::vector<const Symbol*> SymbolTable::named(std::string_view name) const {
  if (by_name_.empty()) {
    by_name_.resize(symbols_.size());
    std::iota(by_name_.begin(), by_name_.end(), 0u);
    std::ranges::sort(by_name_, {}, [&](uint32_t i) { return symbols_[i].name; });
  }
  auto range = std::ranges::equal_range(by_name_, name, {}, [&](uint32_t i) { return symbols_[i].name; });
  std::vector<const Symbol*> found;
  for (uint32_t i : range) found.push_back(&symbols_[i]);
  return found;
}

}  // namespace strut
