#include "ptrace/engine/births.hpp"

#include <algorithm>
#include <csignal>
#include <set>

#include "procfs/process_status.hpp"
#include "ptrace/breakpoints/clear_memory.hpp"
#include "ptrace/breakpoints/trap_guard.hpp"
#include "ptrace/engine/shared_memory.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {
namespace {

/// The kernel makes a child's memory and its actions for signals when the parent gets there: maybe before the guard was
/// installed.
bool has_guard(const ProbedProcess& child, const Result<ProcessStatus>& status) {
  constexpr uint64_t kTrap = uint64_t{1} << (SIGTRAP - 1);
  if (child.borrows_space) return status && (status->caught & kTrap) != 0;
  return has_guard_code(*child.guard, *child.space);
}

/// The place of the flags of the call that made the child.
void restore_flag(Tid child, const Births::Child& known) {
  const ProbedProcess& process = *known.process;
  bool has_own_memory = leader_of(process.pid) == child && !process.borrows_space;
  if (known.cleared) restore_untraced_in_child(child, *known.cleared, has_own_memory ? process.space.get() : nullptr);
}

/// At its first breakpoint it would be too late: a tracer that is killed there leaves the thread with SIGTRAP pending.
void give_guard(Tid child, const Births::Child& known) {
  ProbedThread thread;
  thread.tid = child;
  thread.process = known.process;
  install_guard(thread);
}

}  // namespace

Births::Child Births::child_of(const std::shared_ptr<ProbedProcess>& parent, Memory memory, Tid child, bool follow) {
  auto status = process_status(child);
  if (status && status->pid == parent->pid) return {parent, {}, false};
  auto process = std::make_shared<ProbedProcess>(*parent);
  process->pid = Pid{raw(child)};
  process->is_reported = follow && parent->is_reported;
  process->borrows_space = memory == Memory::Shared;
  if (process->borrows_space) {
    process->starts = false;
    process->space->note_shared();
  } else {
    process->space = std::make_shared<AddressSpace>(child, *parent->space);
    if (parent->watched) process->watched = std::make_shared<WatchedMemory>(*parent->watched);
  }
  bool lacks_guard = process->guard && !has_guard(*process, status);
  if (lacks_guard) {
    process->guard.reset();
    process->guard_was_tried = false;
  }
  bool is_copy = !process->borrows_space && !process->is_reported;
  return {.process = process, .is_copy = is_copy, .lacks_guard = lacks_guard && !is_copy};
}

bool Births::expect(ProbedThread& parent, Tid child, bool follow) {
  Memory memory = share_memory(child, parent.tid) ? Memory::Shared : Memory::Copied;
  Child known = child_of(parent.process, memory, child, follow);
  known.parent = parent.tid;
  known.cleared = parent.untraced_clone.cleared;
  restore_untraced(parent);
  expected_[raw(child)] = std::move(known);
  return early_.erase(raw(child)) != 0;
}

std::optional<Births::Child> Births::arrived(Tid child, const Processes& of, bool& is_stranger) {
  is_stranger = false;
  if (auto known = expected_.extract(raw(child))) {
    restore_flag(child, known.mapped());
    if (known.mapped().lacks_guard) give_guard(child, known.mapped());
    return known.mapped();
  }
  auto status = process_status(child);
  if (!status) return std::nullopt;
  auto owner = of(status->pid == Pid{raw(child)} ? status->parent : status->pid);
  if (owner) early_[raw(child)] = owner;
  else is_stranger = true;
  return std::nullopt;
}

std::vector<Tid> Births::died(const std::shared_ptr<ProbedProcess>& process, std::span<const Tid> others, bool follow) {
  std::vector<Tid> orphans;
  // Where no other thread is left in a memory that is used, it is the child that uses it.
  auto shares = [&](Tid child) {
    return others.empty() ? process->space->is_used()
                          : std::ranges::any_of(others, [&](Tid other) { return share_memory(child, other); });
  };
  for (auto& [tid, owner] : early_)
    if (owner == process) orphans.push_back(Tid{tid});
  for (Tid child : orphans) {
    expected_[raw(child)] = child_of(process, shares(child) ? Memory::Shared : Memory::Copied, child, follow);
    early_.erase(raw(child));
  }
  ended_.push_back(process);
  if (ended_.size() > kRemembered) ended_.pop_front();
  return orphans;
}

bool Births::await_one_in(const AddressSpace& space) const {
  return std::ranges::any_of(expected_, [&](auto& child) { return child.second.process->space.get() == &space; }) ||
         std::ranges::any_of(early_, [&](auto& child) { return child.second->space.get() == &space; });
}

void Births::forget(Tid child) {
  expected_.erase(raw(child));
  early_.erase(raw(child));
}

void Births::let_copy_go(Tid child, const Child& copy) {
  ProbedThread thread;
  thread.tid = child;
  thread.process = copy.process;
  copy.process->space->remove_all();
  ProbedThread* only[] = {&thread};
  clear_memory(only);
  detach(child);
}

void Births::let_stranger_go(Tid child, const std::vector<std::shared_ptr<ProbedProcess>>& living) const {
  std::set<const AddressSpace*> spaces;
  for (auto& process : living) spaces.insert(process->space.get());
  for (auto& process : ended_) spaces.insert(process->space.get());
  for (const AddressSpace* space : spaces) AddressSpace(child, *space).remove_all();
  detach(child);
}

}  // namespace strut
