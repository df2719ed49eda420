// Attaching to running processes.
#include <algorithm>

#include "procfs/process_status.hpp"
#include "ptrace/breakpoints/untraced_clone.hpp"
#include "ptrace/engine/borrowers.hpp"
#include "ptrace/engine/host.hpp"

namespace strut {
namespace {

Error refused(Pid pid, std::string lacking) {
  return {0, "attach", std::to_string(raw(pid)), std::move(lacking), "Breakpoints would kill it"};
}

/// The first thread may have exited, and then has no memory.
Tid living_thread(std::span<const Tid> threads) {
  auto found = std::ranges::find_if(threads, [](Tid tid) { return state_of(tid) != 'Z'; });
  return found == threads.end() ? threads.front() : *found;
}

}  // namespace

/// A process that runs in the memory of one before it is stopped as a borrower of that memory.
void PtraceProbeHost::stop_for_attach(std::span<const Pid> pids) {
  std::vector<MemoryOwner> owners;
  std::vector<Tid> threads;
  for (Pid pid : pids) {
    auto shares = [&](const MemoryOwner& owner) { return share_memory(leader_of(pid), owner.tid); };
    if (threads_.process(pid) || stopped_.contains(pid) || std::ranges::any_of(owners, shares)) continue;
    Attached& attached = stopped_[pid] = strut::attach(pid, AttachTo::Process, kHostOptions);
    if (attached.threads.empty()) continue;
    threads.insert(threads.end(), attached.threads.begin(), attached.threads.end());
    owners.push_back({pid, living_thread(attached.threads)});
  }
  await_stops(threads);
  borrowers_.merge(attach_to_borrowers(owners, kHostOptions));
}

Result<void> PtraceProbeHost::attach(Pid pid, ProbeHostObserver& observer) {
  observer_ = &observer;
  if (auto held = threads_.process(pid)) return held->is_reported = true, Result<void>{};  // in another one's memory
  if (!stopped_.contains(pid)) stop_for_attach({&pid, 1});
  Attached attached = std::move(stopped_.extract(pid).mapped()), borrowers;
  if (auto found = borrowers_.extract(pid)) borrowers = std::move(found.mapped());
  if (attached.threads.empty())
    return fail({0, attached.complaints.empty() ? "attach" : attached.complaints.back(), {}, {}, {}});
  if (!attached.lacking.empty()) return fail(refused(pid, std::move(attached.lacking)));
  if (!borrowers.lacking.empty()) return fail(refused(pid, std::move(borrowers.lacking)));
  hold(pid, attached.threads, borrowers.threads);
  return {};
}

void PtraceProbeHost::hold(Pid pid, std::span<const Tid> its_threads, std::span<const Tid> borrowers) {
  auto process = std::make_shared<ProbedProcess>();
  process->call_places = call_places_;
  process->pid = pid;
  process->space = std::make_shared<AddressSpace>(pid, its_threads.front());
  std::vector<ProbedThread*> threads, held;
  for (Tid tid : its_threads) note_clone_at_attach(*threads.emplace_back(&threads_.add(tid, process)));
  install_guard_at_attach(threads, waiting_);
  for (Tid tid : borrowers) held.push_back(&threads_.add(tid, process));
  hold_borrowers(process, its_threads.front(), held, waiting_);
}

}  // namespace strut
