#include "kassist/dtrace/program.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <functional>
#include <future>
#include <set>

#include <bpf/bpf.h>

#include "kassist/dtrace/aggregates.hpp"
#include "kassist/dtrace/checks.hpp"
#include "kassist/dtrace/library.hpp"
#include "kassist/dtrace/lowering/link.hpp"
#include "kassist/dtrace/lowering/lowering.hpp"
#include "kassist/dtrace/maps.hpp"
#include "kassist/dtrace/presence.hpp"
#include "kassist/dtrace/tables.hpp"
#include "kassist/loader/object_types.hpp"
#include "kassist/wire/dtrace_run.h"
#include "syscalls/syscall.hpp"

namespace strut {
namespace {

using Process = DTrigger::Process;

/// By DHook.
struct HookRow {
  const char* main;  ///< for the library
  const char* tracepoint;
};
constexpr HookRow kHooks[kDHooks] = {
#define D_HOOK(hook, function, tracepoint) {#function, tracepoint},
#include "kassist/dtrace/hooks.inc"
#undef D_HOOK
};

/// In the place of d_hook_sys_exit where only calls that seccomp denies are wanted of it.
constexpr const char* kDenied = "d_hook_denied";

/// In the place of d_hook_exit where only calls that seccomp ends their thread for are wanted of it.
constexpr const char* kRefused = "d_hook_refused";

/// Where process events come from, by DTrigger::Process.
constexpr DHook kProcessHooks[] = {
#define PROCESS_EVENT(event, number, hook, ...) DHook::hook,
#include "dlang/machine/process_events.inc"
#undef PROCESS_EVENT
};

DHook hook_of(const DTrigger& trigger) {
  switch (trigger.kind) {
    case DTrigger::Kind::Code: return DHook::Uprobe;
    case DTrigger::Kind::SyscallEntry: return DHook::SyscallEntry;
    case DTrigger::Kind::SyscallReturn: return DHook::SyscallReturn;
    case DTrigger::Kind::Process: return kProcessHooks[static_cast<size_t>(trigger.process)];
    case DTrigger::Kind::Profile: return DHook::Profile;
    case DTrigger::Kind::Tracepoint: return DHook::Tracepoint;
    case DTrigger::Kind::Watch: return DHook::Watch;
    case DTrigger::Kind::Fired: break;
  }
  return DHook::Fire;
}

}  // namespace

std::string_view tracepoint_of(DHook hook) { return kHooks[static_cast<size_t>(hook)].tracepoint; }

struct DKernelProgram::State {
  State(const DProgram& of, const DTuning& with, DLibrary&& opened, DMaps&& made, DTables&& empty)
      : program(of),
        tuning(with),
        library(std::move(opened)),
        maps(std::move(made)),
        tables(std::move(empty)),
        seen(of, maps) {}

  Result<void> lower();
  Result<void> map_memory();
  Result<void> allow_no_speculation() const;
  void add_event(uint32_t place, uint32_t index, uint8_t kind, uint32_t offset = 0);
  void add_calls(const DProbe& probe, uint32_t index);
  bool add_events(const DProbe& probe, uint32_t index);
  void use(DHook hook, const DProbe& probe);
  const char* main_of(DHook hook) const;
  Result<OwnedFd> load(DHook hook, const std::set<uint32_t>& clauses) const;
  Error blamed(DHook hook, const std::set<uint32_t>& clauses, Error error) const;

  /// A hook's clauses, and its program with those that it had when it was made.
  struct Hook {
    bool used = false;
    std::set<uint32_t> clauses, loaded;
    std::string_view main;  ///< in the library, in the program
    OwnedFd program;
    std::vector<OwnedFd> before;  ///< armed probes may still have them
  };

