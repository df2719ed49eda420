// Records of speculations, from speculate() until commit() or discard().
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dtrace/session/kept_record.hpp"

namespace strut {

class Speculations {
 public:
  enum class End : uint8_t { Commit, Discard };

  /// `most_bytes`: -x specsize, for each speculation. The program outlives this.
  Speculations(const DProgram& program, uint64_t most_bytes);

  /// False: no clause speculates, commits or discards.
  bool are_used() const { return are_used_; }

  /// Copies a record, or counts a drop. A record may come when its speculation has ended, from another CPU: Commit, it
  /// is to be reported at once; Discard, it is dropped.
  std::optional<End> keep(uint32_t id, const DFired& fired);
  /// The records of a speculation, in their order; none after Discard.
  std::vector<KeptRecord> end(uint32_t id, End how);
  /// Speculations that have ended since the last call.
  std::vector<uint32_t> take_ended() { return std::exchange(ended_, {}); }
  /// Records without room since the last call.
  uint64_t take_drops() { return std::exchange(drops_, 0); }

 private:
  struct Open {
    std::vector<KeptRecord> records;
    uint64_t bytes = 0;
  };

  const DProgram& program_;
  uint64_t most_bytes_;
  bool are_used_;
  std::unordered_map<uint32_t, Open> open_;
  std::unordered_map<uint32_t, End> lately_ended_;
  std::deque<uint32_t> lately_ended_order_;
  std::vector<uint32_t> ended_;
  uint64_t drops_ = 0;
};

}  // namespace strut
