#include "ptrace/engine/newborns.hpp"

#include <sched.h>

#include "procfs/process_status.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {
namespace {

/// The CLONE_ flags of the call that a tracee is in; 0 if it has none or they cannot be read.
uint64_t clone_flags(Tracee& parent) {
  const Call& call = parent.call;
  if (call.effects().makes == Makes::ByArgument) return call.regs[0];
  uint64_t flags = 0;
  if (call.effects().makes == Makes::ByMemory)
    parent.memory.read(Addr{call.regs[0]}, std::as_writable_bytes(std::span(&flags, 1)));
  return flags;
}

/// For a child with its own stop first.
std::optional<Newborn> newborn(Tid tid, const TraceeTable& tracees) {
  auto status = process_status(tid);
  if (!status) return std::nullopt;
  Newborn newborn{status->pid};
  Pid kin = leader_of(status->pid) == tid ? status->parent : status->pid;
  for (auto& [id, other] : tracees)
    if (const SyscallDesc* call = other->open_call(); other->pid == kin && call && call->effects.make_process())
      newborn.parent = other->tid, newborn.by = call;
  return newborn;
}

}  // namespace

void Newborns::expect(Tracee& parent, int event, Tid child) {
  if (event == PTRACE_EVENT_CLONE && parent.place() != Place::Inside) return;  // the call was never seen
  bool thread = event == PTRACE_EVENT_CLONE && (clone_flags(parent) & CLONE_THREAD) != 0;
  expected_[raw(child)] = {thread ? parent.pid : Pid{raw(child)}, parent.tid, parent.open_call()};
}

std::optional<Newborn> Newborns::arrived(Tid child, const TraceeTable& tracees) {
  if (auto known = expected_.extract(raw(child))) return known.mapped();
  return newborn(child, tracees);
}

}  // namespace strut
