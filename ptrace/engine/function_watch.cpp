#include "ptrace/engine/function_watch.hpp"

#include <algorithm>
#include <csignal>

#include "base/clock.hpp"
#include "ptrace/requests/call_number.hpp"
#include "trace/linker_breakpoint.hpp"

namespace strut {
namespace {

constexpr uint8_t kAlways = 0xff;  // FunctionSite::condition

}  // namespace

FunctionWatch::FunctionWatch(const TraceRequest& request, EventEmitter<TraceeTable>& emitter, StackTaker& stacks,
                             TraceeTable& tracees, std::deque<Waited>& waiting)
    : request_(request),
      functions_(*request.functions),
      emitter_(emitter),
      stacks_(stacks),
      tracees_(tracees),
      waiting_(waiting),
      traps_(counts_, waiting, [this](const ProbedThread& thread) { return others_in(thread); }),
      sees_calls_(!request.calls.empty() || !request.injections.empty() || !request.detach_on.empty()) {
  functions_.hits_cost_alike();
}

std::vector<ProbedThread*> FunctionWatch::others_in(const ProbedThread& thread) const {
  std::vector<ProbedThread*> others;
  for (auto& [tid, other] : tracees_)
    if (&other->probed != &thread && other->probed.process && other->probed.process->space == thread.process->space)
      others.push_back(&other->probed);
  return others;
}

// -- hits -----------------------------------------------------------------------------------------------------------

Result<FunctionWatch::Next> FunctionWatch::at_trap(Tracee& tracee) {
  ProbedThread& thread = tracee.probed;
  if (!thread.process) return Next::Deliver;
  AllRegisters registers;
  Traps::Cause cause = traps_.cause_of(thread, registers);
  if (cause == Traps::Cause::Foreign) return Next::Deliver;
  if (cause == Traps::Cause::Passed) return Next::GoOn;
  if (cause == Traps::Cause::Again) return Next::DeliverAgain;
  bool reported = thread.take_fired(registers[kRip], registers[kRsp]);
  if (!reported && !leaving_) TRY_VOID(report_hits(tracee, registers, thread.process->space->at(registers[kRip])->tag));
  bool goes_on = traps_.go_over(thread, registers,
                                [this, &tracee](uint64_t tag) { return displaced(*tracee.probed.process, tag); });
  return goes_on ? Next::GoOn : Next::Wait;
}

Result<void> FunctionWatch::report_hits(Tracee& tracee, const AllRegisters& registers, uint64_t tag) {
  if (tag == kWatchedCallTag) return {};
  counts_.hits++;
  bool changed = false;
  // By index: a change of code may add sets.
  for (size_t i = 0; i < code_.sites(tag).size(); i++) {
    ArmedCode::SiteRef ref = code_.sites(tag)[i];
    if (ArmedCode::is_linker(ref)) changed = true;
    else if (!tracee.is_bystander()) TRY_VOID(report(tracee, registers, codes_[ref.code].sites[ref.site]));
  }
  if (changed) code_changed(tracee.probed.process->pid);
  return {};
}

Result<void> FunctionWatch::report(Tracee& tracee, const AllRegisters& registers, const FunctionSite& site) {
  if (site.condition != kAlways && !condition_holds(site.condition, registers[kFlags])) return {};
  AddressSpace& space = *tracee.probed.process->space;
  bool is_behind = site.kind == FunctionSite::Kind::Behind,
       returns = is_behind || site.kind == FunctionSite::Kind::Return;
  FunctionHit hit{.kind = site.kind,
                  .function = site.function,
                  .frame = registers[kRsp] - (is_behind ? sizeof(uint64_t) : 0),
                  .entry = {},
                  .returned = {},
                  .scene = {space, tracee.around, request_.decode}};
  if (is_behind) hit.return_address = registers[kRip];
  if (!returns) space.read(Addr{hit.frame}, std::as_writable_bytes(std::span(&hit.return_address, 1)));
  if (functions_.function(site.function).is_go) capture_goroutine(registers, space, hit);
  if (site.kind == FunctionSite::Kind::Entry) {
    capture_entry(tracee, registers, hit);
    arm_behind(*tracee.probed.process, hit);
  }
  if (returns) capture_return(tracee, registers, hit);
  const Stack* stack = stacks_.take(tracee, registers, space);
  return emitter_.report(tracee, now(), registers[kRip], FunctionHitEvent{&hit}, stack);
}

/// The return address of the call is looked at at once. Other threads get new breakpoints when they reach them: they
/// may be in an exec.
void FunctionWatch::arm_behind(ProbedProcess& process, const FunctionHit& hit) {
  if (!functions_.function(hit.function).is_left_unseen) return;
  if (!process.returns_seen.insert({hit.function, hit.return_address}).second) return;
  add(functions_.behind(hit.function, process.pid, hit.return_address));
  if (std::exchange(process.codes_seen, codes_.size()) != codes_.size()) update(process.pid);
}

void FunctionWatch::capture_goroutine(const AllRegisters& registers, AddressSpace& space, FunctionHit& hit) {
  std::array<uint64_t, 2> bounds{};
  auto bytes = std::as_writable_bytes(std::span(bounds));
  if (space.read(Addr{registers[kGoroutine]}, bytes).bytes == bytes.size())
    hit.runs(registers[kGoroutine], bounds[0], bounds[1]);
}

const FloatingUse& FunctionWatch::floatings(uint32_t function) {
  if (function >= floatings_.size()) floatings_.resize(function + 1);
  if (!floatings_[function]) floatings_[function] = floating_use(*functions_.function(function).desc);
  return *floatings_[function];
}

void FunctionWatch::capture_entry(const Tracee& tracee, const AllRegisters& registers, FunctionHit& hit) {
  std::span<const size_t> places = functions_.function(hit.function).is_go ? kGoArguments : kFunctionArguments;
  for (size_t i = 0; i < hit.entry.integers.size(); i++) hit.entry.integers[i] = registers[places[i]];
  hit.entry.stack = Addr{hit.frame};
  const FloatingUse& use = floatings(hit.function);
  std::array<uint64_t, 2> unused;
  bool takes = use.takes || (use.may_take && (registers[kRax] & 0xff) != 0);
  if (takes) hit.entry.has_floatings = read_vectors(tracee.tid, hit.entry.floatings, unused);
}

void FunctionWatch::capture_return(const Tracee& tracee, const AllRegisters& registers, FunctionHit& hit) {
  hit.returned.rax = registers[kRax];
  hit.returned.rdx = registers[kRdx];
  if (floatings(hit.function).returns)
    hit.returned.has_floatings = read_vectors(tracee.tid, hit.returned.floatings, hit.returned.x87);
  if (!request_.function_errors) return;
  auto place = functions_.errno_place(tracee.pid);
  if (!place) return;
  Addr at{registers[kFsBase] + static_cast<uint64_t>(*place)};
  tracee.probed.process->space->read(at, std::as_writable_bytes(std::span(&hit.error_number, 1)));
}

Displaced FunctionWatch::displaced(const ProbedProcess& process, uint64_t tag) const {
  for (ArmedCode::SiteRef ref : code_.sites(tag))
    if (!ArmedCode::is_linker(ref)) return codes_[ref.code].displace(codes_[ref.code].sites[ref.site]);
  auto at = linker_breakpoint(process.pid, *process.space);
  return at ? linker_displaced(*at, *process.space) : Displaced{};
}

// -- signals and calls ------------------------------------------------------------------------------------------------

void FunctionWatch::before_taking(Tracee& tracee, const Waited& waited) { traps_.settle(tracee.probed, waited); }

void FunctionWatch::before_signal(Tracee& tracee, int signal) {
  if (tracee.probed.process) traps_.before_signal(tracee.probed, signal);
}

int FunctionWatch::delivered(Tracee& tracee, int signal) {
  bool is_trap = signal == SIGTRAP && tracee.probed.process;
  return is_trap ? before_own_trap(tracee.probed) : signal;
}

void FunctionWatch::at_enter(Tracee& tracee, const SyscallInfo& info) {
  ProbedThread& thread = tracee.probed;
  if (!thread.process) return;
  traps_.before_call(thread);
  if (!thread.process->starts || !thread.process->linker.is_left_by(info)) return;
  thread.process->starts = false;
  watch_calls(*thread.process);
  watch_linker(thread.process->pid);
}

void FunctionWatch::at_exit(Tracee& tracee, const SyscallInfo& info) {
  const auto& process = tracee.probed.process;
  if (process) install_missing_guard(tracee.probed);
  if (process && process->starts && !info.exit.is_error && maps_code(tracee.call)) code_changed(process->pid);
}

void FunctionWatch::at_rest(Tracee& tracee) {
  const auto& process = tracee.probed.process;
  if (process && process->space->size() != 0) install_missing_guard(tracee.probed);
}

bool FunctionWatch::needs_calls(const Tracee& tracee) const {
  const ProbedThread& thread = tracee.probed;
  return sees_calls_ || !thread.process || thread.process->starts || thread.calls_in_slot ||
         thread.untraced_clone.needs_calls() || tracee.place() == Place::Inside;
}

}  // namespace strut
