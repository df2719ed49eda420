// Turns events of hosted threads into firings of probes.
#include "dtrace/engine/interpreting.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>

#include <sys/user.h>
#include <sys/wait.h>

#include "base/clock.hpp"
#include "dtrace/engine/sent_signals.hpp"
#include "dtrace/engine/signal_fates.hpp"
#include "procfs/remote_memory.hpp"
#include "trace/linker_breakpoint.hpp"

namespace strut {
namespace {

#define PLACE(name) (offsetof(user_regs_struct, name) / sizeof(uint64_t))
/// System V psABI for x86-64, 3.2.3, "Parameter Passing".
constexpr size_t kArguments[] = {PLACE(rdi), PLACE(rsi), PLACE(rdx), PLACE(rcx), PLACE(r8), PLACE(r9)};
constexpr size_t kResult = PLACE(rax), kSecondResult = PLACE(rdx), kStack = PLACE(rsp), kFlags = PLACE(eflags),
                 kProgramCounter = PLACE(rip);
#undef PLACE
constexpr uint8_t kConditions = 16;  // of flags; a tracee is stepped over all turns of a repeated instruction
constexpr uint64_t kReturnAddressBytes = 8;

using DArguments = std::span<uint64_t, kDArguments>;

void set_operands(FiringFacts& facts, DArguments arguments, std::span<const SiteOperand> operands) {
  const AllRegisters& all = facts.thread->registers();
  facts.arguments = arguments;
  for (size_t k = 0; k < std::min<size_t>(operands.size(), kDArguments); k++) {
    SiteValue value = value_of(operands[k], all, facts.thread->memory());
    arguments[k] = value.value;
    if (!value.is_read) facts.unread |= 1u << k;
  }
}

void set_arguments(FiringFacts& facts, DArguments arguments, const DCode& code, const DFiring& firing) {
  const AllRegisters& all = facts.thread->registers();
  if (firing.variables != DFiring::kNoVariables) facts.variables = code.operands[firing.variables];
  switch (firing.kind) {
    case DFiring::Kind::Entry:
      for (size_t k = 0; k < std::size(kArguments); k++) arguments[k] = all[kArguments[k]];
      facts.arguments = arguments.first(std::size(kArguments));
      facts.more_arguments = Addr{all[kStack] + kReturnAddressBytes};
      break;
    case DFiring::Kind::Return:
      arguments[0] = firing.offset;
      arguments[1] = all[kResult];
      arguments[2] = all[kSecondResult];
      facts.arguments = arguments.first(3);
      break;
    case DFiring::Kind::Operands: set_operands(facts, arguments, code.operands[firing.offset]); break;
    case DFiring::Kind::Offset: break;
  }
}

/// CLD_EXITED, CLD_KILLED, CLD_DUMPED: DTrace Guide, proc:::exit.
uint64_t how_it_ended(int status) {
  if (WIFEXITED(status)) return CLD_EXITED;
  return WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED;
}

}  // namespace

// -- code -----------------------------------------------------------------------------------------------------------

void InterpretedEngine::at_breakpoint(HaltedThread& thread, uint64_t tag) {
  uint64_t time_ns = monotonic_ns();
  bool changed = false;
  // By index: a probe may add sets while its clauses run.
  for (size_t i = 0; i < code_->places(tag); i++) {
    auto [code, site] = code_->place(tag, i);
    if (!site) changed = true;
    else fire_site(thread, *code, *site, time_ns);
  }
  if (changed) look_at_code(thread.pid());
}

void InterpretedEngine::fire_site(HaltedThread& thread, const DCode& code, const DSite& site, uint64_t time_ns) {
  if (code.pid && *code.pid != thread.pid()) return;
  const AllRegisters& all = thread.registers();
  for (uint32_t i = site.first; i < site.first + site.count && fires(); i++) {
    const DFiring& firing = code.firings[i];
    if (firing.condition < kConditions && !condition_holds(firing.condition, all[kFlags])) continue;
    uint64_t arguments[kDArguments] = {};
    FiringFacts facts{.thread = &thread, .time_ns = time_ns};
    set_arguments(facts, arguments, code, firing);
    runner_->fire(firing.probe, facts, *observer_);
  }
}

void InterpretedEngine::at_access(HaltedThread& thread, std::span<const MemoryAccess> accesses, uint64_t lost) {
  uint64_t time_ns = monotonic_ns();
  if (lost != 0) observer_->dropped(DDrops::Records, -1, lost);
  for (const MemoryAccess& access : accesses) {
    uint64_t arguments[] = {access.address, access.value, access.before};
    if (fires()) runner_->fire(access.tag, {.thread = &thread, .arguments = arguments, .time_ns = time_ns}, *observer_);
  }
}

Displaced InterpretedEngine::displaced(uint64_t tag) {
  // The linker's own place is a function that does nothing: its first instruction is taken away and put back.
  return code_->displaced(tag).value_or(Displaced{});
}

void InterpretedEngine::look_at_code(Pid pid) {
  unwinder_->modules_changed(pid);
  code_->update(pid);
  if (!stopped_) observer_->code_changed(pid);
}

void InterpretedEngine::executed(HaltedThread& thread) {
  Pid pid = thread.pid();
  code_->forget(pid);
  Life& life = lives_[raw(pid)];
  life.threads = 1;
  if (mappings_) observer_->executed(pid, monotonic_ns());
  fire_lives(thread, DTrigger::Process::ExecSuccess, {});
  look_at_code(pid);
}

void InterpretedEngine::code_mapped(Pid pid) { look_at_code(pid); }

void InterpretedEngine::linker_done(Pid pid) { watch_linker(pid); }

void InterpretedEngine::watch_linker(Pid pid) {
  RemoteMemory memory(leader_of(pid));
  if (auto at = linker_breakpoint(pid, memory)) code_->watch_linker(pid, *at);
}

// -- calls ----------------------------------------------------------------------------------------------------------

void InterpretedEngine::call_entered(HaltedThread& thread, const Call& call) {
  uint64_t time_ns = monotonic_ns();
  std::span<const uint64_t> arguments(call.regs);
  for (LiveProbes::OfCall probe : live_.at_entry(call.desc->name))
    if (fires())
      runner_->fire(
          probe.probe,
          {.thread = &thread, .arguments = arguments.subspan(probe.first), .abi = call.abi, .time_ns = time_ns},
          *observer_);
  if (const Effects& effects = call.effects(); effects.replace_program())
    fire_lives(thread, DTrigger::Process::Exec, {call.regs[static_cast<size_t>(effects.program)]});
}

void InterpretedEngine::call_returned(HaltedThread& thread, const Call& call) {
  uint64_t time_ns = monotonic_ns();
  uint64_t result = call.error != 0 ? ~uint64_t{0} : static_cast<uint64_t>(call.result);
  uint64_t arguments[] = {result, result};
  fire_sent_signals(thread, call);
  for (LiveProbes::OfCall probe : live_.at_return(call.desc->name))
    if (fires())
      runner_->fire(probe.probe, {.thread = &thread, .arguments = arguments, .error = call.error, .time_ns = time_ns},
                    *observer_);
  const Effects& effects = call.effects();
  if (call.error != 0 && effects.replace_program())
    fire_lives(thread, DTrigger::Process::ExecFailure, {static_cast<uint64_t>(call.error)});
  if (effects.have(kConsumesSignal) && call.error == 0 && call.result > 0)
    fire_lives(thread, DTrigger::Process::SignalClear, {static_cast<uint64_t>(call.result)});
}

/// Signals that processes send; the kernel's own cannot be seen at their origin.
void InterpretedEngine::fire_sent_signals(HaltedThread& thread, const Call& call) {
  bool are_discarded_wanted = !live_.of(DTrigger::Process::SignalDiscard).empty();
  if (live_.of(DTrigger::Process::SignalSend).empty() && !are_discarded_wanted) return;
  for (const SentSignal& sent : sent_signals(call)) {
    auto tid = static_cast<uint64_t>(raw(sent.tid)), pid = static_cast<uint64_t>(raw(sent.pid));
    fire_lives(thread, DTrigger::Process::SignalSend, {tid, pid, sent.signal});
    if (!are_discarded_wanted || !is_discarded(sent.tid, static_cast<int>(sent.signal))) continue;
    senders_.insert(raw(thread.pid()));
    fire_lives(thread, DTrigger::Process::SignalDiscard, {tid, pid, sent.signal});
  }
}

// -- lives ----------------------------------------------------------------------------------------------------------

void InterpretedEngine::fire_lives(HaltedThread& thread, DTrigger::Process what,
                                   std::initializer_list<uint64_t> arguments) {
  for (uint32_t probe : live_.of(what))
    if (fires())
      runner_->fire(probe,
                    {.thread = &thread, .arguments = {arguments.begin(), arguments.size()}, .time_ns = monotonic_ns()},
                    *observer_);
}

void InterpretedEngine::process_created(HaltedThread& parent, Pid child) {
  fire_lives(parent, DTrigger::Process::Create, {static_cast<uint64_t>(raw(child))});
  if (!follows()) return;
  parents_[raw(child)] = parent.pid();
  if (mappings_) observer_->forked(parent.pid(), child, monotonic_ns());
}

void InterpretedEngine::thread_created(HaltedThread& parent, Tid child) {
  lives_[raw(parent.pid())].threads++;
  fire_lives(parent, DTrigger::Process::LwpCreate, {static_cast<uint64_t>(raw(child))});
}

void InterpretedEngine::thread_started(HaltedThread& thread) {
  Pid pid = thread.pid();
  if (auto parent = parents_.extract(raw(pid)); parent && raw(thread.tid()) == raw(pid)) {
    lives_[raw(pid)] = {1, false};
    code_->copy(parent.mapped(), pid);
    fire_lives(thread, DTrigger::Process::Start, {});
  }
  fire_lives(thread, DTrigger::Process::LwpStart, {});
}

void InterpretedEngine::thread_ends(HaltedThread& thread, int status) {
  fire_lives(thread, DTrigger::Process::LwpExit, {});
  auto life = lives_.find(raw(thread.pid()));
  bool is_last = life != lives_.end() && life->second.threads != 0 && --life->second.threads == 0;
  if (is_last) fire_lives(thread, DTrigger::Process::Exit, {how_it_ended(status)});
  runner_->forget_thread(thread.tid());
}

/// A halted thread's place in the kernel is unknown.
void InterpretedEngine::sampled(HaltedThread& thread, size_t clock, uint32_t ticks, bool is_in_call) {
  constexpr uint64_t kSomewhereInTheKernel = ~uint64_t{0};
  uint64_t arguments[] = {is_in_call ? kSomewhereInTheKernel : 0, is_in_call ? 0 : thread.registers()[kProgramCounter]};
  for (uint32_t i = 0; i < ticks && fires(); i++)
    runner_->fire(live_.profiles()[clock], {.thread = &thread, .arguments = arguments, .time_ns = monotonic_ns()},
                  *observer_);
}

void InterpretedEngine::signal_arrives(HaltedThread& thread, const siginfo_t& signal) {
  auto number = static_cast<uint64_t>(signal.si_signo);
  if (!live_.of(DTrigger::Process::SignalHandle).empty() && is_handled(thread.pid(), signal.si_signo))
    fire_lives(thread, DTrigger::Process::SignalHandle, {number});
  if (live_.of(DTrigger::Process::SignalDiscard).empty() || comes_from_a_call(signal)) return;
  Tid to = signal.si_code == SI_TKILL ? thread.tid() : leader_of(thread.pid());
  if (is_discarded(to, signal.si_signo))
    fire_lives(thread, DTrigger::Process::SignalDiscard,
               {static_cast<uint64_t>(raw(to)), static_cast<uint64_t>(raw(thread.pid())), number});
}

/// The signal comes from a call of a watched process: that call reports it, before or after.
bool InterpretedEngine::comes_from_a_call(const siginfo_t& signal) const {
  bool is_sent = signal.si_code == SI_USER || signal.si_code == SI_TKILL || signal.si_code == SI_QUEUE;
  return is_sent && (lives_.contains(signal.si_pid) || senders_.contains(signal.si_pid));
}

void InterpretedEngine::process_ended(Pid pid, int status) {
  code_->forget(pid);
  unwinder_->gone(pid);
  if (mappings_) observer_->unmapped(pid);
  auto life = lives_.extract(raw(pid));
  if (life && life.mapped().is_asked_for) observer_->ended(pid, status);
}

}  // namespace strut
