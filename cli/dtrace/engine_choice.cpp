#include "cli/dtrace/engine_choice.hpp"

#include <algorithm>

#include "dtrace/engine/interpreted_engine.hpp"
#include "kassist/dtrace/engine.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/uprobes/linked_uprobes.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "process/caller.hpp"
#include "ptrace/observers/held_process.hpp"
#include "ptrace/engine/launch_watch.hpp"
#include "ptrace/observers/probe_host.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {

namespace {

bool is_ptrace(const OwnOptions& own, const DWish& wish) {
  if (own.backend == BackendChoice::Auto)
    return (wish.is_interpreted && !wish.reads_kernel) || kassist_obstacle() || !check_may_trace_unnamed() ||
           (wish.needs == DNeeds::Code && uprobe_obstacle());
  return own.backend == BackendChoice::Ptrace;
}

std::unique_ptr<DEngine> make_ptrace_engine(Messages& messages) {
  drop_file_capabilities();  // the kernel then decides by the caller's own rights what it may trace
  auto say = [&messages](std::string_view line) { messages.say(line); };
  return make_interpreted_engine(make_ptrace_probe_host(), {linked_uprobes, say});
}

/// Why the program does not run in the kernel.
std::string reason_for_ptrace(const OwnOptions& own, const DWish& wish) {
  if (own.backend == BackendChoice::Ptrace) return "--backend says so";
  if (wish.is_interpreted && !wish.reads_kernel) return "json() is not for the kernel";
  if (auto obstacle = kassist_obstacle()) return "kassist cannot trace here: " + obstacle->why;
  if (auto refused = check_may_trace_unnamed(); !refused) return "kassist cannot trace here: " + refused.error().why;
  if (auto obstacle = wish.needs == DNeeds::Code ? uprobe_obstacle() : std::nullopt)
    return "kassist cannot probe code here: " + obstacle->why;
  return "kassist's uprobes would slow the machine";
}

}  // namespace

std::string explain_engine(const OwnOptions& own, const DWish& wish, std::string_view name) {
  bool is_kassist = name == "kassist";
  bool is_alone = wish.needs == DNeeds::None && !wish.reads_kernel && own.backend != BackendChoice::Kassist;
  std::string reason = is_alone ? "no process and nothing of the kernel is probed"
                       : is_kassist && own.backend == BackendChoice::Kassist ? "--backend says so"
                       : is_kassist ? "the program runs in the kernel, and stops no process"
                                    : reason_for_ptrace(own, wish);
  std::string text = (is_alone ? "interpreter" : std::string(name)) + ": " + reason + '\n';
  if (wish.needs == DNeeds::Code) text += "  cost: " + load_text(wish.load) + '\n';
  return text;
}

bool wants_interpreter(const DProgram& program) {
  return std::ranges::any_of(program.code, [](const DInstruction& i) { return i.op == DOp::TextJson; });
}

std::vector<UprobeDemand> uprobe_demands(std::span<const PidFound> found) {
  std::vector<UprobeDemand> demands;
  for (const PidFound& in_module : found) demands.push_back(uprobe_demand(in_module.code));
  return demands;
}

UprobeDemand uprobe_demand(const DCode& code) {
  auto uprobes = std::ranges::count_if(code.sites, [](const DSite& site) { return site.uprobe_offset.has_value(); });
  return {code.device, code.inode, code.pid, static_cast<size_t>(uprobes)};
}

Result<std::unique_ptr<DEngine>> make_d_engine(const OwnOptions& own, const DWish& wish, Messages& messages) {
  bool forced = own.backend == BackendChoice::Kassist;
  if (wish.needs == DNeeds::None && !wish.reads_kernel && !forced) return make_interpreted_engine(nullptr);
  if (is_ptrace(own, wish)) return make_ptrace_engine(messages);
  if (TRY(backend_for(wish.load, wish.uprobes)) == BackendChoice::Ptrace) return make_ptrace_engine(messages);
  return make_kassist_d_engine({make_cfi_unwinder(FrameDetail::Functions), make_launch_watch, hold_process});
}

}  // namespace strut
