// -x bufpolicy=ring and fill: records are reported when the run ends.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

#include "dtrace/session/kept_record.hpp"

namespace strut {

class HeldRecords {
 public:
  /// By DSettings::bufpolicy and bufsize, which is each CPU's. The program outlives this.
  explicit HeldRecords(const DProgram& program)
      : program_(program), policy_(program.settings.bufpolicy), most_bytes_(program.settings.bufsize) {}

  /// False: records are reported as they come.
  bool are_held() const { return policy_ != DSettings::BufferPolicy::Switch; }
  /// fill: the buffer of one CPU is full, and the run is to end.
  bool are_enough() const { return is_full_; }
  /// ring: the oldest ones of this CPU make room.
  void keep(const DFired& fired);
  std::deque<KeptRecord> take() { return std::exchange(records_, {}); }

 private:
  void make_room(uint32_t cpu, uint64_t bytes);

  const DProgram& program_;
  DSettings::BufferPolicy policy_;
  uint64_t most_bytes_;
  bool is_full_ = false;
  std::deque<KeptRecord> records_;
  std::map<uint32_t, uint64_t> bytes_;  ///< by CPU
};

}  // namespace strut
