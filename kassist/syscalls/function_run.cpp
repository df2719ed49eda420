#include "kassist/syscalls/function_run.hpp"

#include <algorithm>
#include <csignal>

#include <unistd.h>

#include "kassist/loader/programs.hpp"
#include "kassist/syscalls/attach.hpp"
#include "kassist/uprobes/uretprobes.hpp"
#include "procfs/process_status.hpp"

namespace strut {

namespace {

constexpr useconds_t kNudgeEvery_us = 500;

/// The kernel knows a process by its first thread, where uprobes are to be for one process.
bool leaders_live(std::span<const Pid> processes) {
  return std::ranges::none_of(processes, [](Pid pid) {
    auto leader = process_status(leader_of(pid));
    return leader && (leader->state == 'Z' || leader->state == 'X');
  });
}

}  // namespace

Result<std::unique_ptr<FunctionRun>> FunctionRun::open(const TraceRequest& request, const Transport& transport) {
  if (request.system_wide)
    return fail({0, "kassist", {}, "it traces functions in processes that are named", "Leave out --all"});
  std::unique_ptr<FunctionRun> run(new FunctionRun(request, transport));
  if (!request.launch) run->warm_up_.emplace();  // attached processes run already
  using Reach = FunctionPrograms::Reach;
  bool is_held = transport.make_brake != nullptr;
  Reach reach = leaders_live(request.attach) && (!request.follow || is_held) ? Reach::Followed : Reach::SystemWide;
  run->programs_.emplace(TRY(FunctionPrograms::open(request, {reach, is_held})));
  return run;
}

Result<void> FunctionRun::load(const Tuning& tuning, Programs& programs) {
  // The kernel's own code makes this call where a return address was replaced.
  TRY_VOID(programs.leave_out(Abi::X86_64, kUretprobe));
  TRY_VOID(programs_->load(tuning, programs));
  FunctionArming::Holding holding{transport_.make_brake != nullptr, [this] {
                                    if (drain_) drain_->hurry_up();
                                  }};
  arming_ = TRY(
      FunctionArming::make(request_, *programs_, programs.control(), std::move(holding), transport_.uprobe_cost_text));
  for (const AskedFor& target : plan_attach(request_.attach, request_.attaches_threads()).targets)
    arming_->look_ahead(target.process);
  return {};
}

Result<void> FunctionRun::attach(Drain& drain) {
  drain_ = &drain;
  drain.hold(request_.follow ? Brake::Fresh::ProgramsAndChildren : Brake::Fresh::Programs);
  TRY_VOID(programs_->attach());
  arming_->start();
  return {};
}

void FunctionRun::follow(Pid pid) {
  arming_->follow(pid);
  arming_->look_at(pid);
}

void FunctionRun::begun() {
  if (warm_up_) warm_up_->stop();
}

void FunctionRun::launch(HeldCommand command) {
  arming_->follow(command.pid());
  launching_ = true;
  launcher_ = std::thread([this, watch = transport_.make_launch_watch ? transport_.make_launch_watch() : nullptr,
                           command = std::move(command)]() mutable {
    watch_launch(command, watch.get());
    launching_ = false;
  });
}

/// If another tracer already owns the command, its dynamic linker requests arming through a uprobe.
void FunctionRun::watch_launch(HeldCommand& command, LaunchWatch* watch) {
  bool is_seized = watch && watch->seize(command.pid());
  if (is_seized) drain_->spare(command.pid());
  else arming_->expect(command.pid(), request_.launch->path);
  command.release();
  if (!is_seized) return;
  watch->run(LaunchWatch::Until::Started, [&](LaunchWatch::Stage stage) {
    if (stage == LaunchWatch::Stage::NewCode) arming_->look_at(command.pid());
    else drain_->spare({});
  });
  drain_->spare({});
}

void FunctionRun::finish_launch(int interrupted_by) {
  if (!launcher_.joinable()) return;
  for (; launching_; ::usleep(kNudgeEvery_us))
    if (interrupted_by != 0) ::pthread_kill(launcher_.native_handle(), interrupted_by);
  launcher_.join();
}

}  // namespace strut
