#include "ptrace/breakpoints/displacer.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "procfs/proc_file.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/injected_call.hpp"
#include "ptrace/requests/move_on.hpp"

namespace strut {
namespace {

/// Instructions that do the same at any address. In a slot one costs the tracer one register, %rip: no access to
/// memory, and the other registers are not written (a third of the cost). An instruction that changes only %rip is as
/// cheap without a slot.
bool is_better_in_slot(const Displaced& displaced) {
  using Operation = Displaced::Operation;
  using Kind = DisplacedOperand::Kind;
  bool reaches_memory = displaced.to.kind == Kind::Memory || displaced.from.kind == Kind::Memory;
  switch (displaced.operation) {
    case Operation::Jump: return reaches_memory;
    case Operation::Nothing:
    case Operation::Call:
    case Operation::JumpIf:
    case Operation::JumpIfCountZero:
    case Operation::Loop:
    case Operation::LoopIfEqual:
    case Operation::LoopIfNotEqual: return false;
    default: return true;
  }
}

}  // namespace

bool Displacer::go_over(ProbedThread& thread, Breakpoint& breakpoint, AllRegisters& registers) {
  const Displaced& displaced = *breakpoint.displaced;
  bool can_emulate = displaced.way == Displaced::Way::Emulate, in_slot = can_emulate && is_better_in_slot(displaced);
  if (in_slot && send_to_slot(thread, breakpoint, registers)) {
    counts_.stepped++;
    return true;
  }
  AllRegisters before = registers;
  if (can_emulate && emulates(thread, displaced, registers)) {
    counts_.emulated++;
    return move_on(thread, before, registers);
  }
  if (in_slot || displaced.way == Displaced::Way::Refused || !send_to_slot(thread, breakpoint, registers)) return false;
  counts_.stepped++;
  return true;
}

bool Displacer::do_at_home(ProbedThread& thread, AllRegisters& registers) {
  const Breakpoint* breakpoint = thread.process->space->at(registers[kRip]);
  if (!breakpoint || !breakpoint->displaced || breakpoint->displaced->way != Displaced::Way::Emulate) return false;
  return emulates(thread, *breakpoint->displaced, registers);
}

bool Displacer::emulates(ProbedThread& thread, const Displaced& displaced, AllRegisters& registers) {
  auto emulated = emulate(displaced, machine_registers(registers), *thread.process->space);
  if (!emulated || (emulated->write && !do_write(thread, *emulated->write))) return false;
  put(emulated->after, registers);
  return true;
}

/// Writes as the thread itself would: not to memory that is read-only to it, and the kernel extends its stack.
bool Displacer::do_write(ProbedThread& thread, const Emulated::Write& write) {
  uint64_t value = write.value;
  iovec local{&value, write.bytes}, remote{reinterpret_cast<void*>(raw(write.at)), write.bytes};
  if (::process_vm_writev(raw(thread.tid), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(write.bytes)) return true;
  std::byte there;
  AddressSpace& space = *thread.process->space;
  if (space.read_raw(raw(write.at), {&there, 1}) == 1) return false;
  return space.write_raw(raw(write.at), std::as_bytes(std::span(&value, 1)).first(write.bytes));
}

bool Displacer::send_to_slot(ProbedThread& thread, Breakpoint& breakpoint, AllRegisters& registers) {
  if (breakpoint.slot == 0 && !find_slot(thread, breakpoint, registers[kRip])) return false;
  if (!move_to_slot(thread, breakpoint.slot, registers)) return true;  // it has been killed
  // The kernel is to find the thread behind the instruction itself, not behind the copy: a child that the call makes
  // goes on there.
  thread.calls_in_slot = enters_kernel(*breakpoint.displaced);
  return true;
}

bool Displacer::find_slot(ProbedThread& thread, Breakpoint& breakpoint, uint64_t home) {
  AddressSpace& space = *thread.process->space;
  auto taken = space.slots().take(*breakpoint.displaced, home);
  if (!taken && map_area(thread, home)) taken = space.slots().take(*breakpoint.displaced, home);
  if (!taken || !space.write_raw(taken->at, taken->bytes)) return false;
  breakpoint.slot = taken->at;
  return true;
}

bool Displacer::map_area(ProbedThread& thread, uint64_t home) {
  ProbedProcess& process = *thread.process;
  if (process.has_no_slots) return false;
  process.has_no_slots = true;
  auto mappings = maps_of(process.pid);
  if (!mappings || is_sandboxed(thread.tid)) return false;
  auto at = Slots::room_near(home, *mappings);
  if (!at) return false;
  InjectedCall call{
      SYS_mmap,
      {*at, kSlotAreaBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, ~uint64_t{0}, 0}};
  auto mapped = inject(thread, call);
  if (!mapped || static_cast<uint64_t>(*mapped) != *at) return false;
  process.space->slots().add_area(*at);
  note_slot_area(thread, *at);
  process.has_no_slots = false;
  return true;
}

Displacer::Brought Displacer::bring_home(const ProbedThread& thread, AllRegisters& registers) {
  AddressSpace& space = *thread.process->space;
  uint64_t start = 0;
  const Slots::Slot* slot = space.slots().empty() ? nullptr : space.slots().find(registers[kRip], start);
  if (!slot) return Brought::WasElsewhere;
  bool before = registers[kRip] == start;
  Displaced displaced;
  displaced.length = slot->length;
  displaced.is_system_call = !before;  // else %rcx may hold anything
  put(brought_home(displaced, slot->home, start, machine_registers(registers)), registers);
  return before ? Brought::BeforeIt : Brought::BehindIt;
}

bool Displacer::enters_kernel(const Displaced& displaced) {
  auto byte = [&](size_t index) { return std::to_integer<unsigned>(displaced.bytes[index]); };
  return displaced.is_system_call || (byte(0) == 0xcd && byte(1) == 0x80) || (byte(0) == 0x0f && byte(1) == 0x34);
}

void Displacer::unmap_slots(ProbedThread& thread) {
  AddressSpace& space = *thread.process->space;
  if (space.slots().empty()) return;
  for (uint64_t area : space.slots().areas()) {
    InjectedCall call{SYS_munmap, {area, kSlotAreaBytes, 0, 0, 0, 0}};
    inject(thread, call);
  }
  space.slots().clear();
}

}  // namespace strut
