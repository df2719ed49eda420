// Names of addresses in processes, also in those that have ended meanwhile, and in the kernel.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/text_style.hpp"
#include "symtab/process_modules.hpp"

namespace strut {

/// What /proc/kallsyms says (it says nothing to those without CAP_SYSLOG).
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

 private:
  struct Symbol {
    uint64_t address;
    uint32_t name, name_bytes, module, module_bytes;  ///< in text_
  };
  std::string text_;
  std::vector<Symbol> symbols_;  ///< ascending
};

class ProcessSymbolizer final : public DSymbolizer {
 public:
  /// `cache` outlives this.
  explicit ProcessSymbolizer(ModuleCache& cache) : cache_(cache) {}

  std::string name(uint64_t process, uint64_t address, DShape::Kind kind) override;
  /// Looks at a process's mappings while there are any: its addresses can be named after it has ended.
  void remember(Pid pid);
  /// The same for a process that was never looked at.
  void meet(Pid pid) {
    if (!pictures_.contains(raw(pid))) remember(pid);
  }

 private:
  struct Picture {
    std::unique_ptr<ProcessModules> modules;
    uint64_t taken_ns = 0;
  };
  Picture& picture_of(Pid pid);
  std::string user_name(Pid pid, uint64_t address, DShape::Kind kind);
  std::string kernel_name(uint64_t address, DShape::Kind kind);

  ModuleCache& cache_;
  std::map<int32_t, Picture> pictures_;
  std::optional<KernelSymbols> kernel_;
};

}  // namespace strut
