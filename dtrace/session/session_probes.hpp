// The probes of a session, in the order in which its engine got them.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "dlang/machine/engine.hpp"

namespace strut {

class SessionProbes {
 public:
  /// The engine outlives it.
  explicit SessionProbes(DEngine& engine) : engine_(engine) {}

  /// Probes that the session fires itself: BEGIN, END, ERROR and tick. Once, before others.
  Result<void> add_own(std::vector<DProbe> probes);
  Result<void> add(std::vector<DProbe> probes);

  const DProbe& operator[](uint32_t probe) const { return *probes_[probe]; }
  uint32_t count() const { return static_cast<uint32_t>(probes_.size()); }
  /// The first so many are the session's own.
  uint32_t own() const { return own_; }
  /// The number of a probe's first clause among all enabled ones, from 1.
  uint32_t first_epid(uint32_t probe) const { return first_epid_[probe]; }
  /// The one probe of the provider dtrace of this name, if it is enabled.
  std::vector<uint32_t> named(std::string_view name) const;

 private:
  DEngine& engine_;
  std::deque<std::vector<DProbe>> known_;  ///< engines keep views of these
  std::vector<const DProbe*> probes_;
  std::vector<uint32_t> first_epid_;
  uint32_t next_epid_ = 1;
  uint32_t own_ = 0;
};

}  // namespace strut
