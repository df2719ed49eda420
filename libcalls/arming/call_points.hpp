// The functions to arm in a trace's processes, and the call that a hit at one of them means.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "libcalls/arming/module_look.hpp"

namespace strut {

/// What was found out about the request, for complaints.
struct CallFindings {
  /// "puts@libc.so.6: why": functions that could not be armed, or not be seen, in the order of their discovery.
  std::vector<std::string> complaints;
  /// "libz.so.1: why": why a requested function may be none of the known ones, in addition to the complaints.
  std::vector<std::string> hidden;
  /// Files with code could not be read: a name that matches none of the other functions may be one of theirs.
  bool lacks_files = false;
  /// Programs were looked at, and import no function.
  bool programs_import_nothing = false;
  size_t functions = 0;  ///< that are reported
};

/// Thread-safe: backends ask while a sink reports. `choice` and `prototypes` outlive it and are asked under its lock.
class CallPoints final : public FunctionPoints {
 public:
  CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options);

  void hits_cost_alike() override { context_.hits_cost_alike = true; }
  std::unique_ptr<FunctionPoints> anew() const override;
  std::vector<FunctionCode> code_changed(Pid pid) override;
  std::vector<FunctionCode> behind(uint32_t index, Pid pid, uint64_t return_address) override;
  void refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) override;
  const TracedFunction& function(uint32_t index) const override;
  std::optional<int64_t> errno_place(Pid pid) const override;

  // -- for reporting ----------------------------------------------------------------------------
  /// As SiteTable has them.
  SiteOwner owner(uint32_t index) const;
  bool may_end(uint32_t index, uint64_t code) const;
  /// A call of a function that returns to an address.
  const CallVerdict& called(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns);
  /// A call by a jump out of a module: `outward` is the function of the Outward site.
  const CallVerdict& called_by_jump(uint32_t index, uint32_t outward);
  /// No call: a function that is active, and has not returned, jumped there.
  const CallVerdict& jumped_to(uint32_t index);
  /// Whether a call of a function that jumped away may have returned to an address unseen.
  bool may_return_unseen(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns);
  /// True if the instruction before a return address names this function.
  bool is_called_there(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns);
  /// Whether a return address is in code. Otherwise a tracer has replaced it.
  bool is_code(Pid pid, uint64_t address, uint64_t when_ns);
  /// The function or object of a module that begins at an address.
  std::optional<std::string> symbol(Pid pid, uint64_t address, uint64_t when_ns);
  /// A process runs another program since this time: its mappings are read if they were not reported yet.
  void executed(Pid pid, uint64_t when_ns);
  /// A child process has its parent's code.
  void forked(Pid parent, Pid child) { catalogue_.forked(parent, child); }
  /// Where stacks may be, as it was when a process was last looked at.
  const SeenStacks& stacks() const { return catalogue_.stacks(); }

  CallFindings findings() const;

 private:
  CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options,
             std::shared_ptr<CallModules> modules);

  mutable std::mutex mutex_;
  ArmingComplaints complaints_;
  ModuleCatalogue catalogue_;
  SiteTable sites_;
  CallAttribution calls_;
  ArmingContext context_;
  ModuleLook look_;
};

}  // namespace strut
