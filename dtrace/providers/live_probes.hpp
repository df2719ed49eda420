// Which probes fire at calls and in the lives of processes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "dlang/machine/engine.hpp"

namespace strut {

class LiveProbes {
 public:
  /// A probe of a call, and which of the call's arguments is its arg0.
  struct OfCall {
    uint32_t probe = 0;
    uint8_t first = 0;
  };

  /// "provider:module:function:name".
  static std::string description_of(const DProbe& probe);
  void add(uint32_t index, const DProbe& probe);

  std::span<const OfCall> at_entry(std::string_view call) const { return find(entries_, call); }
  std::span<const OfCall> at_return(std::string_view call) const { return find(returns_, call); }
  std::span<const uint32_t> of(DTrigger::Process what) const { return processes_[static_cast<size_t>(what)]; }
  /// Probes of clocks, and how long it is from tick to tick of each.
  std::span<const uint32_t> profiles() const { return profiles_; }
  const std::vector<uint64_t>& clocks_ns() const { return clocks_ns_; }
  bool need_calls() const;
  /// Any at all: they are system-wide, so that descendants are followed for them.
  bool any() const;

 private:
  using ByCall = std::unordered_map<std::string_view, std::vector<OfCall>>;
  static std::span<const OfCall> find(const ByCall& calls, std::string_view name) {
    auto at = calls.find(name);
    return at == calls.end() ? std::span<const OfCall>{} : at->second;
  }
  static constexpr size_t kKinds = static_cast<size_t>(DTrigger::Process::SignalDiscard) + 1;

  bool watches_ = false;  ///< memory: children have the ranges, too
  ByCall entries_, returns_;
  std::vector<uint32_t> processes_[kKinds];
  std::vector<uint32_t> profiles_;
  std::vector<uint64_t> clocks_ns_;
};

}  // namespace strut
