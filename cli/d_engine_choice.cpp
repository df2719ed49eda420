#include "cli/d_engine_choice.hpp"

#include "core/caller.hpp"
#include "dtrace/interpreted_engine.hpp"
#include "kassist/d_engine.hpp"
#include "kassist/support.hpp"
#include "kassist/uprobe_removal.hpp"
#include "ptrace/launch_watch.hpp"
#include "ptrace/probe_host.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {

namespace {

bool is_ptrace(const OwnOptions& own, DNeeds needs) {
  if (own.backend == BackendChoice::Auto) return kassist_obstacle() || !check_may_trace_unnamed() || (needs == DNeeds::Code && uprobe_obstacle());
  return own.backend == BackendChoice::Ptrace;
}

}  // namespace

Result<std::unique_ptr<DEngine>> make_d_engine(const OwnOptions& own, DNeeds needs) {
  bool forced = own.backend == BackendChoice::Kassist;
  if (needs == DNeeds::Nobody && !forced) return make_interpreted_engine(nullptr);
  if (is_ptrace(own, needs)) {
    drop_file_capabilities();  // the kernel decides by the caller's own what may be traced
    return make_interpreted_engine(make_ptrace_probe_host());
  }
  return make_kassist_d_engine({make_cfi_unwinder(FrameDetail::Functions), make_launch_watch});
}

}  // namespace strut
