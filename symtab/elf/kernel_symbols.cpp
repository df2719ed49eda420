#include "symtab/elf/kernel_symbols.hpp"

#include <algorithm>
#include <charconv>

#include "procfs/proc_file.hpp"

namespace strut {
namespace {

constexpr size_t kLongestKallsyms = 64 << 20;

}  // namespace

KernelSymbols KernelSymbols::parse(std::string_view text) {
  KernelSymbols kernel;
  kernel.text_ = text;
  std::string_view rest = kernel.text_;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    uint64_t address = 0;
    auto [end, error] = std::from_chars(line.begin(), line.end(), address, 16);
    if (error != std::errc{} || address == 0 || line.end() - end < 4 || *end != ' ' || end[2] != ' ') continue;
    std::string_view name(end + 3, line.end()), module;
    if (end[1] != 't' && end[1] != 'T' && end[1] != 'w' && end[1] != 'W') continue;
    if (size_t tab = name.find('\t'); tab != std::string_view::npos) {
      module = name.substr(tab + 1);
      name = name.substr(0, tab);
      if (module.size() > 2) module = module.substr(1, module.size() - 2);
    }
    auto place = [&](std::string_view part) {
      return part.empty() ? 0 : static_cast<uint32_t>(part.data() - kernel.text_.data());
    };
    kernel.symbols_.push_back({address, place(name), static_cast<uint32_t>(name.size()), place(module),
                               static_cast<uint32_t>(module.size())});
  }
  std::ranges::stable_sort(kernel.symbols_, {}, &Symbol::address);
  return kernel;
}

KernelSymbols KernelSymbols::read() {
  auto text = read_proc_file("/proc/kallsyms", kLongestKallsyms);
  return text ? parse(*text) : KernelSymbols();
}

std::optional<KernelSymbols::Found> KernelSymbols::at(uint64_t address) const {
  auto above = std::ranges::upper_bound(symbols_, address, {}, &Symbol::address);
  if (above == symbols_.begin()) return std::nullopt;
  const Symbol& symbol = *std::prev(above);
  std::string_view text = text_;
  std::string_view module = symbol.module_bytes ? text.substr(symbol.module, symbol.module_bytes) : "vmlinux";
  return Found{module, text.substr(symbol.name, symbol.name_bytes), address - symbol.address};
}

std::optional<KernelSymbols::Extent> KernelSymbols::extent_of(std::string_view name) const {
  std::string_view text = text_;
  auto found = std::ranges::find_if(symbols_, [&](const Symbol& symbol) {
    return symbol.module_bytes == 0 && text.substr(symbol.name, symbol.name_bytes) == name;
  });
  if (found == symbols_.end()) return std::nullopt;
  auto next = std::ranges::upper_bound(found, symbols_.end(), found->address, {}, &Symbol::address);
  return Extent{found->address, next == symbols_.end() ? found->address : next->address};
}

}  // namespace strut
