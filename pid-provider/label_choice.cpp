#include "pid-provider/label_choice.hpp"

namespace strut {

LabelChoice::LabelChoice(const PidPattern& pattern)
    : pattern_(pattern.function),
      is_glob_(pattern_.empty() || is_glob(pattern_)),
      field_(instruction_field(pattern_)),
      literal_(pattern_.substr(0, pattern_.find_first_of("*?[\\"))) {}

bool LabelChoice::may_fit(std::string_view function) const {
  if (!is_glob_) return function == field_.function;
  if (literal_.size() <= function.size()) return function.starts_with(literal_);
  return literal_.starts_with(function) && literal_[function.size()] == '-';
}

void LabelChoice::begin(std::string_view function) {
  function_ = function;
  known_.clear();
}

bool LabelChoice::fits(std::string_view label) {
  if (!is_glob_) return label == field_.label;
  if (pattern_.empty()) return true;
  auto [known, is_new] = known_.try_emplace(label, false);
  if (is_new) known->second = glob_matches(pattern_, std::string(function_) + '-' + std::string(label));
  return known->second;
}

}  // namespace strut
