#include "symtab/elf/raw_symbols.hpp"

#include <cstring>

namespace strut {

namespace {

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

bool is_defined(const RawSymbol& symbol) {
  return symbol.section != SHN_UNDEF && symbol.section != SHN_ABS && symbol.section != SHN_COMMON;
}

/// Longer names than any compiler makes are cut, so that their sum is bounded by the file's size times this.
constexpr size_t kLongestRawName = 64 * 1024;

}  // namespace

void split_version(Symbol& symbol) {
  size_t at = symbol.name.find('@');
  if (at == std::string_view::npos || at == 0) return;
  std::string_view rest = symbol.name.substr(at);
  symbol.default_version = rest.starts_with("@@");
  symbol.version = rest.substr(symbol.default_version ? 2 : 1);
  symbol.name = symbol.name.substr(0, at);
}

bool RawSymbol::has_address() const {
  return name != 0 && is_defined(*this) && type_of(info) && type_of(info) != SymbolType::Tls && binding_of(info);
}

RawSymbols::RawSymbols(const ElfFile& file, std::string_view name)
    : file_(file), stride_(file.is_64() ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)), versioned_(name == ".dynsym") {
  const Section* section = file.section(name);
  const Section* strings = section ? file.section(section->link) : nullptr;
  if (!strings) return;
  bytes_ = file.contents(*section);
  strings_ = file.contents(*strings);
}

RawSymbol RawSymbols::at(size_t i) const {
  const std::byte* at = bytes_.data() + i * stride_;
  return file_.is_64() ? widen<Elf64_Sym>(at) : widen<Elf32_Sym>(at);
}

std::optional<Symbol> RawSymbols::symbol(size_t i, const RawSymbol& raw) const {
  auto type = type_of(raw.info);
  auto binding = binding_of(raw.info);
  if (!type || !binding || !is_defined(raw) || raw.name >= strings_.size()) return std::nullopt;
  auto* name = reinterpret_cast<const char*>(strings_.data() + raw.name);
  Symbol symbol{{name, strnlen(name, std::min(strings_.size() - raw.name, kLongestRawName))},
                {},
                true,
                raw.value,
                raw.size,
                *type,
                *binding};
  if (symbol.name.empty()) return std::nullopt;
  if (versioned_ && !versions_) versions_.emplace(file_);
  if (versioned_) versions_->apply(i, symbol);
  return symbol;
}

}  // namespace strut
