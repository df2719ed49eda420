#include "kassist/dtrace/watches.hpp"

#include <algorithm>
#include <cerrno>
#include <set>

#include <bpf/bpf.h>

#include "kassist/loader/object_types.hpp"
#include "procfs/process_status.hpp"
#include "procfs/remote_memory.hpp"
#include "trace/breakpoint_event.hpp"

namespace strut {

/// Threads are stopped meanwhile, where they can be: one that was made between a look at the list of threads and the
/// breakpoint of its maker would have none, or two. Those that cannot be stopped are looked for until there is no new
/// one.
Result<void> DWatches::watch(Pid pid, std::span<const DWatch> watches) {
  Process& process = processes_[raw(pid)];
  if (std::ranges::equal(process.ranges, watches)) return {};
  std::optional<int> clauses = TRY(kernel_.program(DHook::Watch));
  if (!clauses) return {};
  std::shared_ptr<void> held = hold_ ? hold_(pid) : nullptr;
  drop(process);
  TRY_VOID(keep_values(pid, watches));
  process.ranges.assign(watches.begin(), watches.end());
  std::set<int32_t> seen;
  for (size_t before = SIZE_MAX; before != seen.size();) {
    before = seen.size();
    for (Tid tid : TRY(threads_of(pid)))
      if (seen.insert(raw(tid)).second) TRY_VOID(add_thread(process, pid, tid, *clauses));
    if (held) break;
  }
  return {};
}

Result<void> DWatches::keep_values(Pid pid, std::span<const DWatch> watches) {
  RemoteMemory memory(leader_of(pid));
  for (const DWatch& watch : watches) {
    uint64_t value = 0;
    auto bytes = std::as_writable_bytes(std::span(&value, 1)).first(watch.range.bytes);
    if (memory.read(Addr{watch.range.address}, bytes).bytes != bytes.size())
      return fail(
          {EFAULT, "watch memory", "process " + std::to_string(raw(pid)), "nothing is mapped at an address", {}});
    TRY_VOID(kernel_.add_watch(pid, watch, value));
  }
  return {};
}

/// A thread that has ended meanwhile needs none.
Result<void> DWatches::add_thread(Process& process, Pid pid, Tid tid, int clauses) {
  for (const DWatch& watch : process.ranges) {
    OwnedFd event = open_breakpoint({.range = watch.range, .tid = tid, .inherits = true});
    if (event.number() == -ESRCH) return {};
    if (!event) return fail(why_no_breakpoint(-event.number(), pid));
    OwnedFd link(bpf_link_create(clauses, event.number(), BPF_PERF_EVENT, nullptr));
    if (!link) return fail(refused("attach a BPF program to a breakpoint", -link.number()));
    process.events.push_back(std::move(event));
    process.links.push_back(std::move(link));
  }
  return {};
}

void DWatches::drop(Process& process) {
  for (OwnedFd& event : process.events) hits_ += hits_of(event).value_or(0);
  process = {};
}

/// Events count the hits of their threads' children, too.
uint64_t DWatches::end() {
  for (auto& [pid, process] : processes_) drop(process);
  uint64_t seen = kernel_.control().watch_hits();
  return hits_ > seen ? hits_ - seen : 0;
}

}  // namespace strut
