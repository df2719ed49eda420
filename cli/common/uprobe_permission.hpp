// One rule for all tools: how to go on if a trace's uprobes would slow the whole machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/common/own_options.hpp"
#include "kassist/uprobes/uprobe_budget.hpp"

namespace strut {

/// The alternative to uprobes.
enum class Instead : uint8_t {
  Nothing,      ///< the request is system-wide
  Breakpoints,  ///< for the ptrace backend, in named processes
};

/// How a tool's user permits more uprobes than the budget.
enum class PermittedBy : uint8_t {
  Number,   ///< dtrace: -x maxprobes=N
  Backend,  ///< ltrace, truss: --backend=kassist
};

struct UprobeWish {
  BackendChoice backend = BackendChoice::Auto;
  Instead instead = Instead::Breakpoints;
  PermittedBy permitted_by = PermittedBy::Number;
  std::optional<uint64_t> number{};  ///< for -x maxprobes; nullopt: not given
};

/// The backend for uprobes of this load; Auto: kassist. Beyond the budget --backend=auto takes breakpoints where they
/// do the same; else the uprobes have to be permitted. Error: they are not.
Result<BackendChoice> backend_for(const UprobeLoad& load, const UprobeWish& wish);

/// One line about the cost of uprobes that the user permitted; nullopt: they are few and within the budget.
std::optional<std::string> cost_of(const UprobeLoad& load);

/// The uprobes of a run and what they cost each exec, as a clause; within the budget or not.
std::string load_text(const UprobeLoad& load);

/// The uprobes of one run, those that come later among them.
class UprobePermission {
 public:
  UprobePermission(std::vector<UprobeDemand> demands, std::vector<Pid> targets, const UprobeWish& wish)
      : demands_(std::move(demands)), targets_(std::move(targets)), wish_(wish) {}

  /// Adds more, if they are within the budget or permitted.
  bool take(const UprobeDemand& more);

 private:
  std::vector<UprobeDemand> demands_;
  std::vector<Pid> targets_;
  UprobeWish wish_;
};

}  // namespace strut
