#include "ptrace/requests/injected_call.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>

#include <sys/syscall.h>
#include <unistd.h>

#include "procfs/maps.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/restarted_call.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"
#include "syscalls/machine_faults.hpp"

namespace strut {
namespace {

constexpr size_t kMaxSearched_bytes = 1 << 20;

std::optional<uint64_t> search(const AddressSpace& space, const Mapping& mapping) {
  static constexpr std::byte kSyscall[] = {std::byte{0x0f}, std::byte{0x05}};
  std::vector<std::byte> code(std::min<uint64_t>(raw(mapping.end) - raw(mapping.start), kMaxSearched_bytes));
  code.resize(space.read_raw(raw(mapping.start), code));
  auto found = std::search(code.begin(), code.end(), std::begin(kSyscall), std::end(kSyscall));
  if (found == code.end()) return std::nullopt;
  return raw(mapping.start) + static_cast<uint64_t>(found - code.begin());
}

/// An address where a process has a `syscall` instruction: of the vdso, else of any code. nullopt: there is none.
std::optional<uint64_t> find_call_instruction(Pid pid, const AddressSpace& space) {
  auto mappings = maps_of(pid);
  if (!mappings) return std::nullopt;
  for (const Mapping& mapping : *mappings)
    if (mapping.path == "[vdso]")
      if (auto found = search(space, mapping)) return found;
  for (const Mapping& mapping : *mappings)
    if (mapping.executable && mapping.path != "[vsyscall]")
      if (auto found = search(space, mapping)) return found;
  return std::nullopt;
}

/// Where a thread in a call that is to be made again goes on if nothing stops it: in front of the instruction that
/// makes it.
void make_again(CallFrame& frame, const AllRegisters& registers) {
  auto result = static_cast<int64_t>(registers[kRax]);
  if (static_cast<int64_t>(registers[kOrigRax]) < 0 || !is_restart_code(result)) return;
  frame.rax = result == kRestartBlock ? static_cast<uint64_t>(SYS_restart_syscall) : registers[kOrigRax];
  frame.ip -= kCallInstructionBytes;
}

CallFrame frame_of(const AllRegisters& registers, uint64_t blocked) {
  MachineRegisters machine = machine_registers(registers);
  auto& [rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15] = machine.general;
  CallFrame frame{{},  blocked,           r15,       r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi,
                  rdi, registers[kFlags], machine.ip};
  make_again(frame, registers);
  return frame;
}

/// A tracee while it makes strut's call. All signals are blocked but SIGSTOP, which cannot be and comes later.
class Borrowed {
 public:
  explicit Borrowed(ProbedThread& thread) : thread_(thread), tid_(thread.tid) {}

  std::optional<int64_t> make(InjectedCall& call) {
    auto blocked = read_blocked(tid_);
    AllRegisters before;
    if (!blocked || !read_all_registers(tid_, before)) return std::nullopt;
    // SIGTRAP is gone with the restart: from there on the thread stands in front of its breakpoint.
    if (thread_.is_trapped) before[kRip]--;
    auto planned = plan(before, *blocked, call);
    if (!planned) return std::nullopt;
    AllRegisters during = *planned;
    // In this order: a thread that has the registers gives itself the signals back.
    bool made = write_all_registers(tid_, during) && write_blocked(tid_, ~uint64_t{0}) && go_to_call_stop() &&
                go_to_call_stop() && read_all_registers(tid_, during);
    if (made && call.buffer_argument) thread_.process->space->read_raw(during[kRsp], call.buffer);
    // A call that was interrupted is restarted on the way out of a signal-stop, never of a syscall-stop.
    if (made && static_cast<int64_t>(before[kOrigRax]) >= 0) made = go_to_trap_stop();
    write_all_registers(tid_, before);
    write_blocked(tid_, *blocked);
    if (stop_signal_ != 0) ::syscall(SYS_tkill, raw(tid_), stop_signal_);
    if (!made) return std::nullopt;
    return static_cast<int64_t>(during[kRax]);
  }

 private:
  /// The registers that it makes the call with. nullopt: it cannot.
  std::optional<AllRegisters> plan(const AllRegisters& before, uint64_t blocked, const InjectedCall& call) {
    AllRegisters during = before;
    AddressSpace& space = *thread_.process->space;
    const auto& guard = thread_.process->guard;
    CallFrame frame = frame_of(before, blocked);
    uint64_t at = before[kRsp] - kRedZoneBytes - sizeof frame;
    if (guard && space.write_raw(at, std::as_bytes(std::span(&frame, 1)))) {
      during[kRsp] = at;
      during[kRip] = guard->area + trap_guard_places().call;
      during[kFlags] |= kResumeFlag;
    } else {
      auto instruction = call.buffer_argument ? std::nullopt : find_call_instruction(thread_.process->pid, space);
      if (!instruction) return std::nullopt;
      during[kRip] = *instruction;
    }
    during[kRax] = static_cast<uint64_t>(call.number);
    during[kOrigRax] = ~uint64_t{0};
    for (size_t i = 0; i < call.arguments.size(); i++)
      during[kCallArguments[i]] = call.buffer_argument == i ? at : call.arguments[i];
    return during;
  }

  /// Restarts it until the wanted stop; false: it is dead.
  template <typename Wanted>
  bool go_to(Restart how) {
    if (!restart(tid_, how)) return false;
    for (;;) {
      auto waited = wait_unless_dead(tid_);
      if (!waited) return false;
      Stop stop = classify(waited->status);
      if (is_of_another_thread(stop)) return false;
      if (std::holds_alternative<Wanted>(stop)) return take(tid_), true;
      if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) return false;
      if (auto* signal = std::get_if<SignalStop>(&stop)) {
        // All signals are blocked, so that it is the code of the call itself that cannot run: once more would be for
        // ever.
        if (fault_signals().test(static_cast<size_t>(signal->signal))) return take(tid_), false;
        stop_signal_ = signal->signal;
      }
      if (!restart(tid_, how)) return false;
    }
  }

  bool go_to_call_stop() { return go_to<SyscallStop>(Restart::ToSyscall); }
  bool go_to_trap_stop() { return interrupt(tid_) && go_to<TrapStop>(Restart::Freely); }

  ProbedThread& thread_;
  Tid tid_;
  int stop_signal_ = 0;
};

}  // namespace

std::optional<int64_t> inject(ProbedThread& thread, InjectedCall& call) {
  return is_sandboxed(thread.tid) ? std::nullopt : Borrowed(thread).make(call);
}

bool is_sandboxed(Tid tid) {
  auto status = process_status(tid);
  return status && status->seccomp != 0;
}

}  // namespace strut
