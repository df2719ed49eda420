// Takes a dead tracer's breakpoints out of its targets.
#pragma once

#include <cstddef>
#include <span>

#include "base/ids.hpp"

namespace strut {

struct LedgerRoot;

/// A tracer's ledger: `root` is an address in the tracer. The parts in `memory` are at the same addresses in the
/// process that reads it.
struct TracerLedger {
  Tid tracer{};
  const LedgerRoot* root = nullptr;
  std::span<const std::byte> memory;
};

/// Restores the code of every address space in the ledger, and of children of its processes that the tracer had not
/// recorded yet. The tracer is stopped at PTRACE_EVENT_EXIT, a tracee of the calling thread, or is a zombie: then only
/// the parts in `memory` are used, and targets with memory that the caller may open. System calls only.
void restore_code(const TracerLedger& ledger);

/// After restore_code(), when the tracer is dead: the same for children whose clone(2) had copied their parent's memory
/// before, and which appeared later. They wait in the handler (TrapGuard) if they have run into a breakpoint.
void restore_late_children(const TracerLedger& ledger);

}  // namespace strut
