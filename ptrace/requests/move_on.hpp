// How a thread that stands behind an int3 gets the registers that it goes on with.
#pragma once

#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {

/// `registers` are all that the thread is to have. Where its process has a TrapGuard they are marked: should the tracer
/// be killed before it restarts the thread, the handler of the SIGTRAP that comes then must not change them. False: the
/// thread is gone.
inline bool move_on(ProbedThread& thread, AllRegisters registers) {
  thread.is_trapped = false;
  if (thread.process->guard) registers[kFlags] |= kResumeFlag;
  return write_all_registers(thread.tid, registers);
}

/// For `before` being the thread's registers except for %rip.
inline bool move_on(ProbedThread& thread, AllRegisters before, const AllRegisters& registers) {
  before[kRip] = registers[kRip];
  if (thread.process->guard || before != registers) return move_on(thread, registers);
  thread.is_trapped = false;
  return write_instruction_pointer(thread.tid, registers[kRip]);
}

/// To a slot, by %rip alone where that suffices (TrapGuardData::slot_areas).
inline bool move_to_slot(ProbedThread& thread, uint64_t slot, AllRegisters& registers) {
  registers[kRip] = slot;
  constexpr size_t kKnownAreas = std::tuple_size_v<decltype(TrapGuardData::slot_areas)>;
  if (thread.process->guard && thread.process->space->slots().area_count() > kKnownAreas)
    return move_on(thread, registers);
  thread.is_trapped = false;
  return write_instruction_pointer(thread.tid, slot);
}

}  // namespace strut
