#include "ptrace/observers/function_watch.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "trace/linker_breakpoint.hpp"

namespace strut {
namespace {

constexpr uint8_t kAlways = 0xff;  // FunctionSite::condition

}  // namespace

FunctionWatch::FunctionWatch(const TraceRequest& request, EventEmitter<TraceeTable>& emitter, StackTaker& stacks,
                             ProbedProcesses& probes, UprobeConflictReport conflicts)
    : request_(request),
      functions_(*request.functions),
      emitter_(emitter),
      stacks_(stacks),
      probes_(probes),
      code_(probes, std::move(conflicts)) {
  functions_.hits_cost_alike();
}

// -- code -----------------------------------------------------------------------------------------------------------

void FunctionWatch::code_changed(Pid pid) {
  if (!probes_.find(pid)) return;
  stacks_.code_changed(pid);
  size_t known_codes = code_.codes();
  add(functions_.code_changed(pid));
  update(pid);
  if (code_.codes() == known_codes) return;
  // A process with an unreported exec must not be assumed to have its parent's memory.
  for (auto& [each, known] : probes_.all())
    if (Pid{each} != pid && !known->borrows_space) update(Pid{each});
}

void FunctionWatch::add(std::vector<FunctionCode> fresh) {
  for (FunctionCode& code : fresh) {
    std::erase_if(code.sites,
                  [this](const FunctionSite& site) { return functions_.function(site.function).is_hidden; });
    code_.add(std::move(code));
  }
}

void FunctionWatch::update(Pid pid) {
  code_.update(pid, [this](const FunctionCode& code, const FunctionSite& site) {
    functions_.refused(code, site, code_.kNotInserted);
  });
}

bool FunctionWatch::watch_linker(Pid pid) {
  auto known = probes_.find(pid);
  auto at = known ? linker_breakpoint(pid, *known->space) : std::nullopt;
  if (at) code_.watch_linker(pid, *at);
  return at.has_value();
}

// -- processes ------------------------------------------------------------------------------------------------------

void FunctionWatch::attached(Pid pid) {
  auto process = probes_.attached(pid, request_.attach);
  if (!process) return;
  code_changed(pid);
  auto linker = linker_base(pid);
  if (watch_linker(pid) || !linker) return;
  process->linker = startup_linker(pid, raw(*linker));  // the linker has not got that far
  process->starts = !process->linker.none();
}

void FunctionWatch::executed(Pid pid) {
  code_.forget(pid);
  code_changed(pid);
}

void FunctionWatch::gone(Pid pid) {
  code_.forget(pid);
  stacks_.gone(pid);
}

// -- hits -----------------------------------------------------------------------------------------------------------

Result<void> FunctionWatch::at_breakpoint(Tracee& tracee, const AllRegisters& registers, uint64_t tag) {
  bool changed = false;
  // By index: a change of code may add sets.
  for (size_t i = 0; i < code_.places(tag); i++) {
    const FunctionSite* site = code_.place(tag, i).site;
    if (!site) changed = true;
    else if (!tracee.is_bystander()) TRY_VOID(report(tracee, registers, *site));
  }
  if (changed) code_changed(tracee.process->pid);
  return {};
}

Result<void> FunctionWatch::report(Tracee& tracee, const AllRegisters& registers, const FunctionSite& site) {
  if (site.condition != kAlways && !condition_holds(site.condition, registers[kFlags])) return {};
  AddressSpace& space = *tracee.process->space;
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
    arm_behind(*tracee.process, hit);
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
  if (std::exchange(process.codes_seen, code_.codes()) != code_.codes()) update(process.pid);
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
  tracee.process->space->read(at, std::as_writable_bytes(std::span(&hit.error_number, 1)));
}

Displaced FunctionWatch::displaced(const ProbedProcess& process, uint64_t tag) const {
  if (auto displaced = code_.displaced(tag)) return *std::move(displaced);
  auto at = linker_breakpoint(process.pid, *process.space);
  return at ? linker_displaced(*at, *process.space) : Displaced{};
}

}  // namespace strut
