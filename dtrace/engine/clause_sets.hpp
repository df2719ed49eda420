// The sets of clauses that probes are enabled with: few, however many probes there are.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

namespace strut {

/// Sets live as long as this; a set is named by its number, 0 is the empty one.
class ClauseSets {
 public:
  ClauseSets() : sets_(1) {}

  /// The set with one more clause at its end; the same set if that clause is its last one.
  uint32_t with(uint32_t set, uint32_t clause) {
    if (!sets_[set].empty() && sets_[set].back() == clause) return set;
    auto [known, is_new] = longer_.try_emplace({set, clause}, static_cast<uint32_t>(sets_.size()));
    if (!is_new) return known->second;
    std::vector<uint32_t> clauses = sets_[set];
    clauses.push_back(clause);
    sets_.push_back(std::move(clauses));
    return known->second;
  }
  std::span<const uint32_t> of(uint32_t set) const { return sets_[set]; }

 private:
  std::deque<std::vector<uint32_t>> sets_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> longer_;
};

}  // namespace strut
