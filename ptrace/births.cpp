#include "ptrace/births.hpp"

#include <set>

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/proc/process_status.hpp"
#include "ptrace/clear_memory.hpp"
#include "ptrace/control.hpp"

namespace strut {
namespace {

bool share_memory(Tid a, Tid b) { return ::syscall(SYS_kcmp, raw(a), raw(b), KCMP_VM, 0, 0) == 0; }

/// What the call that made the child was changed in.
void restore_flag(Tid child, const Births::Child& known) {
  const ProbedProcess& process = *known.process;
  bool has_own_memory = leader_of(process.pid) == child && !process.borrows_space;
  if (known.cleared) restore_untraced_in_child(child, *known.cleared, has_own_memory ? process.space.get() : nullptr);
}

}  // namespace

Births::Child Births::child_of(const std::shared_ptr<ProbedProcess>& parent, Tid witness, Tid child, bool follow) {
  auto status = process_status(child);
  if (status && status->pid == parent->pid) return {parent, {}, false};
  auto process = std::make_shared<ProbedProcess>(*parent);
  process->pid = Pid{raw(child)};
  process->is_told = follow && parent->is_told;
  bool shares = share_memory(child, witness);
  process->borrows_space = shares;
  if (shares) process->starts = false;
  else process->space = std::make_shared<AddressSpace>(child, *parent->space);
  return {process, {}, !shares && !process->is_told};
}

bool Births::expect(ProbedThread& parent, Tid child, bool follow) {
  Child known = child_of(parent.process, parent.tid, child, follow);
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
    return known.mapped();
  }
  auto status = process_status(child);
  if (!status) return std::nullopt;
  auto owner = of(status->pid == Pid{raw(child)} ? status->parent : status->pid);
  if (owner) early_[raw(child)] = owner;
  else is_stranger = true;
  return std::nullopt;
}

std::vector<Tid> Births::died(const std::shared_ptr<ProbedProcess>& process, bool follow) {
  std::vector<Tid> orphans;
  for (auto& [tid, owner] : early_)
    if (owner == process) orphans.push_back(Tid{tid});
  for (Tid child : orphans) {
    expected_[raw(child)] = child_of(process, leader_of(process->pid), child, follow);
    early_.erase(raw(child));
  }
  ended_.push_back(process);
  if (ended_.size() > kRemembered) ended_.pop_front();
  return orphans;
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
