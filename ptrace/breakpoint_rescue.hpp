// Takes a dead tracer's breakpoints out of its targets.
#pragma once

#include "core/ids.hpp"

namespace strut {

struct LedgerRoot;

/// A tracer's ledger: `root` is an address in the tracer.
struct TracerLedger {
  Tid tracer{};
  const LedgerRoot* root = nullptr;
};

/// Restores the code of every address space in the ledger, and of children of its processes that the tracer had not
/// recorded yet. The tracer stands at PTRACE_EVENT_EXIT, a tracee of the calling thread. System calls only.
void restore_code(const TracerLedger& ledger);

}  // namespace strut
