#include "dtrace/engine/interpreted_engine.hpp"

#include <algorithm>
#include <ctime>

#include "base/clock.hpp"
#include "dtrace/engine/interpreting.hpp"
#include "process/interruption.hpp"
#include "procfs/process_status.hpp"
#include "trace/breakpoint_event.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {
namespace {

constexpr const char* kNobody = "this needs a process to watch, and this engine has none";
constexpr const char* kKernelAlone = "this is in the kernel, where only a program of the kernel's reads";
constexpr const char* kKassistAdvice = "--backend=kassist can, as root; strut doctor says whether it works here";

}  // namespace

InterpretedEngine::InterpretedEngine(std::unique_ptr<ProbeHost> host, UprobeConflictReport conflicts)
    : host_(std::move(host)) {
  if (!host_) return;
  unwinder_ = make_cfi_unwinder(FrameDetail::Functions);
  code_.emplace(*host_, std::move(conflicts));
}

InterpretedEngine::~InterpretedEngine() = default;

Result<void> InterpretedEngine::load(const DRunRequest& request) {
  began_ns_ = monotonic_ns();
  if (reads_kernel(*request.program)) return fail({0, "run the program", "curthread", kKernelAlone, kKassistAdvice});
  runner_.emplace(*request.program, request.self, unwinder_.get());
  mappings_ = request.mappings;
  system_wide_ = request.system_wide;
  watch();
  return {};
}

void InterpretedEngine::watch() {
  if (host_) host_->watch({.follow = follows(), .calls = live_.need_calls(), .clocks_ns = live_.clocks_ns()});
}

Result<void> InterpretedEngine::add_probes(std::span<const DProbe> probes) {
  for (const DProbe& probe : probes)
    if (!host_ && probe.trigger.kind != DTrigger::Kind::Fired)
      return fail({0, "enable", LiveProbes::description_of(probe), kNobody, {}});
    else if (probe.trigger.kind == DTrigger::Kind::Tracepoint)
      return fail({0, "enable", LiveProbes::description_of(probe), kKernelAlone, kKassistAdvice});
  auto registers = static_cast<size_t>(
      std::ranges::count_if(probes, [](const DProbe& probe) { return probe.trigger.kind == DTrigger::Kind::Watch; }));
  if (auto obstacle = registers != 0 ? breakpoint_obstacle(registers) : std::nullopt) return fail(*std::move(obstacle));
  for (const DProbe& probe : probes) {
    live_.add(static_cast<uint32_t>(runner_->size()), probe);
    runner_->add(probe);
  }
  watch();
  return {};
}

Result<std::vector<DRefusal>> InterpretedEngine::arm(const DCode& code, const DArmingStep& step) {
  if (!host_) return fail({0, "arm", code.path, kNobody, {}});
  const DCode& added = code_->add(code);
  std::set<uint32_t> refused;
  auto refuse = [&](const DCode& by, const DSite& site) {
    if (&by == &added) refused.insert(static_cast<uint32_t>(&site - added.sites.data()));
  };
  for (auto& [pid, life] : lives_)
    if (!code.pid || raw(*code.pid) == pid) code_->update(Pid{pid}, refuse);
  step(code.sites.size());
  std::vector<DRefusal> refusals;
  for (uint32_t site : refused) refusals.push_back({site, std::string(code_->kNotInserted)});
  return refusals;
}

Result<void> InterpretedEngine::watch(Pid pid, std::span<const DWatch> watches) {
  if (!host_) return fail({0, "watch memory", std::to_string(raw(pid)), kNobody, {}});
  std::vector<HostWatch> wanted;
  for (const DWatch& watch : watches) wanted.push_back({watch.range, watch.probe});
  return host_->watch_memory(pid, wanted);
}

Result<void> InterpretedEngine::launch(HeldCommand command, DObserver& observer) {
  if (!host_) return fail({0, "launch", std::to_string(raw(command.pid())), kNobody, {}});
  observer_ = &observer;
  lives_[raw(command.pid())] = {1, true};
  return host_->launch(std::move(command), *this);
}

void InterpretedEngine::prepare_attach(std::span<const Pid> pids) {
  if (host_) host_->stop_for_attach(pids);
}

Result<void> InterpretedEngine::attach(Pid pid, DObserver& observer) {
  if (!host_) return fail({0, "attach", std::to_string(raw(pid)), kNobody, {}});
  observer_ = &observer;
  TRY_VOID(host_->attach(pid, *this));
  auto threads = threads_of(pid);
  lives_[raw(pid)] = {threads ? threads->size() : 1, true};
  code_->update(pid);
  watch_linker(pid);
  return {};
}

Result<void> InterpretedEngine::fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) {
  runner_->fire(probe, {.arguments = arguments, .time_ns = monotonic_ns()}, observer);
  return {};
}

Result<void> InterpretedEngine::serve(uint64_t until_ns, DObserver& observer) {
  observer_ = &observer;
  if (startup_ns_ == 0) startup_ns_ = monotonic_ns() - began_ns_;
  if (host_ && !stopped_) return host_->serve(until_ns, *this);
  timespec until{static_cast<time_t>(until_ns / 1'000'000'000), static_cast<long>(until_ns % 1'000'000'000)};
  if (Interruption::caught() == 0) ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  return {};
}

Result<void> InterpretedEngine::stop(DObserver&) {
  stopped_ = true;
  if (code_) code_->end_run();
  if (host_) host_->let_go();
  return {};
}

DEngineCounts InterpretedEngine::counts() const {
  return {.fired = runner_->fired(),
          .dropped = runner_->dropped(),
          .armed = code_ ? code_->instructions() : 0,
          .startup_ns = startup_ns_};
}

std::unique_ptr<DEngine> make_interpreted_engine(std::unique_ptr<ProbeHost> host, UprobeConflictReport conflicts) {
  return std::make_unique<InterpretedEngine>(std::move(host), std::move(conflicts));
}

}  // namespace strut
