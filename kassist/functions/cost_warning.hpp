// One line for the user when the uprobes of a run exceed their budget (uprobe_budget.hpp) because of code that came
// after the backend was chosen: programs that children execute, libraries that are opened.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "kassist/uprobes/uprobe_budget.hpp"

namespace strut {

/// The line about a load; nullopt: none is needed. Empty: the cost was reported before.
using UprobeCostText = std::function<std::optional<std::string>(const UprobeLoad&)>;

class CostWarning {
 public:
  explicit CostWarning(UprobeCostText text) : text_(std::move(text)) {}

  /// More code was armed.
  void armed() { has_more_ = true; }
  /// Whether look() is of use now: /proc is looked at once a second at most.
  bool is_due(uint64_t now_ns) const { return text_ && has_more_ && now_ns >= next_look_ns_; }
  /// All uprobes that are armed, and for which processes.
  void look(std::span<const UprobeDemand> demands, std::span<const Pid> targets, uint64_t now_ns);
  /// The line, if there is one.
  std::optional<std::string> take() { return std::exchange(line_, std::nullopt); }

 private:
  UprobeCostText text_;
  std::optional<std::string> line_;
  bool has_more_ = false;  ///< than at the last look
  uint64_t next_look_ns_ = 0;
};

}  // namespace strut
