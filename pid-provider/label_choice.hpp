// Which instructions of a function a description of the provider instr means, by the names of their kinds.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "pid-provider/pid_pattern.hpp"

namespace strut {

/// FUNCTION-CLASS of a description, a pattern or not. The pattern outlives this.
class LabelChoice {
 public:
  explicit LabelChoice(const PidPattern& pattern);

  /// False: no label of this function's instructions can fit. Cheap.
  bool may_fit(std::string_view function) const;
  /// The function that fits() is about.
  void begin(std::string_view function);
  /// `label` is of static life.
  bool fits(std::string_view label);

 private:
  std::string_view pattern_;
  bool is_glob_;
  InstructionField field_;    ///< if it is no glob
  std::string_view literal_;  ///< what each name that fits begins with
  std::string_view function_;
  std::map<std::string_view, bool> known_;  ///< for the function, by label
};

}  // namespace strut
