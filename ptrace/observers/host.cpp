#include "ptrace/observers/host.hpp"

#include <algorithm>
#include <csignal>
#include <ctime>

#include <unistd.h>

#include "base/clock.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"
#include "ptrace/engine/borrowers.hpp"
#include "ptrace/observers/probe_host.hpp"

namespace strut {
namespace {

constexpr uint64_t kRingAgain_ns = 5'000'000;

/// Children are held from their first moment: they have their parent's breakpoints.
constexpr EngineSettings kSettings{.options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT |
                                              PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE,
                                   .has_breakpoints = true,
                                   .sees_calls = false,
                                   .fairness = {.in_row = 64, .asked = SIZE_MAX}};

void sleep_until(uint64_t until_ns) {
  timespec until{static_cast<time_t>(until_ns / 1'000'000'000), static_cast<long>(until_ns % 1'000'000'000)};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

}  // namespace

/// Tracees do not stop at every call, so that none can be kept from seeing its affinity.
PtraceProbeHost::PtraceProbeHost() : engine_(kSettings) {
  TraceRequest cpus;
  cpus.seccomp_filter = true;
  engine_.begin(*this, cpus);
}

PtraceProbeHost::~PtraceProbeHost() {
  let_go();
  TracerProcess::rejoin();
}

/// Where clocks tick the tracer stays away from the CPU of a running thread: there it would run late, when the thread
/// gives it up.
void PtraceProbeHost::watch(const ProbeHostRequest& request) {
  if (request.clocks_ns != request_.clocks_ns) samples_.set(request.clocks_ns);
  request_ = request;
  engine_.settings().follow = request.follow;
  engine_.settings().sees_calls = request.calls;
  engine_.settings().follows_cpu = request.clocks_ns.empty();
}

Result<void> PtraceProbeHost::launch(HeldCommand command, ProbeHostObserver& observer) {
  observer_ = &observer;
  if (int error = seize(leader_of(command.pid()), kSettings.options))
    return fail({error, "ptrace(PTRACE_SEIZE)", std::to_string(raw(command.pid())), {}, {}});
  engine_.tracees().add(leader_of(command.pid()), command.pid());
  launching_ = command.pid();
  command.release();
  // Other events meanwhile are reported, too.
  while (launching_ && Interruption::caught() == 0 && !TracerProcess::is_orphaned()) TRY(engine_.step());
  return {};
}

// -- attaching --------------------------------------------------------------------------------------------------------

/// A process that runs in the memory of one before it is stopped as a borrower of that memory.
void PtraceProbeHost::stop_for_attach(std::span<const Pid> pids) {
  std::vector<MemoryOwner> owners;
  std::vector<Tid> threads;
  for (Pid pid : pids) {
    auto shares = [&](const MemoryOwner& owner) { return share_memory(leader_of(pid), owner.tid); };
    bool is_held = engine_.probes().is_held(pid) || stopped_.contains(pid);
    if (is_held || std::ranges::any_of(owners, shares)) continue;
    Attached& attached = stopped_[pid] = strut::attach(pid, AttachTo::Process, kSettings.options);
    if (attached.threads.empty()) continue;
    threads.insert(threads.end(), attached.threads.begin(), attached.threads.end());
    owners.push_back({pid, living_thread(attached.threads)});
  }
  await_stops(threads);
  borrowers_.merge(attach_to_borrowers(owners, kSettings.options));
}

Result<void> PtraceProbeHost::attach(Pid pid, ProbeHostObserver& observer) {
  observer_ = &observer;
  if (engine_.probes().report(pid)) return {};  // in another one's memory
  if (!stopped_.contains(pid)) stop_for_attach({&pid, 1});
  Attached attached = std::move(stopped_.extract(pid).mapped()), borrowers;
  if (auto found = borrowers_.extract(pid)) borrowers = std::move(found.mapped());
  if (attached.threads.empty())
    return fail({0, attached.complaints.empty() ? "attach" : attached.complaints.back(), {}, {}, {}});
  if (!attached.lacking.empty()) return fail(lacks_threads(pid, std::move(attached.lacking)));
  if (!borrowers.lacking.empty()) return fail(lacks_threads(pid, std::move(borrowers.lacking)));
  for (Tid tid : attached.threads) engine_.tracees().add(tid, pid);
  add_borrowers(engine_.tracees(), borrowers.threads);
  engine_.probes().attached(pid, {});
  return {};
}

// -- serving ----------------------------------------------------------------------------------------------------------

Result<void> PtraceProbeHost::serve(uint64_t until_ns, ProbeHostObserver& observer) {
  observer_ = &observer;
  returns_ = false;
  set_alarm(until_ns);
  while (!returns_) {
    if (TracerProcess::is_orphaned()) {
      let_go();
      ::_exit(128 + SIGKILL);
    }
    uint64_t time_ns = monotonic_ns();
    if (time_ns >= until_ns || Interruption::caught() != 0) break;
    if (time_ns >= samples_.next_ns()) {
      look_for_ticks(time_ns);
      set_alarm(until_ns);
    }
    if (TRY(engine_.step()) == Engine::Step::NoTracee) sleep_until(until_ns);
  }
  engine_.set_alarm(UINT64_MAX, 0);
  return {};
}

void PtraceProbeHost::set_alarm(uint64_t until_ns) {
  engine_.set_alarm(std::min(until_ns, samples_.next_ns()), kRingAgain_ns);
}

void PtraceProbeHost::look_for_ticks(uint64_t now_ns) {
  for (Tracee* thread : samples_.look(engine_.tracees(), now_ns)) {
    // A thread inside of a call that will stop at its return is handled there, and not interrupted.
    if (!engine_.restarts().stops_at_return(*thread)) interrupt(thread->tid);
  }
}

void PtraceProbeHost::let_go() {
  if (engine_.is_leaving()) return;
  (void)engine_.leave();
  while (!engine_.is_over()) {
    auto step = engine_.step();
    if (!step || *step == Engine::Step::NoTracee) break;
    engine_.rang();
  }
  (void)engine_.end();
}

std::unique_ptr<ProbeHost> make_ptrace_probe_host() { return std::make_unique<PtraceProbeHost>(); }

}  // namespace strut
