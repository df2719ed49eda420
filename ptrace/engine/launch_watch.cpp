#include "ptrace/engine/launch_watch.hpp"

#include <atomic>
#include <cerrno>
#include <utility>

#include "base/clock.hpp"
#include "process/interruption.hpp"
#include "ptrace/engine/startup_linker.hpp"
#include "ptrace/requests/call_number.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {
namespace {

/// How long a command that is to be let go is waited for to stop.
constexpr uint64_t kPatience_ns = 1'000'000'000;

class PtraceLaunchWatch final : public LaunchWatch {
 public:
  Result<void> seize(Pid command) override {
    tid_ = leader_of(command);
    if (int error = strut::seize(tid_, PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD))
      return fail({error, "ptrace(PTRACE_SEIZE)", std::to_string(raw(command)), {}, {}});
    return {};
  }

  End run(Until until, const std::function<void(Stage)>& at) override {
    until_ = until;
    for (;;) {
      std::optional<Waited> waited = wait_for(tid_);
      if (!waited && errno != EINTR) return End::Dead;
      if (waited && !watches(*waited, at)) return end_;
      if (is_to_hold_) interrupt(tid_);
      if (leaving_since_ns_ == 0 && (is_to_leave_ || Interruption::caught() != 0)) halt();
      if (leaving_since_ns_ != 0 && monotonic_ns() - leaving_since_ns_ > kPatience_ns) return End::Interrupted;
    }
  }

  void leave() override { is_to_leave_ = true; }
  void hold() override { is_to_hold_ = true; }

 private:
  using At = std::function<void(Stage)>;

  void halt() {
    end_ = End::Interrupted;
    leaving_since_ns_ = monotonic_ns();
    interrupt(tid_);
  }

  /// False: it is let go, or dead.
  bool watches(const Waited& waited, const At& at) {
    Stop stop = classify(waited.status);
    if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop))
      return end_ = End::Dead, false;
    auto* signal = std::get_if<SignalStop>(&stop);
    if (leaving_since_ns_ != 0) return detach(tid_, signal ? signal->signal : 0), false;
    if (auto* event = std::get_if<EventStop>(&stop); event && event->event == PTRACE_EVENT_EXEC) return at_exec(at);
    if (std::holds_alternative<TrapStop>(stop) && is_to_hold_.exchange(false)) at(Stage::NewCode);
    if (std::holds_alternative<SyscallStop>(stop)) return at_call(at);
    if (std::holds_alternative<GroupStop>(stop)) return take(tid_), restart(tid_, Restart::Listening), true;
    return go_on(signal ? signal->signal : 0);
  }

  bool at_exec(const At& at) {
    take(tid_);
    starts_ = true;
    maps_code_ = false;
    SyscallInfo info{};
    linker_ =
        read_syscall_info(tid_, info) ? startup_linker(Pid{raw(tid_)}, info.instruction_pointer) : StartupLinker{};
    at(Stage::NewCode);
    return linker_.none() ? started(at) : go_on();
  }

  bool at_call(const At& at) {
    SyscallInfo info{};
    if (!read_syscall_info(tid_, info)) return go_on();  // it has been killed
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
      if (linker_.is_left_by(info)) return started(at);
      note_entry(call_, info);
      maps_code_ = maps_code(call_);
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && std::exchange(maps_code_, false) && !info.exit.is_error) {
      at(Stage::NewCode);
    }
    return go_on();
  }

  bool started(const At& at) {
    starts_ = false;
    at(Stage::Started);
    if (until_ == Until::Started) return detach(tid_), false;
    return go_on();
  }

  bool go_on(int signal = 0) {
    restart(tid_, starts_ ? Restart::ToSyscall : Restart::Freely, signal);
    return true;
  }

  Tid tid_{};
  Until until_ = Until::Started;
  End end_ = End::LetGo;
  StartupLinker linker_;
  Call call_;
  bool starts_ = false;     ///< the linker works
  bool maps_code_ = false;  ///< the call it is in
  std::atomic<bool> is_to_leave_ = false, is_to_hold_ = false;
  uint64_t leaving_since_ns_ = 0;  ///< 0: not leaving
};

}  // namespace

std::unique_ptr<LaunchWatch> make_launch_watch() { return std::make_unique<PtraceLaunchWatch>(); }

}  // namespace strut
