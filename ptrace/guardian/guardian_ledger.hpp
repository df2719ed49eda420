// The memory that strut's processes and their guardian share. Private to ptrace/.
#pragma once

#include <array>
#include <atomic>
#include <span>

#include "ptrace/guardian/guardian.hpp"

namespace strut {

struct GuardianLedger {
  // Written before the guardian is forked.
  std::atomic<pid_t> tracer = 0;
  pid_t front = 0;  ///< 0: the tracer is no process of its own
  TracerEnd end;
  std::span<std::byte> memory;  ///< Guardian::memory()

  std::atomic<pid_t> guardian = 0;
  std::atomic<bool> permitted = false;  ///< Yama knows it
  std::atomic<bool> holds = false;      ///< the tracer
  std::atomic<bool> dismissed = false;
  std::array<UndoRecord, Guardian::kRecords> records;
};

/// The guardian's work from its fork on. System calls only: it may be forked from a process with threads.
[[noreturn]] void guard(GuardianLedger& ledger);

/// The signal that makes the guardian look at the ledger.
int guardian_nudge();

}  // namespace strut
