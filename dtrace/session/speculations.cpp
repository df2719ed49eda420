#include "dtrace/session/speculations.hpp"

#include <algorithm>

namespace strut {
namespace {

/// Ended speculations that are remembered, for records that come late. A record is late by the time that a CPU takes
/// from speculate() to the end of its clause.
constexpr size_t kRemembered = 1024;

}  // namespace

Speculations::Speculations(const DProgram& program, uint64_t most_bytes)
    : program_(program),
      most_bytes_(most_bytes),
      are_used_(std::ranges::any_of(program.actions, &DAction::is_about_speculations)) {}

std::optional<Speculations::End> Speculations::keep(uint32_t id, const DFired& fired) {
  if (auto at = lately_ended_.find(id); at != lately_ended_.end()) return at->second;
  Open& open = open_[id];
  uint64_t bytes = buffer_bytes(program_, fired.record);
  if (bytes > most_bytes_ - open.bytes) {
    drops_++;
    return std::nullopt;
  }
  open.bytes += bytes;
  open.records.emplace_back(fired);
  return std::nullopt;
}

std::vector<KeptRecord> Speculations::end(uint32_t id, End how) {
  lately_ended_[id] = how;
  lately_ended_order_.push_back(id);
  if (lately_ended_order_.size() > kRemembered) {
    lately_ended_.erase(lately_ended_order_.front());
    lately_ended_order_.pop_front();
  }
  ended_.push_back(id);
  auto open = open_.extract(id);
  if (!open || how == End::Discard) return {};
  return std::move(open.mapped().records);
}

}  // namespace strut
