#include "symtab/elf/symbol_table.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

#include <elf.h>

#include "symtab/elf/raw_symbols.hpp"

namespace strut {

namespace {

constexpr const char *kDynamic = ".dynsym", *kFull = ".symtab";

/// Big tables by two threads: sorting is half of an index's cost.
template <typename Less>
void sort_in_parts(std::vector<uint32_t>& order, Less less) {
  constexpr size_t kWorthAThread = 50'000;
  if (order.size() < kWorthAThread) {
    std::ranges::sort(order, less);
    return;
  }
  auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  {
    std::jthread other([&] { std::sort(order.begin(), middle, less); });
    std::sort(middle, order.end(), less);
  }
  std::inplace_merge(order.begin(), middle, order.end(), less);
}

size_t leading_underscores(std::string_view name) {
  size_t count = 0;
  while (count < name.size() && name[count] == '_') count++;
  return count;
}

bool holds(const Symbol& symbol, uint64_t address) { return address - symbol.address < symbol.bytes; }

bool is_code(const Symbol& symbol) { return symbol.type == SymbolType::Function || symbol.type == SymbolType::Ifunc; }

}  // namespace

std::string_view type_name(SymbolType type) {
  switch (type) {
    case SymbolType::Function: return "function";
    case SymbolType::Ifunc: return "ifunc";
    case SymbolType::Object: return "object";
    case SymbolType::Tls: return "thread-local";
    case SymbolType::None: return "label";
  }
  return "?";
}

bool is_better_name(const Symbol& a, const Symbol& b) {
  if (is_code(a) != is_code(b)) return is_code(a);
  if ((a.binding == Binding::Local) != (b.binding == Binding::Local)) return b.binding == Binding::Local;
  size_t a_marks = leading_underscores(a.name), b_marks = leading_underscores(b.name);
  if (a_marks != b_marks) return a_marks < b_marks;
  if ((a.bytes == 0) != (b.bytes == 0)) return a.bytes != 0;
  if (a.binding != b.binding) return a.binding == Binding::Global;
  return a.name < b.name;
}

void SymbolTable::add(const Source& source) {
  sources_.push_back(source);
  symbols_.reset();
  order_.clear();
  functions_.clear();
  by_name_.clear();
}

void SymbolTable::add(const ElfFile& file) {
  for (const char* table : {kDynamic, kFull}) add({&file, table, Names::Plain});
}

bool SymbolTable::add_fullest(const ElfFile& file) {
  for (const char* name : {kFull, kDynamic}) {
    RawSymbols table(file, name);
    bool any = false;
    for (size_t i = 0; i < table.size() && !any; i++) any = table.symbol(i, table.at(i)).has_value();
    if (!any) continue;
    add({&file, name, Names::AsWritten});
    return true;
  }
  return false;
}

/// Shows all entries to `visit(table, index, RawSymbol, Names)`.
template <typename Visit>
void SymbolTable::each_raw(Visit visit) const {
  for (const Source& source : sources_) {
    RawSymbols table(*source.file, source.table);
    table.each([&](size_t i, const RawSymbol& raw) { visit(table, i, raw, source.names); });
  }
}

std::span<const Symbol> SymbolTable::all() const {
  if (symbols_) return *symbols_;
  symbols_.emplace();
  size_t most = 0;
  for (const Source& source : sources_) most += RawSymbols(*source.file, source.table).size();
  symbols_->reserve(most);
  each_raw([&](const RawSymbols& table, size_t i, const RawSymbol& raw, Names names) {
    auto symbol = table.symbol(i, raw);
    if (!symbol) return;
    if (names == Names::Plain) split_version(*symbol);
    symbols_->push_back(*symbol);
  });
  return *symbols_;
}

/// Thread-local symbols have offsets, not addresses; the rest is sorted.
void SymbolTable::index() const {
  auto symbols = all();
  order_.reserve(symbols.size());
  for (uint32_t i = 0; i < symbols.size(); i++)
    if (symbols[i].type != SymbolType::Tls) order_.push_back(i);
  sort_in_parts(order_, [&](uint32_t a, uint32_t b) {
    if (symbols[a].address != symbols[b].address) return symbols[a].address < symbols[b].address;
    if (is_better_name(symbols[a], symbols[b])) return true;
    return !is_better_name(symbols[b], symbols[a]) && a < b;
  });
  furthest_.resize(order_.size());
  uint64_t reach = 0;
  for (size_t i = 0; i < order_.size(); i++) {
    const Symbol& symbol = symbols[order_[i]];
    reach = std::max(reach, symbol.address + std::max<uint64_t>(symbol.bytes, 1));
    furthest_[i] = reach;
  }
}

namespace {

/// Where the symbol for an address begins, by numbers alone: no name is read.
struct Beginnings {
  std::optional<uint64_t> sized;  ///< for the closest one with a size that reaches the address
  uint64_t closest = 0;           ///< for the closest one

