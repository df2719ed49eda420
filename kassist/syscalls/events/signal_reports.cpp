#include "kassist/syscalls/events/signal_reports.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "procfs/process_status.hpp"
#include "syscalls/types/signal/siginfo.hpp"

namespace strut {

namespace {

/// The values in place of a siginfo where the kernel has none: SEND_SIG_PRIV of <linux/sched/signal.h>, else
/// SEND_SIG_NOINFO.
constexpr uint64_t kFromKernel = 1;

Disposition disposition_of(uint64_t handler) {
  if (handler == reinterpret_cast<uint64_t>(SIG_DFL)) return Disposition::Default;
  return handler == reinterpret_cast<uint64_t>(SIG_IGN) ? Disposition::Ignored : Disposition::Caught;
}

ComingSignal plain_signal(RecordView record) {
  const wire_record& header = record.header();
  ComingSignal signal{static_cast<int>(header.signal.number), {}, header.at_ns};
  signal.disposition = disposition_of(header.signal.handler);
  signal.info.si_signo = signal.number;
  signal.ip = header.ip;
  signal.nr = header.nr;
  record.each_chunk([&](const ChunkView& chunk) {
    if (chunk.header->kind != WIRE_SIGINFO) return;
    if (!chunk.header->missed) {
      std::memcpy(&signal.info, chunk.content.data(), std::min(chunk.content.size(), sizeof signal.info));
    } else if (chunk.header->at == kFromKernel) {
      signal.info.si_code = SI_KERNEL;
    } else {
      signal.info.si_code = SI_USER;
      signal.info.si_pid = static_cast<pid_t>(header.signal.sender);
      signal.info.si_uid = static_cast<uid_t>(header.signal.sender_uid);
    }
  });
  return signal;
}

bool stops_processes(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

ComingSignal SignalReports::signal_of(RecordView record) {
  ComingSignal signal = plain_signal(record);
  const DecodeOptions& options = context_.request.decode;
  if (!options.comms && !options.translate_pids && !options.fd_targets) return signal;
  RecordedContext around(record.tid(), options, context_.threads.sockets());
  around.add(record);
  if (auto sender = pid_of(signal.info)) {
    if (options.comms) signal.sender = around.comm(*sender).value_or("");
    if (options.translate_pids) signal.sender_here = around.translate_pid(*sender).value_or(0);
  }
  if (auto fd = fd_of(signal.info); fd && options.fd_targets) signal.file = around.fd_target(*fd, options.fd_details);
  context_.threads.count_late(around.late());
  return signal;
}

Result<void> SignalReports::report(FollowedThread& thread, const ComingSignal& signal, const Stack* stack) {
  if (!context_.request.shows(signal.number)) return {};
  thread.note_number(signal.nr);
  SignalEvent event{
      signal.number, signal.info, {signal.sender, signal.sender_here, signal.file ? &*signal.file : nullptr}};
  if (context_.request.signal_dispositions) event.disposition = signal.disposition;
  return context_.emit(thread, signal.at_ns, signal.ip, event, stack);
}

Result<void> SignalReports::delivered(FollowedThread& thread, const Order::Entry& entry) {
  const wire_record& header = entry.record.header();
  TRY_VOID(report_waiting(thread, header.at_ns));
  ComingSignal signal = signal_of(entry.record);
  TRY_VOID(report(thread, signal, stacks_.unwind(thread, entry)));
  bool by_default = header.signal.handler == reinterpret_cast<uint64_t>(SIG_DFL);
  if (by_default && stops_processes(signal.number)) return stop_process(thread, signal.number, header.at_ns);
  return {};
}

Result<void> SignalReports::generated(RecordView record) {
  const wire_record& header = record.header();
  FollowedThread* thread = context_.threads.find(record.tid());
  if (!thread || thread->ended) return {};
  ComingSignal signal = signal_of(record);
  if (header.signal.fate == WIRE_FATAL) {
    auto& fatal = thread->process->fatal;
    if (!fatal) fatal = {thread->tid, signal};
    return {};
  }
  if (signal.number == SIGCONT)
    for (auto& [tid, other] : context_.threads.all())
      if (other->process == thread->process) other->stopped = false;
  if (!thread->inside && !thread->held && header.signal.in_call != WIRE_INSIDE) return report(*thread, signal, nullptr);
  // A pending signal stands for others of its number (signal(7), "Queueing"), as it would if a tracer kept it.
  bool stands =
      signal.number < SIGRTMIN && std::any_of(
                                      thread->ignored.begin(), thread->ignored.end(),
                                      [&](const ComingSignal& other) { return other.number == signal.number; });
  if (!stands) thread->ignored.push_back(signal);
  return {};
}

namespace {

/// The call that the thread has returned from waited for this process (wait4(2)): its id names no process any more.
bool was_reaped(const Call& call, const ComingSignal& signal) {
  return call.effects().have(kReturnsReaped) && call.returned && call.result == signal.info.si_pid;
}

}  // namespace

Result<void> SignalReports::report_waiting(FollowedThread& thread, uint64_t at_ns) {
  auto later = std::find_if(thread.ignored.begin(), thread.ignored.end(),
                            [&](const ComingSignal& signal) { return signal.at_ns > at_ns; });
  std::vector<ComingSignal> due(std::make_move_iterator(thread.ignored.begin()), std::make_move_iterator(later));
  thread.ignored.erase(thread.ignored.begin(), later);
  for (ComingSignal& signal : due) {
    if (signal.number == SIGCHLD && was_reaped(thread.call, signal)) {
      signal.sender.clear();
      signal.sender_here = 0;
    }
    TRY_VOID(report(thread, signal, thread.stack.kept()));  // the signal comes with the call's return
  }
  if (int stop = std::exchange(thread.stops_by, 0); stop != 0) return report_stop(thread, stop, at_ns);
  return {};
}

/// The default action of a stop signal. A process group without a parent's care is not stopped (setpgid(2),
/// "orphaned").
Result<void> SignalReports::stop_process(FollowedThread& taker, int signal, uint64_t at_ns) {
  if (signal != SIGSTOP) {
    auto status = process_status(taker.tid);
    if (!status || status->state != 'T') return {};
  }
  TRY_VOID(report_stop(taker, signal, at_ns));
  for (auto& [tid, thread] : context_.threads.all()) {
    if (thread->process != taker.process || thread.get() == &taker || thread->ended) continue;
    if (thread->inside) thread->stops_by = signal;
    else TRY_VOID(report_stop(*thread, signal, at_ns));
  }
  return {};
}

Result<void> SignalReports::report_stop(FollowedThread& thread, int signal, uint64_t at_ns) {
  if (std::exchange(thread.stopped, true) || !context_.request.shows(signal)) return {};
  return context_.emit(thread, at_ns, 0, StopEvent{signal});
}

}  // namespace strut
