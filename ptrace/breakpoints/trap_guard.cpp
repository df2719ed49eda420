#include "ptrace/breakpoints/trap_guard.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <vector>

#include <sys/syscall.h>

#include "procfs/maps.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/breakpoints/blocked_trap.hpp"
#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/injected_call.hpp"
#include "ptrace/requests/stop.hpp"

namespace strut {
namespace {

constexpr uint64_t kRestorerFlag = 0x04000000;  // SA_RESTORER of asm/signal.h
constexpr size_t kSignalSetBytes = 8;
constexpr size_t kAlignment = 16;

/// The last bytes of the vdso's mapping, if they are zeros: its image ends before. nullopt: they are not, or there is
/// no vdso.
std::optional<uint64_t> room_in_vdso(Pid pid, const AddressSpace& space, size_t bytes) {
  auto mappings = maps_of(pid);
  if (!mappings) return std::nullopt;
  auto vdso = std::ranges::find(*mappings, "[vdso]", &Mapping::path);
  if (vdso == mappings->end() || raw(vdso->end) - raw(vdso->start) < bytes) return std::nullopt;
  // One behind another: a strut that was killed may have left its code there.
  std::vector<std::byte> content(raw(vdso->end) - raw(vdso->start));
  if (space.read_raw(raw(vdso->start), content) != content.size()) return std::nullopt;
  size_t zeros = static_cast<size_t>(
      std::ranges::find_if(content.rbegin(), content.rend(), [](std::byte b) { return b != std::byte{0}; }) -
      content.rbegin());
  // The possible end of an image is left unchanged.
  constexpr size_t kMargin = 64;
  if (zeros < bytes + kMargin + kAlignment) return std::nullopt;
  return (raw(vdso->end) - zeros + kMargin + kAlignment - 1) & ~uint64_t{kAlignment - 1};
}

uint64_t data_place(const TrapGuard& guard, size_t offset) { return guard.area + trap_guard_places().data + offset; }

bool write_at(AddressSpace& space, uint64_t at, const auto& what) {
  return space.write_raw(at, std::as_bytes(std::span(&what, 1)));
}

/// Calls rt_sigaction(SIGTRAP) there. The action before it; nullopt: the thread is gone, or it is not permitted.
std::optional<KernelAction> change_action(ProbedThread& thread, const TrapGuard& guard, const KernelAction* action) {
  AddressSpace& space = *thread.process->space;
  uint64_t at = data_place(guard, offsetof(TrapGuardData, action));
  if (action && !write_at(space, at, *action)) return std::nullopt;
  InjectedCall call{SYS_rt_sigaction, {SIGTRAP, action ? at : 0, 0, kSignalSetBytes, 0, 0}};
  call.buffer_argument = 2;
  auto result = inject(thread, call);
  if (!result || *result != 0) return std::nullopt;
  KernelAction before;
  std::memcpy(&before, call.buffer.data(), sizeof before);
  return before;
}

/// As the program's own, but that it survives its delivery and finds a stack where there is one.
KernelAction action_of(const TrapGuard& guard) {
  bool has_handler = guard.program.handler > 1;
  KernelAction action = guard.program;
  if (!has_handler) action = {0, SA_ONSTACK | SA_RESTART | SA_NODEFER, 0, 0};
  action.handler = guard.area + trap_guard_places().handler;
  action.flags |= SA_SIGINFO | kRestorerFlag;
  action.flags &= ~uint64_t{static_cast<uint32_t>(SA_RESETHAND)};
  if (action.restorer == 0) action.restorer = guard.area + trap_guard_places().restorer;
  return action;
}

bool put_code(AddressSpace& space, const TrapGuard& guard) { return space.write_raw(guard.area, trap_guard_code()); }

/// By the code that another process in the same memory has, if the programs' own handler is the same: there is room for
/// two or three only.
bool share_guard(ProbedThread& thread) {
  ProbedProcess& process = *thread.process;
  TrapGuard& guard = process.guard.emplace(TrapGuard{process.space->guard_area(), {}});
  if (guard.area != 0 && has_guard_code(guard, *process.space)) {
    auto own = change_action(thread, guard, nullptr);
    uint64_t shared_handler = 0;
    process.space->read_raw(data_place(guard, 0), std::as_writable_bytes(std::span(&shared_handler, 1)));
    if (own && own->handler == shared_handler) {
      guard.program = *own;
      KernelAction ours = action_of(guard);
      if (change_action(thread, guard, &ours)) return true;
    }
  }
  process.guard.reset();
  return false;
}

void install_own_guard(ProbedThread& thread) {
  ProbedProcess& process = *thread.process;
  auto area = room_in_vdso(process.pid, *process.space, trap_guard_code().size());
  if (!area) return;
  process.guard = TrapGuard{*area, {}};
  TrapGuard& guard = *process.guard;
  auto own = put_code(*process.space, guard) ? change_action(thread, guard, nullptr) : std::nullopt;
  if (own) guard.program = *own;
  KernelAction ours = action_of(guard);
  bool is_installed = own && write_at(*process.space, data_place(guard, 0), guard.program.handler) &&
                      change_action(thread, guard, &ours);
  for (uint64_t slots : process.space->slots().areas()) note_slot_area(thread, slots);
  if (is_installed) {
    process.space->note_restored_mark(data_place(guard, offsetof(TrapGuardData, is_restored)));
    process.space->note_guard_area(guard.area);
  } else {
    process.guard.reset();
  }
}

}  // namespace

void install_guard(ProbedThread& thread) {
  ProbedProcess& process = *thread.process;
  if (std::exchange(process.guard_was_tried, true) || is_sandboxed(thread.tid)) return;
  if (!share_guard(thread)) install_own_guard(thread);
  if (auto blocked = read_blocked(thread.tid)) note_blocked(process, *blocked);
}

void install_guard_at_attach(std::span<ProbedThread* const> threads, std::deque<Waited>& waiting) {
  for (ProbedThread* thread : threads) {
    std::optional<Waited> stop = look_at(thread->tid, Usage::Omit);
    if (!stop || !std::holds_alternative<TrapStop>(classify(stop->status))) continue;
    take(thread->tid);
    install_guard(*thread);
    waiting.push_back(*stop);
    break;
  }
  for (ProbedThread* thread : threads)
    if ((thread->known_mask = read_blocked(thread->tid))) note_blocked(*thread->process, *thread->known_mask);
  if (!threads.empty()) watch_calls(*threads.front()->process);
}

bool has_guard_code(const TrapGuard& guard, const AddressSpace& space) {
  std::span<const std::byte> code = trap_guard_code().first(trap_guard_places().data);
  std::vector<std::byte> there(code.size());
  return space.read_raw(guard.area, there) == there.size() && std::ranges::equal(there, code);
}

void note_slot_area(const ProbedThread& thread, uint64_t area) {
  const ProbedProcess& process = *thread.process;
  if (!process.guard) return;
  size_t index = process.space->slots().areas().size() - 1;
  constexpr size_t kAreas = std::tuple_size_v<decltype(TrapGuardData::slot_areas)>;
  if (index < kAreas)
    write_at(*process.space, data_place(*process.guard, offsetof(TrapGuardData, slot_areas) + 8 * index), area);
}

void change_program_action(ProbedThread& thread, const KernelAction& action) {
  ProbedProcess& process = *thread.process;
  TrapGuard& guard = *process.guard;
  guard.program = action;
  KernelAction ours = action_of(guard);
  write_at(*process.space, data_place(guard, 0), action.handler);
  change_action(thread, guard, &ours);
}

int before_own_trap(ProbedThread& thread) {
  const auto& guard = thread.process->guard;
  siginfo_t info;
  if (!guard || !read_siginfo(thread.tid, info)) return SIGTRAP;
  if (guard->program.handler > 1) {
    info.si_errno = kOwnTrap;
    if (is_of_int3(info)) write_siginfo(thread.tid, info);
    return SIGTRAP;
  }
  bool is_forced = info.si_code > 0;
  if (guard->program.handler == 1 && !is_forced) return 0;
  // It dies of the signal, with its current registers: the kernel must find the program's own action.
  thread.own_trap = info;
  KernelAction none;
  change_action(thread, *guard, &none);
  ::syscall(SYS_tgkill, raw(thread.process->pid), raw(thread.tid), SIGTRAP);
  return 0;
}

bool lift_guard(ProbedThread& thread) {
  ProbedProcess& process = *thread.process;
  if (!process.guard) return true;
  KernelAction program = process.guard->program;
  bool is_lifted = change_action(thread, *process.guard, &program).has_value();
  process.guard.reset();
  return is_lifted;
}

void erase_guard_code(AddressSpace& space, const TrapGuard& guard) {
  space.write_raw(guard.area, std::vector<std::byte>(trap_guard_code().size()));
}

}  // namespace strut
