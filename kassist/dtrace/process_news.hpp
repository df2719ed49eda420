// News of processes: which of them have new code to be looked at, by the kernel's events and by requests of dynamic
// linkers.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "dlang/machine/engine.hpp"
#include "kassist/dtrace/followed.hpp"
#include "kassist/dtrace/linkers.hpp"
#include "kassist/dtrace/news_wait.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/dtrace/seen_code.hpp"
#include "kassist/dtrace/sites.hpp"
#include "kassist/dtrace/stacks.hpp"
#include "kassist/dtrace/targets.hpp"
#include "kassist/dtrace/watches.hpp"
#include "kassist/uprobes/fresh_code.hpp"
#include "kassist/uprobes/process_watch.hpp"

namespace strut {

class DProcessNews {
 public:
  /// Parts that it works on; all outlive this.
  struct Parts {
    DKernelProgram& kernel;
    DTargets& targets;
    DSites& sites;
    DWatches& watches;
    DStacks* stacks;  ///< to know of mappings; nullptr: none
    DNewsWait& wait;
  };
  DProcessNews(const DRunRequest& request, Parts parts)
      : system_wide_(request.system_wide), later_programs_(request.later_programs), parts_(parts) {}

  /// Watches the machine's processes, from the first call on. Error: ProcessWatch's.
  Result<void> watch();
  /// Processes with a dynamic linker wait from now on until their new code is looked at, where this kernel can do that.
  Result<void> watch_linkers();
  /// From now on no process waits.
  void leave_linkers() { linkers_.reset(); }
  bool is_watching() const { return watch_ != nullptr; }
  /// A process has mapped code and is about to request arming.
  bool expects_request() const { return !fresh_code_.empty(); }

  void follow(Pid pid) { followed_.add(pid); }
  /// The process's dynamic linker, which may be another than the machine's, if it is in a container.
  void follow_linkers_of(Pid pid);
  void ended(Pid pid) { followed_.remove(pid); }

  /// Precedes reporting; sites to arm wait until the records are reported.
  void read();
  /// Reports each process with new code once, though it maps several files. `standing`: these stand still.
  void report(DObserver& observer, const std::set<Pid>& standing = {});
  /// The process, which stands still, is looked at.
  void report_stopped(Pid pid, DObserver& observer);
  /// Reports, and lets the processes go on that wait at their linkers. `hold` is called with each thread that does.
  void answer_linkers(DObserver& observer, const std::function<void(Tid)>& hold);

 private:
  void take(const ProcessChange& change, std::set<Pid>& changed, DObserver& observer);
  bool is_new_code(const ProcessChange& change);
  void take_exec(Pid pid, DObserver& observer);

  const bool system_wide_, later_programs_;  ///< DRunRequest's
  const Parts parts_;
  std::unique_ptr<ProcessWatch> watch_;  ///< nullptr: no process is followed
  std::unique_ptr<DLinkers> linkers_;    ///< nullptr: no process waits for probes in new code
  FreshCode fresh_code_;                 ///< processes with a linker that has yet to request arming
  std::vector<ProcessChange> changes_;   ///< read, and not acted on yet
  DFollowed followed_;
  DSeenCode seen_;
};

}  // namespace strut
