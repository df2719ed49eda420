// Which records become rows at once, and which when their speculation or the run ends.
#pragma once

#include "dtrace/session/held_records.hpp"
#include "dtrace/session/session_output.hpp"
#include "dtrace/session/speculations.hpp"

namespace strut {

class RecordRouting {
 public:
  /// All outlive it.
  RecordRouting(const DProgram& program, DEngine& engine, SessionOutput& output);

  void fired(const DFired& fired);
  /// Numbers of ended speculations are free. The speculative drops since the last call.
  uint64_t free_speculations();
  /// Prints the records that were held until the end.
  void print_held();
  /// The buffer that holds records is full, and the run is to end (-x bufpolicy=fill).
  bool is_full() const { return held_.are_enough(); }

 private:
  void print_or_hold(const DFired& fired);
  void route(const DFired& fired);
  void end_speculation(uint32_t id, Speculations::End how);

  const DProgram& program_;
  DEngine& engine_;
  SessionOutput& output_;
  Speculations speculations_;
  HeldRecords held_;
};

}  // namespace strut
