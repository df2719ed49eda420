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
#include "kassist/transport/ring_reader.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "kassist/wire/dtrace_run.h"
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

  /// Polls as readable when a process waits.
  int news() const { return kernel_.linker_news(); }
  /// To be asked for before changes of memory are read, answered when all that is theirs has its probes.
  uint64_t asked() { return kernel_.linkers_asked(); }
  /// The processes that requested arming since the last call.
  std::vector<d_linker_question> questions() { return take_records<d_linker_question>(news_); }
  void answer(uint64_t asked) { kernel_.answer_linkers(asked); }

 private:
  DLinkers(DKernelProgram& kernel, OwnedFd program, RingReader news)
      : kernel_(kernel), program_(std::move(program)), news_(std::move(news)) {}
  void arm(std::optional<Pid> pid, const std::string& path);

  DKernelProgram& kernel_;
  OwnedFd program_;
  RingReader news_;
  std::map<int32_t, Uprobes> armed_;              ///< by process; 0: all
  std::set<std::pair<int32_t, uint64_t>> known_;  ///< by process and inode
};

}  // namespace strut