  void consider(const RawSymbol& raw, uint64_t address) {
    if (raw.value > address || !raw.has_address()) return;
    closest = std::max(closest, raw.value);
    if (address - raw.value < raw.size && raw.value >= sized.value_or(0)) sized = raw.value;
  }
  bool match(const RawSymbol& raw, uint64_t address) const {
    if (sized) return raw.value == *sized && address - raw.value < raw.size;
    return raw.value == closest && raw.size == 0;
  }
};

}  // namespace

/// The result of at(), by two walks over the tables instead of an index.
std::optional<SymbolAt> SymbolTable::scan(uint64_t address) const {
  Beginnings beginnings;
  each_raw([&](const RawSymbols&, size_t, const RawSymbol& raw, Names) { beginnings.consider(raw, address); });
  std::optional<Symbol> best;
  each_raw([&](const RawSymbols& table, size_t i, const RawSymbol& raw, Names names) {
    if (!raw.has_address() || !beginnings.match(raw, address)) return;
    auto symbol = table.symbol(i, raw);
    if (symbol && names == Names::Plain) split_version(*symbol);
    if (symbol && (!best || is_better_name(*symbol, *best))) best = symbol;
  });
  if (!best) return std::nullopt;
  scanned_.push_back(*best);
  return SymbolAt{&scanned_.back(), address - best->address};
}

/// The best name among the symbols order_[first, end), all at one address.
const Symbol* SymbolTable::best_of(size_t first, size_t end, uint64_t address) const {
  for (size_t i = first; i < end; i++) {
    const Symbol& symbol = (*symbols_)[order_[i]];
    if (holds(symbol, address) || symbol.bytes == 0) return &symbol;
  }
  return nullptr;
}

std::optional<SymbolAt> SymbolTable::at(uint64_t address) const {
  constexpr int kScans = 2;  // an index costs as much as a dozen
  if (order_.empty() && scans_ < kScans) return scans_++, scan(address);
  if (order_.empty()) index();
  auto above = std::ranges::upper_bound(order_, address, {}, [&](uint32_t i) { return (*symbols_)[i].address; });
  const Symbol* sizeless = nullptr;
  for (auto at = above; at != order_.begin();) {
    --at;
    size_t position = static_cast<size_t>(at - order_.begin());
    uint64_t here = (*symbols_)[*at].address;
    size_t first = position;
    while (first > 0 && (*symbols_)[order_[first - 1]].address == here) first--;
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
  auto symbols = all();
  for (uint32_t i = 0; i < symbols.size(); i++)
    if (symbols[i].type == SymbolType::Function) functions_.push_back(i);
  std::ranges::stable_sort(functions_, {}, [&](uint32_t i) { return symbols[i].address; });
  functions_reach_.clear();
  uint64_t reach = 0;
  for (uint32_t i : functions_)
    functions_reach_.push_back(reach = std::max(reach, symbols[i].address + symbols[i].bytes));
}

std::optional<SymbolAt> SymbolTable::function_at(uint64_t address) const {
  if (functions_.empty()) index_functions();
  auto symbols = all();
  auto address_of = [&](uint32_t i) { return symbols[i].address; };
  size_t at = static_cast<size_t>(std::ranges::upper_bound(functions_, address, {}, address_of) - functions_.begin());
  std::optional<SymbolAt> found;
  while (at > 0 && functions_reach_[at - 1] > address) {
    const Symbol& symbol = symbols[functions_[--at]];
    if (found && symbol.address != found->symbol->address) break;
    if (holds(symbol, address)) found = {&symbol, address - symbol.address};
  }
  return found;
}

std::vector<const Symbol*> SymbolTable::named(std::string_view name) const {
  if (by_name_.empty()) {
    by_name_.resize(all().size());
    std::iota(by_name_.begin(), by_name_.end(), 0u);
    std::ranges::sort(by_name_, {}, [&](uint32_t i) { return (*symbols_)[i].name; });
  }
  auto range = std::ranges::equal_range(by_name_, name, {}, [&](uint32_t i) { return (*symbols_)[i].name; });
  std::vector<const Symbol*> found;
  for (uint32_t i : range) found.push_back(&(*symbols_)[i]);
  return found;
}

}  // namespace strut
