// The kernel's functions, by address and by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strut {

/// The contents of /proc/kallsyms (which is empty for processes without CAP_SYSLOG).
class KernelSymbols {
 public:
  /// Lines "ADDRESS TYPE NAME[\t[MODULE]]"; others are left out.
  static KernelSymbols parse(std::string_view text);
  static KernelSymbols read();

  struct Found {
    std::string_view module, name;  ///< "vmlinux" is the kernel itself
    uint64_t offset = 0;
  };
  std::optional<Found> at(uint64_t address) const;
  /// From a function of the kernel itself to the next symbol.
  struct Extent {
    uint64_t begin = 0, end = 0;
  };
  std::optional<Extent> extent_of(std::string_view name) const;

 private:
  struct Symbol {
    uint64_t address;
    uint32_t name, name_bytes, module, module_bytes;  ///< in text_
  };
  std::string text_;
  std::vector<Symbol> symbols_;  ///< ascending
};

}  // namespace strut
