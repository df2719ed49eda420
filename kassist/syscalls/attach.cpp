#include "kassist/syscalls/attach.hpp"

#include <algorithm>

#include <unistd.h>

#include "process/caller.hpp"
#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"

namespace strut {

std::string no_process_has(Pid id) { return "attach: " + process_name(id) + ": No such process"; }

std::string no_memory_for(Pid id) { return "attach: " + process_name(id) + ": the kernel has no memory to follow it"; }

AttachPlan plan_attach(const std::vector<Pid>& asked, bool whole_processes) {
  AttachPlan plan;
  for (Pid id : asked) {
    auto status = process_status(leader_of(id));
    if (!status) {
      plan.complaints.push_back(no_process_has(id));
    } else if (status->kernel_thread) {
      plan.complaints.push_back("attach: " + kernel_thread_refusal(id));
    } else if (raw(status->pid) == ::getpid()) {
      plan.complaints.push_back("attach: " + process_name(id) + " is this tracer itself");
    } else if (auto may = check_may_trace(id); !may) {
      plan.complaints.push_back(describe(may.error()));
    } else {
      wire_seeding extent = whole_processes ? WIRE_SEED_PROCESS : WIRE_SEED_THREAD;
      plan.targets.push_back({id, status->pid, extent});
      plan.ids[whole_processes ? raw(status->pid) : raw(id)] = extent;
    }
  }
  return plan;
}

std::vector<wire_seed> seeds_of(const AskedFor& target, const std::vector<wire_seed>& seeds) {
  std::vector<wire_seed> found;
  for (const wire_seed& seed : seeds) {
    bool named = static_cast<int32_t>(seed.tid) == raw(target.id);
    bool shares = target.extent == WIRE_SEED_PROCESS && static_cast<int32_t>(seed.tgid) == raw(target.process);
    if (named || shares) found.push_back(seed);
  }
  // The one that was named goes first: it stands for the others where they are announced.
  std::stable_partition(found.begin(), found.end(),
                        [&](const wire_seed& seed) { return static_cast<int32_t>(seed.tid) == raw(target.id); });
  return found;
}

}  // namespace strut
