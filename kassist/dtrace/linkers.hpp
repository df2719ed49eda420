// Dynamic linkers under watch: at its linker's hook, a process that has mapped new code waits until there are probes in
// it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/uprobes/arming_questions.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "procfs/maps.hpp"

namespace strut {

/// Once it is destroyed, no process waits.
class DLinkers {
 public:
  ~DLinkers() { disarm_at_once(armed_); }
  /// nullptr: programs of this kernel's uprobes cannot wait (before 6.6). `kernel` outlives this. Error: the kernel's
  /// refusal.
  static Result<std::unique_ptr<DLinkers>> start(DKernelProgram& kernel);

  /// The machine's usual linkers, in one process or in all (nullopt). A linker that cannot be armed is left out:
  /// processes do not wait there.
  void watch(std::optional<Pid> pid);
  /// A mapped linker, in a container for example. Other files are ignored.
  void mapped(std::optional<Pid> pid, Pid by, const Mapping& mapping);
  /// The links of this process belong to another thread (UprobeRequest::pid).
  void forget(Pid pid);

  /// Requests of processes that wait.
  int news() const { return questions_.news(); }
  std::vector<wire_question> questions() { return questions_.take(); }
  /// What had changed when questions() was called has its probes. At each look, also without questions.
  void answer();

 private:
  DLinkers(DKernelProgram& kernel, OwnedFd program, ArmingQuestions questions)
      : kernel_(kernel), program_(std::move(program)), questions_(std::move(questions)) {}
  void arm(std::optional<Pid> pid, const std::string& path);

  DKernelProgram& kernel_;
  OwnedFd program_;
  ArmingQuestions questions_;
  std::map<int32_t, Uprobes> armed_;              ///< by process; 0: all
  std::set<std::pair<int32_t, uint64_t>> known_;  ///< by process and inode
};

}  // namespace strut
