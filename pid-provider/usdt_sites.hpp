// Statically defined probes (USDT) of a file, as sites: the instructions, semaphores and arguments by its notes.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pid-provider/pid_pattern.hpp"
#include "pid-provider/placement.hpp"
#include "pid-provider/site_semaphore.hpp"
#include "symtab/process/module.hpp"
#include "x86/site_operand.hpp"

namespace strut {

/// A site of a probe. Views live as long as the module.
struct UsdtSite {
  std::string_view provider;
  std::string name;           ///< "gc-start" of gc__start, as DTrace has it
  std::string_view function;  ///< the symbol that contains the site; empty: none does
  uint64_t file_offset = 0;
  std::expected<UprobeCost, UprobeRefusal> uprobe = UprobeCost::Emulated;
  std::optional<SiteSemaphore> semaphore;
  std::vector<SiteOperand> arguments;
  std::string unknown;  ///< the operands without a value that strut could read: "8f@%xmm0"; empty: none
};

/// The sites of a file of x86-64 code, in the order of its notes, each instruction once for a probe. Notes that lead to
/// no instruction are left out.
std::vector<UsdtSite> usdt_sites(const ModuleFile& module);

/// Whether a pattern of Place::Usdt, whose module is this one, means the site.
bool fits(const PidPattern& pattern, const UsdtSite& site);

}  // namespace strut
