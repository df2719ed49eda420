#include "ptrace/engine/borrowers.hpp"

#include <map>
#include <set>

#include <unistd.h>

#include "procfs/process_status.hpp"

namespace strut {
namespace {

/// A child that one of them has made since it was seized.
bool is_tracee(Pid pid) {
  auto status = process_status(leader_of(pid));
  return status && (status->tracer == ::gettid() || status->tracer == ::getpid());
}

std::shared_ptr<ProbedProcess> borrower(const ProbedProcess& owner, Pid pid, Tid thread, Tid thread_of_owner) {
  auto process = std::make_shared<ProbedProcess>(owner);
  process->pid = pid;
  process->borrows_space = true;
  process->is_reported = process->starts = false;
  if (share_handlers(thread, thread_of_owner)) return process;
  process->guard.reset();
  process->guard_was_tried = false;
  return process;
}

}  // namespace

std::map<Pid, Attached> attach_to_borrowers(std::span<const MemoryOwner> owners, unsigned seize_options) {
  std::map<Pid, Attached> by_owner;
  std::set<Pid> seen;
  for (bool is_news = !owners.empty(); is_news;) {
    is_news = false;
    for (auto& [other, owner] : others_in_memories(owners)) {
      if (!seen.insert(other).second || is_tracee(other)) continue;
      Attached one = attach(other, AttachTo::Process, seize_options);
      if (one.threads.empty() && !share_memory(leader_of(other), owner.tid)) continue;  // it has exited
      if (one.threads.empty() && !one.complaints.empty()) one.lacking = one.complaints.back();
      Attached& all = by_owner[owner.pid];
      if (!one.lacking.empty()) all.lacking = std::move(one.lacking);
      await_stops(one.threads);
      all.threads.insert(all.threads.end(), one.threads.begin(), one.threads.end());
      is_news = true;
    }
  }
  return by_owner;
}

std::vector<Tracee*> add_borrowers(TraceeTable& tracees, std::span<const Tid> threads) {
  std::vector<Tracee*> added;
  for (Tid tid : threads) {
    auto status = process_status(tid);
    added.push_back(&tracees.add(tid, status ? status->pid : Pid{raw(tid)}));
  }
  return added;
}

void hold_borrowers(const std::shared_ptr<ProbedProcess>& owner, Tid tid, std::span<ProbedThread* const> threads,
                    std::deque<Waited>& waiting) {
  std::map<Pid, std::vector<ProbedThread*>> by_process;
  for (ProbedThread* thread : threads)
    if (auto status = process_status(thread->tid)) by_process[status->pid].push_back(thread);
  for (auto& [pid, its_threads] : by_process) {
    auto process = borrower(*owner, pid, its_threads.front()->tid, tid);
    for (ProbedThread* thread : its_threads) {
      thread->process = process;
      note_clone_at_attach(*thread);
    }
    owner->space->note_shared();
    if (!process->guard_was_tried) install_guard_at_attach(its_threads, waiting);
  }
}

}  // namespace strut
