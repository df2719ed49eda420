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

  /// These uprobes are armed now, for these processes. Looks at /proc once a second at most.
  void armed(std::span<const UprobeDemand> demands, std::span<const Pid> targets, uint64_t now_ns);
  /// The line, when it is due.
  std::optional<std::string> take() { return std::exchange(line_, std::nullopt); }
  /// Whether armed() is still of use.
  bool is_open() const { return static_cast<bool>(text_); }

 private:
  UprobeCostText text_;
  std::optional<std::string> line_;
  uint64_t next_look_ns_ = 0;
};

}  // namespace strut
