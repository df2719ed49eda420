#include "dtrace/symbolizer.hpp"

#include <algorithm>
#include <charconv>

#include "core/clock.hpp"
#include "core/proc/proc_file.hpp"

namespace strut {
namespace {

constexpr size_t kLongestKallsyms = 64 << 20;
/// A process's mappings are read again for an address that none of them has, but not more often than this.
constexpr uint64_t kRefreshEvery_ns = 10'000'000;

std::string hexadecimal(uint64_t number) {
  char text[19] = "0x";
  auto [end, error] = std::to_chars(text + 2, text + sizeof text, number, 16);
  return {text, end};
}

/// "module`function+0x10", as much of it as is asked for.
std::string shown(std::string_view module, std::string_view function, uint64_t offset, uint64_t address, DShape::Kind kind) {
  if (kind == DShape::Kind::UserModule || kind == DShape::Kind::KernelModule) return std::string(module.empty() ? hexadecimal(address) : module);
  std::string text(module);
  if (!module.empty()) text += '`';
  if (function.empty()) return text + hexadecimal(address);
  text += function;
  bool with_offset = kind == DShape::Kind::UserAddress || kind == DShape::Kind::KernelAddress;
  return with_offset && offset != 0 ? text + '+' + hexadecimal(offset) : text;
}

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
    auto place = [&](std::string_view part) { return part.empty() ? 0 : static_cast<uint32_t>(part.data() - kernel.text_.data()); };
    kernel.symbols_.push_back({address, place(name), static_cast<uint32_t>(name.size()), place(module), static_cast<uint32_t>(module.size())});
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

ProcessSymbolizer::Picture& ProcessSymbolizer::picture_of(Pid pid) {
  Picture& picture = pictures_[raw(pid)];
  if (!picture.modules) picture.modules = std::make_unique<ProcessModules>(pid, cache_);
  return picture;
}

void ProcessSymbolizer::remember(Pid pid) {
  Picture& picture = picture_of(pid);
  [[maybe_unused]] Result<void> read = picture.modules->refresh();  // of a process that is gone, what was known stays
  picture.taken_ns = monotonic_ns();
}

std::string ProcessSymbolizer::user_name(Pid pid, uint64_t address, DShape::Kind kind) {
  Picture& picture = picture_of(pid);
  Location location = picture.modules->locate(Addr{address});
  if (!location.module && location.name.empty() && monotonic_ns() - picture.taken_ns > kRefreshEvery_ns) {
    remember(pid);
    location = picture.modules->locate(Addr{address});
  }
  std::string_view module = location.module ? location.module->name() : std::string_view();
  std::string function(location.name);
  if (location.is_stub) function += "@plt";
  return shown(module, function, location.offset, address, kind);
}

std::string ProcessSymbolizer::kernel_name(uint64_t address, DShape::Kind kind) {
  if (!kernel_) kernel_ = KernelSymbols::read();
  auto found = kernel_->at(address);
  return found ? shown(found->module, found->name, found->offset, address, kind) : shown({}, {}, 0, address, kind);
}

std::string ProcessSymbolizer::name(uint64_t process, uint64_t address, DShape::Kind kind) {
  if (process == 0) return kernel_name(address, kind);
  return user_name(Pid{static_cast<int32_t>(process)}, address, kind);
}

}  // namespace strut