  const DProgram& program;
  DTuning tuning;
  DLibrary library;
  DMaps maps;
  DTables tables;
  DAggregatesSeen seen;
  std::vector<std::string> names;  ///< for clauses' functions
  DMade functions;
  std::array<Hook, kDHooks> hooks;
  std::map<uint32_t, std::vector<d_firing>> events;
  MappedArray control_page, runs, crowds;
  std::optional<DControl> control;
  bool needs_ends = false;  ///< something happens at threads' ends besides entries of calls that seccomp ends them for
  bool needs_returns = false;  ///< something happens at calls' returns besides entries that seccomp denies
  DLost reported;              ///< the losses of earlier take_lost() calls
};

Result<void> DKernelProgram::State::lower() {
  DLoweringContext context{program, maps, library};
  names.reserve(program.clauses.size());
  for (uint32_t i = 0; i < program.clauses.size(); i++) {
    names.push_back("clause " + std::to_string(i));
    functions.emplace(names.back(), TRY(lower_clause(context, i)));
  }
  return {};
}

Result<void> DKernelProgram::State::map_memory() {
  control_page = TRY(MappedArray::map(library.map(".data.control"), sizeof(d_control)));
  control.emplace(control_page.as<d_control>()[0]);
  runs = TRY(MappedArray::map(library.map("runs"), sizeof(d_run) * D_RUNS_EACH * library.cpus()));
  crowds = TRY(MappedArray::map(library.map("crowds"), sizeof(d_crowd) * library.cpus()));
  return {};
}

/// A map has room for one at least: it is taken.
Result<void> DKernelProgram::State::allow_no_speculation() const {
  uint32_t none = 0, state = D_SPECULATION_ENDED;
  if (int error = bpf_map_update_elem(library.map("speculations"), &none, &state, BPF_ANY))
    return fail(refused("bpf(BPF_MAP_UPDATE_ELEM)", -error));
  return {};
}

Result<DKernelProgram> DKernelProgram::load(const DProgram& program, const DTuning& tuning) {
  TRY_VOID(check_for_kernel(program));
  DMemoryLayout memory = TRY(memory_layout(program));
  DLibraryTuning with{
      .text_bytes = static_cast<uint32_t>(std::min<uint64_t>(program.settings.strsize + 1, D_TEXT_MOST)),
      .stack_bytes = std::min(tuning.stack_bytes, kDMostStack),
      .scratch_bytes = std::min(program.clause_bytes + usable_scratch_bytes(program.settings), kDScratchBytes),
      .wants_arguments = arguments_used(program),
      .wants_kernel_stack = uses_kernel_stack(program),
      .global_bytes = program.global_bytes,
      .clause_bytes = program.clause_bytes,
      .thread_bytes = memory.thread_bytes,
      .element_bytes = memory.element_bytes,
      .ring_bytes = tuning.ring_bytes,
      .speculations = static_cast<uint32_t>(program.settings.nspec),
      .watches_memory = watches_memory(program)};
  // The kernel takes its time over maps; libbpf is at work meanwhile.
  auto maps_made = std::async(std::launch::async, DMaps::create, std::cref(program));
  DLibrary library = TRY(DLibrary::open(with));
  DMaps maps = TRY(maps_made.get());
  DTables tables = TRY(DTables::create(library, uses_names(program)));
  auto state = std::make_unique<State>(program, tuning, std::move(library), std::move(maps), std::move(tables));
  state->tables.use(state->library);
  TRY_VOID(state->map_memory());
  if (program.settings.nspec == 0) TRY_VOID(state->allow_no_speculation());
  TRY_VOID(state->lower());
  DKernelProgram loaded(std::move(state));
  *loaded.control().wake_bytes() = UINT32_MAX;
  loaded.control().adjust_clock();
  return loaded;
}

DKernelProgram::DKernelProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
DKernelProgram::DKernelProgram(DKernelProgram&&) noexcept = default;
DKernelProgram& DKernelProgram::operator=(DKernelProgram&&) noexcept = default;
DKernelProgram::~DKernelProgram() = default;

// -- probes -----------------------------------------------------------------------------------------------

void DKernelProgram::State::add_event(uint32_t place, uint32_t index, uint8_t kind, uint32_t offset) {
  events[place].push_back(
      {.probe = index, .offset = offset, .kind = kind, .condition = 0xff, .more = 0, .hook = 0, .pid = 0});
}

void DKernelProgram::State::add_calls(const DProbe& probe, uint32_t index) {
  bool entry = probe.trigger.kind == DTrigger::Kind::SyscallEntry;
  for (const DTrigger::Syscall& call : probe.trigger.calls)
    for (uint32_t abi = 0; abi < kAbiCount; abi++) {
      const SyscallSlot* slot = find_syscall(static_cast<Abi>(abi), call.name);
      if (!slot || (slot->nr & ~kX32Bit) >= D_CALLS) continue;
      uint32_t place = (entry ? abi : D_ABIS + abi) * D_CALLS + (slot->nr & ~kX32Bit);
      add_event(place, index, static_cast<uint8_t>(entry ? D_CALL_ENTRY : D_CALL_RETURN), call.first);
    }
}

void DKernelProgram::State::use(DHook hook, const DProbe& probe) {
  Hook& used = hooks[static_cast<size_t>(hook)];
  used.used = true;
  used.clauses.insert(probe.clauses.begin(), probe.clauses.end());
}

/// False: it is none of calls or of processes' lives.
bool DKernelProgram::State::add_events(const DProbe& probe, uint32_t index) {
  switch (probe.trigger.kind) {
    case DTrigger::Kind::SyscallEntry:
    case DTrigger::Kind::SyscallReturn: add_calls(probe, index); return true;
    case DTrigger::Kind::Process:
      add_event(D_HOOKS_AT + static_cast<uint32_t>(probe.trigger.process), index, D_GIVEN);
      return true;
    default: return false;
  }
}

Result<void> DKernelProgram::add_probes(std::span<const DProbe> probes) {
  State& state = *state_;
  bool has_events = false;
  for (const DProbe& probe : probes) {
    uint32_t index = state.tables.probes();
    TRY_VOID(state.tables.add_probe(probe));
    // Memory that the clause reads may be present only when the call returns, and a call that a seccomp filter denies
    // is seen only then, or when its thread exits.
    DHook hook = hook_of(probe.trigger);
    state.use(hook, probe);
    if (hook == DHook::SyscallEntry) {
      state.use(DHook::SyscallReturn, probe);
      state.use(DHook::Exit, probe);
    }
    if (hook == DHook::Watch) {
      state.use(DHook::WatchFork, {});
      state.use(DHook::WatchExit, {});
    }
    state.needs_ends |= hook == DHook::Exit;
    state.needs_returns |= hook == DHook::SyscallReturn || (hook == DHook::SyscallEntry && reads_memory(state.program));
    has_events |= state.add_events(probe, index);
  }
  if (!has_events) return {};
  return state.tables.set_events(state.events);
}

Result<std::vector<uint64_t>> DKernelProgram::add_code(const DCode& code) { return state_->tables.add_sites(code); }

Result<uint64_t> DKernelProgram::profile_cookie(uint32_t probe) { return probe; }

uint64_t DKernelProgram::tracepoint_cookie(uint32_t probe, const DTrigger::Tracepoint& at) {
  static_assert(DTrigger::Tracepoint::kOwnArguments == D_OWN_ARGUMENTS);
  static_assert(DTrigger::Tracepoint::kNoArguments == D_NO_ARGUMENTS);
  return probe | uint64_t{at.arguments} << D_COOKIE_ARGUMENTS | uint64_t{at.subject} << D_COOKIE_SUBJECT |
         uint64_t{at.if_set} << D_COOKIE_IF_SET | uint64_t{at.if_zero} << D_COOKIE_IF_ZERO;
}

Result<void> DKernelProgram::add_watch(Pid pid, const DWatch& watch, uint64_t value) {
  d_watched_key key{.address = watch.range.address, .pid = static_cast<uint32_t>(raw(pid)), .unused = 0};
  d_watched range{.value = value,
                  .probe = watch.probe,
                  .memory = key.pid,
                  .bytes = watch.range.access == WatchAccess::Execute ? uint8_t{0} : watch.range.bytes,
                  .is_read = watch.range.access == WatchAccess::Read,
                  .unused = {}};
  if (!control().watch(key.address))
    return fail({0, "watch memory", {}, "more than " + std::to_string(D_WATCHED) + " addresses in all processes", {}});
  if (int error = bpf_map_update_elem(state_->library.map("watched_memory"), &key, &range, BPF_ANY))
    return fail(refused("bpf(BPF_MAP_UPDATE_ELEM)", -error));
  return {};
}

void DKernelProgram::remove_watch(Pid pid, uint64_t address) {
  d_watched_key key{.address = address, .pid = static_cast<uint32_t>(raw(pid)), .unused = 0};
  bpf_map_delete_elem(state_->library.map("watched_memory"), &key);
}

// -- programs ---------------------------------------------------------------------------------------------

const char* DKernelProgram::State::main_of(DHook hook) const {
  if (hook == DHook::SyscallReturn && !needs_returns) return kDenied;
  if (hook == DHook::Exit && !needs_ends) return kRefused;
  return kHooks[static_cast<size_t>(hook)].main;
}

Result<OwnedFd> DKernelProgram::State::load(DHook hook, const std::set<uint32_t>& clauses) const {
  DLoweringContext context{program, maps, library};
  std::vector<uint32_t> list(clauses.begin(), clauses.end());
  DMade made = functions;
  made.insert_or_assign("d_clauses", lower_clause_list(context, list, names));
  DLinked what{.main = main_of(hook)};
  if (hook == DHook::Profile || hook == DHook::Watch) what.type = BPF_PROG_TYPE_PERF_EVENT;
  if (hook == DHook::Uprobe) {
    what.type = BPF_PROG_TYPE_KPROBE;
    what.attach_type = tuning.uprobes == UprobeMechanism::Multi ? kUprobeMulti : 0;
    bool reads_operands = arguments_used(program) != 0 && std::ranges::any_of(program.clauses, may_have_operands);
    bool copies_in = uses(program, {DOp::CopyIn, DOp::CopyInTo, DOp::CopyInText, DOp::ProgramVariable});
    what.may_sleep = reads_operands || copies_in;
  }
  Result<OwnedFd> loaded = link_and_load(library, made, what);
  if (loaded || !what.may_sleep) return loaded;
  what.may_sleep = false;  // Linux 6.0: uprobes' programs may
  return link_and_load(library, made, what);
}

/// Which clause it is that the kernel refuses: the first that it does not take alone.
Error DKernelProgram::State::blamed(DHook hook, const std::set<uint32_t>& clauses, Error error) const {
  if (error.code == EPERM || !load(hook, {})) return error;  // the fault is in no clause
  for (uint32_t clause : clauses)
    if (auto alone = load(hook, {clause}); !alone) {
      error.subject = "the clause of line " + std::to_string(program.clauses[clause].at.line);
      return error;
    }
  return error;
}

Result<std::optional<int>> DKernelProgram::program(DHook which) {
  State::Hook& hook = state_->hooks[static_cast<size_t>(which)];
  if (!hook.used) return std::nullopt;
  if (hook.program && hook.loaded == hook.clauses && hook.main == state_->main_of(which)) return hook.program.number();
  Result<OwnedFd> loaded = state_->load(which, hook.clauses);
  if (!loaded) return fail(state_->blamed(which, hook.clauses, loaded.error()));
  OwnedFd program = *std::move(loaded);
  if (hook.program) hook.before.push_back(std::move(hook.program));
  hook.program = std::move(program);
  hook.loaded = hook.clauses;
  hook.main = state_->main_of(which);
  return hook.program.number();
}

std::vector<DHook> DKernelProgram::hooks() const {
  std::vector<DHook> needed;
  for (size_t i = 0; i < kDHooks; i++) {
    auto hook = static_cast<DHook>(i);
    if (state_->hooks[i].used && hook != DHook::Uprobe && hook != DHook::Fire) needed.push_back(hook);
  }
  return needed;
}

Result<void> DKernelProgram::fire(uint32_t probe, std::span<const uint64_t> arguments) {
  std::optional<int> program = TRY(this->program(DHook::Fire));
  if (!program) return fail({EINVAL, "fire a probe", std::to_string(probe), "there is none of strut's own", {}});
  std::array<uint64_t, 12> context{probe};
  std::copy_n(arguments.begin(), std::min<size_t>(arguments.size(), D_ARGUMENTS), context.begin() + 1);
  bpf_test_run_opts options{};
  options.sz = sizeof options;
  options.ctx_in = context.data();
  options.ctx_size_in = sizeof context;
  if (int error = bpf_prog_test_run_opts(*program, &options)) return fail(refused("bpf(BPF_PROG_TEST_RUN)", -error));
  return {};
}

// -- results --------------------------------------------------------------------------------------------

int DKernelProgram::ring() const { return state_->library.map("ring"); }
size_t DKernelProgram::ring_bytes() const { return state_->tuning.ring_bytes; }

DControl& DKernelProgram::control() const { return *state_->control; }

OwnedFd DKernelProgram::linker_program() const {
  if (state_->tuning.uprobes != UprobeMechanism::Multi) return {};
  DLinked what{.main = "d_hook_linker"};
  what.type = BPF_PROG_TYPE_KPROBE;
  what.attach_type = kUprobeMulti;
  what.may_sleep = true;
  auto loaded = link_and_load(state_->library, {}, what);
  return loaded ? *std::move(loaded) : OwnedFd();
}
int DKernelProgram::linker_questions() const { return state_->library.map("questions"); }

Result<void> DKernelProgram::merge_aggregations(DAggregations& into) { return state_->seen.merge(into); }

Result<void> DKernelProgram::restart_aggregation(uint32_t aggregation, DAggregations& into) {
  if (!begins_anew(state_->program, aggregation)) return {};
  control().count_restart(aggregation);
  return merge_aggregations(into);
}

void DKernelProgram::free_speculation(uint32_t id) { bpf_map_delete_elem(state_->library.map("speculations"), &id); }

DLost DKernelProgram::take_lost() {
  State& state = *state_;
  d_control& control = state.control_page.as<d_control>()[0];
  uint32_t cpus = state.library.cpus();
  DLost now{std::vector<uint64_t>(cpus), std::atomic_ref(control.aggregation_drops).load(),
            std::atomic_ref(control.dynamic_drops).load(), std::atomic_ref(control.failed_speculations).load()};
  for (uint32_t cpu = 0; cpu < cpus; cpu++) {
    now.records[cpu] = std::atomic_ref(state.crowds.as<d_crowd>()[cpu].lost).load();
    for (uint32_t run = 0; run < D_RUNS_EACH; run++)
      now.records[cpu] += std::atomic_ref(state.runs.as<d_run>()[cpu * D_RUNS_EACH + run].lost).load();
  }
  state.reported.records.resize(cpus);
  DLost more = now;
  for (uint32_t cpu = 0; cpu < cpus; cpu++) more.records[cpu] -= state.reported.records[cpu];
  more.aggregation -= state.reported.aggregation;
  more.dynamic_variable -= state.reported.dynamic_variable;
  more.speculations -= state.reported.speculations;
  state.reported = std::move(now);
  return more;
}

std::vector<d_record> DKernelProgram::take_waiting() {
  int map = state_->library.map("waiting");
  std::vector<d_record> faults;
  d_waiting call;
  for (uint32_t thread; bpf_map_get_next_key(map, nullptr, &thread) == 0;) {
    if (bpf_map_lookup_elem(map, &thread, &call) == 0) faults.push_back(call.fault);
    if (bpf_map_delete_elem(map, &thread) != 0) break;
  }
  std::ranges::sort(faults, {}, &d_record::time_ns);
  return faults;
}

uint64_t DKernelProgram::fired() const {
  uint64_t sum = 0;
  for (d_run& run : state_->runs.as<d_run>()) sum += std::atomic_ref(run.fired).load();
  return sum;
}

}  // namespace strut
