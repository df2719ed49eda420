// Whether the tracer is to follow a tracee's CPU, by the pace of stops: a few comparisons a stop.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/ids.hpp"

namespace strut {

/// Whether tracees other than the one that has stopped are in user code.
enum class Company : uint8_t { None, Others };

class StopPace {
 public:
  enum class Verdict : uint8_t {
    Nothing,
    Engage,   ///< stops come thick and fast, or one tracee runs alone
    GiveWay,  ///< tracees compute while others run
    Again,    ///< the tracee that stopped before has stopped again
  };
  /// A tracee has stopped at this CLOCK_MONOTONIC time. `engaged`: the tracer follows one.
  Verdict at_stop(Tid tid, uint64_t time_ns, Company company, bool engaged) {
    gap_ns_ = time_ns - last_stop_ns_;
    last_stop_ns_ = time_ns;
    bool again = tid == last_tid_, dense = gap_ns_ < kDense_ns;
    last_tid_ = tid;
    if (!engaged) {
      streak_ = dense || company == Company::None ? streak_ + 1 : 0;
      if (streak_ < kEngageAfter) return Verdict::Nothing;
      streak_ = 0;
      return Verdict::Engage;
    }
    if (dense) strain_ = std::max(strain_ - 1, 0);
    else if (company == Company::Others && (strain_ += kStrain) > kMaxStrain) return Verdict::GiveWay;
    return again ? Verdict::Again : Verdict::Nothing;  // a single stop is not worth a move
  }
  /// Whether to look up the tracee's CPU after the last stop. `suspects_gaps`: in a long gap it may have moved.
  bool is_check_due(bool suspects_gaps) {
    return (suspects_gaps && gap_ns_ > kSuspiciousGap_ns) || ++unchecked_ >= kCheckEvery;
  }
  /// The tracee's CPU has been looked up.
  void checked() { unchecked_ = 0; }
  /// The tracer follows no tracee any more.
  void relax() { strain_ = 0; }

 private:
  static constexpr int kEngageAfter = 4;
  static constexpr int kCheckEvery = 256;
  static constexpr uint64_t kSuspiciousGap_ns = 30'000;  ///< a check costs 1 µs
  static constexpr uint64_t kDense_ns = 200'000;
  static constexpr int kStrain = 4;  ///< the weight of a long gap, in dense stops that make up for it
  static constexpr int kMaxStrain = 8;

  Tid last_tid_{};
  uint64_t last_stop_ns_ = 0, gap_ns_ = 0;
  int streak_ = 0;  ///< stops in a row that were dense or without company
  int strain_ = 0;
  int unchecked_ = 0;
};

}  // namespace strut
