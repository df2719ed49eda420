// Receives an engine's reports, and does nothing: tests override the relevant ones.
#pragma once

#include "dlang/machine/engine.hpp"

namespace strut::test {

class SilentDObserver : public DObserver {
 public:
  void fired(const DFired&) override {}
  void faulted(const DFaulted&) override {}
  void dropped(DDrops, int, uint64_t) override {}
  void code_changed(Pid) override {}
  void disarmed(Pid) override {}
  void executed(Pid, uint64_t) override {}
  void forked(Pid, Pid, uint64_t) override {}
  void mapped(Pid, const Mapping&) override {}
  void unmapped(Pid) override {}
  void missed_changes() override {}
  void ended(Pid, int) override {}
};

}  // namespace strut::test
