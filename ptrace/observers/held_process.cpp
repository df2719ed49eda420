#include "ptrace/observers/held_process.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "procfs/process_status.hpp"
#include "ptrace/engine/attach.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {
namespace {

class HeldProcess {
 public:
  explicit HeldProcess(std::vector<Tid> threads) : threads_(std::move(threads)) {}
  HeldProcess(const HeldProcess&) = delete;
  /// Some may stop only now.
  ~HeldProcess() {
    await_stops(threads_);
    for (Tid tid : threads_) {
      auto stop = look_at(tid, Usage::Omit);
      if (stop) take(tid);
      detach(tid, stop ? pending_signal(classify(stop->status)) : 0);
    }
  }

 private:
  std::vector<Tid> threads_;
};

bool sleeps_deeply(Pid pid) {
  auto threads = threads_of(pid);
  return threads && std::ranges::any_of(*threads, [](Tid tid) { return state_of(tid) == 'D'; });
}

}  // namespace

std::shared_ptr<void> hold_process(Pid pid) {
  if (sleeps_deeply(pid)) return nullptr;
  Attached attached = attach(pid, AttachTo::Process, 0);
  if (attached.threads.empty()) return nullptr;
  auto held = std::make_shared<HeldProcess>(attached.threads);
  await_stops(attached.threads);
  return attached.lacking.empty() ? held : nullptr;
}

}  // namespace strut
