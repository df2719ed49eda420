#include "cli/common/backend_choice.hpp"

#include <algorithm>

#include "cli/common/uprobe_permission.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/syscalls/kassist_backend.hpp"
#include "kassist/uprobes/linked_uprobes.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "process/caller.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/brake.hpp"
#include "ptrace/engine/launch_watch.hpp"
#include "ptrace/engine/ptrace_backend.hpp"
#include "ptrace/engine/trial_start.hpp"
#include "trace/function_points.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {
namespace {

/// From this many threads on, stopping each of them at each call is dearer than loading the programs.
constexpr size_t kMany = 4;

/// The targets of an attaching tracer.
size_t threads_to_attach(const TraceRequest& request) {
  if (!request.attaches_threads()) return request.attach.size();
  size_t count = 0;
  for (Pid pid : request.attach)
    if (auto threads = threads_of(pid)) count += threads->size();
  return count;
}

bool changes_target(const TraceRequest& request) {
  return !request.injections.empty() || request.seccomp_filter || request.kill_on_exit || !request.stop_on.nothing();
}

/// Uprobes that a backend arms for these sites, where it sees returns by their return addresses if it may.
size_t uprobes_of(const FunctionPoints& functions, const FunctionCode& code) {
  auto is_armed = [&](const FunctionSite& site) {
    bool is_way_out = site.kind == FunctionSite::Kind::Return || site.kind == FunctionSite::Kind::Jump;
    return site.uprobe_offset && !(is_way_out && functions.function(site.function).may_replace_return);
  };
  return static_cast<size_t>(std::ranges::count_if(code.sites, is_armed));
}

/// Counts the code of running processes, and of the command when its program begins. Code that is executed or opened
/// later is unknown.
UprobeLoad load_of_functions(const TraceRequest& request) {
  auto functions = request.functions->anew();
  if (!functions) return {};
  std::vector<UprobeDemand> demands;
  std::vector<Pid> targets = request.attach;
  auto look = [&](Pid pid) {
    for (const FunctionCode& code : functions->code_changed(pid))
      for (Pid each : targets)  // the code of one is returned once, whichever of them have it
        demands.push_back({code.device, code.inode, each, uprobes_of(*functions, code)});
  };
  auto look_at_command = [&](Pid pid) {
    targets.push_back(pid);
    look(pid);
  };
  for (Pid pid : request.attach) look(pid);
  if (request.launch) try_start(*request.launch, look_at_command);
  return load_on_others(demands, targets);
}

}  // namespace

bool has_tracer(Pid pid) {
  auto status = process_status(leader_of(pid));
  return status && status->tracer != 0;
}

namespace {

/// Why kassist cannot run this; empty: it can.
std::string obstacle_to(const TraceRequest& request) {
  if (changes_target(request)) return "kassist only watches, and this changes what the target does";
  auto obstacle = kassist_obstacle();
  if (!obstacle && request.functions) obstacle = uprobe_obstacle();
  return obstacle ? "kassist cannot trace here: " + obstacle->why : std::string();
}

/// Why kassist suits a request; empty: it does not.
std::string reason_for_kassist(const TraceRequest& request) {
  if (request.functions) return "a function's call costs a stopped thread fifty times what it costs in the kernel";
  if (std::ranges::any_of(request.attach, has_tracer))
    return "another tracer holds a process, and ptrace has room for one";
  if (size_t threads = threads_to_attach(request); threads >= kMany)
    return std::to_string(threads) + " threads are attached, and ptrace would stop each of them at each call";
  return {};
}

std::string reason_for_ptrace(const TraceRequest& request) {
  if (request.attach.empty()) return "a command is launched, and a short one ends before kassist loads";
  return "fewer than " + std::to_string(kMany) + " threads are attached, and ptrace begins sooner";
}

}  // namespace

Result<Chosen> choose(BackendChoice wish, const TraceRequest& request) {
  if (wish != BackendChoice::Auto) return Chosen{wish, "--backend says so"};
  if (request.system_wide) return Chosen{BackendChoice::Kassist, "ptrace traces processes that are named"};
  std::string reason = reason_for_kassist(request);
  if (reason.empty()) return Chosen{BackendChoice::Ptrace, reason_for_ptrace(request)};
  if (std::string obstacle = obstacle_to(request); !obstacle.empty()) return Chosen{BackendChoice::Ptrace, obstacle};
  if (!request.functions) return Chosen{BackendChoice::Kassist, reason};
  bool is_held = std::ranges::any_of(request.attach, has_tracer);
  UprobeWish uprobes{wish, is_held ? Instead::Nothing : Instead::Breakpoints, PermittedBy::Backend};
  UprobeLoad load = load_of_functions(request);
  bool is_dear = TRY(backend_for(load, uprobes)) == BackendChoice::Ptrace;
  if (is_dear) return Chosen{BackendChoice::Ptrace, "kassist's uprobes would slow the machine: " + load_text(load)};
  return Chosen{BackendChoice::Kassist, reason};
}

Result<std::string> explain_choice(const OwnOptions& own, const TraceRequest& request) {
  Chosen chosen = TRY(choose(own.backend, request));
  std::string text = chosen.backend == BackendChoice::Kassist ? "kassist" : "ptrace";
  text += ": " + chosen.why + '\n';
  std::string obstacle = obstacle_to(request);
  text += "  kassist: " + (obstacle.empty() ? "could trace it" : obstacle) + '\n';
  if (request.launch) text += "  command: " + request.launch->path + '\n';
  if (!request.attach.empty())
    text += "  threads: " + std::to_string(threads_to_attach(request)) + ", kassist is taken from " +
            std::to_string(kMany) + " on\n";
  if (request.functions && obstacle.empty()) text += "  cost: " + load_text(load_of_functions(request)) + '\n';
  return text;
}

std::optional<std::string> machine_cost(const TraceRequest& request) {
  return request.functions ? cost_of(load_of_functions(request)) : std::nullopt;
}

Result<std::unique_ptr<Backend>> make_backend(BackendChoice choice, const OwnOptions& own, const TraceRequest& request,
                                              LaterCost later, Listener& listener) {
  if (choice != BackendChoice::Kassist && request.system_wide)
    return fail(
        {0, "ptrace", {}, "it traces processes that are named: --all needs kassist", "Leave out --backend=ptrace"});
  FrameDetail detail = request.stack_lines ? FrameDetail::Lines : FrameDetail::Functions;
  auto complain = [&listener](std::string_view line) { listener.say(line); };
  auto unwinder = request.stack_frames != 0 ? make_cfi_unwinder(detail, complain) : nullptr;
  if (choice != BackendChoice::Kassist) {
    drop_file_capabilities();  // the kernel then decides by the caller's own rights what it may trace
    return make_ptrace_backend({std::move(unwinder), linked_uprobes});
  }
  if (changes_target(request))
    return fail(
        {0,
         "kassist",
         {},
         "it only watches: --inject, --fault, --seccomp-bpf, --kill-on-exit and truss's -T, -S, -M and -U need ptrace",
         "Leave out --backend=kassist"});
  Transport transport{own.ring_bytes, own.stack_bytes, own.frames_only, {}, {}, {}};
  if (later == LaterCost::Said) transport.uprobe_cost_text = cost_of;
  if (own.brake) transport.make_brake = make_ptrace_brake;
  transport.make_launch_watch = make_launch_watch;
  return make_kassist_backend(std::move(transport), std::move(unwinder));
}

}  // namespace strut
