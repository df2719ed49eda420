// Aggregations of the kernel's, taken over into those of a run.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "dlang/compiler/program.hpp"
#include "dlang/output/aggregations.hpp"
#include "kassist/dtrace/maps.hpp"

namespace strut {

/// The value that the kernel's Min or Max is XORed with.
constexpr uint64_t worst_of(bool least) { return least ? uint64_t{INT64_MAX} : static_cast<uint64_t>(INT64_MIN); }

/// The kernel's counts only grow: the last count is kept, and the difference is added.
class DAggregatesSeen {
 public:
  DAggregatesSeen(const DProgram& program, const DMaps& maps)
      : program_(program), maps_(maps), seen_(program.aggregations.size()) {}
  Result<void> merge(DAggregations& into);

 private:
  using Words = std::vector<int64_t>;
  void take_over(uint32_t index, const std::string& key, std::span<const int64_t> now, DAggregations& into);
  void take_over_round(uint32_t index, const std::string& key, std::span<const int64_t> now, DAggregations& into);
  int look_up(uint32_t index, const std::string& key, Words& words) const;
  std::vector<std::byte> as_items(uint32_t index, std::string_view key) const;

  const DProgram& program_;
  const DMaps& maps_;
  std::vector<std::unordered_map<std::string, Words>> seen_;
};

}  // namespace strut
