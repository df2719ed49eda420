// From the descriptions' modules to armed probes, at the beginning and whenever a process maps code.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dtrace/session/consumer.hpp"
#include "dtrace/session/enabling.hpp"
#include "dtrace/session/session_probes.hpp"

namespace strut {

class SessionArming {
 public:
  using Permits = std::function<bool(const DCode&)>;

  /// All outlive it. `permits`: whether probes of code that is mapped while the session runs may be armed; empty: they
  /// may.
  SessionArming(Enabling& enabling, DEngine& engine, DConsumer& consumer, SessionProbes& probes, Permits permits)
      : enabling_(enabling), engine_(engine), consumer_(consumer), probes_(probes), permits_(std::move(permits)) {}

  /// Arms what was found before the session began. `running`: processes that were attached to.
  Result<void> arm_all_found(std::span<const Pid> running);
  /// Arms what a process has mapped since it was looked at. What fails is said.
  void arm_new_code(Pid pid);
  /// Says so: the run has failed.
  void could_not_watch(const Error& error);
  /// Something that the program asks for could not be armed.
  bool has_failed() const { return has_failed_; }
  void report_refusals();
  /// Instructions that no probe could be put on.
  uint64_t refused() const { return refused_; }

 private:
  bool has_armed(size_t sites);
  Result<void> arm(const DCode& code);
  Result<void> arm_if_mapped(DCode& code);
  Result<void> arm_found(PidFound& found);
  Result<void> watch_memory(Pid pid);
  bool is_permitted(Pid pid, const DCode& code);
  void report_shortage(Pid pid, const std::string& shortage);
  void note_refusals(const DCode& code, const std::vector<DRefusal>& refusals);

  Enabling& enabling_;
  DEngine& engine_;
  DConsumer& consumer_;
  SessionProbes& probes_;
  const Permits permits_;
  uint64_t sites_armed_ = 0, sites_wanted_ = 0, refused_ = 0;
  std::string first_refusal_;
  std::vector<FoundWatch> watches_;  ///< with the session's numbers of probes
  bool said_shortage_ = false;
  bool has_failed_ = false;
};

}  // namespace strut
