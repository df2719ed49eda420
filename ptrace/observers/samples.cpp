#include "ptrace/observers/samples.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include <linux/audit.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "procfs/process_status.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/restarted_call.hpp"

namespace strut {
namespace {

/// 0: it is gone.
uint64_t cpu_time_ns(Pid pid) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(raw(pid), &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

void Samples::set(std::vector<uint64_t> clocks_ns) {
  clocks_ns_ = std::move(clocks_ns);
  cpus_ = std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L);
  shortest_ns_ = clocks_ns_.empty() ? 0 : *std::ranges::min_element(clocks_ns_);
  next_ns_ = clocks_ns_.empty() ? UINT64_MAX : 0;
}

std::vector<Tracee*> Samples::look(const TraceeTable& threads, uint64_t now_ns) {
  next_ns_ = now_ns + shortest_ns_;
  std::map<int32_t, std::vector<Tracee*>> by_process;
  for (auto& [tid, thread] : threads)
    if (thread->process && thread->process->is_reported) by_process[raw(thread->process->pid)].push_back(thread.get());
  std::vector<Tracee*> to_interrupt;
  for (auto& [pid, all] : by_process) {
    std::vector<uint64_t> due = take_due(Pid{pid});
    uint64_t most = due.empty() ? 0 : *std::ranges::max_element(due);
    std::vector<Runner> running = most == 0 ? std::vector<Runner>{} : who_runs(std::move(all), most);
    for (size_t i = 0; i < running.size(); i++) {
      Tracee& thread = *running[i].thread;
      if (!running[i].is_at_stop) to_interrupt.push_back(&thread);
      thread.ticks.resize(clocks_ns_.size());
      thread.turn = ++turns_;
      for (size_t clock = 0; clock < due.size(); clock++)
        thread.ticks[clock] += static_cast<uint32_t>(due[clock] / running.size() + (i < due[clock] % running.size()));
    }
    if (running.empty()) continue;
    for (size_t clock = 0; clock < due.size(); clock++) processes_[pid].given[clock] += due[clock];
  }
  return to_interrupt;
}

/// The undelivered ticks of each clock. A new process begins anywhere between two ticks: short lives are sampled in
/// proportion to their length.
std::vector<uint64_t> Samples::take_due(Pid pid) {
  uint64_t time_ns = cpu_time_ns(pid);
  auto [at, is_new] = processes_.try_emplace(raw(pid));
  Process& process = at->second;
  if (is_new) {
    uint64_t phase_ns = std::uniform_int_distribution<uint64_t>(0, shortest_ns_ - 1)(phase_);
    process.from_ns = time_ns > phase_ns ? time_ns - phase_ns : 0;
  }
  uint64_t since_ns = time_ns > process.from_ns ? time_ns - process.from_ns : 0;
  for (size_t clock = process.given.size(); clock < clocks_ns_.size(); clock++)
    process.given.push_back(is_new ? 0 : since_ns / clocks_ns_[clock]);
  std::vector<uint64_t> due;
  for (size_t clock = 0; clock < clocks_ns_.size(); clock++) {
    uint64_t all = since_ns / clocks_ns_[clock];
    due.push_back(all > process.given[clock] ? all - process.given[clock] : 0);
  }
  return due;
}

/// As many as there are CPUs. Threads that have not stopped for their last ticks yet come first, since an injected call
/// or a step may have consumed their stop; then the least recently sampled ones.
std::vector<Samples::Runner> Samples::who_runs(std::vector<Tracee*> threads, uint64_t most) const {
  most = std::min(most, static_cast<uint64_t>(cpus_));
  std::ranges::sort(threads, {}, [](const Tracee* thread) { return std::pair(thread->ticks.empty(), thread->turn); });
  std::vector<Runner> running;
  for (Tracee* thread : threads) {
    if (running.size() == most) break;
    char state = state_of(thread->tid);
    bool is_at_stop = state == 't' && !thread->group_stopped;
    if (state == 'R' || is_at_stop) running.push_back({thread, is_at_stop});
  }
  return running;
}

bool Samples::make_again(Tid tid, AllRegisters& registers) {
  auto number = static_cast<int64_t>(registers[kOrigRax]);
  if (number < 0 || static_cast<int64_t>(registers[kRax]) != -EINTR) return false;
  SyscallInfo info{};
  if (!read_syscall_info(tid, info)) return false;
  constexpr int64_t kClose32 = 6;
  bool is_64 = info.arch == AUDIT_ARCH_X86_64;
  if (number == (is_64 ? SYS_close : kClose32)) return false;
  if (has_signal_to_deliver(tid)) return false;
  put_before_call(registers);
  return true;
}

}  // namespace strut
