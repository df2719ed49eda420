#include "cli/common/option_scanner.hpp"

#include <algorithm>
#include <utility>

namespace strut {
namespace {

bool same_option(const LongOption& a, const LongOption& b) { return a.id == b.id && a.takes == b.takes; }

}  // namespace

Result<std::optional<ScannedOption>> OptionScanner::next() {
  if (!cluster_.empty()) return next_short();
  if (at_ == words_.size()) return std::nullopt;
  std::string_view word = words_[at_];
  if (word.size() < 2 || word[0] != '-') return std::nullopt;
  at_++;
  if (word == "--") return std::nullopt;
  if (word[1] == '-') return next_long(word.substr(2));
  cluster_ = word.substr(1);
  return next_short();
}

Result<std::optional<ScannedOption>> OptionScanner::next_short() {
  char letter = cluster_[0];
  cluster_.remove_prefix(1);
  auto found = std::find_if(shorts_.begin(), shorts_.end(), [&](const ShortOption& o) { return o.letter == letter; });
  if (found == shorts_.end()) return fail_because(std::string("invalid option -- '") + letter + "'");
  ScannedOption option{found->id, std::nullopt, {}, letter};
  if (found->takes == Takes::Nothing) return option;
  if (!cluster_.empty()) {
    option.value = std::exchange(cluster_, {});
  } else if (at_ < words_.size()) {
    option.value = words_[at_++];
  } else {
    return fail_because(std::string("option requires an argument -- '") + letter + "'");
  }
  return option;
}

Result<const LongOption*> OptionScanner::find_long(std::string_view word, std::string_view name) const {
  const LongOption* first = nullptr;
  std::string candidates;
  bool ambiguous = false;
  for (const LongOption& option : longs_) {
    std::string_view full = option.name;
    if (full == name) return &option;
    if (option.spelling == LongOption::Spelling::Full || !full.starts_with(name)) continue;
    if (!first) first = &option;
    else if (same_option(*first, option)) continue;
    else ambiguous = true;
    candidates += " '--" + std::string(full) + "'";
  }
  if (!first) return fail_because("unrecognized option '--" + std::string(word) + "'");
  if (ambiguous) return fail_because("option '--" + std::string(word) + "' is ambiguous; possibilities:" + candidates);
  return first;
}

Result<std::optional<ScannedOption>> OptionScanner::next_long(std::string_view word) {
  size_t equals = word.find('=');
  std::string_view name = word.substr(0, equals);
  const LongOption* found = TRY(find_long(word, name));
  ScannedOption option{found->id, std::nullopt, found->name, 0};
  if (equals != std::string_view::npos) option.value = word.substr(equals + 1);
  if (found->takes == Takes::Nothing && option.value)
    return fail_because("option '--" + std::string(found->name) + "' doesn't allow an argument");
  if (found->takes == Takes::Value && !option.value) {
    if (at_ == words_.size()) return fail_because("option '--" + std::string(found->name) + "' requires an argument");
    option.value = words_[at_++];
  }
  return option;
}

}  // namespace strut
